"""Metrics against scikit-learn and NetworkX; generators against their promises."""

import networkx as nx
import numpy as np
import pytest
import sklearn.metrics
import srgw

PAIRS = [
    ("rand_index", sklearn.metrics.rand_score, {}),
    ("adjusted_rand_index", sklearn.metrics.adjusted_rand_score, {}),
    ("mutual_information", sklearn.metrics.mutual_info_score, {}),
    ("normalized_mutual_information", sklearn.metrics.normalized_mutual_info_score, {}),
    ("adjusted_mutual_information", sklearn.metrics.adjusted_mutual_info_score, {}),
    (
        "normalized_mutual_information",
        sklearn.metrics.normalized_mutual_info_score,
        {"average_method": "max"},
    ),
    (
        "adjusted_mutual_information",
        sklearn.metrics.adjusted_mutual_info_score,
        {"average_method": "max"},
    ),
]


@pytest.mark.parametrize(("name", "theirs", "options"), PAIRS)
def test_agreement_is_that_of_scikit_learn(name: str, theirs, options: dict) -> None:
    rng = np.random.default_rng(0)
    for n, k in ((2, 2), (30, 3), (200, 12)):
        a, b = rng.integers(k, size=n), rng.integers(k, size=n) - 5
        words = np.array([f"class {label}" for label in b])
        expected = theirs(a, b, **options)
        assert getattr(srgw.metrics, name)(a, words, **options) == pytest.approx(expected)


def test_misuse_of_metrics() -> None:
    with pytest.raises(ValueError, match="labels_pred"):
        srgw.metrics.rand_index([0, 1], [0])
    with pytest.raises(ValueError, match="labels_true"):
        srgw.metrics.rand_index([], [])
    with pytest.raises(ValueError, match="labels_true"):
        srgw.metrics.rand_index([[0]], [0])
    with pytest.raises(ValueError, match="average_method"):
        srgw.metrics.normalized_mutual_information([0], [0], average_method="min")


@pytest.mark.parametrize("directed", [False, True])
def test_modularity_is_that_of_networkx(directed: bool) -> None:
    graph = nx.gnm_random_graph(30, 90, seed=1, directed=directed)
    graph.add_edge(3, 3, weight=2.5)
    labels = np.arange(30) % 4
    groups = [set(np.flatnonzero(labels == k)) for k in range(4)]
    expected = nx.community.modularity(graph, groups, resolution=1.5)
    assert srgw.metrics.modularity(graph, labels, resolution=1.5) == pytest.approx(expected)


def test_generators_keep_their_promises() -> None:
    graph, blocks = srgw.generate.planted(2000, 5, mean_degree=12, inside=0.7, random_state=3)
    assert np.bincount(blocks).tolist() == [400] * 5
    assert graph.degrees().mean() == pytest.approx(12, rel=0.1)
    matrix = graph.to_scipy().tocoo()
    assert (blocks[matrix.row] == blocks[matrix.col]).mean() == pytest.approx(0.7, abs=0.05)
    again, _ = srgw.generate.planted(2000, 5, mean_degree=12, inside=0.7, random_state=3)
    assert (graph.to_scipy() != again.to_scipy()).nnz == 0
    heavy, _ = srgw.generate.degree_corrected(2000, 5, mean_degree=12, random_state=3)
    assert heavy.degrees().max() > 3 * graph.degrees().max() / 2
    arcs, _ = srgw.generate.stochastic_block_model([20, 30], [[0, 1], [0, 0]], directed=True)
    assert arcs.n_edges == 600 and arcs.directed
    with pytest.raises(ValueError, match="probabilities"):
        srgw.generate.stochastic_block_model([2], [0.5])
    with pytest.raises(ValueError, match="2"):
        srgw.generate.stochastic_block_model([2], [[2.0]])
