"""Clusters of graphs."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _arguments as arguments
from . import _srgw
from ._estimator import Estimator, as_set, clone, is_fitted
from ._graph_sets import feature_map, graph_set, make_samples
from .dictionary import SRGWDictionary

__all__ = ["GraphClusterer"]


@dataclass(eq=False, repr=False)
class GraphClusterer(Estimator):
    """Clusters of graphs: an embedding, then k-means on its rows.

    Parameters
    ----------
    n_clusters : int
    embedder : estimator with ``fit`` and ``transform``, optional
        By default an :class:`SRGWDictionary` of five atoms of 10 nodes, as in ``srgw cluster``;
        if graphs have features, ``alpha`` balances features and structures (see ``embedder_``).
        Any embedder or pipeline of scikit-learn serves; a fitted one is used as it is, of others a
        copy is fitted.
    scale : {'blocks', 'quantiles', 'none'}, optional
        ``blocks``: scales each coordinate of each atom to variance 1. ``quantiles``: first replaces
        each column by its quantiles. Default: ``quantiles`` without an embedder, ``blocks`` with
        one.
    n_init : int
        Starts of k-means; the smallest inertia is kept.
    random_state : int, None or Generator
        Seed of k-means and of the default embedder.
    time_limit : float, optional
        Seconds for each call. Without an embedder :meth:`fit` then clusters what was learned so
        far, with a warning; other calls raise ``TimeoutError``.
    verbose : bool
        Prints a line for each epoch of the default embedder.

    Attributes
    ----------
    labels_ : array, shape (graphs,)
    cluster_centers_ : array, shape (n_clusters, columns)
    inertia_ : float
    largest_share_ : float
        Share of the graphs in the largest cluster; near 1 nothing was separated.
    embedding_ : array, shape (graphs, columns)
        The scaled rows that were clustered.
    embedder_ : the fitted embedder
    doubts_ : list of str
        Why the data may not support the clusters: equal points, clusters as tight as in data
        without clusters, clusters that change with the sample, or that follow graph sizes.
    status_ : str

    Examples
    --------
    >>> import numpy as np
    >>> blocks = [np.kron(np.eye(2), np.ones((n, n))) for n in range(3, 8)]
    >>> cliques = [np.ones((n, n)) for n in range(6, 16, 2)]
    >>> model = GraphClusterer(2, SRGWDictionary(3, coordinates="spectrum", random_state=1))
    >>> labels = model.fit_predict(blocks + cliques)
    >>> len(set(labels[:5])), len(set(labels[5:])), len(set(labels))
    (1, 1, 2)

    With the default embedder:

    >>> model = GraphClusterer(2).fit(blocks + cliques)
    >>> len(set(model.labels_[:5])), len(set(model.labels_[5:])), len(set(model.labels_))
    (1, 1, 2)
    """

    _left_out = ()
    _kind = "clusterer"

    n_clusters: int = 2
    embedder: Any = None
    _: KW_ONLY
    scale: str | None = None
    n_init: int = 100
    random_state: Any = 0
    time_limit: float | None = None
    verbose: bool = False

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
        seed = arguments.seed(self.random_state)
        with _srgw.TimeLimit(self.time_limit):
            if self.embedder is None:
                found = self._cluster_by_default(X, clusters, tries, seed)
            else:
                embedder, rows = _embedded(self.embedder, X)
                self._check_count(clusters, len(rows))
                blocks: list[int] = getattr(embedder, "coordinate_blocks", list)()
                rows = np.ascontiguousarray(rows, np.float64)
                scale = self.scale or ""
                found = _srgw.cluster_points(rows, blocks, scale, clusters, tries, seed)
                self.embedder_ = embedder
        self._scale = found["scale"]
        self.labels_, self.cluster_centers_ = found["labels"], found["centres"]
        self.inertia_, self.embedding_ = found["inertia"], found["points"]
        self.largest_share_, self.status_ = found["largest_share"], found["status"]
        self.doubts_ = found["doubts"]
        return self

    def _cluster_by_default(self, X: Any, clusters: int, tries: int, seed: int) -> dict[str, Any]:
        embedder = SRGWDictionary(**_srgw.cluster_defaults()[0], random_state=seed)
        graphs = graph_set(X)
        features = feature_map(graphs, embedder.features, embedder.standardise)
        samples = make_samples(graphs, features, embedder.structure, embedder.weights)
        self._check_count(clusters, len(samples))
        run = arguments.run(None, seed, self.time_limit, self._reporter("epoch"))
        found = _srgw.cluster(samples, features, clusters, tries, self.scale or "", run)
        embedder.alpha = found["alpha"]
        embedder._take_learned(found["learned"], features, samples)
        embedder._warn_of_limit(found["status"])
        self.embedder_ = embedder
        return found

    @staticmethod
    def _check_count(clusters: int, graphs: int) -> None:
        if clusters > graphs:
            raise ValueError(
                f"n_clusters is {clusters}, expected at most {graphs}, the number of graphs"
            )

    def fit_predict(self, X: Any, y: Any = None) -> NDArray[np.int64]:
        """Embeds the graphs, finds clusters and returns ``labels_``."""
        return self.fit(X, y).labels_

    def predict(self, X: Any) -> NDArray[np.int64]:
        """The nearest cluster of each graph, shape (graphs,)."""
        return np.asarray(self._distances(X).argmin(axis=1), np.int64)

    @as_set
    def transform(self, X: Any) -> NDArray[np.float64]:
        """Distances of graphs from the centres, shape (graphs, n_clusters)."""
        return self._distances(X)

    @as_set
    def fit_transform(self, X: Any, y: Any = None) -> NDArray[np.float64]:
        """Returns ``fit(X).transform(X)``."""
        return self.fit(X, y)._distances(X)

    def score(self, X: Any, y: Any = None) -> float:
        """Minus the sum of squared distances from the nearest centres; higher is better."""
        return -float((self._distances(X).min(axis=1) ** 2).sum())

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Names of the columns of :meth:`transform`: the name of the class and a number.

        Parameters
        ----------
        input_features : ignored
        """
        self._check_fitted()
        return self._numbered_names(len(self.cluster_centers_))

    def _distances(self, X: Any) -> NDArray[np.float64]:
        self._check_fitted()
        with _srgw.TimeLimit(self.time_limit):
            rows = np.ascontiguousarray(self.embedder_.transform(X), np.float64)
            arguments.check_finite(rows, "the embedding")
            rows = _srgw.scaled_rows(rows, *self._scale)
        differences = rows[:, None, :] - self.cluster_centers_
        return np.sqrt((differences**2).sum(axis=2))


def _embedded(given: Any, X: Any) -> tuple[Any, Any]:
    """A fitted embedder and the embedding; the given embedder is not changed."""
    if not hasattr(given, "fit") or not hasattr(given, "transform"):
        raise TypeError(
            f"embedder is {given!r}, expected an estimator with the methods fit and transform"
        )
    if is_fitted(given):
        return given, given.transform(X)
    embedder = clone(given)
    if hasattr(embedder, "fit_transform"):
        return embedder, embedder.fit_transform(X)
    return embedder, embedder.fit(X).transform(X)
