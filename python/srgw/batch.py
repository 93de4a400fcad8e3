"""Many problems in one call, parallel over the cores and without the GIL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _arguments as arguments
from . import _srgw
from ._semirelaxed import Callback, entropic_method, exact_method
from ._sources import make_source
from .graph import as_graph

__all__ = ["pairwise", "solve_all"]

Array = NDArray[np.float64]
Method = _srgw.ConditionalGradient | _srgw.MirrorDescent

_STARTS = {
    "product": "product",
    "random": "random",
    "random_product": "random-product",
    "random_labels": "random-labels",
    "kmeans": "kmeans",
    "spectral": "spectral",
}


def solve_all(
    Cs: Sequence[Any],
    C2: Any,
    ps: Sequence[Any] | None = None,
    Ms: Sequence[Any] | None = None,
    *,
    alpha: float = 0.5,
    loss_fun: str = "square_loss",
    epsilon: float = 0.0,
    sparsity: float = 0.0,
    start: str = "product",
    n_init: int = 1,
    max_iter: float = 1e4,
    tol: float = 1e-9,
    random_state: Any = 0,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    callback: Callback | None = None,
) -> list[_srgw.Solution]:
    """Projects many graphs onto a target, each on a core of its own.

    Parameters
    ----------
    Cs : sequence of array-like or SciPy sparse, shapes (n_i, n_i)
        Structures of the sources.
    C2 : array-like or SciPy sparse, shape (m, m), or a list of them
        The target of all, or of each.
    ps : sequence of array-like, shapes (n_i,), optional
        Distributions; uniform by default.
    Ms : sequence of array-like, shapes (n_i, m), optional
        Costs between features; with them the problems are fused.
    alpha : float
        Weight of the structure where there are features.
    loss_fun : {'square_loss', 'kl_loss'}
    epsilon : float
        0 is the exact problem, above it mirror descent.
    sparsity : float
    start : {'product', 'random', 'random_product', 'random_labels', 'kmeans', 'spectral'}
    n_init : int
        Starts of each, where they are drawn.
    max_iter, tol : float
        As in :func:`srgw.semirelaxed_gromov_wasserstein`; ``tol`` is both tolerances.
    random_state : int, None or Generator
    n_jobs : int, optional
        Threads; all cores by default. The answers do not depend on it.
    time_limit : float, optional
        Seconds, for all together.
    callback : callable, optional

    Returns
    -------
    list of Solution
        With ``value``, ``plan``, ``target_weights``, ``labels()``, ``gap``, ``status``.

    Examples
    --------
    >>> import numpy as np
    >>> graphs = [np.kron(np.eye(2), np.ones((n, n))) for n in (2, 3, 4)]
    >>> [round(s.value, 6) for s in solve_all(graphs, np.eye(2))]
    [0.0, 0.0, 0.0]
    """
    sources = [arguments.structure(C, f"Cs[{i}]", None)[0] for i, C in enumerate(Cs)]
    if isinstance(C2, list | tuple) and len(C2) == len(sources) and np.ndim(C2[0]) == 2:
        targets = [arguments.structure(C, f"C2[{i}]", None)[0] for i, C in enumerate(C2)]
    else:
        targets = [arguments.structure(C2, "C2", None)[0]] * len(sources)
    given = [None] * len(sources) if ps is None else ps
    if len(given) != len(sources):
        raise ValueError(
            f"ps has {len(given)} entries, expected {len(sources)}, one for each of Cs"
        )
    weights = [
        arguments.weights(p, f"ps[{i}]", s.size)[0]
        for i, (p, s) in enumerate(zip(given, sources, strict=True))
    ]
    costs = None
    if Ms is not None:
        if len(Ms) != len(sources):
            raise ValueError(
                f"Ms has {len(Ms)} entries, expected {len(sources)}, one for each of Cs"
            )
        costs = [
            arguments.cost_matrix(M, f"Ms[{i}]", s.size, t.size)[0]
            for i, (M, s, t) in enumerate(zip(Ms, sources, targets, strict=True))
        ]
    solutions = _solve(
        sources,
        weights,
        targets,
        costs,
        alpha=alpha,
        loss_fun=loss_fun,
        epsilon=epsilon,
        sparsity=sparsity,
        start=start,
        n_init=n_init,
        max_iter=max_iter,
        tol=tol,
        random_state=random_state,
        n_jobs=n_jobs,
        time_limit=time_limit,
        callback=callback,
    )
    arguments.warn_unless_converged(solutions, 2)
    return solutions


def pairwise(
    graphs: Sequence[Any],
    targets: Sequence[Any] | None = None,
    *,
    structure: str = "adjacency",
    weights: Any = None,
    alpha: float = 0.5,
    epsilon: float = 0.0,
    start: str = "product",
    n_init: int = 1,
    max_iter: float = 1e4,
    tol: float = 1e-9,
    random_state: Any = 0,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    callback: Callback | None = None,
) -> Array:
    """Semi-relaxed divergences of each graph onto each target.

    The divergence is not symmetric: row i projects graph i onto the targets. Where all graphs have
    features they count with weight ``1 - alpha``, by squared Euclidean distances.

    Parameters
    ----------
    graphs : sequence of anything that :func:`srgw.as_graph` takes
    targets : the same, optional
        By default the graphs.
    structure : str
        ``adjacency``, ``normalized-adjacency``, ``modularity``, ``laplacian``,
        ``normalized-laplacian``, ``heat:t``, ``stability:t`` or ``shortest-path``.
    weights : {'uniform', 'degree', 'power:b'}, optional

    The others are those of :func:`solve_all`.

    Returns
    -------
    array, shape (graphs, targets)
        Squared divergences.

    Examples
    --------
    >>> import numpy as np
    >>> triangle, pair = np.ones((3, 3)) - np.eye(3), np.array([[0, 1], [1, 0]])
    >>> pairwise([triangle, pair]).shape
    (2, 2)
    """
    rows = [as_graph(graph) for graph in graphs]
    columns = rows if targets is None else [as_graph(graph) for graph in targets]
    sources = [make_source(graph, structure, weights, 1) for graph in rows]
    others = sources if targets is None else [make_source(g, structure, None, 1) for g in columns]
    costs = None
    if all(graph.features is not None for graph in [*rows, *columns]):
        costs = [_squared_distances(a.features, b.features) for a in rows for b in columns]
    solutions = _solve(
        [s for s, _ in sources for _ in others],
        [h for _, h in sources for _ in others],
        [t for _ in sources for t, _ in others],
        costs,
        alpha=alpha,
        loss_fun="square_loss",
        epsilon=epsilon,
        sparsity=0.0,
        start=start,
        n_init=n_init,
        max_iter=max_iter,
        tol=tol,
        random_state=random_state,
        n_jobs=n_jobs,
        time_limit=time_limit,
        callback=callback,
    )
    arguments.warn_unless_converged(solutions, 2)
    return np.array([s.value for s in solutions]).reshape(len(rows), len(columns))


def _solve(
    sources: list[_srgw.Structure],
    weights: list[Array],
    targets: list[_srgw.Structure],
    costs: list[Array] | None,
    *,
    alpha: float,
    loss_fun: str,
    epsilon: float,
    sparsity: float,
    start: str,
    n_init: int,
    max_iter: float,
    tol: float,
    random_state: Any,
    n_jobs: int | None,
    time_limit: float | None,
    callback: Callback | None,
) -> list[_srgw.Solution]:
    if loss_fun not in ("square_loss", "kl_loss"):
        raise ValueError(f"loss_fun is {loss_fun!r}, expected 'square_loss' or 'kl_loss'")
    if start not in _STARTS:
        raise ValueError(f"start is {start!r}, expected one of {', '.join(_STARTS)}")
    method: Method = (
        exact_method(max_iter, tol, tol)
        if epsilon == 0
        else entropic_method(epsilon, max_iter, tol)
    )
    return _srgw.solve_all(
        sources,
        weights,
        targets,
        costs,
        float(alpha),
        loss_fun == "kl_loss",
        float(sparsity),
        0.0,
        method,
        _STARTS[start],
        arguments.positive_int(n_init, "n_init"),
        arguments.threads(n_jobs),
        arguments.seed(random_state),
        time_limit,
        callback,
    )


def _squared_distances(A: Any, B: Any) -> Array:
    A, B = np.asarray(A, float), np.asarray(B, float)
    if A.shape[1] != B.shape[1]:
        raise ValueError(f"features have {A.shape[1]} and {B.shape[1]} columns, expected as many")
    squares = (A * A).sum(axis=1)[:, None] + (B * B).sum(axis=1) - 2 * A @ B.T
    return np.ascontiguousarray(np.maximum(squares, 0))
