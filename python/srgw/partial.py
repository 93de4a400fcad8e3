"""Drop-in replacements for the partial functions of ``ot.gromov``, and for its line searches."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _arguments as arguments
from . import _srgw
from ._docs import inherit_parameters
from ._pairs import returns_plan, value_twin
from ._semirelaxed import (
    Answer,
    Callback,
    Constraints,
    Task,
    changes,
    check_keywords,
    exact_method,
    facts,
    printer,
)
from .exceptions import PlanError

__all__ = [
    "entropic_partial_fused_gromov_wasserstein",
    "entropic_partial_fused_gromov_wasserstein2",
    "entropic_partial_gromov_wasserstein",
    "entropic_partial_gromov_wasserstein2",
    "partial_fused_gromov_wasserstein",
    "partial_fused_gromov_wasserstein2",
    "partial_gromov_wasserstein",
    "partial_gromov_wasserstein2",
    "solve_gromov_linesearch",
    "solve_partial_gromov_linesearch",
    "solve_semirelaxed_gromov_linesearch",
]

Array = NDArray[np.float64]


class _Part(NamedTuple):
    """A task, its mass, and the start as masses."""

    task: Task
    mass: float
    q: Array
    start: Array | None


def _masses(value: Any, name: str, size: int) -> tuple[Array, np.dtype[Any] | None]:
    """Node weights with any sum; uniform with sum 1 by default."""
    if value is None:
        return np.full(size, 1 / size), None
    array = arguments.real_array(value, name, 1)
    if array.shape[0] != size:
        raise ValueError(f"{name} has {array.shape[0]} entries, expected {size}, one for each node")
    p = np.ascontiguousarray(array, np.float64)
    if not (np.isfinite(p).all() and p.min() >= 0 and p.sum() > 0):
        raise ValueError(f"{name} has to have finite entries >= 0 and a sum above 0")
    return p, array.dtype


def _prepare(
    C1: Any, C2: Any, p: Any, q: Any, m: Any, M: Any, alpha: Any, loss_fun: str, sym: Any, G0: Any
) -> _Part:
    kl = arguments.is_kl(loss_fun)
    flag = None if sym is None else bool(sym)
    source, dtype1 = arguments.structure(C1, "C1", flag)
    target, dtype2 = arguments.structure(C2, "C2", flag)
    h, dtype_p = _masses(p, "p", source.size)
    hbar, dtype_q = _masses(q, "q", target.size)
    cost = dtype_m = dtype_g = start = None
    if M is not None:
        cost, dtype_m = arguments.cost_matrix(M, "M", source.size, target.size)
    number = arguments.number(alpha, "alpha")
    if not 0 <= number <= 1:
        raise ValueError(f"alpha is {number}, expected a number from 0 to 1")
    most = float(min(h.sum(), hbar.sum()))
    mass = most if m is None else arguments.number(m, "m")
    if not 0 < mass <= most * (1 + 1e-12):
        raise ValueError(
            f"m is {mass}, expected a number above 0 and at most {most}, the smaller sum of p and q"
        )
    if G0 is not None:
        array = arguments.real_array(G0, "G0", 2)
        if array.shape != (source.size, target.size):
            raise PlanError(f"G0 has shape {array.shape}, expected {(source.size, target.size)}")
        start, dtype_g = np.ascontiguousarray(array, np.float64), array.dtype
    dtype = arguments.common_dtype(dtype1, dtype2, dtype_p, dtype_q, dtype_m, dtype_g)
    constraints = Constraints(share=np.nan)  # tensors get no gradients
    task = Task(source, target, h, cost, number, kl, start, dtype, hbar, 0.0, constraints)
    return _Part(task, mass, hbar, start)


def _solve(
    part: _Part, method: Any, log: bool, verbose: bool, limits: tuple[Any, Any, Any]
) -> Answer:
    task = part.task
    n_jobs, time_limit, callback = limits
    solution = _srgw.solve_partial(
        task.source,
        task.p,
        task.target,
        part.q,
        task.cost,
        task.alpha,
        task.kl,
        part.mass,
        method,
        part.start,
        log,
        arguments.run(n_jobs, 0, time_limit, printer(callback) if verbose else callback),
    )
    arguments.warn_unless_converged([solution], 5)
    number = task.dtype.type
    value = number(solution.value)
    losses: dict[str, Any] = {}
    if task.cost is not None:
        losses = {
            "lin_loss": number(solution.value_linear),
            "quad_loss": number(solution.value_quad),
        }
    if not log:
        return Answer(task, solution, value, None, losses)
    key = "partial_gw_dist" if task.cost is None else "partial_fgw_dist"
    if isinstance(method, _srgw.EntropicPartial):
        report: dict[str, Any] = {"err": changes(task, solution)}
    else:
        values = np.append(solution.trace_values()[:-1], solution.value)
        report = {"loss": list(values.astype(task.dtype, copy=False))}
    return Answer(task, solution, value, {**report, key: value, **facts(solution)}, losses)


@returns_plan
def partial_gromov_wasserstein(
    C1: Any,
    C2: Any,
    p: Any = None,
    q: Any = None,
    m: float | None = None,
    loss_fun: str = "square_loss",
    nb_dummies: int = 1,
    G0: Any = None,
    thres: float = 1,
    numItermax: float = 1e4,
    tol: float = 1e-8,
    symmetric: bool | None = None,
    warn: bool = True,
    log: bool = False,
    verbose: bool = False,
    *,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    callback: Callback | None = None,
    **kwargs: Any,
) -> Any:
    """Plan of the partial Gromov-Wasserstein problem, by conditional gradient.

    Minimises ``sum_ijkl L(C1_ij, C2_kl) T_ik T_jl`` over ``T >= 0`` whose rows sum to at most
    ``p``, whose columns sum to at most ``q``, and whose entries sum to ``m``.

    Parameters
    ----------
    C1 : array-like, SciPy sparse or graph, shape (n, n)
        Structure of the source.
    C2 : array-like, SciPy sparse or graph, shape (m, m)
        Structure of the target.
    p, q : array-like, optional
        Weights of the nodes of both sides, with any sum; uniform with sum 1 by default.
    m : float, optional
        Mass of the plan; the smaller sum of ``p`` and ``q`` by default.
    loss_fun : {'square_loss', 'kl_loss'}
    nb_dummies : int
        No effect; the transport of a step is exact with one dummy point.
    G0 : array-like, shape (n, m), optional
        Masses to start from; ``p q'`` scaled to ``m`` by default.
    thres : float
        No effect; gradients of either sign are transported exactly.
    numItermax : int
        Maximum number of steps.
    tol : float
        Relative change of the loss below which to stop.
    symmetric : bool, optional
        Whether ``C1`` and ``C2`` are symmetric; by default their entries are compared.
    warn : bool
        No effect; an exact transport never ends early.
    log : bool
        Whether to return a log as well.
    verbose : bool
        Prints the iterations.
    n_jobs : int, optional
        Number of threads; None and -1 use all cores. The result does not depend on it.
    time_limit : float, optional
        Seconds; the best plan so far is returned.
    callback : callable, optional
        Called with a :class:`srgw.Progress` after each iteration; returning False stops.
    **kwargs
        Other keywords of POT.

    Returns
    -------
    T : array, shape (n, m)
    log : dict, if ``log``
        ``loss`` (list, the start first), ``partial_gw_dist``, ``status``, ``converged``,
        ``n_iter``, ``gap``.

    Examples
    --------
    >>> import numpy as np
    >>> x, y = np.array([0.0, 1.0, 2.0, 50.0]), np.array([0.0, 1.0, 2.0])
    >>> C1, C2 = abs(x[:, None] - x), abs(y[:, None] - y)
    >>> T = partial_gromov_wasserstein(C1, C2, np.ones(4), np.ones(3), m=2)
    >>> T.shape, float(T.sum().round(12)), float(T[3].sum())
    ((4, 3), 2.0, 0.0)
    >>> round(float(partial_gromov_wasserstein2(C1, C2, np.ones(4), np.ones(3), m=2)), 6)
    2.0
    """
    part = _prepare(C1, C2, p, q, m, None, 1.0, loss_fun, symmetric, G0)
    verbose = check_keywords(kwargs, 4) or verbose
    method = exact_method(numItermax, tol, 0.0)
    return _solve(part, method, log, verbose, (n_jobs, time_limit, callback))


partial_gromov_wasserstein2 = value_twin(partial_gromov_wasserstein, tol=1e-7, warn=False)


@returns_plan
@inherit_parameters(partial_gromov_wasserstein)
def partial_fused_gromov_wasserstein(
    M: Any,
    C1: Any,
    C2: Any,
    p: Any = None,
    q: Any = None,
    m: float | None = None,
    loss_fun: str = "square_loss",
    alpha: float = 0.5,
    nb_dummies: int = 1,
    G0: Any = None,
    thres: float = 1,
    numItermax: float = 1e4,
    tol: float = 1e-8,
    symmetric: bool | None = None,
    warn: bool = True,
    log: bool = False,
    verbose: bool = False,
    *,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    callback: Callback | None = None,
    **kwargs: Any,
) -> Any:
    """Plan of the partial fused problem, which also compares features.

    Parameters
    ----------
    M : array-like, shape (n, m)
        Cost between the features of source and target nodes.
    alpha : float
        Weight of the structure, from 0 to 1.

    Returns
    -------
    T : array, shape (n, m)
    log : dict, if ``log``
        As of :func:`partial_gromov_wasserstein`, with ``partial_fgw_dist``.

    Examples
    --------
    >>> import numpy as np
    >>> C, M = np.eye(3), 1 - np.eye(3)
    >>> float(partial_fused_gromov_wasserstein(M, C, C, m=2 / 3).diagonal().sum().round(9))
    0.666666667
    >>> round(float(partial_fused_gromov_wasserstein2(M, C, C, m=2 / 3)), 6)
    0.0
    """
    part = _prepare(C1, C2, p, q, m, M, alpha, loss_fun, symmetric, G0)
    verbose = check_keywords(kwargs, 4) or verbose
    method = exact_method(numItermax, tol, 0.0)
    return _solve(part, method, log, verbose, (n_jobs, time_limit, callback))


partial_fused_gromov_wasserstein2 = value_twin(
    partial_fused_gromov_wasserstein, tol=1e-7, warn=False
)


@returns_plan
@inherit_parameters(partial_gromov_wasserstein)
def entropic_partial_gromov_wasserstein(
    C1: Any,
    C2: Any,
    p: Any = None,
    q: Any = None,
    reg: float = 1.0,
    m: float | None = None,
    loss_fun: str = "square_loss",
    G0: Any = None,
    numItermax: int = 1000,
    tol: float = 1e-7,
    symmetric: bool | None = None,
    log: bool = False,
    verbose: bool = False,
    *,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    callback: Callback | None = None,
) -> Any:
    """Plan of the entropic partial problem: each step is an entropic partial transport.

    Parameters
    ----------
    reg : float
        Weight of the entropy in each step, above 0.
    tol : float
        Stops when a step moves the plan by less (Frobenius norm), tested at every tenth.

    Returns
    -------
    T : array, shape (n, m)
    log : dict, if ``log``
        ``err`` (change of the plan at every tenth step), ``partial_gw_dist``, ``status``,
        ``converged``, ``n_iter``, ``gap``.

    Examples
    --------
    >>> import numpy as np
    >>> T = entropic_partial_gromov_wasserstein(np.eye(3), np.eye(3), m=0.5)
    >>> float(T.sum().round(12)), bool((T > 0).all())
    (0.5, True)
    >>> round(float(entropic_partial_gromov_wasserstein2(np.eye(3), np.eye(3), m=0.5)), 4)
    0.1111
    """
    part = _prepare(C1, C2, p, q, m, None, 1.0, loss_fun, symmetric, G0)
    method = _entropic(reg, numItermax, tol)
    return _solve(part, method, log, verbose, (n_jobs, time_limit, callback))


entropic_partial_gromov_wasserstein2 = value_twin(entropic_partial_gromov_wasserstein)


@returns_plan
@inherit_parameters(entropic_partial_gromov_wasserstein, partial_fused_gromov_wasserstein)
def entropic_partial_fused_gromov_wasserstein(
    M: Any,
    C1: Any,
    C2: Any,
    p: Any = None,
    q: Any = None,
    reg: float = 1.0,
    m: float | None = None,
    loss_fun: str = "square_loss",
    alpha: float = 0.5,
    G0: Any = None,
    numItermax: int = 1000,
    tol: float = 1e-7,
    symmetric: bool | None = None,
    log: bool = False,
    verbose: bool = False,
    *,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    callback: Callback | None = None,
) -> Any:
    """Plan of the entropic partial fused problem.

    The steps use the cost ``M`` of each pair. Those of POT 0.9.7 add the scalar ``<M, T>`` to the
    gradient instead, which has no effect, so plans differ from POT's when ``alpha`` is below 1.

    Returns
    -------
    T : array, shape (n, m)
    log : dict, if ``log``
        As of :func:`entropic_partial_gromov_wasserstein`, with ``partial_fgw_dist``.

    Examples
    --------
    >>> import numpy as np
    >>> C, M = np.eye(3), 1 - np.eye(3)
    >>> T = entropic_partial_fused_gromov_wasserstein(M, C, C, reg=0.01, m=0.5)
    >>> float(T.diagonal().sum().round(6))
    0.5
    >>> round(float(entropic_partial_fused_gromov_wasserstein2(M, C, C, reg=0.01, m=0.5)), 6)
    0.0
    """
    part = _prepare(C1, C2, p, q, m, M, alpha, loss_fun, symmetric, G0)
    method = _entropic(reg, numItermax, tol)
    return _solve(part, method, log, verbose, (n_jobs, time_limit, callback))


entropic_partial_fused_gromov_wasserstein2 = value_twin(entropic_partial_fused_gromov_wasserstein)


def _entropic(reg: Any, max_iter: Any, tol: Any) -> _srgw.EntropicPartial:
    weight = arguments.number(reg, "reg")
    if not weight > 0:
        raise ValueError(f"reg is {weight}, expected a number above 0")
    return _srgw.EntropicPartial(
        weight, arguments.iterations(max_iter), arguments.number(tol, "tol")
    )


def _step(a: Any, b: Any, least: float | None, most: float | None) -> Any:
    """The minimiser of ``a x^2 + b x`` on [0, 1], clipped as POT does."""
    alpha = min(1.0, max(0.0, -b / (2.0 * a))) if a > 0 else 1.0 if a + b < 0 else 0.0
    return alpha if least is None and most is None else np.clip(alpha, least, most)


def solve_gromov_linesearch(
    G: Any,
    deltaG: Any,
    cost_G: Any,
    C1: Any,
    C2: Any,
    M: Any,
    reg: float,
    alpha_min: float | None = None,
    alpha_max: float | None = None,
    nx: Any = None,
    symmetric: bool = False,
    **kwargs: Any,
) -> tuple[Any, int, Any]:
    """Exact line search of the (fused) Gromov-Wasserstein problem from ``G`` along ``deltaG``.

    Parameters
    ----------
    G, deltaG : array, shape (n, m)
        The plan and the direction.
    cost_G : float
        Value at ``G``.
    C1, C2 : array, shapes (n, n) and (m, m)
        Structures as POT transforms them: ``C1`` and ``2 C2`` with the square loss.
    M : array, shape (n, m), or 0
        Linear cost.
    reg : float
        Weight of the structure.
    alpha_min, alpha_max : float, optional
        Bounds of the step.
    nx
        No effect.
    symmetric : bool
        Whether the structures are.
    **kwargs
        No effect.

    Returns
    -------
    alpha : float
    fc : int
        1, as in POT.
    cost_G : float
        Value after the step.

    Examples
    --------
    >>> import numpy as np
    >>> G = np.full((2, 2), 0.25)
    >>> step = np.diag([0.5, 0.5]) - G
    >>> alpha, steps, cost = solve_gromov_linesearch(
    ...     G, step, 0.5, np.eye(2), 2 * np.eye(2), 0.0, 1.0
    ... )
    >>> float(alpha), steps, float(cost)
    (1.0, 1, 0.0)
    """
    G, step, C1, C2 = (np.asarray(array) for array in (G, deltaG, C1, C2))
    dot = C1 @ step @ C2.T
    a = -reg * np.sum(dot * step)
    other = np.sum(dot * G) if symmetric else np.sum((C1 @ G @ C2.T) * step)
    b = np.sum(np.asarray(M) * step) - reg * (np.sum(dot * G) + other)
    alpha = _step(a, b, alpha_min, alpha_max)
    return alpha, 1, cost_G + a * alpha**2 + b * alpha


@inherit_parameters(solve_gromov_linesearch)
def solve_semirelaxed_gromov_linesearch(
    G: Any,
    deltaG: Any,
    cost_G: Any,
    C1: Any,
    C2: Any,
    ones_p: Any,
    M: Any,
    reg: float,
    fC2t: Any = None,
    alpha_min: float | None = None,
    alpha_max: float | None = None,
    nx: Any = None,
    **kwargs: Any,
) -> tuple[Any, int, Any]:
    """Exact line search of the semi-relaxed (fused) problem from ``G`` along ``deltaG``.

    Parameters
    ----------
    ones_p : array, shape (n,)
        Ones; no effect.
    fC2t : array, shape (m, m), optional
        The transposed function of ``C2`` in the loss; ``C2.T ** 2`` by default.

    Returns
    -------
    alpha : float
    fc : int
        1, as in POT.
    cost_G : float
        Value after the step.

    Examples
    --------
    >>> import numpy as np
    >>> G = np.full((2, 2), 0.25)
    >>> step = np.diag([0.5, 0.5]) - G
    >>> C = np.eye(2)
    >>> found = solve_semirelaxed_gromov_linesearch(
    ...     G, step, 0.5, C, 2 * C, np.ones(2), 0.0, 1.0, fC2t=C
    ... )
    >>> float(found[0]), found[1], float(found[2])
    (1.0, 1, 0.0)
    """
    G, step, C1, C2 = (np.asarray(array) for array in (G, deltaG, C1, C2))
    squares = C2.T**2 if fC2t is None else np.asarray(fC2t)
    dot = C1 @ step @ C2.T
    column, column_step = G.sum(axis=0) @ squares, step.sum(axis=0) @ squares
    a = reg * np.sum((column_step - dot) * step)
    b = np.sum(np.asarray(M) * step) + reg * (
        np.sum((column_step - dot) * G) + np.sum((column - C1 @ G @ C2.T) * step)
    )
    alpha = _step(a, b, alpha_min, alpha_max)
    return alpha, 1, cost_G + a * alpha**2 + b * alpha


@inherit_parameters(solve_gromov_linesearch)
def solve_partial_gromov_linesearch(
    G: Any,
    deltaG: Any,
    cost_G: Any,
    df_G: Any,
    df_Gc: Any,
    M: Any,
    reg: float,
    alpha_min: float | None = None,
    alpha_max: float | None = None,
    nx: Any = None,
    **kwargs: Any,
) -> tuple[Any, int, Any, Any]:
    """Exact line search of partial (fused) problems from ``G`` along ``deltaG``.

    Parameters
    ----------
    df_G, df_Gc : array, shape (n, m)
        Gradients of the structure term at ``G`` and at ``G + deltaG``.

    Returns
    -------
    alpha : float
    fc : int
        1, as in POT.
    cost_G : float
        Value after the step.
    df_G : array, shape (n, m)
        Gradient of the structure term after the step.

    Examples
    --------
    >>> import numpy as np
    >>> G, step = np.full((2, 2), 0.25), np.diag([0.25, 0.25]) - 0.125
    >>> alpha, _, cost, _ = solve_partial_gromov_linesearch(
    ...     G, step, 1.0, 2 * G, 2 * (G + step), 0.0, 1.0
    ... )
    >>> float(alpha), float(cost)
    (0.0, 1.0)
    """
    step, df_G, df_Gc = (np.asarray(array) for array in (deltaG, df_G, df_Gc))
    change = df_Gc - df_G
    a = reg * 0.5 * np.sum(change * step)
    b = np.sum(np.asarray(M) * step) + reg * np.sum(df_G * step)
    alpha = _step(a, b, alpha_min, alpha_max)
    return alpha, 1, cost_G + a * alpha**2 + b * alpha, df_G + alpha * change
