"""
Choose the number of clusters
=============================

Let the graph decide, look at why it decided so, and get coarser and finer clusters.
"""

# %%
# Automatic
# ---------
# With ``n_clusters="auto"`` (the default) the search tries resolutions and keeps the partition with
# the shortest description of the graph. This graph has twelve communities in three groups.

import matplotlib.pyplot as plt
import numpy as np
import srgw

probabilities = np.full((12, 12), 0.004) + np.diag([0.25] * 12)
for group in range(0, 12, 4):  # three groups of four communities
    probabilities[group : group + 4, group : group + 4] += 0.05
graph, truth = srgw.generate.stochastic_block_model([50] * 12, probabilities, random_state=0)
model = srgw.SRGWPartition().fit(graph)
print(model.n_clusters_, "clusters; significant:", model.significant_)
print(*model.reasons_, sep="\n")

# %%
# A fixed number
# --------------
# Modularity is largest for the three groups, the agreement with the planted communities for twelve:
# modularity alone is a weak guide to the number.

ami = srgw.metrics.adjusted_mutual_information
ks = (2, 3, 4, 6, 8, 10, 12, 14, 16, 20)
fits = [srgw.SRGWPartition(k).fit(graph) for k in ks]
fig, (left, right) = plt.subplots(1, 2, figsize=(8, 3), layout="constrained")
left.plot(ks, [f.modularity_ for f in fits], "o-")
left.set(xlabel="number of clusters", ylabel="modularity")
right.plot(ks, [ami(truth, f.labels_) for f in fits], "o-")
right.set(xlabel="number of clusters", ylabel="AMI with the planted clusters")
plt.show()

# %%
# Coarser and finer levels
# ------------------------
# ``levels=True`` also returns clusters at other resolutions, each with the parent of every cluster.

levels = srgw.SRGWPartition(levels=True).fit(graph)
for level in levels.hierarchy_:
    found = f"{level['n_clusters']} clusters, modularity {level['modularity']:.4f}"
    print(f"resolution {level['resolution']:.3f}: {found}{', the result' * level['is_result']}")

# %%
# A path of penalties
# -------------------
# ``sparsity`` penalises the number of target nodes that are used, which is how the srGW paper
# selects the number of clusters.

sparse = srgw.SRGWPartition(16, sparsity=0.002, target="identity", init="spectral").fit(graph)
used = int(np.count_nonzero(sparse.weights_ > 0))
print(used, "of 16 clusters are used")
