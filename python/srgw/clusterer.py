"""Clusters of graphs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _arguments as arguments
from . import _srgw
from ._estimator import Estimator
from .dictionary import SRGWDictionary
from .exceptions import NotFittedError

__all__ = ["GraphClusterer"]


class GraphClusterer(Estimator):
    """Clusters of graphs: an embedding, then k-means on its rows.

    Parameters
    ----------
    n_clusters : int
    embedder : estimator with ``fit`` and ``transform``, optional
        By default ``SRGWDictionary(10)``. One that is fitted already is used as it is.
    scale : {'blocks', 'none'}
        Of an embedder that gives several coordinates, or has several atoms: each of these blocks is
        brought to variance 1, or taken as it is.
    n_init : int
        Starts of k-means, of which the smallest inertia is kept.
    random_state : int, None or Generator
        Of k-means; the embedder has its own.

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
    """

    def __init__(
        self,
        n_clusters: int = 2,
        embedder: Any = None,
        *,
        scale: str = "blocks",
        n_init: int = 100,
        random_state: Any = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.embedder = embedder
        self.scale = scale
        self.n_init = n_init
        self.random_state = random_state

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
        self.embedder_, rows = _embedded(self.embedder, X)
        self._balance = _balance(self.scale, self.embedder_, rows)
        self.embedding_ = np.ascontiguousarray(self._balance(rows), np.float64)
        if clusters > len(self.embedding_):
            raise ValueError(
                f"n_clusters is {clusters}, expected at most {len(self.embedding_)}, one a graph"
            )
        labels, self.cluster_centers_, self.inertia_ = _srgw.kmeans(
            self.embedding_, clusters, tries, arguments.seed(self.random_state)
        )
        self.labels_ = labels.astype(np.int64)
        self.largest_share_ = float(np.bincount(self.labels_).max() / len(self.labels_))
        return self

    def fit_predict(self, X: Any, y: Any = None) -> NDArray[np.int64]:
        """Embeds the graphs, finds clusters and returns ``labels_``."""
        return self.fit(X, y).labels_

    def predict(self, X: Any) -> NDArray[np.int64]:
        """The nearest cluster of each graph, shape (graphs,)."""
        self._check_fitted()
        rows = self._balance(np.asarray(self.embedder_.transform(X)))
        distances = ((rows[:, None, :] - self.cluster_centers_) ** 2).sum(axis=2)
        return np.asarray(distances.argmin(axis=1), np.int64)

    def __sklearn_is_fitted__(self) -> bool:
        return "labels_" in vars(self)


class _Balance:
    """Shifts and factors of columns; what was fitted can be pickled."""

    def __init__(self, means: Any, factors: Any) -> None:
        self.means, self.factors = means, factors

    def __call__(self, rows: Any) -> Any:
        return (rows - self.means) * self.factors


def _balance(scale: str, embedder: Any, rows: Any) -> _Balance:
    """That brings all blocks of the embedder to the same variance, if there are several."""
    if scale not in ("blocks", "none"):
        raise ValueError(f"scale is {scale!r}, expected 'blocks' or 'none'")
    blocks: list[int] = getattr(embedder, "coordinate_blocks", list)()
    if scale == "none" or len(blocks) < 2:
        return _Balance(0.0, 1.0)
    return _Balance(*_srgw.block_scale(np.ascontiguousarray(rows, np.float64), blocks))


def _embedded(given: Any, X: Any) -> tuple[Any, Any]:
    """A fitted embedder, and what it makes of the graphs; what was given does not change."""
    if given is None:
        embedder = SRGWDictionary()
    else:
        try:
            return given, given.transform(X)
        except NotFittedError:
            embedder = type(given)(**given.get_params())
    return embedder, embedder.fit_transform(X)
