"""Exact transport against POT's network simplex and SciPy's linear programmes."""

import os

import numpy as np
import ours
import pot
import pytest
import scipy.optimize
from problem import Array
from test_pot_parity import draw_weights

PROBLEMS = 500 if os.environ.get("SRGW_TEST_FULL") else 60


def draw_transport(seed: int, largest: int) -> tuple[Array, Array, Array]:
    rng = np.random.default_rng([seed, 3])
    n, m = (int(size) for size in rng.integers(1, largest + 1, size=2))
    cost = rng.integers(4, size=(n, m)).astype(float) if seed % 2 else rng.normal(size=(n, m))
    return cost, draw_weights(rng, n), draw_weights(rng, m)


def test_costs_are_those_of_pot() -> None:
    problems = [draw_transport(seed, 120) for seed in range(PROBLEMS)]
    for (cost, a, b), answer in zip(problems, ours.transport(problems), strict=True):
        expected = pot.transport(cost, a, b).value
        assert answer.value == pytest.approx(expected, rel=1e-10, abs=1e-12)
        assert answer.value == pytest.approx(np.sum(cost * answer.plan), abs=1e-12)
        assert answer.report["gap"] <= 1e-11


def test_costs_are_those_of_a_linear_programme() -> None:
    problems = [draw_transport(seed, 12) for seed in range(20)]
    for (cost, a, b), answer in zip(problems, ours.transport(problems), strict=True):
        n, m = cost.shape
        rows, columns = np.kron(np.eye(n), np.ones(m)), np.kron(np.ones(n), np.eye(m))
        sums = np.vstack([rows, columns])
        result = scipy.optimize.linprog(cost.ravel(), A_eq=sums, b_eq=np.concatenate([a, b]))
        assert answer.value == pytest.approx(result.fun, rel=1e-7, abs=1e-9)
