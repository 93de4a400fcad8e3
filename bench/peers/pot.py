"""POT's side: https://pythonot.github.io, on dense arrays."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import ot
from problem import Answer, Array, Problem


def solver(problem: Problem) -> Callable[..., Any]:
    """POT's function for conditional gradient on such a problem."""
    relaxed = "semirelaxed_" if problem.target_weights is None else ""
    fused = "" if problem.cost is None else "fused_"
    return getattr(ot.gromov, f"{relaxed}{fused}gromov_wasserstein")


def costs(problem: Problem) -> list[Array]:
    """The first argument of fused problems."""
    return [] if problem.cost is None else [problem.cost]


def solve(
    problem: Problem,
    tol_rel: float = 1e-9,
    tol_abs: float = 1e-9,
    symmetric: bool | None = None,
    max_iter: int = 10_000,
) -> Answer:
    """`symmetric` None lets POT look; the time does not include making dense arrays."""
    C, B, T = problem.dense_source(), problem.dense_target(), problem.start_plan()
    options = {
        "G0": T,
        "loss_fun": f"{problem.loss}_loss",
        "symmetric": symmetric,
        "log": True,
        "max_iter": max_iter,
        "tol_rel": tol_rel,
        "tol_abs": tol_abs,
    }
    if problem.cost is not None:
        options["alpha"] = problem.alpha
    weights = [problem.weights]
    if problem.target_weights is not None:
        weights.append(problem.target_weights)
    begin = time.perf_counter()
    plan, log = solver(problem)(*costs(problem), C, B, *weights, **options)
    seconds = time.perf_counter() - begin
    losses = np.asarray(log["loss"], dtype=float)
    return Answer(
        value=float(losses[-1]),
        iterations=len(losses) - 1,
        plan=plan,
        seconds=[seconds],
        report=log,
    )


def solve_entropic(
    problem: Problem, epsilon: float, iterations: int, symmetric: bool | None = None
) -> Answer:
    """Mirror descent with that many steps and no stopping rule."""
    C, B, T = problem.dense_source(), problem.dense_target(), problem.start_plan()
    options = {
        "loss_fun": f"{problem.loss}_loss",
        "epsilon": epsilon,
        "G0": T,
        "symmetric": symmetric,
        "log": True,
        "max_iter": iterations,
        "tol": 0.0,
    }
    begin = time.perf_counter()
    if problem.cost is None:
        plan, log = ot.gromov.entropic_semirelaxed_gromov_wasserstein(
            C, B, problem.weights, **options
        )
    else:
        plan, log = ot.gromov.entropic_semirelaxed_fused_gromov_wasserstein(
            problem.cost, C, B, problem.weights, alpha=problem.alpha, **options
        )
    seconds = time.perf_counter() - begin
    value = log["srgw_dist"] if problem.cost is None else log["srfgw_dist"]
    return Answer(
        value=float(value), iterations=iterations, plan=plan, seconds=[seconds], report=log
    )


def solve_scaled(
    problem: Problem, scheme: str, epsilon: float, max_iter: int = 1000, tol: float = 1e-9
) -> Answer:
    """Between given weights by "PGD", "PPA" or "BAPG"."""
    C, B, T = problem.dense_source(), problem.dense_target(), problem.start_plan()
    options = {
        "loss_fun": f"{problem.loss}_loss",
        "epsilon": epsilon,
        "G0": T,
        "log": True,
        "max_iter": max_iter,
        "tol": tol,
    }
    fused = "" if problem.cost is None else "fused_"
    if scheme == "BAPG":
        function = getattr(ot.gromov, f"BAPG_{fused}gromov_wasserstein")
    else:
        function = getattr(ot.gromov, f"entropic_{fused}gromov_wasserstein")
        options["solver"] = scheme
    if problem.cost is not None:
        options["alpha"] = problem.alpha
    begin = time.perf_counter()
    plan, log = function(*costs(problem), C, B, problem.weights, problem.target_weights, **options)
    seconds = time.perf_counter() - begin
    value = log["gw_dist"] if problem.cost is None else log["fgw_dist"]
    return Answer(value=float(value), iterations=0, plan=plan, seconds=[seconds], report=log)


def transport(cost: Array, row_masses: Array, column_masses: Array) -> Answer:
    """Exact, by the network simplex of POT, with pivots enough."""
    begin = time.perf_counter()
    plan, log = ot.emd(row_masses, column_masses, cost, numItermax=10_000_000, log=True)
    seconds = time.perf_counter() - begin
    return Answer(value=float(log["cost"]), iterations=0, plan=plan, seconds=[seconds], report=log)
