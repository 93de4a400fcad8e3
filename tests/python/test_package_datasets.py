"""Datasets keep all that their graphs have when they are indexed, split and sent elsewhere."""

import pickle
import warnings
from typing import Any

import numpy as np
import pytest
import srgw
from sklearn.model_selection import GridSearchCV, cross_val_score, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC
from srgw import Dataset, SRGWDictionary

MOLECULES = srgw.datasets.molecules(40, random_state=1)


def whole(dataset: Dataset, part: Dataset, chosen: list[int]) -> None:
    """The part is the chosen graphs with all that they have."""
    assert isinstance(part, Dataset) and len(part) == len(chosen) and part.shape == (len(chosen),)
    assert part.name == dataset.name and part.classes == dataset.classes
    np.testing.assert_array_equal(part.labels, dataset.labels[chosen])
    for graph, i in zip(part, chosen, strict=True):
        np.testing.assert_array_equal(graph.to_numpy(), dataset[i].to_numpy())
        np.testing.assert_array_equal(graph.features, dataset[i].features)
        np.testing.assert_array_equal(graph.node_labels, dataset.node_labels[i])
    for labels, i in zip(part.node_labels, chosen, strict=True):
        np.testing.assert_array_equal(labels, dataset.node_labels[i])


@pytest.mark.parametrize(
    ("key", "chosen"),
    [
        (slice(5), range(5)),
        (slice(None, None, -7), range(39, -1, -7)),
        (np.array([3, 1, -1, 1]), [3, 1, 39, 1]),
        ([2, 4], [2, 4]),
        ([], []),
        (np.array([], dtype=int), []),
        (np.arange(40) % 3 == 0, range(0, 40, 3)),
        ((np.array([7]), ...), [7]),
    ],
)
def test_parts_keep_labels_and_attributes(key: Any, chosen: Any) -> None:
    whole(MOLECULES, MOLECULES[key], list(chosen))


def test_names_follow() -> None:
    dataset = Dataset("d", list(MOLECULES)[:3], names=["a", "b", "c"])
    assert dataset[[2, 0]].names == ["c", "a"] and dataset[1].n_nodes == MOLECULES[1].n_nodes
    assert dataset.node_labels  # those of the graphs
    with pytest.raises(ValueError, match="labels has 2 entries, expected 3"):
        Dataset("d", list(MOLECULES)[:3], labels=np.arange(2))
    with pytest.raises(ValueError, match="node_labels has shape"):
        Dataset("d", list(MOLECULES)[:1], node_labels=[np.zeros(2, int)])


@pytest.mark.parametrize(
    ("key", "error", "words"),
    [
        (40, IndexError, "range"),
        (np.array([40]), IndexError, "indices are from 40 to 40, the Dataset has 40 graphs"),
        (np.ones(3, bool), IndexError, "the mask has 3 entries, expected 40"),
        ("MUTAG", TypeError, "a Dataset is indexed by"),
        (np.ones((2, 2), int), TypeError, r"of shape \(2, 2\)"),
        (np.array([0.5]), TypeError, "float64"),
    ],
)
def test_wrong_indices_are_named(key: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        MOLECULES[key]


def test_scikit_learn_splits_datasets() -> None:
    train, test, labels, _ = train_test_split(
        MOLECULES, MOLECULES.labels, random_state=0, stratify=MOLECULES.labels
    )
    assert isinstance(train, Dataset) and len(train) == 30 and len(test) == 10
    np.testing.assert_array_equal(train.labels, labels)
    model = SRGWDictionary(4, max_epochs=2, features="labels").fit(train)
    assert model.features_.shape == (4, 3)
    assert model.transform(test).shape == (10, 4)


def test_cross_validation_sees_node_labels() -> None:
    """With the node labels of each part, folds are those of models fitted by hand."""
    pipeline = make_pipeline(SRGWDictionary(4, max_epochs=2, features="labels"), SVC())
    scores = cross_val_score(pipeline, MOLECULES, MOLECULES.labels, cv=4, error_score="raise")
    assert scores.shape == (4,)
    search = GridSearchCV(
        SRGWDictionary(max_epochs=2), {"n_nodes": [2, 4]}, cv=2, error_score="raise"
    ).fit(MOLECULES)
    assert search.best_estimator_.features_.shape[1] == 1  # attributes come first
    assert search.best_params_["n_nodes"] in (2, 4)


def test_lists_of_graphs_keep_their_labels() -> None:
    model = SRGWDictionary(3, max_epochs=2, features="labels")
    np.testing.assert_array_equal(
        model.fit_transform(MOLECULES), model.fit_transform(list(MOLECULES))
    )
    objects = np.empty(len(MOLECULES), object)
    objects[:] = list(MOLECULES)
    np.testing.assert_array_equal(model.fit_transform(MOLECULES), model.fit_transform(objects))
    with pytest.raises(ValueError, match=r"X\[1\] has no node labels, but other graphs have"):
        model.fit([MOLECULES[0], srgw.Graph(2, [[0], [1]], features=[[0.0], [1.0]])])


def test_datasets_and_labelled_graphs_are_pickled() -> None:
    again = pickle.loads(pickle.dumps(MOLECULES))
    whole(MOLECULES, again, list(range(len(MOLECULES))))


def test_unknown_labels_are_mapped_with_a_warning() -> None:
    model = SRGWDictionary(4, max_epochs=2, features="labels").fit(MOLECULES)
    strange = [
        srgw.as_graph(graph, node_labels=np.where(graph.node_labels == 2, 9, graph.node_labels))
        for graph in MOLECULES[:5]
    ]
    with pytest.warns(UserWarning, match=r"labels that the model was not learned from \(9\)"):
        points = model.transform(strange)
    assert np.isfinite(points).all() and points.shape == (5, 4)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.transform(MOLECULES[:5])


def test_completion_takes_node_labels_as_they_are() -> None:
    for take, columns in (("labels", 3), ("attributes", 1), ("both", 4)):
        model = SRGWDictionary(4, max_epochs=2, features=take).fit(MOLECULES)
        seen = MOLECULES[0]
        whole_graph = model.complete(seen, seen.n_nodes + 2, method="alternate", max_iter=20)
        assert whole_graph.features is not None
        assert whole_graph.features.shape == (seen.n_nodes + 2, columns)
        if take != "attributes":
            hot = np.eye(3)[seen.node_labels]
            np.testing.assert_array_equal(whole_graph.features[: seen.n_nodes, :3], hot)
    with pytest.raises(ValueError, match="no node labels"):
        model.complete(srgw.Graph(2, [[0], [1]], features=[[0.0], [1.0]]), 4, method="alternate")


def test_known_graphs() -> None:
    club = srgw.datasets.karate()
    assert (club.n_nodes, club.n_edges) == (34, 78)
    labels = srgw.SRGWPartition(2).fit_predict(club)
    sides = club.attributes["club"]
    assert srgw.metrics.adjusted_rand_index(sides, labels) > 0.6
    families = srgw.datasets.families(30)
    found = srgw.GraphClusterer(3).fit_predict(families)
    assert srgw.metrics.adjusted_rand_index(families.labels, found) > 0.9
    for maker in (srgw.datasets.families, srgw.datasets.molecules):
        one, same, other = (maker(12, random_state=seed) for seed in (0, 0, 1))
        assert all((a.to_numpy() == b.to_numpy()).all() for a, b in zip(one, same, strict=True))
        assert any(a.n_edges != b.n_edges for a, b in zip(one, other, strict=True))
        with pytest.raises(ValueError, match="n_graphs is 0"):
            maker(0)


def test_empty_parts_are_absent() -> None:
    graphs = list(MOLECULES)[:3]
    part = Dataset("a", graphs, names=[], labels=[])[:1]
    assert part.labels is None and part.names == [] and len(part) == 1
    assert Dataset("a", [np.ones((2, 2))], node_labels=None).node_labels == []
