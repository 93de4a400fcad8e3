"""GDL, GWF and GWKMeans as estimators."""

import pathlib
import pickle
from typing import Any

import numpy as np
import pytest
import srgw

ESTIMATORS: list[Any] = [
    srgw.GDL(3, 5, max_epochs=2),
    srgw.GDL(3, 5, max_epochs=2, reg=0.1, structure="heat:1"),
    srgw.GWF(3, 5, max_epochs=2),
    srgw.GWF(3, max_epochs=2),
    srgw.GWKMeans(3, 4),
]


def graphs(features: bool = False) -> list[Any]:
    rng = np.random.default_rng(1)
    found = []
    for n in rng.integers(5, 9, 10):
        A = np.triu(rng.random((n, n)) < 0.5, 1)
        graph = srgw.as_graph((A | A.T).astype(float))
        rows = rng.random((n, 2)) if features else None
        found.append(srgw.as_graph(graph, features=rows) if features else graph)
    return found


@pytest.mark.parametrize("features", [False, True])
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
def test_points_of_graphs(estimator: Any, features: bool, tmp_path: pathlib.Path) -> None:
    given = graphs(features)
    points = estimator.fit_transform(given)
    assert points.shape == (10, 3)
    np.testing.assert_array_equal(estimator.transform(given), points)
    estimator.save(tmp_path / "model.npz")
    again = type(estimator).load(tmp_path / "model.npz")
    np.testing.assert_array_equal(again.transform(given), points)
    copy = pickle.loads(pickle.dumps(estimator))
    np.testing.assert_array_equal(copy.transform(given), points)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
def test_threads_do_not_show(estimator: Any) -> None:
    given = graphs()
    one, two = (
        type(estimator)(**{**estimator.get_params(), "n_jobs": n}).fit_transform(given)
        for n in (1, 2)
    )
    np.testing.assert_array_equal(one, two)


def test_shares_are_of_the_simplex_and_the_loss_falls() -> None:
    for model in (srgw.GDL(3, 5, max_epochs=8), srgw.GWF(3, 5, max_epochs=8)):
        shares = model.fit_transform(graphs())
        np.testing.assert_allclose(shares.sum(axis=1), 1)
        assert shares.min() >= 0
        assert model.loss_curve_.min() < model.loss_curve_[0]


def test_labels_are_the_nearest_centres() -> None:
    model = srgw.GWKMeans(3).fit(graphs())
    np.testing.assert_array_equal(model.predict(graphs()), model.labels_)
    assert model.inertia_ == pytest.approx(model.embedding_.min(axis=1).sum())


def test_what_is_wrong_is_named() -> None:
    mixed = graphs()[:2] + graphs(features=True)[2:]
    with pytest.raises(ValueError, match=r"X\[0\] has no features"):
        srgw.GDL(2, 4).fit(mixed)
    with pytest.raises(ValueError, match="X has no graphs"):
        srgw.GWF(2).fit([])
    with pytest.raises(ValueError, match="n_atoms is 0"):
        srgw.GDL(0, 4).fit(graphs())
    with pytest.raises(ValueError, match="11 clusters for 10 graphs"):
        srgw.GWKMeans(11).fit(graphs())
    with pytest.raises(srgw.NotFittedError):
        srgw.GDL().transform(graphs())


@pytest.mark.parametrize("estimator", ESTIMATORS[::2], ids=repr)
def test_labels_of_nodes_become_columns(estimator: Any, tmp_path: pathlib.Path) -> None:
    labels = [np.arange(graph.n_nodes) % 3 for graph in graphs()]
    dataset = srgw.Dataset("labelled", graphs(), node_labels=labels)
    points = estimator.fit_transform(dataset)
    assert all(features.shape[1] == 3 for features in estimator.features_)
    estimator.save(tmp_path / "model.npz")
    again = type(estimator).load(tmp_path / "model.npz")
    np.testing.assert_array_equal(again.transform(dataset), points)
    with pytest.raises(ValueError, match="no node labels"):
        again.transform(graphs())
    plain = type(estimator)(**{**estimator.get_params(), "features": "none"}).fit(dataset)
    assert all(features.shape[1] == 0 for features in plain.features_)


def test_gdl_completes_graphs() -> None:
    graphs = [np.ones((n, n)) - np.eye(n) for n in (4, 5, 6, 7)]
    model = srgw.GDL(2, 4, max_epochs=3).fit(graphs)
    for method in ("alternate", "adam"):
        whole = model.complete(graphs[1], 6, method=method)
        np.testing.assert_array_equal(whole.structure[:5, :5], graphs[1])
        assert whole.graph.shape == (6, 6) and whole.features is None
    assert np.all(np.diff(model.complete(graphs[1], 6).trace) <= 1e-12)
    with pytest.raises(ValueError, match="alternate or adam"):
        model.complete(graphs[1], 6, method="learned")
