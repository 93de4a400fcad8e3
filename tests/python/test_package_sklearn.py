"""Estimators keep scikit-learn's conventions, with a Dataset as X."""

import pickle
import subprocess
import sys
from typing import Any

import joblib
import numpy as np
import pandas as pd
import pytest
import sklearn
import srgw
from sklearn.base import BaseEstimator, TransformerMixin, clone, is_clusterer
from sklearn.decomposition import PCA
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import SVC
from sklearn.utils import estimator_checks, get_tags
from sklearn.utils.validation import check_is_fitted
from srgw import (
    GDL,
    GWF,
    BlockModel,
    GraphClusterer,
    GraphCoarsener,
    GraphKernel,
    Graphon,
    GWKMeans,
    SRGWDictionary,
    SRGWPartition,
)

DATASET = srgw.datasets.families(24)
CLUB = srgw.datasets.karate()
EMBEDDERS = [
    SRGWDictionary(3, max_epochs=2),
    GDL(2, 4, max_epochs=1),
    GWF(2, 4, max_epochs=1),
    GWKMeans(2, 4, max_iter=3),
    GraphClusterer(2, SRGWDictionary(3, max_epochs=2)),
    GraphKernel(),
]
OF_NODES = (BlockModel, GraphCoarsener, SRGWPartition)
ESTIMATORS = [*EMBEDDERS, Graphon(2), SRGWPartition(2), GraphCoarsener(5), BlockModel(2)]
NAMED = pytest.mark.parametrize("model", ESTIMATORS, ids=lambda m: type(m).__name__)
EMBEDDING = pytest.mark.parametrize("model", EMBEDDERS, ids=lambda m: type(m).__name__)


def fitted(model: Any) -> Any:
    return clone(model).fit(CLUB if isinstance(model, OF_NODES) else DATASET)


# The checks of check_estimator that neither make arrays as data nor fit.
CHECKS = (
    "check_estimator_cloneable",
    "check_estimator_repr",
    "check_estimator_tags_renamed",
    "check_valid_tag_types",
    "check_get_params_invariance",
    "check_set_params",
    "check_no_attributes_set_in_init",
    "check_parameters_default_constructible",
    "check_do_not_raise_errors_in_init_or_set_params",
)


@pytest.mark.parametrize("name", CHECKS)
@NAMED
def test_checks_of_scikit_learn(model: Any, name: str) -> None:
    getattr(estimator_checks, name)(type(model).__name__, clone(model))


@NAMED
def test_tags_and_state(model: Any) -> None:
    assert is_clusterer(model) == isinstance(
        model, BlockModel | GraphClusterer | GWKMeans | SRGWPartition
    )
    assert (get_tags(model).transformer_tags is not None) == hasattr(model, "transform")
    with pytest.raises(NotFittedError):
        check_is_fitted(clone(model))
    again = fitted(model)
    check_is_fitted(again)
    with pytest.raises(NotFittedError):
        check_is_fitted(clone(again))
    assert again.fit(CLUB if isinstance(model, OF_NODES) else DATASET) is again
    params = again.get_params(deep=False)
    assert all(params[key] is value for key, value in model.get_params(deep=False).items()) or (
        "embedder" in params
    )


@NAMED
def test_fitted_estimators_are_pickled_and_shown(model: Any) -> None:
    again = fitted(model)
    for copy in (pickle.loads(pickle.dumps(again)), clone(again)):
        assert repr(copy) == repr(again)
    assert type(model).__name__ in again._repr_html_()
    assert type(model).__name__ in make_pipeline(clone(model))._repr_html_()
    copy = pickle.loads(pickle.dumps(again))
    if hasattr(model, "transform") and not isinstance(model, OF_NODES):
        np.testing.assert_allclose(copy.transform(DATASET[:5]), again.transform(DATASET[:5]))


@EMBEDDING
def test_output_has_the_container_and_the_names_that_were_set(model: Any) -> None:
    plain = fitted(model)
    array = plain.transform(DATASET[:6])
    names = plain.get_feature_names_out()
    assert isinstance(array, np.ndarray) and array.shape == (6, len(names))
    assert len(set(names)) == len(names)
    table = fitted(clone(model).set_output(transform="pandas"))
    rows = table.transform(DATASET[:6])
    assert isinstance(rows, pd.DataFrame) and list(rows.columns) == list(names)
    np.testing.assert_allclose(rows.to_numpy(), array)
    assert isinstance(clone(table).fit_transform(DATASET), pd.DataFrame)
    graphs = pd.Series(list(DATASET)[:6], index=list("abcdef"))
    assert list(table.transform(graphs).index) == list("abcdef")
    with sklearn.config_context(transform_output="pandas"):
        assert isinstance(plain.transform(DATASET[:6]), pd.DataFrame)
        assert isinstance(plain.set_output(transform="default").transform(DATASET[:6]), np.ndarray)
    with pytest.raises(ValueError, match="transform is 'xarray', expected one of 'default'"):
        plain.set_output(transform="xarray")


def test_names_of_columns_say_what_they_are() -> None:
    words = ["sqrt", "value", "form", "log-size"]
    model = SRGWDictionary(2, n_atoms=2, max_epochs=1, coordinates=words).fit(DATASET)
    expected = [f"atom{a}_{w}" for a in (0, 1) for w in ("sqrt0", "sqrt1", "value", "form")]
    assert list(model.get_feature_names_out()) == [*expected, "log_size"]


def test_nested_parameters() -> None:
    model = GraphClusterer(2, SRGWDictionary(3))
    assert model.get_params()["embedder__n_nodes"] == 3
    assert "embedder__n_nodes" not in model.get_params(deep=False)
    assert model.set_params(embedder__n_nodes=5, n_clusters=3).embedder.n_nodes == 5
    with pytest.raises(ValueError, match="Invalid parameter 'n_node' for estimator SRGWDict"):
        model.set_params(embedder__n_node=5)
    with pytest.raises(ValueError, match="Invalid parameter 'embedders'"):
        model.set_params(embedders__n_nodes=5)
    with pytest.raises(ValueError, match="embedder is None, expected an estimator"):
        GraphClusterer(2).set_params(embedder__n_nodes=5)
    search = GridSearchCV(
        GraphClusterer(3, SRGWDictionary(3, max_epochs=2)),
        {"embedder__n_nodes": [2, 4]},
        cv=2,
        error_score="raise",
    ).fit(DATASET)
    assert search.best_params_["embedder__n_nodes"] in (2, 4)


class MeanDegree(TransformerMixin, BaseEstimator):
    """An embedder of scikit-learn that knows nothing of us."""

    def fit(self, X: Any, y: Any = None) -> "MeanDegree":
        self.scale_ = max(graph.degrees().mean() for graph in X)
        return self

    def transform(self, X: Any) -> Any:
        check_is_fitted(self)
        return np.array([[g.degrees().mean(), g.degrees().max()] for g in X]) / self.scale_


class Bare:
    """No parameters, no fit_transform."""

    def fit(self, X: Any) -> "Bare":
        self.seen_ = len(X)
        return self

    def transform(self, X: Any) -> Any:
        return np.array([[graph.n_edges / graph.n_nodes] for graph in X]) + 0 * self.seen_


@pytest.mark.parametrize(
    "embedder",
    [
        MeanDegree(),
        Bare(),
        make_pipeline(SRGWDictionary(4, max_epochs=2), StandardScaler(), PCA(2)),
        FeatureUnion([("a", SRGWDictionary(2, max_epochs=1)), ("b", MeanDegree())]),
        FunctionTransformer(lambda X: np.array([[g.n_edges / g.n_nodes] for g in X])),
    ],
    ids=["estimator", "bare", "pipeline", "union", "function"],
)
def test_any_embedder_serves_fitted_or_not(embedder: Any) -> None:
    model = GraphClusterer(2, embedder, n_init=5).fit(DATASET)
    assert not any(name.endswith("_") for name in vars(embedder))  # what was given is not changed
    assert model.labels_.shape == (24,) and set(model.predict(DATASET[:4])) <= {0, 1}
    again = GraphClusterer(2, model.embedder_, n_init=5).fit(DATASET)
    np.testing.assert_array_equal(again.labels_, model.labels_)
    np.testing.assert_array_equal(model.transform(DATASET).argmin(axis=1), model.labels_)
    assert model.score(DATASET) == pytest.approx(-model.inertia_)


def test_what_is_no_embedder_is_refused() -> None:
    with pytest.raises(TypeError, match="embedder is 7, expected an estimator"):
        GraphClusterer(2, 7).fit(DATASET)


def test_pipelines_and_searches() -> None:
    labels = DATASET.labels
    pipeline = make_pipeline(SRGWDictionary(4, max_epochs=3), StandardScaler(), SVC())
    scores = cross_val_score(pipeline, DATASET, labels, cv=3, error_score="raise", n_jobs=2)
    assert scores.mean() > 0.8
    grid = {"srgwdictionary__n_nodes": [2, 4], "svc__C": [1, 10]}
    search = GridSearchCV(pipeline, grid, cv=3, error_score="raise").fit(DATASET, labels)
    assert search.best_score_ > 0.8 and set(search.predict(DATASET[:3])) <= {0, 1, 2}


def test_kernels() -> None:
    labels = DATASET.labels
    kernel = GraphKernel()
    gram = kernel.fit_transform(DATASET)
    np.testing.assert_allclose(gram, gram.T)
    np.testing.assert_allclose(gram.diagonal(), 1, atol=1e-9)
    np.testing.assert_allclose(kernel.transform(DATASET), gram, atol=1e-12)
    np.testing.assert_allclose(kernel.divergences_, srgw.pairwise(DATASET), atol=1e-15)
    pipeline = make_pipeline(GraphKernel(), SVC(kernel="precomputed"))
    assert cross_val_score(pipeline, DATASET, labels, cv=3, error_score="raise").mean() > 0.9
    # A table of divergences is one of distances, and makes a kernel by hand.
    table = srgw.pairwise(DATASET)
    mean = (table + table.T) / 2
    nearest = KNeighborsClassifier(1, metric="precomputed")
    assert cross_val_score(nearest, np.maximum(mean, 0), labels, cv=3).mean() > 0.9
    by_hand = SVC(kernel="precomputed").fit(np.exp(-mean / np.median(mean)), labels)
    assert by_hand.score(np.exp(-mean / np.median(mean)), labels) > 0.9
    clipped = GraphKernel(clip=True).fit_transform(DATASET)
    assert np.linalg.eigvalsh(clipped).min() > -1e-10
    for symmetry, reduce in (("max", np.maximum), ("min", np.minimum)):
        found = GraphKernel(2.0, symmetry=symmetry).fit_transform(DATASET)
        np.testing.assert_allclose(found, np.exp(-2 * np.maximum(reduce(table, table.T), 0)))


def test_kernels_see_labels_of_nodes() -> None:
    molecules = srgw.datasets.molecules(8)
    plain = GraphKernel(1.0, features="none").fit_transform(molecules)
    labelled = GraphKernel(1.0, features="labels").fit(molecules)
    assert np.abs(labelled.transform(molecules) - plain).max() > 0.01
    again = pickle.loads(pickle.dumps(labelled))
    np.testing.assert_allclose(again.transform(molecules), labelled.transform(molecules))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"gamma": 0}, "gamma is 0, expected a number above 0 or 'median'"),
        ({"gamma": "mean"}, "gamma is 'mean'"),
        ({"symmetry": "sum"}, "symmetry is 'sum', expected one of mean, max, min"),
        ({"start": "magic"}, "start is 'magic'"),
        ({"n_jobs": 1.5}, "n_jobs is 1.5, expected a whole number of threads"),
    ],
)
def test_wrong_parameters_of_kernels_are_named(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        GraphKernel(**changes).fit(DATASET)


@pytest.mark.parametrize("n_jobs", [1.5, "2", 0, True, 10**9])
def test_wrong_numbers_of_threads_are_named(n_jobs: Any) -> None:
    with pytest.raises(ValueError, match="n_jobs is .*, expected a whole number of threads, or -1"):
        SRGWPartition(n_jobs=n_jobs).fit(CLUB)
    with pytest.raises(ValueError, match="n_jobs is"):
        srgw.solve_all([np.eye(2)], np.eye(2), n_jobs=n_jobs)


@pytest.mark.parametrize(
    "random_state",
    [None, 3, np.int32(3), np.random.default_rng(1), np.random.RandomState(1)]
    + [np.random.SeedSequence(1), np.random.PCG64(1)],
    ids=lambda state: type(state).__name__,
)
def test_random_states_of_every_kind(random_state: Any) -> None:
    assert SRGWPartition(2, random_state=random_state).fit(CLUB).n_clusters_ == 2
    with pytest.raises(TypeError, match="random_state is 'a'"):
        SRGWPartition(random_state="a").fit(CLUB)


def test_verbose_prints_a_line_for_each_step(capsys: pytest.CaptureFixture[str]) -> None:
    model = SRGWDictionary(3, max_epochs=2, verbose=True).fit(DATASET)
    lines = capsys.readouterr().out.splitlines()
    assert lines and all(line.startswith("[SRGWDictionary] epoch ") for line in lines)
    clone(model).set_params(verbose=False).fit(DATASET)
    GWKMeans(2, 4, max_iter=2, verbose=True).fit(DATASET)
    out = capsys.readouterr().out
    assert out.startswith("[GWKMeans] round 1: value ")


def test_one_name_for_the_number_of_epochs() -> None:
    for model in (SRGWDictionary, GDL, GWF):
        assert "max_epochs" in model().get_params() and "epochs" not in model().get_params()


def test_joblib(tmp_path: Any) -> None:
    model = fitted(EMBEDDERS[0])
    joblib.dump(model, tmp_path / "model.joblib")
    expected = model.transform(DATASET[:4])
    np.testing.assert_array_equal(
        joblib.load(tmp_path / "model.joblib").transform(DATASET[:4]), expected
    )
    parts = joblib.Parallel(n_jobs=2)(
        joblib.delayed(model.transform)(DATASET[i : i + 2]) for i in (0, 2)
    )
    np.testing.assert_array_equal(np.vstack(parts), expected)


WITHOUT = """
import sys
sys.modules["sklearn"] = None
import numpy as np, srgw
graphs = srgw.datasets.families(9)
model = srgw.GraphClusterer(3, srgw.SRGWDictionary(3, max_epochs=2))
assert model.fit(graphs).labels_.shape == (9,)
assert "<pre>" in model._repr_html_()
assert srgw.GraphKernel().fit_transform(graphs).shape == (9, 9)
"""


def test_all_works_without_scikit_learn() -> None:
    subprocess.run([sys.executable, "-c", WITHOUT], check=True)
