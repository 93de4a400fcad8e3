"""
Compare two graphs
==================

Match a graph with a smaller one and read the plan; then compare many graphs with each other.
"""

# %%
# One divergence
# --------------
# The source is a graph of three communities, the target three groups that are joined in a row. srGW
# maps each node of the source to the target and learns how much weight each target node gets.

import matplotlib.pyplot as plt
import numpy as np
import srgw

probabilities = [[0.6, 0.08, 0.0], [0.08, 0.6, 0.08], [0.0, 0.08, 0.6]]
graph, blocks = srgw.generate.stochastic_block_model([20, 12, 8], probabilities, random_state=0)
C = graph.to_numpy()
Cbar = np.array(probabilities)

T, log = srgw.semirelaxed_gromov_wasserstein(C, Cbar, G0="spectral", n_init=5, log=True)
print(f"divergence {log['srgw_dist']:.4f}, gap {log['gap']:.1e}")
print("learned weights", T.sum(axis=0).round(2), "planted", np.bincount(blocks) / 40)

srgw.plot.matching(graph, srgw.Graph(3, [[0, 1], [1, 2]]), T)
plt.show()

# %%
# The target is symmetric, so its first and last node may be swapped.
#
# GW, which fixes the weights of the target, has to use all of it in given proportions. With the
# wrong weights its value is higher:

_, fixed = srgw.gromov_wasserstein(C, Cbar, log=True)
print(f"GW with uniform weights {fixed['gw_dist']:.4f}")

# %%
# Node features
# -------------
# ``M`` is a cost between the nodes of both graphs; ``alpha`` is the weight of the structure.

features = np.eye(3)[blocks] + np.random.default_rng(0).normal(0, 0.4, (40, 3))
M = ((features[:, None, :] - np.eye(3)[None]) ** 2).sum(axis=2)
T = srgw.semirelaxed_fused_gromov_wasserstein(M, C, Cbar, alpha=0.5)
print("nodes matched to their own group:", int((T.argmax(axis=1) == blocks).sum()), "of 40")

# %%
# Many graphs
# -----------
# :func:`srgw.pairwise` computes all divergences in parallel. srGW is not symmetric: the row graph
# is mapped onto the column graph, so it is small if the row graph looks like a part of the column
# graph.

dataset = []
for k in (1, 2, 4):
    inside = np.eye(k) * 0.25 * k + (1 - np.eye(k)) * 0.05
    for s in range(4):
        dataset.append(
            srgw.generate.stochastic_block_model([24 // k] * k, inside, random_state=s)[0]
        )
D = srgw.pairwise(dataset, n_init=3)
fig, ax = plt.subplots(figsize=(4.6, 3.8), layout="constrained")
image = ax.imshow(D, cmap="viridis")
ax.set(xlabel="target", ylabel="source", title="graphs of 1, 2 and 4 communities")
fig.colorbar(image, ax=ax, label="srGW divergence")
plt.show()
