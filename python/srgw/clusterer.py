"""Clusters of graphs."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _arguments as arguments
from . import _srgw
from ._estimator import Estimator
from ._graph_sets import feature_map, graph_set, make_samples
from .dictionary import SRGWDictionary
from .exceptions import NotFittedError

__all__ = ["GraphClusterer"]


@dataclass(eq=False, repr=False)
class GraphClusterer(Estimator):
    """Clusters of graphs: an embedding, then k-means on its rows.

    Parameters
    ----------
    n_clusters : int
    embedder : estimator with ``fit`` and ``transform``, optional
        By default an :class:`SRGWDictionary` of five atoms of 10 nodes, as ``srgw cluster`` has it;
        where graphs have features, with an ``alpha`` that balances them and structures (see
        ``embedder_``). One that is fitted already is used as it is.
    scale : {'blocks', 'ranks', 'none'}, optional
        ``blocks``: where an embedder gives several coordinates, or has several atoms, each of these
        blocks is brought to variance 1. ``ranks``: before that each column becomes the share of
        graphs that are below. By default ``ranks`` without an embedder, ``blocks`` with one.
    n_init : int
        Starts of k-means, of which the smallest inertia is kept.
    random_state : int, None or Generator
        Of k-means; the embedder has its own.
    time_limit : float, optional
        Seconds for each call, after which ``TimeoutError`` is raised.

    Attributes
    ----------
    labels_ : array, shape (graphs,)
    cluster_centers_ : array, shape (n_clusters, columns)
    inertia_ : float
    largest_share_ : float
        Share of the graphs that are in the largest cluster: near 1, nothing was separated.
    embedding_ : array, shape (graphs, columns)
        What was clustered.
    embedder_ : the fitted embedder

    Examples
    --------
    >>> import numpy as np
    >>> blocks = [np.kron(np.eye(2), np.ones((n, n))) for n in range(3, 8)]
    >>> cliques = [np.ones((n, n)) for n in range(6, 16, 2)]
    >>> model = GraphClusterer(2, SRGWDictionary(3, coordinates="spectrum", random_state=1))
    >>> labels = model.fit_predict(blocks + cliques)
    >>> len(set(labels[:5])), len(set(labels[5:])), len(set(labels))
    (1, 1, 2)

    With nothing but the number of clusters:

    >>> model = GraphClusterer(2).fit(blocks + cliques)
    >>> len(set(model.labels_[:5])), len(set(model.labels_[5:])), len(set(model.labels_))
    (1, 1, 2)
    """

    n_clusters: int = 2
    embedder: Any = None
    _: KW_ONLY
    scale: str | None = None
    n_init: int = 100
    random_state: Any = 0
    time_limit: float | None = None

    def fit(self, X: Any, y: Any = None) -> GraphClusterer:
        """Embeds the graphs and finds clusters.

        Parameters
        ----------
        X : sequence of anything that :func:`srgw.as_graph` takes, a Dataset, or the path of one
        y : ignored

        Returns
        -------
        self
        """
        clusters = arguments.positive_int(self.n_clusters, "n_clusters")
        tries = arguments.positive_int(self.n_init, "n_init")
        with _srgw.TimeLimit(self.time_limit):
            embedder, rows = _embedded(self.embedder, X)
            scale = _Scale(self._scaling(), embedder, rows)
            embedding = scale(rows)
            if clusters > len(embedding):
                raise ValueError(
                    f"n_clusters is {clusters}, expected at most {len(embedding)}, one a graph"
                )
            labels, self.cluster_centers_, self.inertia_ = _srgw.kmeans(
                embedding, clusters, tries, arguments.seed(self.random_state)
            )
        self.embedder_, self._scale, self.embedding_ = embedder, scale, embedding
        self.labels_ = labels.astype(np.int64)
        self.largest_share_ = float(np.bincount(self.labels_).max() / len(self.labels_))
        return self

    def fit_predict(self, X: Any, y: Any = None) -> NDArray[np.int64]:
        """Embeds the graphs, finds clusters and returns ``labels_``."""
        return self.fit(X, y).labels_

    def predict(self, X: Any) -> NDArray[np.int64]:
        """The nearest cluster of each graph, shape (graphs,)."""
        self._check_fitted()
        with _srgw.TimeLimit(self.time_limit):
            rows = self._scale(self.embedder_.transform(X))
        distances = ((rows[:, None, :] - self.cluster_centers_) ** 2).sum(axis=2)
        return np.asarray(distances.argmin(axis=1), np.int64)

    def _scaling(self) -> str:
        if self.scale is not None:
            return self.scale
        return _srgw.cluster_recipe()[1] if self.embedder is None else "blocks"

    def __sklearn_is_fitted__(self) -> bool:
        return "labels_" in vars(self)


class _Scale:
    """What is done to rows of the embedder before clusters are sought; can be pickled."""

    def __init__(self, scaling: str, embedder: Any, rows: Any) -> None:
        blocks: list[int] = getattr(embedder, "coordinate_blocks", list)()
        rows = np.ascontiguousarray(rows, np.float64)
        self._parts = _srgw.row_scale(rows, blocks or [rows.shape[1]], scaling)

    def __call__(self, rows: Any) -> Any:
        return _srgw.scaled_rows(np.ascontiguousarray(rows, np.float64), *self._parts)


def _default_embedder(X: Any) -> tuple[SRGWDictionary, Any]:
    """Not fitted, with the graphs, which may come only once."""
    keywords, _, balanced_alpha = _srgw.cluster_recipe()
    embedder, graphs = SRGWDictionary(**keywords), graph_set(X)
    features = feature_map(graphs, embedder.features, embedder.standardise)
    if balanced_alpha and features.columns:
        samples = make_samples(graphs, features, embedder.structure, embedder.weights)
        embedder.alpha = _srgw.balanced_alpha(samples, features.columns)
    return embedder, graphs.dataset()


def _embedded(given: Any, X: Any) -> tuple[Any, Any]:
    """A fitted embedder, and what it makes of the graphs; what was given does not change."""
    if given is None:
        embedder, X = _default_embedder(X)
    else:
        try:
            return given, given.transform(X)
        except NotFittedError:
            embedder = type(given)(**given.get_params())
    return embedder, embedder.fit_transform(X)
