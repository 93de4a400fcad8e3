"""Drop-in replacements for ``ot.gromov.BAPG_*``: Bregman alternating projected gradient."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _arguments as arguments
from ._docs import inherit_parameters
from ._pairs import returns_plan, value_twin
from ._semirelaxed import (
    Answer,
    Callback,
    Extras,
    Task,
    changes,
    entropic_method,
    facts,
    prepare_balanced,
    run,
)
from ._tensor import init_matrix
from .balanced import entropic_gromov_wasserstein, fused_gromov_wasserstein

__all__ = [
    "BAPG_fused_gromov_wasserstein",
    "BAPG_fused_gromov_wasserstein2",
    "BAPG_gromov_wasserstein",
    "BAPG_gromov_wasserstein2",
]


@returns_plan
@inherit_parameters(entropic_gromov_wasserstein)
def BAPG_gromov_wasserstein(
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
    marginal_loss: bool = False,
    verbose: bool = False,
    log: bool = False,
    *,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    callback: Callback | None = None,
) -> Any:
    """Plan of the Gromov-Wasserstein problem by alternating scaling.

    Mirror descent in which each step scales either the rows or the columns: fast, but the plans are
    never exactly feasible. The last plan is made feasible.

    Parameters
    ----------
    epsilon : float
        Inverse step length, above 0.
    marginal_loss : bool
        Whether steps include the part of the loss that is constant on feasible plans.

    Returns
    -------
    T : array, shape (n, m)
    log : dict, if ``log``
        ``err``, ``gw_dist``, without ``marginal_loss`` also ``loss`` (less the constant),
        ``status``, ``converged``, ``n_iter``, ``gap``.

    Examples
    --------
    >>> import numpy as np
    >>> C = np.array([[0.0, 1.0, 2.0], [1.0, 0.0, 4.0], [2.0, 4.0, 0.0]])
    >>> T = BAPG_gromov_wasserstein(C, C, epsilon=1.0)
    >>> bool(np.allclose(T.sum(axis=0), 1 / 3))
    True
    >>> float(BAPG_gromov_wasserstein2(np.eye(3), np.eye(3), epsilon=1.0)) >= 0
    True
    """
    task = prepare_balanced(C1, C2, p, q, None, 1.0, loss_fun, symmetric, G0)
    extras = Extras(n_jobs=n_jobs, time_limit=time_limit, callback=callback)
    return _solve(task, epsilon, max_iter, tol, marginal_loss, log, extras, verbose)


BAPG_gromov_wasserstein2 = value_twin(BAPG_gromov_wasserstein)


@returns_plan
@inherit_parameters(BAPG_gromov_wasserstein, fused_gromov_wasserstein)
def BAPG_fused_gromov_wasserstein(
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
    marginal_loss: bool = False,
    verbose: bool = False,
    log: bool = False,
    *,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    callback: Callback | None = None,
) -> Any:
    """Plan of the fused problem by alternating scaling.

    Returns
    -------
    T : array, shape (n, m)
    log : dict, if ``log``
        As of :func:`BAPG_gromov_wasserstein`, with ``fgw_dist`` in place of ``gw_dist``.

    Examples
    --------
    >>> import numpy as np
    >>> M = 1 - np.eye(3)
    >>> BAPG_fused_gromov_wasserstein(M, np.eye(3), np.eye(3)).argmax(axis=1).tolist()
    [0, 1, 2]
    >>> float(BAPG_fused_gromov_wasserstein2(M, np.eye(3), np.eye(3))) >= 0
    True
    """
    task = prepare_balanced(C1, C2, p, q, M, alpha, loss_fun, symmetric, G0)
    extras = Extras(n_jobs=n_jobs, time_limit=time_limit, callback=callback)
    return _solve(task, epsilon, max_iter, tol, marginal_loss, log, extras, verbose)


BAPG_fused_gromov_wasserstein2 = value_twin(BAPG_fused_gromov_wasserstein)


def _solve(
    task: Task,
    epsilon: float,
    max_iter: float,
    tol: float,
    marginal_loss: bool,
    log: bool,
    extras: Extras,
    verbose: bool,
) -> Answer:
    alpha, number = task.alpha, task.dtype.type
    slope = _constant_slope(task) if log or marginal_loss else np.zeros(())
    scale, seen = 1.0, task
    if marginal_loss:
        # Half of everything leaves room for the constant slope in the linear part.
        scale = 0.5
        cost = alpha * slope + (0.0 if task.cost is None else (1 - alpha) * task.cost)
        seen = task._replace(alpha=alpha / 2, cost=scale * cost / (1 - alpha / 2))
    epsilon = arguments.number(epsilon, "epsilon")
    method = entropic_method(scale * epsilon, max_iter, tol, alternating=True)
    solution = run(seen, method, 0, bool(log), extras, verbose)
    quad, linear = number(solution.value_quad / scale), number(0.0)
    answer = Answer(task, solution, quad + linear, None, {})
    key = "gw_dist"
    if task.cost is not None:
        key, linear = "fgw_dist", number((1 - alpha) * np.sum(task.cost * answer.plan))
        losses = {"lin_loss": linear, "quad_loss": quad}
        answer = answer._replace(value=quad + linear, losses=losses)
    if not log:
        return answer
    report = {"err": changes(task, solution), key: answer.value}
    if not marginal_loss:
        # The part of the loss that is the same for all feasible plans.
        report["loss"] = answer.value - number(alpha * np.sum(slope * answer.plan) / 2)
    return answer._replace(log={**report, **facts(solution), "gap": solution.gap / scale})


def _constant_slope(task: Task) -> NDArray[Any]:
    """The part of the gradient that does not depend on the plan."""
    C1, C2 = task.source.dense_array(), task.target.dense_array()
    loss = "kl_loss" if task.kl else "square_loss"
    constant = init_matrix(C1, C2, task.p, task.q, loss)[0]
    return constant + init_matrix(C1.T, C2.T, task.p, task.q, loss)[0]
