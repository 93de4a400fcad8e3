"""SRGWPartition finds blocks, keeps scikit-learn's conventions and places new nodes."""

import pickle
from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.sparse
import sklearn.base
import srgw
from sklearn.utils import estimator_checks

GRAPH, BLOCKS = srgw.generate.planted(400, 4, mean_degree=16, inside=0.85)
SPARSE = GRAPH.to_scipy()


def agreement(labels: Any) -> float:
    return srgw.metrics.adjusted_mutual_information(BLOCKS, labels)


@pytest.mark.parametrize(
    "structure",
    ["auto", "modularity", "adjacency", "normalized-adjacency", "heat:3", "stability:1"],
)
def test_planted_blocks_are_found(structure: str) -> None:
    model = srgw.SRGWPartition(4, structure=structure, n_init=5)
    assert agreement(model.fit_predict(GRAPH)) > 0.8
    np.testing.assert_allclose(model.plan_.sum(axis=0), model.weights_, atol=1e-12)
    assert model.plan_.shape == (400, 4)
    assert model.objective_ >= 0 and model.gap_ >= -1e-12 and model.status_ == "converged"
    assert model.n_iter_ >= 0 and model.n_clusters_ == 4 and model.unconnected_ == 0
    assert len(model.start_values_) == (1 if structure == "auto" else 5)  # the search has its own


def test_the_number_of_clusters_is_found() -> None:
    model = srgw.SRGWPartition().fit(GRAPH)
    assert model.n_clusters_ == 4 and model.significant_ and agreement(model.labels_) > 0.95
    assert model.modularity_ == pytest.approx(srgw.metrics.modularity(GRAPH, model.labels_))
    assert model.resolution_ > 0 and model.reasons_ and all(r.endswith(".") for r in model.reasons_)
    np.testing.assert_array_equal(model.plan_.argmax(axis=1), model.labels_)
    few = srgw.SRGWPartition(3).fit(GRAPH)
    assert few.n_clusters_ == 3 and few.plan_.shape == (400, 3)
    with pytest.raises(ValueError, match="number of clusters"):
        srgw.SRGWPartition(structure="adjacency").fit(GRAPH)


def test_a_graph_without_communities_is_one_cluster() -> None:
    graph, _ = srgw.generate.planted(300, 1, mean_degree=10, inside=1.0)
    model = srgw.SRGWPartition().fit(graph)
    assert not model.significant_ and model.n_clusters_ == 1 and not model.labels_.any()
    options = {"criterion": "modularity", "test_significance": False}
    assert srgw.SRGWPartition(**options).fit(graph).n_clusters_ > 1
    with pytest.warns(UserWarning, match="no communities; the 4 clusters are kept"):
        given = srgw.SRGWPartition(4).fit(graph)
    assert not given.significant_ and given.n_clusters_ == 4


def test_sparsity_with_a_free_number_gives_a_path() -> None:
    model = srgw.SRGWPartition(sparsity=4.0).fit(GRAPH)
    assert len(model.path_) == 10 and model.path_[-1][0] == pytest.approx(4.0)
    assert model.path_[-1][1] == model.n_clusters_ <= 4
    assert srgw.SRGWPartition().fit(GRAPH).path_ == []


def test_a_learned_target_finds_blocks_that_are_sparse_inside() -> None:
    rng = np.random.default_rng(0)
    blocks = np.arange(120) % 2
    edges = rng.random((120, 120)) < np.where(blocks[:, None] == blocks, 0.02, 0.4)
    matrix = np.triu(edges, 1).astype(float)
    model = srgw.SRGWPartition(2, target="learned").fit(matrix + matrix.T)
    assert srgw.metrics.adjusted_rand_index(blocks, model.labels_) > 0.95
    assert model.target_.shape == (2, 2) and model.target_[0, 1] > 0.3 > model.target_[0, 0]
    np.testing.assert_array_equal(model.predict(matrix + matrix.T), model.labels_)


@pytest.mark.parametrize("structure", ["auto", "laplacian", "shortest-path:9", "heat:2"])
@pytest.mark.parametrize("target", ["identity", "learned"])
def test_features_and_learned_targets_go_with_every_structure(structure: str, target: str) -> None:
    features = np.eye(4)[BLOCKS]
    model = srgw.SRGWPartition(4, structure=structure, target=target, alpha=0.1)
    model.fit(GRAPH, features=features)
    assert agreement(model.labels_) == pytest.approx(1.0)
    np.testing.assert_allclose(model.features_[model.labels_], features, atol=0.1)


def test_labels_of_a_given_target_are_its_nodes() -> None:
    target = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 9.0]])
    matrix = np.kron(1 - np.eye(2), np.ones((5, 5)))
    model = srgw.SRGWPartition(structure="adjacency", target=target, init="random", n_init=9)
    model.fit(matrix)
    assert set(model.labels_) == {0, 1} and model.n_clusters_ == 2 and model.plan_.shape == (10, 3)
    np.testing.assert_array_equal(model.target_, target)


@pytest.mark.parametrize("init", ["random-labels", "random", "kmeans", "product", "random_product"])
def test_starts(init: str) -> None:
    model = srgw.SRGWPartition(4, init=init, n_init=5).fit(SPARSE)
    assert len(model.labels_) == 400
    if init != "random_product":  # C h is constant here: from h r' all rows go the same way
        assert srgw.metrics.modularity(GRAPH, model.labels_) > 0.4  # of the blocks: 0.6


def test_labels_or_a_plan_start_it() -> None:
    model = srgw.SRGWPartition(4, init=BLOCKS.astype(int)).fit(SPARSE)
    assert agreement(model.labels_) > 0.95
    again = srgw.SRGWPartition(4, init=model.plan_).fit(SPARSE)
    assert again.objective_ <= model.objective_ + 1e-9 and len(again.start_values_) == 1


def test_the_value_is_a_constant_minus_modularity() -> None:
    models = [srgw.SRGWPartition(4, init="random-labels", n_init=1, random_state=s) for s in (0, 1)]
    sums = []
    for model in models:
        labels = model.fit_predict(GRAPH)
        if (np.count_nonzero(model.plan_, axis=1) == 1).all():
            sums.append(model.objective_ + srgw.metrics.modularity(GRAPH, labels))
    assert len(sums) == 2 and sums[0] == pytest.approx(sums[1], abs=1e-9)


@pytest.mark.parametrize("kind", ["graph", "sparse", "dense", "networkx"])
def test_any_graph_gives_the_same_labels(kind: str) -> None:
    given = {
        "graph": GRAPH,
        "sparse": SPARSE,
        "dense": SPARSE.toarray(),
        "networkx": nx.from_scipy_sparse_array(SPARSE),
    }[kind]
    expected = srgw.SRGWPartition(4).fit_predict(GRAPH)
    np.testing.assert_array_equal(srgw.SRGWPartition(4).fit_predict(given), expected)


@pytest.mark.parametrize("n_jobs", [1, 2, 8])
def test_threads_do_not_change_the_result(n_jobs: int) -> None:
    one = srgw.SRGWPartition(4, n_jobs=1).fit(GRAPH)
    many = srgw.SRGWPartition(4, n_jobs=n_jobs).fit(GRAPH)
    np.testing.assert_array_equal(one.plan_, many.plan_)


@pytest.mark.parametrize("structure", ["adjacency", "modularity", "normalized-adjacency"])
@pytest.mark.parametrize("sparse", [False, True])
def test_new_nodes_join_the_block_of_their_neighbours(structure: str, sparse: bool) -> None:
    old, new = np.arange(300), np.arange(300, 400)
    graph, blocks = srgw.generate.planted(400, 4, mean_degree=40, inside=0.9)
    order = np.random.default_rng(0).permutation(400)  # blocks are contiguous
    matrix, blocks = graph.to_scipy()[order][:, order], blocks[order]
    model = srgw.SRGWPartition(4, structure=structure, n_init=5).fit(matrix[old][:, old])
    edges = matrix[new][:, old]
    labels = model.predict(edges if sparse else edges.toarray())
    expected = np.array([np.bincount(model.labels_[blocks[old] == b]).argmax() for b in range(4)])
    assert (labels == expected[blocks[new]]).mean() > 0.9
    lonely = model.predict(np.zeros((1, 300)))
    assert lonely.tolist() == [model.labels_.max() + 1]


def test_fitted_nodes_are_placed_where_they_are() -> None:
    model = srgw.SRGWPartition().fit(GRAPH)
    assert (model.predict(SPARSE) == model.labels_).mean() > 0.98


def test_a_callback_or_a_time_limit_stops_the_search() -> None:
    graph, _ = srgw.generate.planted(3000, 5, mean_degree=12)
    stopped = srgw.SRGWPartition(callback=lambda progress: False).fit(graph)
    assert stopped.status_ == "interrupted" and len(stopped.labels_) == 3000
    with pytest.warns(srgw.ConvergenceWarning, match="time_limit"):
        limited = srgw.SRGWPartition(time_limit=0.0).fit(graph)
    assert limited.status_ == "time_limit"
    with pytest.raises(ZeroDivisionError):
        srgw.SRGWPartition(callback=lambda progress: 1 // 0).fit(graph)


def test_predict_refuses_what_it_cannot_place() -> None:
    model = srgw.SRGWPartition(4, structure="heat:2").fit(GRAPH)
    with pytest.raises(ValueError, match="heat:2"):
        model.predict(np.zeros((1, 400)))
    with pytest.raises(ValueError, match="expected"):
        srgw.SRGWPartition(4).fit(GRAPH).predict(np.zeros((1, 7)))
    with pytest.raises(srgw.NotFittedError):
        srgw.SRGWPartition(4).predict(np.zeros((1, 7)))


def test_nodes_without_edges_are_a_group_of_their_own() -> None:
    matrix = scipy.sparse.block_diag([SPARSE, scipy.sparse.csr_array((3, 3))], format="csr")
    model = srgw.SRGWPartition(4).fit(matrix)
    assert model.unconnected_ == 3
    assert (model.labels_[-3:] == model.labels_[:-3].max() + 1).all()
    assert model.predict(np.zeros((1, 403))).tolist() == [model.labels_.max()]


def test_features_decide_where_the_structure_says_nothing() -> None:
    rng = np.random.default_rng(0)
    graph, _ = srgw.generate.planted(120, 1, mean_degree=8, inside=1.0)
    classes = np.arange(120) % 3
    features = np.eye(3)[classes] + 0.1 * rng.normal(size=(120, 3))
    model = srgw.SRGWPartition(3, alpha=0.2, structure="adjacency").fit(graph, features=features)
    assert srgw.metrics.adjusted_rand_index(classes, model.labels_) > 0.95
    assert model.features_.shape == (3, 3)
    with pytest.raises(ValueError, match="features"):
        srgw.SRGWPartition(3).fit(graph, features=features[:5])


def test_epsilon_gives_soft_memberships_and_sparsity_fewer_clusters() -> None:
    soft = srgw.SRGWPartition(
        4, structure="adjacency", epsilon=0.05, max_iter=20, tol=0.0, init="random"
    )
    with pytest.warns(srgw.ConvergenceWarning):
        soft.fit(GRAPH)
    assert (np.count_nonzero(soft.plan_, axis=1) > 1).any()
    few = srgw.SRGWPartition(8, sparsity=2.0, init="random-labels").fit(GRAPH)
    many = srgw.SRGWPartition(8, init="random-labels").fit(GRAPH)
    assert np.count_nonzero(few.weights_) <= np.count_nonzero(many.weights_)
    penalty = 2.0 * np.sqrt(few.weights_).sum()
    assert few.objective_ - penalty >= many.objective_ - 1e-6


def test_a_directed_graph_is_made_undirected_aloud() -> None:
    directed = np.triu(SPARSE.toarray())
    with pytest.warns(UserWarning, match="directed"):
        model = srgw.SRGWPartition(4).fit(directed)
    assert agreement(model.labels_) > 0.8
    with pytest.warns(UserWarning, match="directed"):
        srgw.SRGWPartition(4, init=model.labels_).fit(directed)
    with pytest.raises(ValueError, match="directed"):
        srgw.SRGWPartition(4, structure="modularity").fit(directed)
    srgw.SRGWPartition(4, structure="adjacency").fit(directed)


@pytest.mark.parametrize(
    ("message", "options"),
    [
        ("n_clusters", {"n_clusters": 0}),
        ("n_clusters", {"n_clusters": 2.5}),
        ("n_clusters", {"n_clusters": "some"}),
        ("clusters", {"n_clusters": "auto", "target": "identity"}),
        ("structure", {"structure": 3}),
        ("alpha", {"alpha": 2.0}),
        ("structure", {"structure": "cosine"}),
        ("structure", {"structure": "heat"}),
        ("weights", {"weights": "uniform"}),
        ("weights", {"structure": "adjacency", "weights": "heavy"}),
        ("weights", {"structure": "adjacency", "weights": [1.0]}),
        ("target", {"target": "ring"}),
        ("target", {"target": np.eye(3)}),
        ("init", {"init": "fortune"}),
        ("init", {"init": np.full(400, 9)}),
        ("init", {"init": np.zeros(3, int)}),
        ("init", {"init": -np.ones((400, 4))}),
        ("init", {"init": np.ones((400, 5))}),
        ("init", {"n_clusters": "auto", "init": np.zeros(400, int)}),
        ("n_init", {"n_init": 0}),
        ("epsilon", {"epsilon": -1.0}),
        ("tolerance", {"tol": -1.0}),
        ("max_iter", {"max_iter": -1}),
        ("n_jobs", {"n_jobs": 0}),
    ],
)
def test_misuse_names_the_parameter(message: str, options: dict[str, Any]) -> None:
    features = np.ones((400, 1)) if "alpha" in options else None
    with pytest.raises((ValueError, TypeError), match=message):
        srgw.SRGWPartition(**{"n_clusters": 4, **options}).fit(GRAPH, features=features)


def test_weights_and_targets() -> None:
    for weights in ("uniform", "degree", "power:0.5", np.full(400, 1 / 400)):
        srgw.SRGWPartition(4, structure="adjacency", weights=weights).fit(GRAPH)
    srgw.SRGWPartition(4, weights="degree").fit(GRAPH)
    srgw.SRGWPartition(4, target="learned", weights=np.full(400, 1 / 400)).fit(GRAPH)
    srgw.SRGWPartition(4, structure="adjacency", weights="power:0").fit(GRAPH)
    fine = srgw.SRGWPartition(12, target="scaled-identity:4").fit(GRAPH)
    coarse = srgw.SRGWPartition(12, target="scaled-identity:0.3").fit(GRAPH)
    assert np.count_nonzero(fine.weights_) >= np.count_nonzero(coarse.weights_)
    bipartite = srgw.SRGWPartition(
        2, structure="adjacency", target=1 - np.eye(2), init="random", n_init=5
    )
    matrix = np.kron(1 - np.eye(2), np.ones((5, 5)))
    assert bipartite.fit(matrix).objective_ == pytest.approx(0, abs=1e-9)


def test_conventions_of_scikit_learn() -> None:
    model = srgw.SRGWPartition(3, structure="heat:2", random_state=5)
    copy = sklearn.base.clone(model)
    assert copy.get_params() == model.get_params()
    assert repr(copy) == "SRGWPartition(n_clusters=3, structure='heat:2', random_state=5)"
    assert sklearn.base.is_clusterer(model)
    copy.set_params(n_clusters=4, structure="auto")
    fitted = pickle.loads(pickle.dumps(copy.fit(GRAPH)))
    np.testing.assert_array_equal(fitted.labels_, copy.labels_)
    np.testing.assert_array_equal(fitted.plan_, copy.plan_)
    np.testing.assert_array_equal(fitted.predict(SPARSE), copy.predict(SPARSE))


# Those that hand over points instead of graphs, or look for texts of scikit-learn, are left out.
CHECKS = [
    "check_estimator_cloneable",
    "check_estimator_repr",
    "check_no_attributes_set_in_init",
    "check_parameters_default_constructible",
    "check_get_params_invariance",
    "check_set_params",
    "check_estimators_overwrite_params",
    "check_estimators_pickle",
    "check_estimators_unfitted",
    "check_dict_unchanged",
    "check_dont_overwrite_parameters",
    "check_fit_idempotent",
    "check_fit2d_1sample",
    "check_methods_subset_invariance",
    "check_mixin_order",
    "check_estimator_tags_renamed",
    "check_valid_tag_types",
    "check_do_not_raise_errors_in_init_or_set_params",
    "check_fit_check_is_fitted",
    "check_f_contiguous_array_estimator",
    "check_readonly_memmap_input",
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CHECKS)
def test_estimator_checks(name: str) -> None:
    check = getattr(estimator_checks, name)
    check("SRGWPartition", srgw.SRGWPartition(2, n_init=1))


def test_levels_and_cuts_of_a_partition() -> None:
    graph, _ = srgw.generate.planted(200, 4, mean_degree=12, random_state=2)
    model = srgw.SRGWPartition(levels=True, cuts=True).fit(graph)
    results = [level for level in model.hierarchy_ if level["is_result"]]
    assert len(results) == 1
    assert (results[0]["labels"] == model.labels_).all()
    for fine, coarse in zip(model.hierarchy_[:-1], model.hierarchy_[1:], strict=True):
        assert (fine["parents"][fine["labels"]] == coarse["labels"]).all()
    assert len(model.cuts_) == model.n_clusters_
    assert all(cut["components"] == 1 for cut in model.cuts_)
    split = srgw.SRGWPartition(min_cut=2.0).fit(graph)
    assert all(cut["relative"] is None or cut["relative"] >= 2 for cut in split.cuts_)
    with pytest.raises(ValueError, match="min-cut with 4 clusters"):
        srgw.SRGWPartition(4, min_cut=1.0).fit(graph)
    with pytest.raises(ValueError, match="split_disconnected"):
        srgw.SRGWPartition(split_disconnected="maybe").fit(graph)
