"""
The mean of several graphs
==========================

Average graphs of different sizes, and see why the weights of the mean should be free.
"""

# %%
# Samples
# -------
# Ten graphs of three communities, of 18 to 36 nodes, in which one community grows with the graph.

import matplotlib.pyplot as plt
import numpy as np
import srgw

probabilities = np.full((3, 3), 0.05) + np.diag([0.75, 0.75, 0.75])
graphs = [
    srgw.generate.stochastic_block_model([6, 6, 6 + 2 * s], probabilities, random_state=s)[
        0
    ].to_numpy()
    for s in range(10)
]

# %%
# Semi-relaxed barycenter
# -----------------------
# Each sample chooses how much of the mean it uses, so the three nodes of the mean are the three
# communities.

C, log = srgw.semirelaxed_gromov_barycenters(3, graphs, G0="kmeans", random_state=0, log=True)
print(C.round(2))
for graph, T in list(zip(graphs, log["T"], strict=True))[::3]:
    print(len(graph), "nodes, weights", np.sort(T.sum(axis=0)).round(2))

# %%
# With fixed weights
# ------------------
# :func:`srgw.gromov_barycenters` gives every node of the mean the same weight in every sample. A
# community that is larger than a third has to be spread over two nodes.

B, fixed = srgw.gromov_barycenters(3, graphs, random_state=0, log=True)
fig, axes = plt.subplots(1, 2, figsize=(7, 3), layout="constrained")
for ax, matrix, title in zip(
    axes, (C, B), ("weights free (srGW)", "weights fixed (GW)"), strict=True
):
    image = ax.imshow(matrix, vmin=0, vmax=1, cmap="Blues")
    ax.set(title=title, xticks=range(3), yticks=range(3))
fig.colorbar(image, ax=axes)
plt.show()
