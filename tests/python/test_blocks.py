"""Coarse graphs and block models."""

import pickle
from typing import Any

import numpy as np
import pytest
import srgw
from srgw import BlockModel, GraphCoarsener

GRAPH, BLOCKS = srgw.generate.planted(60, 3, mean_degree=12, random_state=1)


def objective(C: np.ndarray, labels: np.ndarray, h: np.ndarray) -> float:
    T = np.eye(labels.max() + 1)[labels] * h[:, None]
    q = T.sum(axis=0)
    B = T.T @ C @ T / np.outer(q, q)
    difference = C - B[labels][:, labels]
    return float(h @ difference**2 @ h)


@pytest.mark.parametrize("weights", ["uniform", "degree"])
@pytest.mark.parametrize("structure", ["adjacency", "normalized-laplacian"])
def test_objective_is_that_of_the_labels(structure: str, weights: str) -> None:
    model = GraphCoarsener(12, structure=structure, weights=weights).fit(GRAPH)
    A = GRAPH.to_numpy()
    d = A.sum(axis=1)
    C = A if structure == "adjacency" else np.eye(60) - A / np.sqrt(np.outer(d, d))
    h = np.full(60, 1 / 60) if weights == "uniform" else d / d.sum()
    assert model.objective_ == pytest.approx(objective(C, model.labels_, h), abs=1e-12)
    assert model.objective_ <= model.start_objective_
    assert model.weights_ == pytest.approx(np.bincount(model.labels_, h))
    T = np.eye(12)[model.labels_]
    sums = T.T @ A @ T
    sums[np.diag_indices(12)] /= 2
    assert model.coarse_graph_.to_numpy() == pytest.approx(sums)


def test_lifts_and_averages() -> None:
    features = np.random.default_rng(0).random((60, 2))
    model = GraphCoarsener(ratio=0.2).fit(GRAPH, features=features)
    assert model.coarse_graph_.n_nodes == 12
    assert model.transform(features) == pytest.approx(model.coarse_graph_.features)
    lifted = model.inverse_transform(model.transform(features))
    assert model.transform(lifted) == pytest.approx(model.transform(features))
    for k in range(12):
        assert model.coarse_graph_.features[k] == pytest.approx(
            features[model.labels_ == k].mean(axis=0)
        )


def test_bound_of_gromov_wasserstein() -> None:
    """sqrt(E) is at least the distance between graph and coarse graph."""
    model = GraphCoarsener(10).fit(GRAPH)
    A, B = GRAPH.to_numpy(), model.means_.to_numpy()
    T = np.eye(10)[model.labels_] / 60
    value = srgw.gromov_wasserstein2(A, B, np.full(60, 1 / 60), model.weights_, G0=T)
    assert value <= model.objective_ + 1e-9


@pytest.mark.parametrize(
    "params, message",
    [
        ({"n_nodes": 0}, "n_nodes"),
        ({"n_nodes": 61}, "61 coarse nodes"),
        ({"ratio": 0.0}, "ratio is 0"),
        ({"structure": "heat:3"}, "structure is 'heat:3'"),
        ({"n_eigenvalues": -1}, "n_eigenvalues is -1"),
        ({"weights": np.zeros(60)}, "weights"),
    ],
)
def test_bad_parameters_of_the_coarsener(params: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        GraphCoarsener(**params).fit(GRAPH)


def test_bad_rows() -> None:
    model = GraphCoarsener(5).fit(GRAPH)
    with pytest.raises(ValueError, match="X has 3 rows, expected 60"):
        model.transform(np.zeros((3, 1)))
    with pytest.raises(ValueError, match="X has 3 rows, expected 5"):
        model.inverse_transform(np.zeros((3, 1)))
    with pytest.raises(srgw.NotFittedError):
        GraphCoarsener(5).transform(np.zeros((3, 1)))


def test_block_model_recovers_a_bipartite_graph() -> None:
    p = np.array([[0.01, 0.2], [0.2, 0.01]])
    graph, blocks = srgw.generate.stochastic_block_model([80, 120], p, random_state=3)
    model = BlockModel(held_out=0.1).fit(graph)
    assert model.n_blocks_ == 2
    assert srgw.metrics.adjusted_mutual_information(blocks, model.labels_) > 0.98
    assert model.log_likelihood_ > model.log_likelihood_one_
    assert model.description_length_ < model.description_length_one_
    assert min(length for _, length in model.trials_) == pytest.approx(model.description_length_)
    A = graph.to_numpy()
    T = np.eye(2)[model.labels_]
    n = T.sum(axis=0)
    pairs = np.outer(n, n) - np.diag(n)
    shares = T.T @ A @ T / pairs
    assert model.probabilities_ == pytest.approx(shares)
    pairs[np.diag_indices(2)] /= 2
    assert model.standard_errors_ == pytest.approx(np.sqrt(shares * (1 - shares) / pairs))
    drawn = model.sample(random_state=1)
    assert abs(drawn.n_edges - graph.n_edges) < 6 * np.sqrt(graph.n_edges)


def test_block_model_of_counts_and_degrees(tmp_path: Any) -> None:
    A = np.random.default_rng(0).poisson(2.0, (30, 30))
    A = np.triu(A, 1)
    model = BlockModel(1).fit(A + A.T)
    assert model.probabilities_[0, 0] == pytest.approx(A.sum() / (30 * 29 / 2))
    assert model.standard_errors_[0, 0] == pytest.approx(
        np.sqrt(model.probabilities_[0, 0] / (30 * 29 / 2))
    )
    corrected = BlockModel(2, degree_corrected=True).fit(A + A.T)
    assert corrected.propensities_.shape == (30,)
    for k in range(2):
        assert corrected.propensities_[corrected.labels_ == k].mean() == pytest.approx(1)
    corrected.save_picture(tmp_path / "a.svg", title="Blocks")
    assert "Blocks" in (tmp_path / "a.svg").read_text()
    with pytest.raises(ValueError, match="fit again"):
        pickle.loads(pickle.dumps(corrected)).sample()


@pytest.mark.parametrize(
    "params, message",
    [
        ({"n_blocks": 0}, "n_blocks"),
        ({"n_blocks": 61}, "61 blocks"),
        ({"held_out": 1.0}, "held-out share 1"),
        ({"max_blocks": 0}, "max_blocks"),
        ({"n_init": 0}, "n_init"),
    ],
)
def test_bad_parameters_of_the_block_model(params: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        BlockModel(**params).fit(GRAPH)


def test_weights_that_are_no_counts() -> None:
    with pytest.raises(ValueError, match="the edge 0 1 has the weight 0.5"):
        BlockModel().fit(np.array([[0, 0.5], [0.5, 0]]))


@pytest.mark.parametrize("make", [lambda: GraphCoarsener(8), lambda: BlockModel(3)])
def test_the_same_on_any_number_of_threads(make: Any) -> None:
    one = make().set_params(n_jobs=1).fit(GRAPH).labels_
    assert (make().set_params(n_jobs=2).fit(GRAPH).labels_ == one).all()
    assert (make().fit(GRAPH.to_scipy()).labels_ == one).all()
