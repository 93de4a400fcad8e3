"""Drop-in replacements for functions of ``ot.gromov``: same arguments, same returns."""

from __future__ import annotations

from typing import Any

from . import _arguments as arguments
from . import _srgw
from ._semirelaxed import (
    Callback,
    Extras,
    Task,
    changes,
    check_keywords,
    entropic_method,
    exact_method,
    facts,
    losses,
    plan_of,
    prepare,
    run,
)
from ._starts import semirelaxed_init_plan
from ._tensor import gwggrad, gwloss, init_matrix, init_matrix_semirelaxed, tensor_product

__all__ = [
    "derivatives",
    "entropic_semirelaxed_fused_gromov_wasserstein",
    "entropic_semirelaxed_fused_gromov_wasserstein2",
    "entropic_semirelaxed_gromov_wasserstein",
    "entropic_semirelaxed_gromov_wasserstein2",
    "gwggrad",
    "gwloss",
    "init_matrix",
    "init_matrix_semirelaxed",
    "semirelaxed_fused_gromov_wasserstein",
    "semirelaxed_fused_gromov_wasserstein2",
    "semirelaxed_gromov_wasserstein",
    "semirelaxed_gromov_wasserstein2",
    "semirelaxed_init_plan",
    "tensor_product",
]


def semirelaxed_gromov_wasserstein(
    C1: Any,
    C2: Any,
    p: Any = None,
    loss_fun: str = "square_loss",
    symmetric: bool | None = None,
    log: bool = False,
    G0: Any = None,
    max_iter: float = 1e4,
    tol_rel: float = 1e-9,
    tol_abs: float = 1e-9,
    random_state: Any = 0,
    *,
    sparsity: float = 0.0,
    n_init: int = 1,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    callback: Callback | None = None,
    **kwargs: Any,
) -> Any:
    """The plan of the semi-relaxed Gromov-Wasserstein problem, by conditional gradient.

    Minimises ``sum_ijkl L(C1_ij, C2_kl) T_ik T_jl`` over plans ``T >= 0`` with row sums ``p``.

    Parameters
    ----------
    C1 : array-like or SciPy sparse, shape (n, n)
        Structure of the source. A sparse matrix stays sparse.
    C2 : array-like or SciPy sparse, shape (m, m)
        Structure of the target.
    p : array-like, shape (n,), optional
        Distribution over the source; uniform by default.
    loss_fun : {'square_loss', 'kl_loss'}
    symmetric : bool, optional
        What is known about ``C1`` and ``C2``; by default their entries are compared.
    log : bool
        Whether to return a log as well.
    G0 : array-like of shape (n, m), str or None
        Start: a plan, a name that :func:`semirelaxed_init_plan` knows, or None for the product
        ``p 1'/m``, which is left when it is a fixed point only by symmetry ("product" is not).
    max_iter : int
        Steps at most; there is one at least.
    tol_rel, tol_abs : float
        Stops when the loss changes by less, relatively or absolutely.
    random_state : int, None or Generator
        For starts that are drawn.
    sparsity : float
        Weight of the penalty ``sum_k sqrt(q_k)`` on the target weights ``q``.
    n_init : int
        Number of starts, of which the best is kept: ``G0`` first, then random ones; a named start
        is drawn so many times.
    n_jobs : int, optional
        Threads; None and -1 stand for all cores. The result does not depend on it.
    time_limit : float, optional
        Seconds; the best plan so far is returned.
    callback : callable, optional
        Called with a :class:`Progress` after each iteration; returning False stops.
    **kwargs
        Other keywords of POT, such as ``verbose``.

    Returns
    -------
    T : array, shape (n, m)
    log : dict, if ``log``
        ``loss`` (list, the start first), ``srgw_dist``, ``status``, ``converged``, ``n_iter``,
        ``gap``.

    Examples
    --------
    >>> import numpy as np
    >>> C1 = np.kron(np.eye(2), np.ones((3, 3)))
    >>> T = semirelaxed_gromov_wasserstein(C1, np.eye(2))
    >>> T.shape, sorted(T.sum(axis=0).round(3).tolist())
    ((6, 2), [0.5, 0.5])
    """
    verbose = check_keywords(kwargs) if kwargs else False
    task = prepare(C1, C2, p, None, 1.0, loss_fun, symmetric, G0)
    method = exact_method(max_iter, tol_rel, tol_abs)
    extras = Extras(sparsity, n_init, n_jobs, time_limit, callback)
    solution = run(task, method, random_state, log, extras, verbose)
    T = plan_of(task, solution)
    return (T, _exact_log(task, solution, "srgw_dist")) if log else T


def semirelaxed_gromov_wasserstein2(
    C1: Any,
    C2: Any,
    p: Any = None,
    loss_fun: str = "square_loss",
    symmetric: bool | None = None,
    log: bool = False,
    G0: Any = None,
    max_iter: float = 1e4,
    tol_rel: float = 1e-9,
    tol_abs: float = 1e-9,
    random_state: Any = 0,
    *,
    sparsity: float = 0.0,
    n_init: int = 1,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    callback: Callback | None = None,
    **kwargs: Any,
) -> Any:
    """The value of the semi-relaxed Gromov-Wasserstein problem, by conditional gradient.

    Arguments are those of :func:`semirelaxed_gromov_wasserstein`; derivatives in ``C1`` and ``C2``
    are what :func:`derivatives` gives at the plan.

    Returns
    -------
    value : float
        The squared divergence, as in POT.
    log : dict, if ``log``
        As there, and the plan ``T``.

    Examples
    --------
    >>> import numpy as np
    >>> C1 = np.kron(np.eye(2), np.ones((3, 3)))
    >>> round(float(semirelaxed_gromov_wasserstein2(C1, np.eye(2))), 6)
    0.0
    """
    verbose = check_keywords(kwargs) if kwargs else False
    task = prepare(C1, C2, p, None, 1.0, loss_fun, symmetric, G0)
    method = exact_method(max_iter, tol_rel, tol_abs)
    extras = Extras(sparsity, n_init, n_jobs, time_limit, callback)
    solution = run(task, method, random_state, log, extras, verbose)
    value = task.dtype.type(solution.value)
    if not log:
        return value
    return value, {**_exact_log(task, solution, "srgw_dist"), "T": plan_of(task, solution)}


def semirelaxed_fused_gromov_wasserstein(
    M: Any,
    C1: Any,
    C2: Any,
    p: Any = None,
    loss_fun: str = "square_loss",
    symmetric: bool | None = None,
    alpha: float = 0.5,
    G0: Any = None,
    log: bool = False,
    max_iter: float = 1e4,
    tol_rel: float = 1e-9,
    tol_abs: float = 1e-9,
    random_state: Any = 0,
    *,
    sparsity: float = 0.0,
    n_init: int = 1,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    callback: Callback | None = None,
    **kwargs: Any,
) -> Any:
    """The plan of the semi-relaxed fused problem, which knows features too.

    Minimises ``(1 - alpha) <M, T> + alpha sum_ijkl L(C1_ij, C2_kl) T_ik T_jl`` over plans
    ``T >= 0`` with row sums ``p``.

    Parameters
    ----------
    M : array-like, shape (n, m)
        Cost between the features of source and target nodes.
    alpha : float
        Weight of the structure, from 0 to 1.
    G0 : array-like of shape (n, m), str or None
        As in :func:`semirelaxed_gromov_wasserstein`; a plan with a name is blended with the one
        that puts each row on its cheapest column.

    The others are those of :func:`semirelaxed_gromov_wasserstein`.

    Returns
    -------
    T : array, shape (n, m)
    log : dict, if ``log``
        ``loss``, ``srfgw_dist``, ``status``, ``converged``, ``n_iter``, ``gap``.

    Examples
    --------
    >>> import numpy as np
    >>> C1 = np.kron(np.eye(2), np.ones((3, 3)))
    >>> M = np.repeat([[0.0, 1.0], [1.0, 0.0]], 3, axis=0)
    >>> semirelaxed_fused_gromov_wasserstein(M, C1, np.eye(2)).argmax(axis=1).tolist()
    [0, 0, 0, 1, 1, 1]
    """
    verbose = check_keywords(kwargs) if kwargs else False
    task = prepare(C1, C2, p, M, alpha, loss_fun, symmetric, G0)
    method = exact_method(max_iter, tol_rel, tol_abs)
    extras = Extras(sparsity, n_init, n_jobs, time_limit, callback)
    solution = run(task, method, random_state, log, extras, verbose)
    T = plan_of(task, solution)
    return (T, _exact_log(task, solution, "srfgw_dist")) if log else T


def semirelaxed_fused_gromov_wasserstein2(
    M: Any,
    C1: Any,
    C2: Any,
    p: Any = None,
    loss_fun: str = "square_loss",
    symmetric: bool | None = None,
    alpha: float = 0.5,
    G0: Any = None,
    log: bool = False,
    max_iter: float = 1e4,
    tol_rel: float = 1e-9,
    tol_abs: float = 1e-9,
    random_state: Any = 0,
    *,
    sparsity: float = 0.0,
    n_init: int = 1,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    callback: Callback | None = None,
    **kwargs: Any,
) -> Any:
    """The value of the semi-relaxed fused problem.

    Arguments are those of :func:`semirelaxed_fused_gromov_wasserstein`.

    Returns
    -------
    value : float
    log : dict, if ``log``
        As there, and ``T``, ``lin_loss`` (times 1 - alpha) and ``quad_loss`` (the rest).

    Examples
    --------
    >>> import numpy as np
    >>> C1 = np.kron(np.eye(2), np.ones((3, 3)))
    >>> M = np.repeat([[0.0, 1.0], [1.0, 0.0]], 3, axis=0)
    >>> round(float(semirelaxed_fused_gromov_wasserstein2(M, C1, np.eye(2))), 6)
    0.0
    """
    verbose = check_keywords(kwargs) if kwargs else False
    task = prepare(C1, C2, p, M, alpha, loss_fun, symmetric, G0)
    method = exact_method(max_iter, tol_rel, tol_abs)
    extras = Extras(sparsity, n_init, n_jobs, time_limit, callback)
    solution = run(task, method, random_state, log, extras, verbose)
    value = task.dtype.type(solution.value)
    if not log:
        return value
    linear = task.dtype.type(solution.value_linear)
    return value, {
        **_exact_log(task, solution, "srfgw_dist"),
        "T": plan_of(task, solution),
        "lin_loss": linear,
        "quad_loss": value - linear,
    }


def entropic_semirelaxed_gromov_wasserstein(
    C1: Any,
    C2: Any,
    p: Any = None,
    loss_fun: str = "square_loss",
    epsilon: float = 0.1,
    symmetric: bool | None = None,
    G0: Any = None,
    max_iter: float = 1e4,
    tol: float = 1e-9,
    log: bool = False,
    verbose: bool = False,
    random_state: Any = 0,
    *,
    sparsity: float = 0.0,
    n_init: int = 1,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    callback: Callback | None = None,
) -> Any:
    """The plan of the semi-relaxed problem by mirror descent, which keeps it soft.

    Parameters
    ----------
    epsilon : float
        Inverse step length of the KL-proximal scheme, above 0: a small one ends in a hard plan.
    tol : float
        Stops when a step moves the plan by less (Frobenius norm), tested at every tenth.
    verbose : bool
        Prints the iterations.

    The others are those of :func:`semirelaxed_gromov_wasserstein`. A start with one target node a
    row could not move: it is averaged with the product of its marginals.

    Returns
    -------
    T : array, shape (n, m)
        The best plan met; steps may go up.
    log : dict, if ``log``
        ``err`` (change of the plan at every tenth step), ``srgw_dist``, ``status``,
        ``converged``, ``n_iter``, ``gap``.

    Examples
    --------
    >>> import numpy as np
    >>> C1 = np.kron(np.eye(2), np.ones((3, 3)))
    >>> T = entropic_semirelaxed_gromov_wasserstein(C1, np.eye(2), epsilon=0.05)
    >>> sorted(T.sum(axis=0).round(3).tolist())
    [0.5, 0.5]
    """
    task = prepare(C1, C2, p, None, 1.0, loss_fun, symmetric, G0)
    method = entropic_method(epsilon, max_iter, tol)
    extras = Extras(sparsity, n_init, n_jobs, time_limit, callback)
    solution = run(task, method, random_state, log, extras, verbose)
    T = plan_of(task, solution)
    return (T, _entropic_log(task, solution, "srgw_dist")) if log else T


def entropic_semirelaxed_gromov_wasserstein2(
    C1: Any,
    C2: Any,
    p: Any = None,
    loss_fun: str = "square_loss",
    epsilon: float = 0.1,
    symmetric: bool | None = None,
    G0: Any = None,
    max_iter: float = 1e4,
    tol: float = 1e-9,
    log: bool = False,
    verbose: bool = False,
    random_state: Any = 0,
    *,
    sparsity: float = 0.0,
    n_init: int = 1,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    callback: Callback | None = None,
    **kwargs: Any,
) -> Any:
    """The value at the plan of :func:`entropic_semirelaxed_gromov_wasserstein`, without entropy.

    Returns
    -------
    value : float
    log : dict, if ``log``
        As there, and the plan ``T``.

    Examples
    --------
    >>> import numpy as np
    >>> C1 = np.kron(np.eye(2), np.ones((3, 3)))
    >>> round(float(entropic_semirelaxed_gromov_wasserstein2(C1, np.eye(2), epsilon=0.05)), 6)
    0.0
    """
    verbose = check_keywords(kwargs) or verbose if kwargs else verbose
    task = prepare(C1, C2, p, None, 1.0, loss_fun, symmetric, G0)
    method = entropic_method(epsilon, max_iter, tol)
    extras = Extras(sparsity, n_init, n_jobs, time_limit, callback)
    solution = run(task, method, random_state, log, extras, verbose)
    value = task.dtype.type(solution.value)
    if not log:
        return value
    return value, {**_entropic_log(task, solution, "srgw_dist"), "T": plan_of(task, solution)}


def entropic_semirelaxed_fused_gromov_wasserstein(
    M: Any,
    C1: Any,
    C2: Any,
    p: Any = None,
    loss_fun: str = "square_loss",
    symmetric: bool | None = None,
    epsilon: float = 0.1,
    alpha: float = 0.5,
    G0: Any = None,
    max_iter: float = 1e4,
    tol: float = 1e-9,
    log: bool = False,
    verbose: bool = False,
    random_state: Any = 0,
    *,
    sparsity: float = 0.0,
    n_init: int = 1,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    callback: Callback | None = None,
) -> Any:
    """The plan of the semi-relaxed fused problem by mirror descent.

    Arguments are those of :func:`semirelaxed_fused_gromov_wasserstein` and
    :func:`entropic_semirelaxed_gromov_wasserstein`.

    Returns
    -------
    T : array, shape (n, m)
    log : dict, if ``log``
        ``err``, ``srfgw_dist``, ``lin_loss``, ``quad_loss``, ``status``, ``converged``,
        ``n_iter``, ``gap``.

    Examples
    --------
    >>> import numpy as np
    >>> C1 = np.kron(np.eye(2), np.ones((3, 3)))
    >>> M = np.repeat([[0.0, 1.0], [1.0, 0.0]], 3, axis=0)
    >>> T = entropic_semirelaxed_fused_gromov_wasserstein(M, C1, np.eye(2))
    >>> T.argmax(axis=1).tolist()
    [0, 0, 0, 1, 1, 1]
    """
    task = prepare(C1, C2, p, M, alpha, loss_fun, symmetric, G0)
    method = entropic_method(epsilon, max_iter, tol)
    extras = Extras(sparsity, n_init, n_jobs, time_limit, callback)
    solution = run(task, method, random_state, log, extras, verbose)
    T = plan_of(task, solution)
    return (T, _entropic_fused_log(task, solution)) if log else T


def entropic_semirelaxed_fused_gromov_wasserstein2(
    M: Any,
    C1: Any,
    C2: Any,
    p: Any = None,
    loss_fun: str = "square_loss",
    symmetric: bool | None = None,
    epsilon: float = 0.1,
    alpha: float = 0.5,
    G0: Any = None,
    max_iter: float = 1e4,
    tol: float = 1e-9,
    log: bool = False,
    verbose: bool = False,
    random_state: Any = 0,
    *,
    sparsity: float = 0.0,
    n_init: int = 1,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    callback: Callback | None = None,
) -> Any:
    """The value at the plan of :func:`entropic_semirelaxed_fused_gromov_wasserstein`.

    Returns
    -------
    value : float
        Without entropy.
    log : dict, if ``log``
        As there, and the plan ``T``.

    Examples
    --------
    >>> import numpy as np
    >>> C1 = np.kron(np.eye(2), np.ones((3, 3)))
    >>> M = np.repeat([[0.0, 1.0], [1.0, 0.0]], 3, axis=0)
    >>> value, log = entropic_semirelaxed_fused_gromov_wasserstein2(M, C1, np.eye(2), log=True)
    >>> bool(abs(value - log["lin_loss"] - log["quad_loss"]) < 1e-12)
    True
    """
    task = prepare(C1, C2, p, M, alpha, loss_fun, symmetric, G0)
    method = entropic_method(epsilon, max_iter, tol)
    extras = Extras(sparsity, n_init, n_jobs, time_limit, callback)
    solution = run(task, method, random_state, log, extras, verbose)
    value = task.dtype.type(solution.value)
    if not log:
        return value
    return value, {**_entropic_fused_log(task, solution), "T": plan_of(task, solution)}


def derivatives(
    C1: Any,
    C2: Any,
    T: Any,
    p: Any = None,
    M: Any = None,
    alpha: float = 0.5,
    loss_fun: str = "square_loss",
) -> dict[str, Any]:
    """Derivatives of the value with the plan held fixed; at a solution, those of the divergence.

    POT returns them through the autograd of a back-end; here they are arrays.

    Parameters
    ----------
    C1, C2 : array-like or SciPy sparse, shapes (n, n) and (m, m)
    T : array-like, shape (n, m)
    p : array-like, shape (n,), optional
        The row sums of ``T``; uniform by default.
    M : array-like, shape (n, m), optional
        With it the derivatives are those of the fused problem with weight ``alpha``.
    loss_fun : {'square_loss', 'kl_loss'}

    Returns
    -------
    dict
        ``C1`` (n, n), ``C2`` (m, m) and, with ``M``, ``M`` (n, m) and ``alpha`` (a number).

    Examples
    --------
    >>> import numpy as np
    >>> derivatives(np.eye(2), np.zeros((2, 2)), np.eye(2) / 2)["C1"].tolist()
    [[0.5, 0.0], [0.0, 0.5]]
    """
    task = prepare(C1, C2, p, M, alpha, loss_fun, None, None)
    plan, _ = arguments.plan(T, "T", task.p, task.target.size)
    in_c1, in_c2, in_m, in_alpha = _srgw.derivatives(
        task.source, task.p, task.target, task.cost, task.alpha, task.kl, plan
    )
    result: dict[str, Any] = {"C1": in_c1, "C2": in_c2}
    return result if M is None else {**result, "M": in_m, "alpha": in_alpha}


def _exact_log(task: Task, solution: _srgw.Solution, key: str) -> dict[str, Any]:
    loss = losses(task, solution)
    return {"loss": loss, key: loss[-1], **facts(solution)}


def _entropic_log(task: Task, solution: _srgw.Solution, key: str) -> dict[str, Any]:
    value = task.dtype.type(solution.value)
    return {"err": changes(task, solution), key: value, **facts(solution)}


def _entropic_fused_log(task: Task, solution: _srgw.Solution) -> dict[str, Any]:
    return {
        **_entropic_log(task, solution, "srfgw_dist"),
        "lin_loss": task.dtype.type(solution.value_linear),
        "quad_loss": task.dtype.type(solution.value_quad),
    }
