# SPDX-License-Identifier: MIT
"""Writes metrics.json: indices by scikit-learn, modularity by networkx.

Labelings are described, not listed: metrics_test.cpp draws the same ones.
"""

import json
import pathlib

import networkx as nx
import sklearn.metrics as skm
from sklearn.metrics.cluster import contingency_matrix, expected_mutual_information

LABELINGS = [  # items, clusters of a and of b, unequal sizes, b made from a
    (50, 3, 4, False, False),
    (500, 7, 5, True, False),
    (1000, 20, 30, True, True),
    (5000, 2, 2, False, False),
    (300, 150, 3, True, True),
    (20000, 40, 60, True, True),
]
EDGES = [
    (0, 1, 2.0), (1, 2, 1.0), (2, 0, 0.5), (2, 3, 1.5), (3, 4, 1.0),
    (4, 5, 3.0), (5, 3, 1.0), (5, 5, 2.0), (0, 0, 0.25), (6, 1, 1.0),
]  # fmt: skip
EDGE_LABELS = [0, 0, 0, 1, 1, 1, 0]


def draw(items, clusters, state, skewed):
    labels = []
    for _ in range(items):
        state = (state * 1103515245 + 12345) % 2**31
        first, second = (state >> 8) % clusters, (state >> 20) % clusters
        labels.append(min(first, second) if skewed else first)
    return labels


def labeling(items, clusters_a, clusters_b, skewed, related):
    a = draw(items, clusters_a, 1, skewed)
    b = draw(items, clusters_b, 2, skewed)
    if related:
        b = [b[i] if i % 3 == 0 else a[i] % clusters_b for i in range(items)]
    return {
        "items": items,
        "clusters_a": clusters_a,
        "clusters_b": clusters_b,
        "skewed": skewed,
        "related": related,
        "rand_index": skm.rand_score(a, b),
        "adjusted_rand_index": skm.adjusted_rand_score(a, b),
        "mutual_information": skm.mutual_info_score(a, b),
        "expected_mutual_information": expected_mutual_information(
            contingency_matrix(a, b, sparse=True), items
        ),
        "nmi": skm.normalized_mutual_info_score(a, b),
        "nmi_max": skm.normalized_mutual_info_score(a, b, average_method="max"),
        "ami": skm.adjusted_mutual_info_score(a, b),
        "ami_max": skm.adjusted_mutual_info_score(a, b, average_method="max"),
    }


def modularity(directed, resolution):
    graph = nx.DiGraph() if directed else nx.Graph()
    graph.add_nodes_from(range(len(EDGE_LABELS)))
    graph.add_weighted_edges_from(EDGES)
    clusters = [{i for i, label in enumerate(EDGE_LABELS) if label == c} for c in (0, 1)]
    value = nx.community.modularity(graph, clusters, resolution=resolution)
    return {"directed": directed, "resolution": resolution, "value": value}


data = {
    "labelings": [labeling(*description) for description in LABELINGS],
    "edges": EDGES,
    "edge_labels": EDGE_LABELS,
    "modularity": [modularity(d, r) for d in (False, True) for r in (1, 0.5, 2)],
}
pathlib.Path(__file__).with_name("metrics.json").write_text(json.dumps(data, indent=1) + "\n")
