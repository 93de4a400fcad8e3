"""
Complete partially observed graphs
==================================

Predict the edges of hidden nodes from similar graphs.
"""

# %%
# Training graphs
# ---------------
# Sixty graphs of two groups. ``for_completion=0.2`` hides a fifth of the nodes of training graphs
# again and again and learns what was there.

import matplotlib.pyplot as plt
import numpy as np
import srgw

graphs = [
    srgw.generate.planted(16, 2, mean_degree=7, inside=0.9, random_state=s)[0].to_numpy()
    for s in range(61)
]
model = srgw.SRGWDictionary(4, for_completion=0.2, random_state=0).fit(graphs[:60])

# %%
# Hide nodes of a new graph
# -------------------------
# Hidden nodes come last. ``probabilities`` has the probability of every unknown pair; ``graph`` is
# one plausible whole graph. Hidden nodes are exchangeable, so all of them have the same
# probabilities.

whole = graphs[60]
seen = whole[:13, :13]
answer = model.complete(seen, 16, random_state=0)
print(answer.graph.shape, "seen edges kept:", bool((answer.graph[:13, :13] == seen).all()))

ties = whole[:13, 13:].mean(axis=1)
p = answer.probabilities[:13, 13]
print(f"mean probability of a tie: {p.mean():.2f}, true rate {ties.mean():.2f}")

fig, axes = plt.subplots(1, 3, figsize=(9, 3.2), layout="constrained")
for ax, matrix, title in zip(
    axes,
    (whole, answer.probabilities, answer.graph),
    ("true", "probabilities", "plausible graph"),
    strict=True,
):
    ax.imshow(np.nan_to_num(matrix), vmin=0, vmax=1, cmap="Blues")
    ax.axhline(12.5, color="black", lw=0.8)
    ax.axvline(12.5, color="black", lw=0.8)
    ax.set_title(title)
plt.show()

# %%
# With the program
# ----------------
# .. code-block:: sh
#
#    srgw learn graphs/ -m 4 --for-completion 0.2 -o model.npz
#    srgw complete model.npz seen.txt --nodes 16 -o whole.txt --probabilities p.npy
