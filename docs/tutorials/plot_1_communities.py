"""
Find communities
================

Cluster the nodes of a graph, look at the clusters, and compare them with known ones.

Zachary's karate club has 34 members; an edge joins members who meet outside the club, which later
split in two. Both files are in ``examples/data`` of the repository.
"""

# %%
# Read the graph
# --------------
# An edge list has one edge per line. :func:`srgw.read` knows many formats (see :doc:`/formats`);
# NetworkX, igraph and SciPy graphs can be passed directly to every function.

import csv
import pathlib

import matplotlib.pyplot as plt
import srgw

folder = next(
    p for p in [pathlib.Path.cwd(), *pathlib.Path.cwd().parents] if (p / "examples/data").is_dir()
)
graph = srgw.read(folder / "examples/data/karate.txt")
print(graph.n_nodes, "nodes,", graph.n_edges, "edges")

# %%
# Cluster
# -------
# With a number of clusters the search maximises modularity for that number.

model = srgw.SRGWPartition(n_clusters=2).fit(graph)
print("sizes", [int((model.labels_ == c).sum()) for c in range(model.n_clusters_)])
print(f"modularity {model.modularity_:.4f}")
print(f"gap {model.gap_:.1e}: 0 certifies a stationary point of the srGW problem")

srgw.plot.partition(graph, model.labels_)
plt.show()

# %%
# Compare with known communities
# ------------------------------
# :mod:`srgw.metrics` has the usual scores, with scikit-learn's definitions.

with open(folder / "examples/data/karate_clubs.tsv") as file:
    clubs = {row[0]: row[1] for row in csv.reader(file, delimiter="\t")}
truth = [clubs[str(name)] for name in graph.names]
print(f"AMI {srgw.metrics.adjusted_mutual_information(truth, model.labels_):.3f}")
print(f"ARI {srgw.metrics.adjusted_rand_index(truth, model.labels_):.3f}")

# %%
# Nodes between clusters
# ----------------------
# With ``entropic_mode="entropic"``, ``epsilon`` is the weight of the entropy and memberships are
# soft: each row of ``plan_`` is the share of a node's weight in each cluster.

soft = srgw.SRGWPartition(n_clusters=2, epsilon=0.3, entropic_mode="entropic").fit(graph)
share = soft.plan_ / soft.plan_.sum(axis=1, keepdims=True)
order = share[:, 0].argsort()
fig, ax = plt.subplots(figsize=(7, 2.6), layout="constrained")
ax.bar(
    range(graph.n_nodes),
    share[order, 0],
    color=["#4477aa" if s > 0.5 else "#cc6677" for s in share[order, 0]],
)
ax.set(xlabel="members, sorted", ylabel="share in the first cluster")
plt.show()
