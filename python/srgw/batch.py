"""Many problems in one call, parallel over the cores and without the GIL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _arguments as arguments
from . import _srgw
from ._docs import inherit_parameters
from ._graph_sets import GraphEstimator, GraphSet, feature_map, feature_rows, graph_set, join
from ._semirelaxed import Callback, Method, entropic_method, exact_method
from ._sources import make_source
from .gromov import semirelaxed_gromov_wasserstein

__all__ = ["pairwise", "solve_all"]

Array = NDArray[np.float64]

_METHODS = ("auto", "conditional_gradient", "mirror_descent")
_SOFT = ("kmeans", "spectral", "fluid")
_STARTS = (
    *("auto", "product", "random", "random_product", "random_labels", *_SOFT),
    *(f"{name}_soft" for name in _SOFT),
)


@inherit_parameters(semirelaxed_gromov_wasserstein)
def solve_all(
    Cs: Sequence[Any],
    C2: Any,
    ps: Sequence[Any] | None = None,
    Ms: Sequence[Any] | None = None,
    *,
    alpha: float = 0.5,
    loss_fun: str = "square_loss",
    method: str = "auto",
    epsilon: float = 0.0,
    sparsity: float = 0.0,
    start: str = "auto",
    n_init: int = 1,
    max_iter: float = 1e4,
    tol: float = 1e-9,
    random_state: Any = 0,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    callback: Callback | None = None,
) -> list[_srgw.Solution]:
    """Projects many graphs onto a target, in parallel over the graphs.

    Parameters
    ----------
    Cs : sequence of array-like, SciPy sparse or graphs, shapes (n_i, n_i)
        Structures of the sources.
    C2 : array-like, SciPy sparse or graph, shape (m, m), or a list of them
        One target for all sources, or one for each.
    ps : sequence of array-like, shapes (n_i,), optional
        Distributions over the sources; uniform by default.
    Ms : sequence of array-like, shapes (n_i, m), optional
        Costs between features; if given, the problems are fused.
    alpha : float
        Weight of the structure in fused problems.
    method : {'auto', 'conditional_gradient', 'mirror_descent'}
        ``auto`` is row descent with ``start="auto"``, where it serves: semi-relaxed problems with
        the square loss and without sparsity, whose source is symmetric, up to 2**18 entries of the
        plan. It is faster than conditional gradient by an order of magnitude and ends lower on
        average. Otherwise it is conditional gradient, or mirror descent with ``epsilon``.
    epsilon : float
        0 solves the exact problem, a number above 0 uses mirror descent.
    start : str
        ``auto`` tries a few starts and keeps the best, which finds 0 for a graph and itself. Or
        ``product``, ``random``, ``random_product``, ``random_labels``, ``kmeans``, ``spectral``,
        ``fluid``, and these three with the suffix ``_soft``.
    n_init : int
        Number of random starts of each problem.
    tol : float
        Relative and absolute change of the loss, or change of the plan in mirror descent, below
        which to stop.
    time_limit : float, optional
        Seconds for all problems together.

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
    sources = [arguments.structure(C, f"Cs[{i}]", None)[0] for i, C in enumerate(_each(Cs))]
    several = isinstance(C2, list | tuple) and len(C2) == len(sources)
    if several and (arguments.is_graph(C2[0]) or np.ndim(C2[0]) == 2):
        targets = [arguments.structure(C, f"C2[{i}]", None)[0] for i, C in enumerate(C2)]
    else:
        targets = [arguments.structure(C2, "C2", None)[0]] * len(sources)
    for name, values in (("ps", ps), ("Ms", Ms)):
        if values is not None and len(arguments.sequence(values, name)) != len(sources):
            raise ValueError(
                f"{name} has {len(values)} entries, expected {len(sources)}, one for each of Cs"
            )
    weights = [
        arguments.weights(None if ps is None else ps[i], f"ps[{i}]", source.size)[0]
        for i, source in enumerate(sources)
    ]
    costs = None
    if Ms is not None:
        costs = [
            arguments.cost_matrix(M, f"Ms[{i}]", s.size, t.size)[0]
            for i, (M, s, t) in enumerate(zip(Ms, sources, targets, strict=True))
        ]
    problem = (
        arguments.number(alpha, "alpha"),
        arguments.is_kl(loss_fun),
        arguments.number(sparsity, "sparsity"),
    )
    run = arguments.run(n_jobs, random_state, time_limit, callback)
    steps = solve_method(method, epsilon, max_iter, tol)
    return _solve(sources, weights, targets, costs, problem, steps, start, n_init, run)


@inherit_parameters(solve_all, GraphEstimator)
def pairwise(
    graphs: Sequence[Any],
    targets: Sequence[Any] | None = None,
    *,
    structure: str = "adjacency",
    weights: Any = None,
    features: str = "auto",
    alpha: float = 0.5,
    method: str = "auto",
    epsilon: float = 0.0,
    start: str = "auto",
    n_init: int = 1,
    max_iter: float = 1e4,
    tol: float = 1e-9,
    random_state: Any = 0,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    callback: Callback | None = None,
) -> Array:
    """Semi-relaxed divergences of each graph onto each target.

    The divergence is not symmetric: row i projects graph i onto the targets. Features of nodes
    count with weight ``1 - alpha``, by squared Euclidean distances. :class:`srgw.GraphKernel` makes
    a kernel of the divergences.

    Parameters
    ----------
    graphs : sequence of anything that :func:`srgw.as_graph` takes
    targets : the same, optional
        By default the graphs.

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
    deadline = arguments.Deadline(time_limit)
    rows = graph_set(graphs, "graphs")
    columns = None if targets is None else graph_set(targets, "targets")
    fitted = feature_map(rows if columns is None else join(rows, columns), features, None)
    return divergences(
        rows,
        columns,
        fitted,
        (structure, weights),
        arguments.number(alpha, "alpha"),
        solve_method(method, epsilon, max_iter, tol),
        (start, n_init),
        arguments.run(n_jobs, random_state, deadline.left(), callback),
    )


def divergences(
    graphs: GraphSet,
    targets: GraphSet | None,
    features: _srgw.FeatureMap,
    source: tuple[str, Any],
    alpha: float,
    method: Method,
    start: tuple[str, int],
    run: arguments.Run,
) -> Array:
    """Divergences of graphs onto targets; None stands for the graphs themselves."""
    structure, weights = source
    deadline = arguments.Deadline(run[2])
    with _srgw.TimeLimit(deadline.left()):
        sources = others = [make_source(graph, structure, weights, 1) for graph in graphs.graphs]
        if targets is not None:
            others = [make_source(graph, structure, None, 1) for graph in targets.graphs]
    costs = None
    if features.columns > 0:
        left = right = feature_rows(graphs, features)
        if targets is not None:
            right = feature_rows(targets, features)
        costs = [_squared_distances(a, b) for a in left for b in right]
    solutions = _solve(
        [s for s, _ in sources for _ in others],
        [h for _, h in sources for _ in others],
        [t for _ in sources for t, _ in others],
        costs,
        (alpha, False, 0.0),
        method,
        *start,
        (*run[:2], deadline.left(), run[3]),
    )
    return np.array([s.value for s in solutions]).reshape(len(sources), len(others))


def solve_method(name: str, epsilon: float, max_iter: float, tol: float) -> Method:
    """The method of that name; an epsilon asks for mirror descent."""
    if name not in _METHODS:
        raise ValueError(f"method is {name!r}, expected one of {', '.join(_METHODS)}")
    if name == "conditional_gradient" and epsilon != 0:
        raise ValueError(f"epsilon is {epsilon} with method 'conditional_gradient', expected 0")
    if epsilon != 0 or name == "mirror_descent":
        return entropic_method(epsilon, max_iter, tol)
    return exact_method(max_iter, tol, tol, automatic=name == "auto")


def _solve(
    sources: list[_srgw.Structure],
    weights: list[Array],
    targets: list[_srgw.Structure],
    costs: list[Array] | None,
    problem: tuple[float, bool, float],
    method: Method,
    start: str,
    n_init: int,
    run: arguments.Run,
) -> list[_srgw.Solution]:
    if start not in _STARTS:
        raise ValueError(f"start is {start!r}, expected one of {', '.join(_STARTS)}")
    count, name = arguments.positive_int(n_init, "n_init"), start.replace("_", "-")
    graphs = (sources, weights, targets, costs)
    solutions = _srgw.solve_all(*graphs, *problem, 0.0, method, name, count, run)
    arguments.warn_unless_converged(solutions, 3)
    return solutions


def _each(Cs: Any) -> Any:
    if not hasattr(Cs, "__iter__"):
        raise TypeError(f"Cs is {Cs!r}, expected a sequence of structures")
    return Cs


def _squared_distances(A: Array, B: Array) -> Array:
    squares = (A * A).sum(axis=1)[:, None] + (B * B).sum(axis=1) - 2 * A @ B.T
    return np.ascontiguousarray(np.maximum(squares, 0))
