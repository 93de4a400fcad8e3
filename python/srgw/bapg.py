"""Drop-in replacements for ``ot.gromov.BAPG_*``: Bregman alternating projected gradient."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _arguments as arguments
from ._balanced import prepare_balanced
from ._semirelaxed import Callback, Extras, Task, changes, facts, plan_of, run
from ._srgw import MirrorDescent, Solution
from ._tensor import init_matrix

__all__ = [
    "BAPG_fused_gromov_wasserstein",
    "BAPG_fused_gromov_wasserstein2",
    "BAPG_gromov_wasserstein",
    "BAPG_gromov_wasserstein2",
]


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
    """The plan of the Gromov-Wasserstein problem by alternating scaling.

    Steps of mirror descent whose rows and columns are scaled in turns: fast, and never quite
    feasible; the last plan is made feasible.

    Parameters
    ----------
    C1, C2 : array-like or SciPy sparse, shapes (n, n) and (m, m)
    p, q : array-like, shapes (n,) and (m,), optional
        Distributions; uniform by default.
    loss_fun : {'square_loss', 'kl_loss'}
    epsilon : float
        Inverse step length, above 0.
    symmetric : bool, optional
    G0 : array-like, shape (n, m), optional
        A plan to start from; the product of ``p`` and ``q`` by default.
    max_iter : int
    tol : float
        Stops when a step moves the plan by less, tested at every tenth.
    marginal_loss : bool
        Whether steps see the part of the loss that is constant on feasible plans.
    verbose, log : bool
    n_jobs, time_limit, callback
        As in :func:`srgw.semirelaxed_gromov_wasserstein`.

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
    """
    answer = _solve(
        (C1, C2, p, q, None, 1.0, loss_fun, symmetric, G0),
        (epsilon, max_iter, tol, marginal_loss),
        Extras(n_jobs=n_jobs, time_limit=time_limit, callback=callback),
        log,
        verbose,
    )
    return (answer.plan, _log(answer, "gw_dist")) if log else answer.plan


def BAPG_gromov_wasserstein2(
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
    """The value at the plan of :func:`BAPG_gromov_wasserstein`; the log also has ``T``.

    Examples
    --------
    >>> import numpy as np
    >>> float(BAPG_gromov_wasserstein2(np.eye(3), np.eye(3), epsilon=1.0)) >= 0
    True
    """
    answer = _solve(
        (C1, C2, p, q, None, 1.0, loss_fun, symmetric, G0),
        (epsilon, max_iter, tol, marginal_loss),
        Extras(n_jobs=n_jobs, time_limit=time_limit, callback=callback),
        log,
        verbose,
    )
    if not log:
        return answer.value
    return answer.value, {**_log(answer, "gw_dist"), "T": answer.plan}


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
    """The plan of the fused problem by alternating scaling.

    Parameters
    ----------
    M : array-like, shape (n, m)
        Cost between the features of source and target nodes.
    alpha : float
        Weight of the structure, from 0 to 1.

    The others are those of :func:`BAPG_gromov_wasserstein`; the log has ``fgw_dist``.

    Examples
    --------
    >>> import numpy as np
    >>> M = 1 - np.eye(3)
    >>> BAPG_fused_gromov_wasserstein(M, np.eye(3), np.eye(3)).argmax(axis=1).tolist()
    [0, 1, 2]
    """
    answer = _solve(
        (C1, C2, p, q, M, alpha, loss_fun, symmetric, G0),
        (epsilon, max_iter, tol, marginal_loss),
        Extras(n_jobs=n_jobs, time_limit=time_limit, callback=callback),
        log,
        verbose,
    )
    return (answer.plan, _log(answer, "fgw_dist")) if log else answer.plan


def BAPG_fused_gromov_wasserstein2(
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
    """The value at the plan of :func:`BAPG_fused_gromov_wasserstein`.

    The log also has ``T``, ``lin_loss`` and ``quad_loss``.

    Examples
    --------
    >>> import numpy as np
    >>> M = 1 - np.eye(3)
    >>> float(BAPG_fused_gromov_wasserstein2(M, np.eye(3), np.eye(3))) >= 0
    True
    """
    answer = _solve(
        (C1, C2, p, q, M, alpha, loss_fun, symmetric, G0),
        (epsilon, max_iter, tol, marginal_loss),
        Extras(n_jobs=n_jobs, time_limit=time_limit, callback=callback),
        log,
        verbose,
    )
    if not log:
        return answer.value
    losses = {"T": answer.plan, "lin_loss": answer.linear, "quad_loss": answer.quad}
    return answer.value, {**_log(answer, "fgw_dist"), **losses}


class _Answer(NamedTuple):
    task: Task
    solution: Solution
    plan: NDArray[Any]
    quad: Any
    linear: Any
    constant: Any  # the part of quad that is the same for all feasible plans
    marginal_loss: bool

    @property
    def value(self) -> Any:
        return self.quad + self.linear


def _solve(
    problem: tuple[Any, ...],
    options: tuple[Any, ...],
    extras: Extras,
    log: bool,
    verbose: bool,
) -> _Answer:
    epsilon, max_iter, tol, marginal_loss = options
    task = prepare_balanced(*problem)
    alpha, number = task.alpha, task.dtype.type
    slope = _constant_slope(task) if log or marginal_loss else np.zeros(())
    scale, seen = 1.0, task
    if marginal_loss:
        # Half of everything leaves room for the constant slope in the linear part.
        scale = 0.5
        linear = alpha * slope + (0.0 if task.cost is None else (1 - alpha) * task.cost)
        seen = task._replace(alpha=alpha / 2, cost=scale * linear / (1 - alpha / 2))
    method = _method(scale * epsilon, max_iter, tol)
    solution = run(seen, method, 0, log, extras, verbose, stacklevel=4)
    T = plan_of(task, solution)
    return _Answer(
        task,
        solution,
        T,
        number(solution.value_quad / scale),
        number(0.0 if task.cost is None else (1 - alpha) * np.sum(task.cost * T)),
        number(alpha * np.sum(slope * T) / 2),
        marginal_loss,
    )


def _constant_slope(task: Task) -> NDArray[Any]:
    """What of the gradient does not depend on the plan."""
    C1, C2 = task.source.dense_array(), task.target.dense_array()
    loss = "kl_loss" if task.kl else "square_loss"
    constant = init_matrix(C1, C2, task.p, task.q, loss)[0]
    return constant + init_matrix(C1.T, C2.T, task.p, task.q, loss)[0]


def _log(answer: _Answer, key: str) -> dict[str, Any]:
    log = {"err": changes(answer.task, answer.solution), key: answer.value}
    if not answer.marginal_loss:
        log["loss"] = answer.value - answer.constant
    gap = answer.solution.gap * (2 if answer.marginal_loss else 1)
    return {**log, **facts(answer.solution), "gap": gap}


@lru_cache(maxsize=64)
def _method(epsilon: float, max_iter: Any, tol: float) -> MirrorDescent:
    if not epsilon > 0:
        raise ValueError(f"epsilon is {epsilon}, expected a number above 0")
    return MirrorDescent(
        epsilon=float(epsilon),
        max_iterations=arguments.iterations(max_iter),
        tolerance=float(tol),
        test_interval=10,
        alternating=True,
    )
