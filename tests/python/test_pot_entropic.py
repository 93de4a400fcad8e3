"""Entropic GW and FGW against POT: projected mirror descent, proximal point and BAPG."""

import numpy as np
import ours
import pot
import pytest
from problem import Array, Problem
from test_pot_balanced import draw_balanced
from test_pot_family import positive

PROBLEMS = 25


def draw_open(seed: int, loss: str) -> Problem:
    """Weights above 0 and the product start: POT takes logarithms of both."""
    problem = draw_balanced(seed, ties=False)
    if loss == "kl":
        problem = positive(problem)
    rng = np.random.default_rng([seed, 11])
    n, m = len(problem.weights), len(problem.target)
    h, q = (weights / weights.sum() for weights in (0.1 + rng.random(n), 0.1 + rng.random(m)))
    return Problem(**{**vars(problem), "weights": h, "target_weights": q, "start": None})


def feasible(plan: Array, h: Array, q: Array) -> Array:
    """Scales rows and columns that are too heavy down and adds the rest as a product."""
    plan = plan * np.minimum(1, h / plan.sum(axis=1))[:, None]
    plan = plan * np.minimum(1, q / plan.sum(axis=0))
    rows, columns = h - plan.sum(axis=1), q - plan.sum(axis=0)
    return plan + np.outer(rows, columns) / max(rows.sum(), 1e-300)


@pytest.mark.filterwarnings("ignore")  # POT warns where its scaling does not converge
@pytest.mark.parametrize("loss", ["square", "kl"])
@pytest.mark.parametrize("scheme", ["PGD", "PPA", "BAPG"])
def test_plans_are_those_of_pot(scheme: str, loss: str) -> None:
    steps = 200 if scheme == "PGD" else 7
    compared = 0
    for seed in range(PROBLEMS):
        problem = draw_open(seed, loss)
        scale = np.abs(problem.dense_source()).max() * np.abs(problem.dense_target()).max()
        epsilon = max(2 * scale, 0.05)
        method = {
            "name": "mirror-descent",
            "epsilon": epsilon,
            "max_iterations": steps,
            "tolerance": 1e-12 if scheme == "PGD" else 0.0,
            "scaling_tolerance": 1e-13,
            "alternating": scheme == "BAPG",
        }
        asked = Problem(**{**vars(problem), "entropy": epsilon}) if scheme == "PGD" else problem
        answer = ours.solve([asked], method, plans=True)[0]
        other = pot.solve_scaled(problem, scheme, epsilon, max_iter=steps, tol=0.0)
        if not np.isfinite(other.plan).all():
            continue
        # The proximal scheme may go up: we return the best plan and POT the last one.
        if scheme != "PPA" or answer.value >= other.value - 1e-9 * max(1, abs(other.value)):
            compared += 1
            expected = feasible(other.plan, problem.weights, problem.target_weights)
            np.testing.assert_allclose(answer.plan, expected, atol=1e-7)
    assert compared >= PROBLEMS // 2


@pytest.mark.filterwarnings("ignore")
def test_entropic_solutions_are_not_above_those_of_pot() -> None:
    for seed in range(PROBLEMS):
        problem = draw_open(seed, "square")
        scale = np.abs(problem.dense_source()).max() * np.abs(problem.dense_target()).max()
        epsilon = max(0.1 * scale, 0.05)
        method = {"name": "mirror-descent"}
        asked = Problem(**{**vars(problem), "entropy": epsilon})
        answer = ours.solve([asked], method, plans=True)[0]
        other = pot.solve_scaled(problem, "PGD", epsilon)

        def objective(value: float, plan: np.ndarray, weight: float = epsilon) -> float:
            return value + weight * np.sum(plan * (np.log(np.maximum(plan, 1e-300)) - 1))

        expected = objective(other.value, other.plan)
        assert answer.report["value"] <= expected + 1e-5 * max(1, abs(expected))


@pytest.mark.parametrize("scheme", ["PGD", "PPA", "BAPG"])
@pytest.mark.parametrize("epsilon", [1e-6, 1e-3, 1.0, 1e3])
def test_no_epsilon_gives_nan(scheme: str, epsilon: float) -> None:
    problems = [draw_balanced(seed, ties=seed % 2 == 0) for seed in range(10)]
    if scheme == "PGD":
        problems = [Problem(**{**vars(problem), "entropy": epsilon}) for problem in problems]
    method = {
        "name": "mirror-descent",
        "epsilon": epsilon,
        "max_iterations": 20,
        "scaling_iterations": 100,
        "alternating": scheme == "BAPG",
    }
    for problem, answer in zip(problems, ours.solve(problems, method, plans=True), strict=True):
        assert np.isfinite([answer.value, answer.report["gap"]]).all()
        np.testing.assert_allclose(answer.plan.sum(axis=1), problem.weights, atol=1e-12)
        np.testing.assert_allclose(answer.plan.sum(axis=0), problem.target_weights, atol=1e-12)
