"""
Molecules: embed, cluster, classify
===================================

Turn a dataset of small attributed graphs into vectors, cluster them, and train a classifier.

The data are generated here so that the page runs anywhere: rings with side chains whose nodes have
a type, as atoms of molecules have. ``srgw.read_dataset("MUTAG/")`` reads a TUDataset folder into
the same kind of object.
"""

# %%
# A dataset
# ---------
# Graphs of class 0 have one ring of six nodes, graphs of class 1 two fused rings. Chains of random
# length are attached; some end in two nodes of type 1, more often in class 1, as nitro groups do in
# mutagenic molecules.

import matplotlib.pyplot as plt
import numpy as np
import srgw


def molecule(rings: int, random: np.random.Generator) -> srgw.Graph:
    """Fused rings of six nodes with one to three chains."""
    edges = [(i, (i + 1) % 6) for i in range(6)]
    types = [0] * 6
    if rings == 2:
        edges += [(0, 6), (6, 7), (7, 8), (8, 9), (9, 1)]
        types += [0] * 4
    for at in random.choice(np.arange(2, len(types)), random.integers(1, 4), replace=False):
        end = int(at)
        for _ in range(random.integers(1, 5)):
            edges.append((end, len(types)))
            end = len(types)
            types.append(0)
        if random.random() < (0.3 if rings == 1 else 0.7):
            edges += [(end, len(types)), (end, len(types) + 1)]
            types += [1, 1]
    return srgw.Graph(len(types), np.array(edges).T, features=np.eye(2)[types])


random = np.random.default_rng(0)
classes = np.repeat([0, 1], 60)
graphs = [molecule(c + 1, random) for c in classes]
print(
    len(graphs),
    "graphs of",
    min(g.n_nodes for g in graphs),
    "to",
    max(g.n_nodes for g in graphs),
    "nodes",
)

# %%
# Embed
# -----
# :class:`srgw.SRGWDictionary` learns a small graph, the atom, onto which every graph is projected.
# The weights of the projection are the coordinates of a graph; ``value`` is its divergence from the
# atom. ``alpha`` is the weight of the structure; at 0.5 the features would dominate, and
# :meth:`fit` warns and names a balanced value.

model = srgw.SRGWDictionary(
    8, alpha=0.95, features="attributes", coordinates=["sqrt", "value"], random_starts=3
)
X = model.fit_transform(graphs)
print(
    X.shape,
    "loss",
    [round(v, 4) for v in model.loss_curve_[:: max(1, len(model.loss_curve_) // 4)]],
)

srgw.plot.embedding(X, classes)
plt.show()

# %%
# The atom: nodes are drawn by their weight in the dataset.

srgw.plot.atom(model.structure_, model.embedding_[:, :8].mean(axis=0))
plt.show()

# %%
# Cluster
# -------
# :class:`srgw.GraphClusterer` learns several atoms, embeds and runs k-means.

clusterer = srgw.GraphClusterer(2, random_state=0).fit(graphs)
print(f"ARI {srgw.metrics.adjusted_rand_index(classes, clusterer.labels_):.3f}")

# %%
# Classify
# --------
# Vectors go to any classifier. Learn the atom on the training graphs only, then ``transform`` the
# others.

from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

train = random.permutation(120)[:80]
test = np.setdiff1d(np.arange(120), train)
embedder = srgw.SRGWDictionary(
    8, alpha=0.95, features="attributes", coordinates=["sqrt", "value"], random_starts=3
)
classifier = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
classifier.fit(embedder.fit_transform([graphs[i] for i in train]), classes[train])
accuracy = classifier.score(embedder.transform([graphs[i] for i in test]), classes[test])
print(f"accuracy on {len(test)} new graphs: {accuracy:.2f}")

# %%
# With the program
# ----------------
# .. code-block:: sh
#
#    srgw learn MUTAG/ -m 20 -o mutag.npz
#    srgw embed mutag.npz MUTAG/ --coordinates sqrt,value -o points.npy
#    srgw cluster MUTAG/ -k 2 --truth auto
