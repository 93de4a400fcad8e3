"""Previous labels, fixed nodes and limits on sizes in the Python package."""

import numpy as np
import pytest
import srgw


def example():
    graph, blocks = srgw.generate.planted(200, 4, mean_degree=12)
    return graph, np.asarray(blocks)


def test_an_update_keeps_the_ids_and_says_what_moved():
    graph, blocks = example()
    previous = 10 * blocks.astype(np.int64) + 3
    model = srgw.SRGWPartition(previous=previous).fit(graph)
    assert set(model.labels_) <= set(previous)
    assert model.moved_ == np.mean(model.labels_ != previous) <= 0.03
    assert model.previous_ami_ > 0.9
    assert model.ids_ == sorted(model.ids_)
    assert model.vanished_ == 0


def test_names_that_vanished_are_counted_and_those_fixed_are_refused():
    graph, blocks = example()
    labels = {i: int(block) for i, block in enumerate(blocks)} | {"gone": 1}
    assert srgw.SRGWPartition(previous=labels).fit(graph).vanished_ == 1
    with pytest.raises(ValueError, match="fixed has 'gone'"):
        srgw.SRGWPartition(fixed=labels).fit(graph)


def test_fixed_labels_and_sizes_hold():
    graph, _ = example()
    model = srgw.SRGWPartition(fixed={0: 5, 1: 8, 2: 5}, min_size=10, max_size=30).fit(graph)
    assert list(model.labels_[:3]) == [5, 8, 5]
    sizes = np.unique(model.labels_, return_counts=True)[1]
    assert sizes.min() >= 10
    assert sizes.max() <= 30
    assert set(model.costs_) == {"fixed", "max-size", "min-size"}
    with_it, without = model.costs_["max-size"]
    assert with_it < without


def test_few_previous_labels_are_warned_of():
    graph, _ = example()
    with pytest.warns(UserWarning, match="less than half"):
        srgw.SRGWPartition(previous={0: 1, 1: 1}).fit(graph)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"keep": 1.0}, "keep 1 without previous"),
        ({"min_size": 9, "max_size": 3}, "min-size 9 is above max-size 3"),
        ({"n_clusters": 2, "max_size": 3}, "max-size 3 with 2 clusters"),
        ({"previous": [1, 2]}, "previous has shape"),
        ({"previous": {0: -4}}, "label -4"),
        ({"max_size": 50, "sparsity": 1.0}, "max-size with sparsity"),
    ],
)
def test_options_that_do_not_fit_are_refused(options, message):
    graph, _ = example()
    with pytest.raises(ValueError, match=message):
        srgw.SRGWPartition(**options).fit(graph)


def test_new_nodes_without_edges_get_the_label_of_those_without_edges():
    matrix = np.zeros((14, 14))
    matrix[:6, :6] = matrix[6:12, 6:12] = matrix[5, 6] = matrix[6, 5] = 1
    np.fill_diagonal(matrix, 0)
    model = srgw.SRGWPartition(previous=[7] * 6 + [3] * 6 + [0] * 2).fit(matrix)
    assert list(model.predict(np.zeros((1, 14)))) == [model.labels_[-1]] == [0]


def test_a_series_goes_by_its_index():
    karate = srgw.datasets.karate()
    found = srgw.SRGWPartition().fit(karate).to_series()
    assert srgw.SRGWPartition(previous=found.sort_values()).fit(karate).moved_ == 0
    by_position = found.set_axis([f"row {i}" for i in range(34)])
    assert srgw.SRGWPartition(previous=by_position).fit(karate).moved_ == 0
    with pytest.raises(ValueError, match="previous has dtype float64, expected whole numbers"):
        srgw.SRGWPartition(previous=np.zeros(34)).fit(karate)
