"""What the balanced functions share: both weights are given."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _arguments as arguments
from . import _srgw
from ._semirelaxed import Task, facts, losses, plan_of, prepare
from .exceptions import PlanError

Array = NDArray[np.float64]

SINKHORN = ("numItermax", "stopThr")  # keywords that POT hands to its inner solver


def prepare_balanced(
    C1: Any,
    C2: Any,
    p: Any,
    q: Any,
    M: Any,
    alpha: float,
    loss_fun: str,
    symmetric: Any,
    G0: Any,
) -> Task:
    """Arguments of a function as a task; columns of G0 have to sum to q."""
    if isinstance(G0, str):
        raise ValueError(f"G0 is {G0!r}, expected a plan or None")
    task = prepare(C1, C2, p, M, alpha, loss_fun, symmetric, G0)
    hbar, dtype_q = arguments.weights(q, "q", task.target.size)
    if isinstance(task.start, np.ndarray):
        sums = task.start.sum(axis=0)
        if not np.allclose(sums, hbar, atol=1e-8):
            worst = int(np.argmax(np.abs(sums - hbar)))
            raise PlanError(f"column {worst} of G0 sums to {sums[worst]}, expected {hbar[worst]}")
    dtype = arguments.common_dtype(task.dtype, dtype_q)
    return task._replace(q=hbar, dtype=dtype)


@lru_cache(maxsize=64)
def projected_method(
    epsilon: float, max_iter: Any, tol: float, proximal: bool, scalings: int, misplaced: float
) -> _srgw.MirrorDescent:
    """Mirror descent whose steps are projected on both weights by Sinkhorn's scaling."""
    if not epsilon > 0:
        raise ValueError(f"epsilon is {epsilon}, expected a number above 0")
    return _srgw.MirrorDescent(
        epsilon=float(epsilon) if proximal else 0.1,  # the entropic problem does not read it
        max_iterations=arguments.iterations(max_iter),
        tolerance=float(tol),
        test_interval=10,
        scaling_iterations=int(scalings),
        scaling_tolerance=float(misplaced),
    )


def exact_log(task: Task, solution: _srgw.Solution, key: str) -> dict[str, Any]:
    """Losses, and the dual potentials of the linear problem at the plan."""
    loss = losses(task, solution)
    assert task.q is not None
    T = solution.plan
    gradient = _srgw.gradient(
        task.source, task.p, task.target, task.q, task.cost, task.alpha, task.kl, T
    )
    _, cost, u, v = _srgw.transport(gradient, task.p, task.q)
    return {
        "loss": loss,
        key: loss[-1],
        "u": u.astype(task.dtype, copy=False),
        "v": v.astype(task.dtype, copy=False),
        "cost": cost,
        "warning": None,
        "result_code": 1,
        **facts(solution),
    }


def value_without_entropy(task: Task, solution: _srgw.Solution) -> Any:
    """Structure and features."""
    return task.dtype.type(solution.value_quad + solution.value_linear)


def parts(task: Task, solution: _srgw.Solution) -> dict[str, Any]:
    """What POT's logs of fused values hold."""
    return {
        "T": plan_of(task, solution),
        "lin_loss": task.dtype.type(solution.value_linear),
        "quad_loss": task.dtype.type(solution.value_quad),
    }
