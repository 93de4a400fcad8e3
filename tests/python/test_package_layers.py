"""One partition of several graphs in the Python package."""

import networkx as nx
import numpy as np
import pytest
import srgw


def example():
    return [srgw.generate.planted(200, 4, mean_degree=12, random_state=seed)[0] for seed in (1, 2)]


def test_modularity_is_the_weighted_mean_of_the_layers():
    layers = example()
    model = srgw.SRGWPartition(layer_weights=[1, 0.5]).fit(layers)
    each = [srgw.metrics.modularity(graph, model.labels_) for graph in layers]
    assert [layer["modularity"] for layer in model.layers_] == pytest.approx(each)
    assert model.modularity_ == pytest.approx((each[0] + 0.5 * each[1]) / 1.5)
    assert model.criterion_ == "modularity"
    assert np.asarray(model.plan_).shape == (200, model.n_clusters_)


def test_matrices_and_other_graphs_are_layers_too():
    layers = example()
    expected = srgw.SRGWPartition().fit(layers).labels_
    matrices = [graph.to_scipy() for graph in layers]
    assert np.array_equal(srgw.SRGWPartition().fit(matrices).labels_, expected)
    arrays = tuple(graph.to_numpy() for graph in layers)
    assert np.array_equal(srgw.SRGWPartition().fit(arrays).labels_, expected)


def test_a_nested_list_is_still_one_matrix():
    karate = nx.to_numpy_array(nx.karate_club_graph(), weight=None)
    rows = karate.tolist()
    assert np.array_equal(
        srgw.SRGWPartition(2).fit(rows).labels_, srgw.SRGWPartition(2).fit(karate).labels_
    )


def test_named_nodes_are_matched_by_name():
    graph = nx.relabel_nodes(nx.karate_club_graph(), lambda node: f"p{node}")
    for _, _, data in graph.edges(data=True):
        data.clear()
    shuffled = nx.Graph()
    shuffled.add_edges_from(reversed(list(graph.edges())))
    shuffled.add_edge("p0", "new")
    model = srgw.SRGWPartition().fit([graph, shuffled])
    series = model.to_dict()
    assert len(series) == 35
    assert series["new"] == series["p0"]


def test_what_does_not_fit_is_refused():
    layers = example()
    small = srgw.generate.planted(30, 2, mean_degree=5)[0]
    with pytest.raises(ValueError, match=r"X\[0\] has 200 nodes and X\[1\] has 30"):
        srgw.SRGWPartition().fit([layers[0], small])
    with pytest.raises(ValueError, match="layer_weights has 1 numbers, expected 2"):
        srgw.SRGWPartition(layer_weights=[1]).fit(layers)
    with pytest.raises(ValueError, match=r"layer_weights\[1\] is -1"):
        srgw.SRGWPartition(layer_weights=[1, -1]).fit(layers)
    with pytest.raises(ValueError, match="layer_weights with one graph"):
        srgw.SRGWPartition(layer_weights=[1, 1]).fit(layers[0])
    with pytest.raises(ValueError, match="criterion description-length with several layers"):
        srgw.SRGWPartition(criterion="description-length").fit(layers)
    with pytest.raises(ValueError, match="features with several layers"):
        srgw.SRGWPartition().fit(layers, features=np.zeros((200, 2)))


def test_one_graph_tells_its_criterion():
    graph = example()[0]
    assert srgw.SRGWPartition().fit(graph).criterion_ == "description-length"
    assert srgw.SRGWPartition(criterion="modularity").fit(graph).criterion_ == "modularity"
    assert srgw.SRGWPartition(4).fit(graph).criterion_ is None
