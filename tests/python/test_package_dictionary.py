"""SRGWDictionary learns atoms, makes points of graphs and keeps scikit-learn's conventions."""

import os
import pathlib
import pickle
import subprocess
from typing import Any

import numpy as np
import pytest
import sklearn.base
import srgw
from srgw import GraphClusterer, SRGWDictionary


def block_graph(sizes: tuple[int, ...], seed: int) -> Any:
    """Dense blocks with a few edges between them."""
    rng = np.random.default_rng(seed)
    kind = np.repeat(np.arange(len(sizes)), sizes)
    likely = np.where(kind[:, None] == kind, 0.9, 0.1)
    upper = np.triu(rng.random(likely.shape) < likely, 1)
    return (upper | upper.T).astype(float)


GRAPHS = [block_graph((4 + i % 3, 5), i) for i in range(12)]
GRAPHS += [block_graph((3, 3 + i % 2, 4), 100 + i) for i in range(12)]


def featured(graph: Any, seed: int, columns: int = 2) -> srgw.Graph:
    rng = np.random.default_rng(seed)
    return srgw.as_graph(graph, features=rng.normal(size=(len(graph), columns)))


ATTRIBUTED = [featured(graph, i) for i, graph in enumerate(GRAPHS)]


@pytest.mark.parametrize("variant", ["plain", "sparse", "entropic", "both"])
@pytest.mark.parametrize("learner", ["closed-form", "adam"])
def test_every_variant_learns(learner: str, variant: str) -> None:
    sparsity = 0.05 if variant in ("sparse", "both") else 0.0
    epsilon = 0.01 if variant in ("entropic", "both") else 0.0
    model = SRGWDictionary(
        4, learner=learner, sparsity=sparsity, epsilon=epsilon, max_epochs=10
    ).fit(GRAPHS)
    assert model.structure_.shape == (4, 4) and not hasattr(model, "features_")
    np.testing.assert_allclose(model.structure_, model.structure_.T, atol=1e-12)
    assert model.embedding_.shape == (24, 4) and model.values_.shape == (24, 1)
    np.testing.assert_allclose(model.embedding_.sum(axis=1), 1, atol=1e-9)
    assert model.loss_ == pytest.approx(model.values_.mean())
    assert model.loss_curve_ and model.n_epochs_ > 0 and model.n_graphs_seen_ == 24
    points = model.transform(GRAPHS)
    np.testing.assert_allclose(points.sum(axis=1), 1, atol=1e-9)


def test_learning_lowers_the_loss_below_one_node() -> None:
    single = SRGWDictionary(1).fit(GRAPHS)
    several = SRGWDictionary(6).fit(GRAPHS)
    assert several.loss_ < 0.7 * single.loss_
    # The best atom of one node is the mean entry, and its loss the variance of the entries.
    entries = np.array([graph.mean() for graph in GRAPHS])
    assert single.structure_[0, 0] == pytest.approx(entries.mean())
    squares = np.array([(graph**2).mean() for graph in GRAPHS])
    assert single.loss_ == pytest.approx(squares.mean() - entries.mean() ** 2)


def test_divergences_are_mostly_at_or_below_those_of_the_solver() -> None:
    model = SRGWDictionary(4).fit(GRAPHS)
    expected = [
        srgw.semirelaxed_gromov_wasserstein2(graph, model.structure_, tol_rel=1e-12, max_iter=1e4)
        for graph in GRAPHS[:6]
    ]
    found = model.set_params(tol=1e-12).divergences(GRAPHS[:6])[:, 0]
    assert found.mean() <= np.mean(expected) * (1 + 1e-6)
    assert model.score(GRAPHS[:6]) == pytest.approx(-found.mean())


def test_random_starts_never_raise_divergences() -> None:
    model = SRGWDictionary(6).fit(GRAPHS)
    before = model.divergences(GRAPHS)
    after = model.set_params(random_starts=5).divergences(GRAPHS)
    assert (after <= before + 1e-12).all()


def test_attributes_become_features_of_the_atom() -> None:
    with pytest.warns(UserWarning, match=r"features .* weigh 21 times .* alpha 0\.902 would"):
        model = SRGWDictionary(4, alpha=0.3).fit(ATTRIBUTED)
    assert model.features_.shape == (4, 2)
    alone = SRGWDictionary(4, features="none").fit(ATTRIBUTED)
    assert not hasattr(alone, "features_")
    np.testing.assert_array_equal(alone.structure_, SRGWDictionary(4).fit(GRAPHS).structure_)


def test_standardised_attributes_do_not_feel_units() -> None:
    scaled = [srgw.as_graph(g, features=1000 * np.asarray(g.features) + 5) for g in ATTRIBUTED]
    one, other = (
        SRGWDictionary(3, standardise="nodes").fit(graphs).loss_ for graphs in (ATTRIBUTED, scaled)
    )
    assert one == pytest.approx(other, rel=1e-6)


def test_labels_of_nodes_become_columns() -> None:
    labels = [np.arange(len(graph)) % 3 for graph in GRAPHS]
    dataset = srgw.Dataset("blocks", [srgw.as_graph(g) for g in GRAPHS], node_labels=labels)
    model = SRGWDictionary(4).fit(dataset)
    assert model.features_.shape == (4, 3)
    np.testing.assert_allclose(model.features_.sum(axis=1), 1, atol=1e-9)
    with pytest.raises(ValueError, match="no node labels"):
        model.transform(GRAPHS)


def test_ensembles_and_coordinates() -> None:
    model = SRGWDictionary(3, n_atoms=2, coordinates=["sqrt", "value", "log-size"]).fit(GRAPHS)
    points = model.transform(GRAPHS)
    assert points.shape == (24, 2 * 4 + 1) and len(model.atoms_) == 2
    assert model.embedding_.shape == (24, 6) and model.values_.shape == (24, 2)
    np.testing.assert_allclose((points[:, :3] ** 2).sum(axis=1), 1, atol=1e-9)
    np.testing.assert_allclose(points[:, -1], np.log([len(graph) for graph in GRAPHS]))
    np.testing.assert_allclose(points[:, [3, 7]], model.divergences(GRAPHS))


def test_threads_do_not_show() -> None:
    one, two = (SRGWDictionary(4, n_jobs=jobs).fit(ATTRIBUTED) for jobs in (1, 2))
    np.testing.assert_array_equal(one.structure_, two.structure_)
    np.testing.assert_array_equal(one.transform(ATTRIBUTED), two.transform(ATTRIBUTED))


def test_a_stream_is_learned_batch_by_batch() -> None:
    model = SRGWDictionary(4, forgetting=0.9)
    for _ in range(6):
        for begin in range(0, 24, 8):
            model.partial_fit(GRAPHS[begin : begin + 8])
    assert len(model.loss_curve_) == 18 and model.n_graphs_seen_ == 144
    assert np.mean(model.loss_curve_[-3:]) < np.mean(model.loss_curve_[:3])


def test_a_stream_goes_on_from_what_was_learned() -> None:
    model = SRGWDictionary(4, forgetting=1.0).fit(GRAPHS)
    before = model.structure_.copy()
    model.partial_fit(GRAPHS[:2])
    assert model.n_graphs_seen_ == 26
    moved = np.abs(model.structure_ - before).max()
    assert 0 < moved < 0.2  # two graphs more among twenty-six
    anew = SRGWDictionary(4).partial_fit(GRAPHS[:2])
    assert np.abs(anew.structure_ - before).max() > moved


def test_pickles_save_and_load(tmp_path: pathlib.Path) -> None:
    model = SRGWDictionary(4, sparsity=0.01, callback=lambda progress: None).fit(ATTRIBUTED)
    expected = model.transform(ATTRIBUTED)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.transform(ATTRIBUTED), expected)
    model.save(tmp_path / "model.npz")
    loaded = SRGWDictionary.load(tmp_path / "model.npz")
    np.testing.assert_array_equal(loaded.transform(ATTRIBUTED), expected)
    assert loaded.n_nodes == 4 and loaded.sparsity == 0.01
    again.partial_fit(ATTRIBUTED[:5])
    model.partial_fit(ATTRIBUTED[:5])
    np.testing.assert_array_equal(again.structure_, model.structure_)


def test_the_program_reads_what_python_saves(tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "graphs"
    folder.mkdir()
    for i, graph in enumerate(GRAPHS):
        srgw.as_graph(graph).write(folder / f"{i:02}.mtx")
    model = SRGWDictionary(4).fit(folder)
    model.save(tmp_path / "model.npz")
    root = pathlib.Path(__file__).resolve().parents[2]
    program = pathlib.Path(os.environ.get("SRGW_BUILD_DIR", root / "build/dev")) / "cli/srgw"
    points = tmp_path / "points.npy"
    command = [program, "embed", tmp_path / "model.npz", folder, "-o", points, "-q"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    np.testing.assert_array_equal(np.load(points), model.transform(folder))


def test_limits_and_callbacks_end_learning() -> None:
    seen: list[float] = []

    def until_third(progress: Any) -> bool:
        seen.append(progress.value)
        return len(seen) < 3

    stopped = SRGWDictionary(4, callback=until_third).fit(GRAPHS)
    assert len(seen) == 3 and stopped.status_ == "interrupted" and np.isfinite(stopped.loss_)
    with pytest.raises(TimeoutError, match="time limit"):  # before the first atom
        SRGWDictionary(4, time_limit=0.0).fit(GRAPHS)

    def broken(progress: Any) -> bool:
        raise RuntimeError("of the callback")

    with pytest.raises(RuntimeError, match="of the callback"):
        SRGWDictionary(4, callback=broken).fit(GRAPHS)


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"n_nodes": 0}, ValueError, "n_nodes is 0"),
        ({"alpha": 2.0}, ValueError, "alpha"),
        ({"sparsity": -1.0}, ValueError, "sparsity"),
        ({"epsilon": -1.0}, ValueError, "epsilon"),
        ({"learner": "magic"}, ValueError, "learner is 'magic'"),
        ({"atom_start": "middle"}, ValueError, "start 'middle', expected one of"),
        ({"features": "some"}, ValueError, "features 'some'"),
        ({"standardise": "twice"}, ValueError, "standardise 'twice'"),
        ({"structure": "magic"}, ValueError, "structure 'magic', expected one of"),
        ({"weights": [1.0]}, TypeError, "weights is list"),
        ({"max_epochs": 0}, ValueError, "max_epochs is 0"),
        ({"n_atoms": 0}, ValueError, "n_atoms is 0"),
        ({"features": "labels"}, ValueError, "no node labels"),
        ({"alpha": "half"}, ValueError, "alpha is 'half', expected a number"),
        ({"tol": None}, ValueError, "tol is None, expected a number"),
        ({"epsilon": [0.1]}, ValueError, r"epsilon is \[0.1\], expected a number"),
    ],
)
def test_wrong_parameters_are_named(
    changes: dict[str, Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        SRGWDictionary(**{"n_nodes": 3, **changes}).fit(GRAPHS)


@pytest.mark.parametrize(
    ("graphs", "error", "words"),
    [
        ([], ValueError, "no graphs"),
        (GRAPHS[0], TypeError, "expected a sequence of graphs"),
        (srgw.as_graph(GRAPHS[0]), TypeError, "expected a sequence of graphs"),
        (7, TypeError, "X is int"),
        ([GRAPHS[0], "nowhere.txt"], OSError, "nowhere.txt"),
        ([GRAPHS[0], np.ones((2, 3))], ValueError, r"X\[1\]"),
        ([ATTRIBUTED[0], GRAPHS[1]], ValueError, r"X\[1\] has no features"),
        ([ATTRIBUTED[0], featured(GRAPHS[1], 1, 3)], ValueError, r"X\[1\] has 3 feature columns"),
        ([srgw.as_graph(np.eye(2), features=[[np.nan], [0]])], ValueError, "not finite"),
    ],
)
def test_wrong_graphs_are_named(graphs: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        SRGWDictionary(2).fit(graphs)


def test_wrong_use_of_a_model_is_named(tmp_path: pathlib.Path) -> None:
    with pytest.raises(srgw.NotFittedError):
        SRGWDictionary(2).transform(GRAPHS)
    with pytest.raises(ValueError, match="coordinate"):
        SRGWDictionary(2, coordinates="magic").fit(GRAPHS).transform(GRAPHS)
    with pytest.raises(ValueError, match="graph 0 has no features|no node attributes"):
        SRGWDictionary(2).fit(ATTRIBUTED).transform(GRAPHS)
    for starts in (-1, 1.5, "2"):
        with pytest.raises(ValueError, match="random_starts is .*, expected a whole number from 0"):
            SRGWDictionary(2, random_starts=starts).fit(GRAPHS).transform(GRAPHS)
    with pytest.raises(ValueError, match="expected 1 for partial_fit"):
        SRGWDictionary(2, n_atoms=2).partial_fit(GRAPHS)
    (tmp_path / "no.npz").write_bytes(b"nothing")
    with pytest.raises(ValueError, match="no.npz"):
        SRGWDictionary.load(tmp_path / "no.npz")


def test_one_node_graphs_are_projected() -> None:
    model = SRGWDictionary(2).fit([*GRAPHS[:3], np.zeros((1, 1))])
    assert np.isfinite(model.transform([np.zeros((1, 1))])).all()


def test_conventions_of_scikit_learn() -> None:
    for model in (SRGWDictionary(5, alpha=0.2), GraphClusterer(3, SRGWDictionary(2))):
        again = sklearn.base.clone(model)
        assert again is not model
        simple = {k: v for k, v in model.get_params().items() if k != "embedder"}
        assert {k: again.get_params()[k] for k in simple} == simple
    assert repr(SRGWDictionary(5, alpha=0.2)) == "SRGWDictionary(n_nodes=5, alpha=0.2)"


def star(nodes: int) -> Any:
    matrix = np.zeros((nodes, nodes))
    matrix[0, 1:] = matrix[1:, 0] = 1
    return matrix


@pytest.mark.parametrize("coordinates", ["weights", "spectrum", "quantiles"])
def test_graphs_are_clustered(coordinates: str) -> None:
    graphs = [*GRAPHS[:12], *(star(8 + i % 4) for i in range(12))]
    embedder = SRGWDictionary(4, coordinates=coordinates, random_starts=5)
    model = GraphClusterer(2, embedder).fit(graphs)
    assert srgw.metrics.adjusted_rand_index(np.repeat([0, 1], 12), model.labels_) == 1
    assert model.largest_share_ == 0.5 and model.inertia_ > 0
    assert not hasattr(embedder, "structure_")  # what was given does not change
    np.testing.assert_array_equal(model.predict(graphs), model.labels_)
    fitted = embedder.fit(graphs)
    np.testing.assert_array_equal(GraphClusterer(2, fitted).fit_predict(graphs), model.labels_)
    with pytest.raises(ValueError, match="n_clusters is 99"):
        GraphClusterer(99, fitted).fit(graphs)
    with pytest.raises(srgw.NotFittedError):
        GraphClusterer(2).predict(GRAPHS)


def test_clusters_see_all_coordinates_alike_unless_told_not_to() -> None:
    graphs = GRAPHS[:8]
    embedder = SRGWDictionary(3, n_atoms=2, coordinates=["weights", "log-size"]).fit(graphs)
    assert embedder.coordinate_blocks() == [3, 3, 1]
    model = GraphClusterer(2, embedder).fit(graphs)
    for block in (model.embedding_[:, :3], model.embedding_[:, 3:6], model.embedding_[:, 6:]):
        assert (block**2).sum(axis=1).mean() == pytest.approx(1)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(graphs), model.labels_)
    plain = GraphClusterer(2, embedder, scale="none").fit(graphs)
    np.testing.assert_array_equal(plain.embedding_, embedder.transform(graphs))
    with pytest.raises(ValueError, match="scale 'all', expected one of: blocks, quantiles, none"):
        GraphClusterer(2, embedder, scale="all").fit(graphs)


def test_clusters_by_ranks_place_new_graphs_between_those_of_fit() -> None:
    graphs = [*GRAPHS[:12], *(star(8 + i % 4) for i in range(12))]
    model = GraphClusterer(2).fit(graphs)
    assert srgw.metrics.adjusted_rand_index(np.repeat([0, 1], 12), model.labels_) == 1
    assert model.embedding_.shape == (24, 50) and model.embedder_.n_atoms == 5
    np.testing.assert_array_equal(model.predict(graphs), model.labels_)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict([star(20)]), [model.labels_[-1]])
    ranks = GraphClusterer(2, SRGWDictionary(3), scale="quantiles").fit(graphs).embedding_
    assert ranks.min() > 0 and ranks.max() < 1


def test_features_and_structures_count_alike_in_clusters() -> None:
    random = np.random.default_rng(0)
    adjacencies = [*GRAPHS[:12], *(star(8 + i % 4) for i in range(12))]
    graphs = [
        srgw.Graph(len(A), np.argwhere(np.triu(A)).T, features=random.normal(size=(len(A), 6)))
        for A in adjacencies
    ]
    model = GraphClusterer(2).fit(graph for graph in graphs)
    # Six columns of noise are not heard louder than the structure, which tells all.
    assert 0.9 < model.embedder_.alpha < 1
    assert srgw.metrics.adjusted_rand_index(np.repeat([0, 1], 12), model.labels_) == 1
    np.testing.assert_array_equal(model.predict(graphs), model.labels_)


def test_half_seen_graphs_are_completed(tmp_path: pathlib.Path) -> None:
    model = SRGWDictionary(4, for_completion=0.2).fit(GRAPHS)
    seen = GRAPHS[0][:7, :7]
    whole = model.complete(seen, 9)
    assert whole.graph.shape == (9, 9) and whole.probabilities.shape == (9, 9)
    np.testing.assert_array_equal(whole.graph[:7, :7], seen)
    np.testing.assert_array_equal(whole.graph, whole.graph.T)
    assert ((whole.probabilities >= 0) & (whole.probabilities <= 1)).all()
    model.save(tmp_path / "model.npz")
    for again in (SRGWDictionary.load(tmp_path / "model.npz"), pickle.loads(pickle.dumps(model))):
        np.testing.assert_array_equal(again.complete(seen, 9).probabilities, whole.probabilities)
    for method in ("alternate", "adam"):
        assert np.isfinite(model.complete(seen, 9, method=method, max_iter=50).value)
    with pytest.raises(ValueError, match="for_completion"):
        SRGWDictionary(4).fit(GRAPHS).complete(seen, 9)
    with pytest.raises(ValueError, match="nodes"):
        model.complete(seen, 5)


def test_completion_fills_features() -> None:
    model = SRGWDictionary(4).fit(ATTRIBUTED)
    whole = model.complete(ATTRIBUTED[0], len(ATTRIBUTED[0]) + 2, method="alternate")
    assert whole.features is not None and np.isfinite(whole.features).all()
    np.testing.assert_allclose(whole.features[:-2], ATTRIBUTED[0].features)
