"""Drop-in replacements for the balanced functions of ``ot.gromov``: both weights are given."""

from __future__ import annotations

from typing import Any

from ._balanced import (
    SINKHORN,
    exact_log,
    parts,
    prepare_balanced,
    projected_method,
    value_without_entropy,
)
from ._semirelaxed import (
    Callback,
    Extras,
    Task,
    changes,
    check_keywords,
    exact_method,
    facts,
    plan_of,
    run,
)
from ._srgw import Solution

__all__ = [
    "entropic_fused_gromov_wasserstein",
    "entropic_fused_gromov_wasserstein2",
    "entropic_gromov_wasserstein",
    "entropic_gromov_wasserstein2",
    "fused_gromov_wasserstein",
    "fused_gromov_wasserstein2",
    "gromov_wasserstein",
    "gromov_wasserstein2",
]


def gromov_wasserstein(
    C1: Any,
    C2: Any,
    p: Any = None,
    q: Any = None,
    loss_fun: str = "square_loss",
    symmetric: bool | None = None,
    log: bool = False,
    armijo: bool = False,
    G0: Any = None,
    max_iter: float = 1e4,
    tol_rel: float = 1e-9,
    tol_abs: float = 1e-9,
    *,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    callback: Callback | None = None,
    **kwargs: Any,
) -> Any:
    """The plan of the Gromov-Wasserstein problem, by conditional gradient.

    Minimises ``sum_ijkl L(C1_ij, C2_kl) T_ik T_jl`` over plans ``T >= 0`` with row sums ``p`` and
    column sums ``q``. Steps are exact transports (network simplex), their lengths exact too.

    Parameters
    ----------
    C1, C2 : array-like or SciPy sparse, shapes (n, n) and (m, m)
    p, q : array-like, shapes (n,) and (m,), optional
        Distributions; uniform by default.
    loss_fun : {'square_loss', 'kl_loss'}
    symmetric : bool, optional
    log : bool
    armijo : bool
        No effect: the line search is exact.
    G0 : array-like, shape (n, m), optional
        A plan to start from; the product of ``p`` and ``q`` by default.
    max_iter, tol_rel, tol_abs
        As in :func:`srgw.semirelaxed_gromov_wasserstein`, and so are the keywords.

    Returns
    -------
    T : array, shape (n, m)
    log : dict, if ``log``
        ``loss``, ``gw_dist``, ``u``, ``v`` (dual potentials of the linear problem at the plan),
        ``cost``, ``warning``, ``result_code``, ``status``, ``converged``, ``n_iter``, ``gap``.

    Examples
    --------
    >>> import numpy as np
    >>> C = np.array([[0.0, 1.0, 2.0], [1.0, 0.0, 4.0], [2.0, 4.0, 0.0]])
    >>> order = [2, 0, 1]
    >>> T = gromov_wasserstein(C, C[order][:, order], G0=np.eye(3)[order].T / 3)
    >>> T.shape, round(float(T.sum()), 6)
    ((3, 3), 1.0)
    """
    task, solution = _exact(
        (C1, C2, p, q, None, 1.0, loss_fun, symmetric, G0),
        (max_iter, tol_rel, tol_abs),
        Extras(0.0, 1, n_jobs, time_limit, callback),
        log,
        kwargs,
    )
    T = plan_of(task, solution)
    if not log:
        return T
    return T, exact_log(task, solution, "gw_dist")


def gromov_wasserstein2(
    C1: Any,
    C2: Any,
    p: Any = None,
    q: Any = None,
    loss_fun: str = "square_loss",
    symmetric: bool | None = None,
    log: bool = False,
    armijo: bool = False,
    G0: Any = None,
    max_iter: float = 1e4,
    tol_rel: float = 1e-9,
    tol_abs: float = 1e-9,
    *,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    callback: Callback | None = None,
    **kwargs: Any,
) -> Any:
    """The value of the Gromov-Wasserstein problem; see :func:`gromov_wasserstein`.

    Returns
    -------
    value : float
        The squared distance, as in POT.
    log : dict, if ``log``
        As there, and the plan ``T``.

    Examples
    --------
    >>> import numpy as np
    >>> round(float(gromov_wasserstein2(np.eye(3), np.eye(3), G0=np.eye(3) / 3)), 6)
    0.0
    """
    task, solution = _exact(
        (C1, C2, p, q, None, 1.0, loss_fun, symmetric, G0),
        (max_iter, tol_rel, tol_abs),
        Extras(0.0, 1, n_jobs, time_limit, callback),
        log,
        kwargs,
    )
    value = value_without_entropy(task, solution)
    if not log:
        return value
    return value, {**exact_log(task, solution, "gw_dist"), "T": plan_of(task, solution)}


def fused_gromov_wasserstein(
    M: Any,
    C1: Any,
    C2: Any,
    p: Any = None,
    q: Any = None,
    loss_fun: str = "square_loss",
    symmetric: bool | None = None,
    alpha: float = 0.5,
    armijo: bool = False,
    G0: Any = None,
    log: bool = False,
    max_iter: float = 1e4,
    tol_rel: float = 1e-9,
    tol_abs: float = 1e-9,
    *,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    callback: Callback | None = None,
    **kwargs: Any,
) -> Any:
    """The plan of the fused Gromov-Wasserstein problem, which knows features too.

    ``M`` (n, m) is the cost between features and ``alpha`` the weight of the structure; the others
    are those of :func:`gromov_wasserstein`. The log has ``fgw_dist`` for ``gw_dist``.

    Examples
    --------
    >>> import numpy as np
    >>> fused_gromov_wasserstein(1 - np.eye(2), np.eye(2), np.eye(2)).tolist()
    [[0.5, 0.0], [0.0, 0.5]]
    """
    task, solution = _exact(
        (C1, C2, p, q, M, alpha, loss_fun, symmetric, G0),
        (max_iter, tol_rel, tol_abs),
        Extras(0.0, 1, n_jobs, time_limit, callback),
        log,
        kwargs,
    )
    T = plan_of(task, solution)
    if not log:
        return T
    return T, exact_log(task, solution, "fgw_dist")


def fused_gromov_wasserstein2(
    M: Any,
    C1: Any,
    C2: Any,
    p: Any = None,
    q: Any = None,
    loss_fun: str = "square_loss",
    symmetric: bool | None = None,
    alpha: float = 0.5,
    armijo: bool = False,
    G0: Any = None,
    log: bool = False,
    max_iter: float = 1e4,
    tol_rel: float = 1e-9,
    tol_abs: float = 1e-9,
    *,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    callback: Callback | None = None,
    **kwargs: Any,
) -> Any:
    """The value of the fused problem; see :func:`fused_gromov_wasserstein`.

    The log also has ``T``, ``lin_loss`` and ``quad_loss``.

    Examples
    --------
    >>> import numpy as np
    >>> round(float(fused_gromov_wasserstein2(1 - np.eye(2), np.eye(2), np.eye(2))), 6)
    0.0
    """
    task, solution = _exact(
        (C1, C2, p, q, M, alpha, loss_fun, symmetric, G0),
        (max_iter, tol_rel, tol_abs),
        Extras(0.0, 1, n_jobs, time_limit, callback),
        log,
        kwargs,
    )
    value = value_without_entropy(task, solution)
    if not log:
        return value
    return value, {**exact_log(task, solution, "fgw_dist"), **parts(task, solution)}


def entropic_gromov_wasserstein(
    C1: Any,
    C2: Any,
    p: Any = None,
    q: Any = None,
    loss_fun: str = "square_loss",
    epsilon: float = 0.1,
    symmetric: bool | None = None,
    G0: Any = None,
    max_iter: float = 1000,
    tol: float = 1e-9,
    solver: str = "PGD",
    warmstart: bool = False,
    verbose: bool = False,
    log: bool = False,
    *,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    callback: Callback | None = None,
    **kwargs: Any,
) -> Any:
    """The plan of the entropic Gromov-Wasserstein problem, or of its proximal point method.

    Parameters
    ----------
    epsilon : float
        Weight of the entropy (``PGD``) or of the proximal term (``PPA``), above 0.
    solver : {'PGD', 'PPA'}
    warmstart : bool
        No effect: projections go on from the last one anyway.
    tol : float
        Stops when a step moves the plan by less, tested at every tenth.

    The others are those of :func:`gromov_wasserstein`; ``numItermax`` and ``stopThr`` are those of
    the projections.

    Returns
    -------
    T : array, shape (n, m)
    log : dict, if ``log``
        ``err``, ``gw_dist`` (without entropy), ``status``, ``converged``, ``n_iter``, ``gap``.

    Examples
    --------
    >>> import numpy as np
    >>> entropic_gromov_wasserstein(np.eye(3), np.eye(3), epsilon=1.0).shape
    (3, 3)
    """
    task, solution = _entropic(
        (C1, C2, p, q, None, 1.0, loss_fun, symmetric, G0),
        (epsilon, max_iter, tol, solver),
        Extras(0.0, 1, n_jobs, time_limit, callback),
        log,
        verbose,
        kwargs,
    )
    T = plan_of(task, solution)
    if not log:
        return T
    return T, _entropic_log(task, solution, "gw_dist")


def entropic_gromov_wasserstein2(
    C1: Any,
    C2: Any,
    p: Any = None,
    q: Any = None,
    loss_fun: str = "square_loss",
    epsilon: float = 0.1,
    symmetric: bool | None = None,
    G0: Any = None,
    max_iter: float = 1000,
    tol: float = 1e-9,
    solver: str = "PGD",
    warmstart: bool = False,
    verbose: bool = False,
    log: bool = False,
    *,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    callback: Callback | None = None,
    **kwargs: Any,
) -> Any:
    """The value, without entropy, at the plan of :func:`entropic_gromov_wasserstein`.

    Examples
    --------
    >>> import numpy as np
    >>> float(entropic_gromov_wasserstein2(np.eye(3), np.eye(3), epsilon=1.0)) >= 0
    True
    """
    task, solution = _entropic(
        (C1, C2, p, q, None, 1.0, loss_fun, symmetric, G0),
        (epsilon, max_iter, tol, solver),
        Extras(0.0, 1, n_jobs, time_limit, callback),
        log,
        verbose,
        kwargs,
    )
    value = value_without_entropy(task, solution)
    if not log:
        return value
    return value, {**_entropic_log(task, solution, "gw_dist"), "T": plan_of(task, solution)}


def entropic_fused_gromov_wasserstein(
    M: Any,
    C1: Any,
    C2: Any,
    p: Any = None,
    q: Any = None,
    loss_fun: str = "square_loss",
    epsilon: float = 0.1,
    symmetric: bool | None = None,
    alpha: float = 0.5,
    G0: Any = None,
    max_iter: float = 1000,
    tol: float = 1e-9,
    solver: str = "PGD",
    warmstart: bool = False,
    verbose: bool = False,
    log: bool = False,
    *,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    callback: Callback | None = None,
    **kwargs: Any,
) -> Any:
    """The plan of the entropic fused problem; see :func:`entropic_gromov_wasserstein`.

    The log has ``fgw_dist``, ``lin_loss`` and ``quad_loss``.

    Examples
    --------
    >>> import numpy as np
    >>> M = 1 - np.eye(3)
    >>> entropic_fused_gromov_wasserstein(M, np.eye(3), np.eye(3)).argmax(axis=1).tolist()
    [0, 1, 2]
    """
    task, solution = _entropic(
        (C1, C2, p, q, M, alpha, loss_fun, symmetric, G0),
        (epsilon, max_iter, tol, solver),
        Extras(0.0, 1, n_jobs, time_limit, callback),
        log,
        verbose,
        kwargs,
    )
    T = plan_of(task, solution)
    if not log:
        return T
    return T, {**_entropic_log(task, solution, "fgw_dist"), **_two_losses(task, solution)}


def entropic_fused_gromov_wasserstein2(
    M: Any,
    C1: Any,
    C2: Any,
    p: Any = None,
    q: Any = None,
    loss_fun: str = "square_loss",
    epsilon: float = 0.1,
    symmetric: bool | None = None,
    alpha: float = 0.5,
    G0: Any = None,
    max_iter: float = 1000,
    tol: float = 1e-9,
    solver: str = "PGD",
    warmstart: bool = False,
    verbose: bool = False,
    log: bool = False,
    *,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    callback: Callback | None = None,
    **kwargs: Any,
) -> Any:
    """The value, without entropy, at the plan of :func:`entropic_fused_gromov_wasserstein`.

    Examples
    --------
    >>> import numpy as np
    >>> M = 1 - np.eye(3)
    >>> float(entropic_fused_gromov_wasserstein2(M, np.eye(3), np.eye(3))) >= 0
    True
    """
    task, solution = _entropic(
        (C1, C2, p, q, M, alpha, loss_fun, symmetric, G0),
        (epsilon, max_iter, tol, solver),
        Extras(0.0, 1, n_jobs, time_limit, callback),
        log,
        verbose,
        kwargs,
    )
    value = value_without_entropy(task, solution)
    if not log:
        return value
    return value, {**_entropic_log(task, solution, "fgw_dist"), **parts(task, solution)}


def _exact(
    problem: tuple[Any, ...],
    stopping: tuple[Any, ...],
    extras: Extras,
    log: bool,
    keywords: dict[str, Any],
) -> tuple[Task, Solution]:
    verbose = check_keywords(keywords, stacklevel=4) if keywords else False
    task = prepare_balanced(*problem)
    return task, run(task, exact_method(*stopping), 0, log, extras, verbose, stacklevel=4)


def _entropic(
    problem: tuple[Any, ...],
    options: tuple[Any, ...],
    extras: Extras,
    log: bool,
    verbose: bool,
    keywords: dict[str, Any],
) -> tuple[Task, Solution]:
    epsilon, max_iter, tol, solver = options
    if solver not in ("PGD", "PPA"):
        raise ValueError(f"solver is {solver!r}, expected 'PGD' or 'PPA'")
    others = {key: value for key, value in keywords.items() if key not in SINKHORN}
    verbose = (check_keywords(others, stacklevel=4) if others else False) or verbose
    method = projected_method(
        epsilon,
        max_iter,
        tol,
        solver == "PPA",
        keywords.get("numItermax", 1000),
        keywords.get("stopThr", 1e-9),
    )
    task = prepare_balanced(*problem)._replace(entropy=epsilon if solver == "PGD" else 0.0)
    return task, run(task, method, 0, log, extras, verbose, stacklevel=4)


def _entropic_log(task: Task, solution: Solution, key: str) -> dict[str, Any]:
    value = value_without_entropy(task, solution)
    return {"err": changes(task, solution), key: value, **facts(solution)}


def _two_losses(task: Task, solution: Solution) -> dict[str, Any]:
    found = parts(task, solution)
    return {key: found[key] for key in ("lin_loss", "quad_loss")}
