"""Clusters of the nodes of a graph."""

from __future__ import annotations

import time
import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _arguments as arguments
from . import _srgw
from ._estimator import Estimator
from ._semirelaxed import Callback
from ._sources import make_source, split_word
from .graph import Graph, as_graph

__all__ = ["SRGWPartition"]

Array = NDArray[np.float64]
Rows = tuple[NDArray[Any], NDArray[Any], Array]

_MOST_ROUNDS = 20  # of plan and target features
_INITS = ("product", "random", "random-product", "random-labels", "kmeans", "spectral")
_PREDICTING = ("adjacency", "modularity", "normalized-adjacency")


class SRGWPartition(Estimator):
    """Clusters of nodes by semi-relaxed Gromov-Wasserstein projection onto a small target.

    With the structure ``modularity`` and the identity as target, a hard plan costs a constant minus
    Newman's modularity: the clusters are communities, with soft memberships and a certificate.

    Parameters
    ----------
    n_clusters : int
        Clusters at most; some may stay empty.
    structure : str
        ``auto``: ``modularity``, of a directed graph that of the union of both directions. Or one
        of ``adjacency``, ``modularity``, ``stability:t``, ``heat:t``, ``normalized-adjacency``,
        ``laplacian``, ``normalized-laplacian``, ``shortest-path``.
    weights : {'uniform', 'degree', 'power:b'} or array-like of shape (n,), optional
        Node weights; by default those of the structure.
    target : str or array-like of shape (n_clusters, n_clusters)
        ``identity``, ``scaled-identity:s`` (modularity at resolution s), or a matrix.
    alpha : float
        Weight of the structure where features are given.
    epsilon : float
        0 is the exact problem (conditional gradient); above it, mirror descent.
    sparsity : float
        Weight of the penalty on target weights: fewer clusters are used.
    init : str or array-like
        ``spectral``, ``kmeans``, ``random-labels``, ``random``, ``random-product``, ``product``;
        labels of shape (n,) or a plan of shape (n, n_clusters).
    n_init : int
        Starts, of which the best is kept.
    max_iter : int
    tol : float
        Relative gap (of mirror descent: change of the plan) at which to stop.
    random_state : int, None or Generator
    n_jobs : int, optional
        Threads; all cores by default. The result does not depend on it.
    time_limit : float, optional
        Seconds; the best so far is kept.
    callback : callable, optional
        Called with a :class:`srgw.Progress` after each iteration; returning False stops.

    Attributes
    ----------
    labels_ : array, shape (n,)
        Cluster of each node. Nodes that have no weight (with ``modularity`` and ``stability`` those
        without edges) form a group of their own, whose label is the largest.
    plan_ : array, shape (n, n_clusters)
        Memberships: rows sum to the node weights. Made when asked for.
    weights_ : array, shape (n_clusters,)
        Mass of each cluster.
    objective_ : float
    gap_ : float
        Frank-Wolfe gap: 0 at a stationary point.
    n_iter_ : int
    status_ : str
    start_values_ : array
        Final value of each start.
    unconnected_ : int
        Nodes without weight.
    features_ : array, shape (n_clusters, d)
        Of the clusters, where the nodes have some.

    Examples
    --------
    >>> import srgw
    >>> graph, blocks = srgw.generate.planted(300, 3, mean_degree=15)
    >>> model = SRGWPartition(n_clusters=3).fit(graph)
    >>> srgw.metrics.adjusted_mutual_information(blocks, model.labels_) > 0.9
    True
    """

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        structure: str = "auto",
        weights: Any = None,
        target: Any = "identity",
        alpha: float = 0.5,
        epsilon: float = 0.0,
        sparsity: float = 0.0,
        init: Any = "spectral",
        n_init: int = 3,
        max_iter: int = 1000,
        tol: float = 1e-5,
        random_state: Any = 0,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        callback: Callback | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.structure = structure
        self.weights = weights
        self.target = target
        self.alpha = alpha
        self.epsilon = epsilon
        self.sparsity = sparsity
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.callback = callback

    def fit(self, X: Any, y: Any = None, *, features: Any = None) -> SRGWPartition:
        """Finds the clusters of a graph.

        Parameters
        ----------
        X : anything that :func:`srgw.as_graph` takes
        y : ignored
        features : array-like of shape (n, d), or names of node attributes, optional

        Returns
        -------
        self
        """
        graph, word = self._graph(X, features)
        source, h = make_source(graph, word, self.weights, self.n_jobs)
        target = self._target()
        if graph.features is None:
            solution = self._solve(source, h, target, None, self._start(h, target.size), None)
            self.__dict__.pop("features_", None)
        else:
            points = arguments.as_float64(graph.features)
            solution = self._alternate(source, h, target, points)
        self._keep(solution, h, graph, word)
        arguments.warn_unless_converged([solution], 2)
        return self

    def fit_predict(self, X: Any, y: Any = None, *, features: Any = None) -> NDArray[np.int64]:
        """Finds the clusters of a graph and returns ``labels_``."""
        return self.fit(X, y, features=features).labels_

    @property
    def plan_(self) -> Array:
        """Memberships, shape (n, n_clusters); rows sum to the node weights."""
        self._check_fitted()
        indptr, indices, data = self._rows
        plan = np.zeros((len(indptr) - 1, len(self.weights_)))
        offsets = indptr.astype(np.int64)
        rows = np.repeat(np.arange(len(plan)), offsets[1:] - offsets[:-1])
        plan[rows, indices] = data
        return plan

    def predict(self, X: Any) -> NDArray[np.int64]:
        """Clusters of new nodes, from their edges to the nodes of the fitted graph.

        Each goes where the linearised objective of the fitted plan is lowest, as if it had a tiny
        weight.

        Parameters
        ----------
        X : array-like or SciPy sparse, shape (new, n)
            Weights of the edges from new nodes to fitted ones.

        Returns
        -------
        labels : array, shape (new,)
            Nodes without edges get a label beyond all clusters, as in ``labels_``.
        """
        self._check_fitted()
        kind = split_word(self._word, "structure")[0]
        if kind not in _PREDICTING or hasattr(self, "features_"):
            raise ValueError(
                f"predict knows the structures {', '.join(_PREDICTING)} without features, "
                f"not {self._word}"
            )
        n = len(self.labels_)
        edges = X.tocsr() if arguments.is_sparse(X) else arguments.real_array(X, "X", 2)
        if edges.ndim != 2 or edges.shape[1] != n:
            raise ValueError(f"X has shape {edges.shape}, expected (new nodes, {n})")
        degrees = np.asarray(edges.sum(axis=1), float).reshape(-1)
        total, old = self._degrees.sum(), self._degrees
        with np.errstate(divide="ignore", invalid="ignore"):
            right, left = {
                "adjacency": (np.ones(n), np.ones(len(degrees))),
                "modularity": (1 / old, total / 2 / degrees),
                "normalized-adjacency": (old**-0.5, degrees**-0.5),
            }[kind]
        right, left = (np.where(np.isfinite(side), side, 0.0) for side in (right, left))
        products = edges @ (self.plan_ * right[:, None]) * left[:, None]
        B, q = self._target_matrix(), self.weights_
        cost = (B * B + (B * B).T) @ q - 2 * products @ (B + B.T)
        labels = np.asarray(cost).argmin(axis=1)
        labels[degrees == 0] = int(self.labels_.max()) + (0 if self.unconnected_ else 1)
        return labels

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "callback"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update({"callback": None, **state})

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import ClassifierTags, InputTags, Tags, TargetTags  # noqa: F401

        return Tags(
            estimator_type="clusterer",
            target_tags=TargetTags(required=False),
            input_tags=InputTags(pairwise=True, sparse=True, positive_only=True),
        )

    def __sklearn_is_fitted__(self) -> bool:
        return "labels_" in vars(self)

    def _graph(self, X: Any, features: Any) -> tuple[Graph, str]:
        graph = as_graph(X, features=features)
        if self.structure != "auto":
            return graph, self.structure
        if graph.directed:
            warnings.warn(
                "the graph is directed, and was made undirected by union; name a structure to "
                "keep directions",
                stacklevel=3,
            )
            graph = graph.undirected()
        return graph, "modularity"

    def _target(self) -> _srgw.Structure:
        n_clusters = arguments.positive_int(self.n_clusters, "n_clusters")
        if not isinstance(self.target, str):
            target = arguments.structure(self.target, "target", None)[0]
            if target.size != n_clusters:
                raise ValueError(
                    f"target has {target.size} rows, expected n_clusters, {n_clusters}"
                )
            return target
        kind, number = split_word(self.target, "target")
        if kind == "identity" and number is None:
            return _srgw.Structure.scaled_identity(n_clusters, 1.0)
        if kind == "scaled-identity" and number is not None:
            return _srgw.Structure.scaled_identity(n_clusters, number)
        raise ValueError(
            f"target is {self.target!r}, expected identity, scaled-identity:s or a matrix"
        )

    def _target_matrix(self) -> Array:
        return self._target().dense_array()

    def _method(self) -> _srgw.ConditionalGradient | _srgw.MirrorDescent:
        max_iter, tol = arguments.iterations(self.max_iter), float(self.tol)
        if self.epsilon == 0:
            return _srgw.ConditionalGradient(max_iterations=max_iter, tolerance=tol)
        return _srgw.MirrorDescent(
            epsilon=float(self.epsilon), max_iterations=max_iter, tolerance=tol
        )

    def _start(self, h: Array, columns: int) -> Any:
        """A name, labels or a plan, as the module takes it."""
        if isinstance(self.init, str):
            word = self.init.replace("_", "-")
            if word not in _INITS:
                raise ValueError(f"init is {self.init!r}, expected one of {', '.join(_INITS)}")
            return word
        given = np.asarray(self.init)
        if given.ndim != 1:
            return arguments.plan(self.init, "init", h, columns)[0]
        if given.shape != h.shape or given.dtype.kind not in "iu":
            raise ValueError(f"init has shape {given.shape}, expected {len(h)} whole numbers")
        if given.min() < 0 or given.max() >= columns:
            raise ValueError(f"init has labels up to {given.max()}, expected 0 to {columns - 1}")
        return given.astype(np.uint32)

    def _solve(
        self,
        source: _srgw.Structure,
        h: Array,
        target: _srgw.Structure,
        cost: Array | None,
        start: Any,
        deadline: float | None,
    ) -> _srgw.Solution:
        limit = self.time_limit
        if deadline is not None:
            limit = max(0.0, deadline - time.monotonic())
        return _srgw.solve(
            source,
            h,
            target,
            None,
            cost,
            float(self.alpha),
            False,
            float(self.sparsity),
            0.0,
            self._method(),
            start,
            arguments.positive_int(self.n_init, "n_init") if isinstance(start, str) else 1,
            arguments.threads(self.n_jobs),
            arguments.seed(self.random_state),
            limit,
            False,
            self.callback,
        )

    def _alternate(
        self, source: _srgw.Structure, h: Array, target: _srgw.Structure, points: Array
    ) -> _srgw.Solution:
        """Plan and target features in turn: these are means of features under the plan."""
        m = target.size
        centres = np.zeros((m, points.shape[1]))
        _, found, _ = _srgw.kmeans(
            points, min(m, len(points)), 3, arguments.seed(self.random_state)
        )
        centres[: len(found)] = found
        deadline = None if self.time_limit is None else time.monotonic() + self.time_limit
        start, former = self._start(h, m), None
        for _ in range(_MOST_ROUNDS):
            squares = (points**2).sum(axis=1)[:, None] + (centres**2).sum(axis=1)
            cost = np.maximum(squares - 2 * points @ centres.T, 0)
            solution = self._solve(source, h, target, cost, start, deadline)
            labels = solution.labels()
            if solution.status in ("interrupted", "time_limit"):
                break
            if former is not None and np.array_equal(labels, former):
                break
            start = former = labels
            q = solution.target_weights
            used = q > 0
            centres[used] = (solution.plan.T @ points)[used] / q[used, None]
        self.features_ = centres
        return solution

    def _keep(self, solution: _srgw.Solution, h: Array, graph: Graph, word: str) -> None:
        labels = solution.labels().astype(np.int64)
        weightless = h == 0
        self.unconnected_ = int(weightless.sum())
        if self.unconnected_:
            others = labels[~weightless]
            labels[weightless] = others.max() + 1 if len(others) else 0
        self.labels_ = labels
        self.weights_ = solution.target_weights
        self.objective_ = solution.value
        self.gap_ = solution.gap
        self.n_iter_ = solution.n_iter
        self.status_ = solution.status
        self.start_values_ = solution.start_values
        self.n_features_in_ = graph.n_nodes
        self._rows: Rows = solution.plan_rows()
        self._degrees = graph.degrees()
        self._word = word
