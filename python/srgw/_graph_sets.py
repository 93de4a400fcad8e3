"""Conversion of many graphs to what the library learns from."""

from __future__ import annotations

import os
import pathlib
import tempfile
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _arguments as arguments
from . import _srgw
from ._completion import CompletedGraph, complete
from ._conversions import is_frame
from ._estimator import Estimator
from ._semirelaxed import Callback
from ._sources import make_source
from .datasets import Dataset, read_dataset
from .graph import Graph, as_graph


class GraphSet(NamedTuple):
    """Graphs with the labels and attributes of their nodes, where all have them."""

    graphs: list[Graph]
    node_labels: list[NDArray[np.int64]] | None
    node_features: list[NDArray[np.float64]] | None

    def dataset(self) -> Dataset:
        """The graphs as a Dataset."""
        return Dataset("", self.graphs, node_labels=self.node_labels or [])

    def parts(self) -> tuple[Any, Any, Any]:
        """Graphs, labels and features for the library."""
        return [graph._core for graph in self.graphs], self.node_labels, self.node_features


def graph_set(X: Any, name: str = "X") -> GraphSet:
    """Graphs of a dataset, of its path, or of a sequence that as_graph accepts."""
    if isinstance(X, str | os.PathLike):
        X = read_dataset(X)
    graphs = _graphs(X, name)
    if not graphs:
        raise ValueError(f"{name} has no graphs, expected at least one")
    return GraphSet(graphs, _node_labels(graphs, name), _features(graphs, name))


def _graphs(X: Any, name: str) -> list[Graph]:
    one = arguments.is_graph(X) or arguments.is_sparse(X) or is_frame(X)
    table = isinstance(X, np.ndarray) and X.ndim < 3 and not (X.dtype == object and X.ndim == 1)
    if one or table or not isinstance(X, Iterable):
        raise TypeError(
            f"{name} is {type(X).__name__}, expected a sequence of graphs, a Dataset or the path "
            "of one"
        )
    graphs = []
    for i, given in enumerate(X):
        try:
            graphs.append(as_graph(given))
        except (TypeError, ValueError) as error:
            raise type(error)(f"{name}[{i}]: {error}") from None
    return graphs


def _node_labels(graphs: list[Graph], name: str) -> list[NDArray[np.int64]] | None:
    labels = [graph.node_labels for graph in graphs if graph.node_labels is not None]
    if 0 < len(labels) < len(graphs):
        without = next(i for i, graph in enumerate(graphs) if graph.node_labels is None)
        raise ValueError(
            f"{name}[{without}] has no node labels, but other graphs have; expected node labels "
            "for all graphs or for none"
        )
    return labels or None


def _features(graphs: list[Graph], name: str) -> list[NDArray[np.float64]] | None:
    first = graphs[0].features
    for i, graph in enumerate(graphs):
        if (graph.features is None) != (first is None):
            without, having = (i, 0) if graph.features is None else (0, i)
            raise ValueError(
                f"{name}[{without}] has no features, but {name}[{having}] has; "
                "expected features for all graphs or for none"
            )
        if first is None or graph.features is None:
            continue
        if graph.features.shape[1] != first.shape[1]:
            raise ValueError(
                f"{name}[{i}] has {graph.features.shape[1]} feature columns, "
                f"expected {first.shape[1]} as {name}[0]"
            )
        if not np.isfinite(graph.features).all():
            raise ValueError(f"{name}[{i}] has a feature that is not finite")
    if first is None:
        return None
    return [arguments.as_float64(graph.features) for graph in graphs if graph.features is not None]


def feature_map(graphs: GraphSet, take: str, standardise: str | None) -> _srgw.FeatureMap:
    """Fits how labels and attributes become features."""
    return _srgw.FeatureMap.fit(
        *graphs.parts(), arguments.text(take, "features"), standardise or "none"
    )


def join(first: GraphSet, second: GraphSet) -> GraphSet:
    """Both, with labels and features if both have them."""
    labels = features = None
    if first.node_labels and second.node_labels:
        labels = first.node_labels + second.node_labels
    if first.node_features and second.node_features:
        features = first.node_features + second.node_features
    return GraphSet(first.graphs + second.graphs, labels, features)


def feature_rows(graphs: GraphSet, features: _srgw.FeatureMap) -> list[NDArray[np.float64]]:
    """Features of each graph as the map makes them."""
    warn_of_unknown_labels(graphs, features)
    return _srgw.node_features(features, *graphs.parts())


def warn_of_unknown_labels(graphs: GraphSet, features: _srgw.FeatureMap) -> None:
    """Warns about node labels that the map was not fitted on, whose columns are all 0."""
    unknown = _srgw.unknown_labels(features, *graphs.parts())
    if unknown:
        warnings.warn(unknown, stacklevel=5)


def make_samples(
    graphs: GraphSet, features: _srgw.FeatureMap, structure: str, weights: str | None
) -> _srgw.Samples:
    """Structures, weights and features of graphs."""
    if weights is not None and not isinstance(weights, str):
        raise TypeError(f"weights is {type(weights).__name__}, expected uniform, degree or power:b")
    sources = [make_source(graph, structure, weights, 1) for graph in graphs.graphs]
    structures, masses = [C for C, _ in sources], [h for _, h in sources]
    warn_of_unknown_labels(graphs, features)
    return _srgw.samples_of_graphs(*graphs.parts(), features, structures, masses)


@dataclass(eq=False, repr=False, kw_only=True)
class GraphEstimator(Estimator):
    """Base of the estimators that learn from many graphs.

    Parameters
    ----------
    structure : str
        Structure of each graph: ``adjacency``, ``normalized-adjacency``, ``modularity``,
        ``laplacian``, ``normalized-laplacian``, ``heat:t``, ``stability:t``, ``shortest-path``.
    weights : {'uniform', 'degree', 'power:b'}, optional
        Node weights; by default those of the structure.
    features : {'auto', 'none', 'labels', 'attributes', 'both'}
        Node features: ``auto`` takes attributes (``Graph.features``), else a column for each node
        label of a :class:`srgw.Dataset`, else nothing.
    standardise : {'graphs', 'nodes'}, optional
        Standardises attributes over the means of graphs, or over all nodes.
    alpha : float or 'balanced'
        Weight of the structure if graphs have features; ``balanced``: structures and features of
        the graphs of ``fit`` cost the same on one node (``alpha_`` after ``fit``).
    random_state : int, None or Generator
    n_jobs : int, optional
        Number of threads; all cores by default. The result does not depend on it.
    time_limit : float, optional
        Seconds for each call: ``fit`` keeps the best so far; other calls raise
        ``TimeoutError``.
    callback : callable, optional
        Called with a :class:`srgw.Progress` after each epoch; returning False stops.
    verbose : bool
        Prints a line for each epoch.
    """

    structure: str = "adjacency"
    weights: str | None = None
    features: str = "auto"
    standardise: str | None = None
    alpha: float | str = 0.5
    random_state: Any = 0
    n_jobs: int | None = None
    time_limit: float | None = None
    callback: Callback | None = None
    verbose: bool = False

    _step: ClassVar[str] = "epoch"

    def _run(self) -> arguments.Run:
        reporter = self._reporter(self._step)
        return arguments.run(self.n_jobs, self.random_state, self.time_limit, reporter)

    def _first_samples(self, X: Any) -> tuple[_srgw.FeatureMap, _srgw.Samples]:
        """For ``fit``: fits the features, and converts the graphs."""
        with _srgw.TimeLimit(self.time_limit):
            graphs = graph_set(X)
            features = feature_map(graphs, self.features, self.standardise)
            samples = make_samples(graphs, features, self.structure, self.weights)
            if self.alpha == "balanced":
                self._alpha: float = _srgw.balanced_alpha_of_samples(samples, features.columns)
            else:
                self._alpha = arguments.number(self.alpha, "alpha")
            drowned = _srgw.drowned_term(samples, features.columns, self._alpha)
        for sentence in [*features.warnings, *([drowned] if drowned else [])]:
            warnings.warn(sentence, stacklevel=3)
        return features, samples

    @property
    def alpha_(self) -> float:
        """``alpha`` as a number, after ``fit``."""
        if not self.__sklearn_is_fitted__():
            raise AttributeError(f"this {type(self).__name__} is not fitted yet")
        return self._alpha

    def _structure_weight(self) -> float:
        """alpha as a number."""
        if self.alpha == "balanced":
            return self._alpha
        return arguments.number(self.alpha, "alpha")

    def _warn_of_limit(self, status: str) -> None:
        if status == "time_limit":
            arguments.warn_of_time_limit("learning stopped", 3)

    def _samples(self, X: Any, features: _srgw.FeatureMap) -> _srgw.Samples:
        """For ``transform``: converts other graphs in the same way."""
        with _srgw.TimeLimit(self.time_limit):
            return make_samples(graph_set(X), features, self.structure, self.weights)

    def _complete(
        self, model: Any, graph: Any, n_nodes: int, options: dict[str, Any]
    ) -> CompletedGraph:
        """Completes a graph by a model; its own features are used unless others are given."""
        given = {"random_state": self.random_state, "n_jobs": self.n_jobs, **options}
        with _srgw.TimeLimit(self.time_limit):
            if model.columns and "features" not in given:
                seen = graph_set([graph], "graph")
                given["features"] = feature_rows(
                    seen, getattr(model, "dictionary", model).features
                )[0]
            return complete(model, graph, n_nodes, **given)


def file_bytes(part: Any) -> bytes:
    """The bytes that ``part.save`` writes, for pickles."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "part.npz")
        part.save(str(file))
        return file.read_bytes()


def from_file_bytes(load: Callable[[str], Any], data: bytes) -> Any:
    """Loads a file with these bytes."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "part.npz")
        file.write_bytes(data)
        return load(str(file))
