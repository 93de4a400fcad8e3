"""Graphons of several graphs."""

import pathlib
import pickle
import warnings

import numpy as np
import pytest
import srgw
from srgw import Graphon

P = [[0.8, 0.2, 0.1], [0.2, 0.5, 0.1], [0.1, 0.1, 0.3]]
DRAWN = [
    srgw.generate.stochastic_block_model((2 * n, n, 3 * n), P, random_state=n) for n in (12, 20, 16)
]
GRAPHS = [graph for graph, _ in DRAWN]


@pytest.fixture(scope="module")
def model() -> Graphon:
    return Graphon(3).fit(GRAPHS)


def test_steps_are_the_blocks_of_all_graphs(model: Graphon) -> None:
    found = np.concatenate(model.labels_)
    truth = np.concatenate([blocks for _, blocks in DRAWN])
    assert srgw.metrics.adjusted_rand_index(found, truth) > 0.95
    assert model.values_ == pytest.approx(np.array(P), abs=0.06)
    assert model.widths_ == pytest.approx(np.bincount(found) / len(found))
    assert model.n_steps_ == 3
    assert (model.pairs_ >= 1).all() and (model.standard_errors_ < 0.03).all()


def test_values_are_shares_of_pairs(model: Graphon) -> None:
    edges, pairs = np.zeros((3, 3)), np.zeros((3, 3))
    misfit = 0.0
    for graph, labels in zip(GRAPHS, model.labels_, strict=True):
        A, T = graph.to_numpy(), np.eye(3)[labels]
        edges += T.T @ A @ T
        pairs += T.T @ (1 - np.eye(len(A))) @ T
    assert model.values_ == pytest.approx(edges / pairs)
    sizes = [np.bincount(labels, minlength=3) for labels in model.labels_]
    B = edges / sum(np.outer(size, size) for size in sizes)
    for graph, labels in zip(GRAPHS, model.labels_, strict=True):
        misfit += ((graph.to_numpy() - B[labels][:, labels]) ** 2).sum()
    assert model.objective_ == pytest.approx(misfit / sum(len(x) ** 2 for x in model.labels_))


def test_evaluates_at_places(model: Graphon) -> None:
    middles = np.cumsum(model.widths_) - model.widths_ / 2
    assert (model.evaluate(middles[:, None], middles[None]) == model.values_).all()
    assert model.evaluate(0.0, 1.0) == model.values_[0, 2]
    with pytest.raises(ValueError, match="x has a place outside"):
        model.evaluate([0.2, 1.2], 0.5)


def test_samples_files_pickles_and_pictures(model: Graphon, tmp_path: pathlib.Path) -> None:
    drawn = model.sample(60, random_state=4)
    assert drawn.n_nodes == 60
    model.save(tmp_path / "g.npz")
    for copy in (Graphon.load(tmp_path / "g.npz"), pickle.loads(pickle.dumps(model))):
        assert (copy.values_ == model.values_).all()
        assert all((a == b).all() for a, b in zip(copy.labels_, model.labels_, strict=True))
        assert (copy.sample(60, random_state=4).to_numpy() == drawn.to_numpy()).all()
    model.save_picture(tmp_path / "g.svg", title="three blocks")
    assert "three blocks" in (tmp_path / "g.svg").read_text()
    assert "<svg" in model._repr_html_()
    (tmp_path / "other.npz").write_bytes((tmp_path / "g.npz").read_bytes()[:-50])
    with pytest.raises((OSError, ValueError)):
        Graphon.load(tmp_path / "other.npz")


def test_same_seed_same_result_on_any_threads() -> None:
    one, two = (Graphon(random_state=3, n_jobs=jobs).fit(GRAPHS) for jobs in (1, 2))
    assert (one.values_ == two.values_).all() and one.objective_ == two.objective_
    assert one.n_steps_ <= 5  # half the root of 96


def test_limits_and_callbacks() -> None:
    seen = []
    stopped = Graphon(5, callback=lambda step: seen.append(step.value) or False).fit(GRAPHS)
    assert stopped.status_ == "interrupted" and len(seen) == 1
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        short = Graphon(5, time_limit=1e-9).fit(GRAPHS)
    assert short.status_ == "time_limit" and np.isfinite(short.values_).all()
    assert any(issubclass(one.category, srgw.ConvergenceWarning) for one in caught)


@pytest.mark.parametrize(
    "given, graphs, message",
    [
        ({"n_steps": 0}, GRAPHS, "n_steps is 0"),
        ({"n_steps": 500}, GRAPHS, "500 steps of graphs of up to 120 nodes"),
        ({}, [], "X has no graphs"),
        ({}, [np.array([[0, 1.0], [0, 0]])], "graph 0 is directed"),
        ({}, [np.array([[0, -1.0], [-1, 0]])], "has the weight -1"),
    ],
)
def test_bad_input(given: dict, graphs: list, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Graphon(**given).fit(graphs)


def test_weights_above_one_are_no_probabilities() -> None:
    model = Graphon(1).fit([np.array([[0, 3.0], [3, 0]])])
    assert model.values_ == pytest.approx(np.array([[3.0]]))
    with pytest.raises(ValueError, match="expected probabilities"):
        model.sample(5)
