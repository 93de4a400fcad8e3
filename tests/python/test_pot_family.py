"""Mirror descent and the KL loss against POT, from the same start and with the same steps."""

import os

import numpy as np
import ours
import pot
import pytest
from problem import Problem
from test_pot_parity import draw_problem

PROBLEMS = 300 if os.environ.get("SRGW_TEST_FULL") else 40
STEPS = 10


def with_open_start(problem: Problem, seed: int) -> Problem:
    """From a plan without zeros: POT and we soften nothing there."""
    n, m = len(problem.weights), len(problem.target)
    plan = 0.1 + np.random.default_rng(seed).random((n, m))
    plan *= (problem.weights / plan.sum(axis=1))[:, None]
    return Problem(**{**vars(problem), "start": plan})


def positive(problem: Problem) -> Problem:
    """With entries that the KL loss accepts."""
    target = np.abs(problem.dense_target()) + 0.1
    return Problem(
        **{**vars(problem), "source": abs(problem.source), "target": target, "loss": "kl"}
    )


@pytest.mark.filterwarnings("ignore:invalid value")  # POT divides 0 by 0
@pytest.mark.parametrize("loss", ["square", "kl"])
def test_mirror_descent_is_that_of_pot(loss: str) -> None:
    problems = [with_open_start(draw_problem(seed, ties=False), seed) for seed in range(PROBLEMS)]
    if loss == "kl":
        problems = [positive(problem) for problem in problems]
    for epsilon in (0.5, 5.0):
        method = {
            "name": "mirror-descent",
            "epsilon": epsilon,
            "max_iterations": STEPS,
            "tolerance": 0.0,
        }
        for problem, answer in zip(problems, ours.solve(problems, method, plans=True), strict=True):
            other = pot.solve_entropic(problem, epsilon, STEPS)
            if not np.isfinite(other.plan).all():
                continue
            # POT returns the last plan, we the best one.
            assert answer.value <= other.value + 1e-9 * max(1, abs(other.value))
            if answer.value >= other.value - 1e-12 * max(1, abs(other.value)):
                np.testing.assert_allclose(answer.plan, other.plan, atol=1e-9)


def test_kl_runs_of_conditional_gradient_are_those_of_pot() -> None:
    rule = {
        "stopping": "change",
        "tolerance": 1e-9,
        "absolute_tolerance": 1e-9,
        "polish_sweeps": 0,
        "max_iterations": 2000,
    }
    problems = [
        positive(with_open_start(draw_problem(seed, ties=False), seed)) for seed in range(PROBLEMS)
    ]
    for problem, answer in zip(problems, ours.solve(problems, rule), strict=True):
        other = pot.solve(problem, max_iter=2000)
        assert answer.value == pytest.approx(other.value, rel=1e-5, abs=1e-6)
