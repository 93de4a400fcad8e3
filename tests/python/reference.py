"""Conditional gradient as the paper writes it, in long double: slow, and never misled by a tie."""

import numpy as np
from problem import Problem

Real = np.longdouble


def reference_value(problem: Problem, tolerance: float, max_steps: int = 10_000) -> float:
    """The value at which POT's stopping rule ends the run, if rounding were ten times finer."""
    C, B, T = (
        array.astype(Real)
        for array in (problem.dense_source(), problem.dense_target(), problem.start_plan())
    )
    h = T.sum(axis=1)
    alpha = Real(problem.alpha)
    M = (1 - alpha) * (np.zeros_like(T) if problem.cost is None else problem.cost.astype(Real))
    squares = B * B

    def quadratic(D: np.ndarray) -> Real:
        dq = D.sum(axis=0)
        return alpha * (dq @ squares @ dq - 2 * np.sum(D * (C @ D @ B.T)))

    value = alpha * (h @ (C * C) @ h) + quadratic(T) + np.sum(M * T)
    for _ in range(max_steps):
        q = T.sum(axis=0)
        g = alpha * ((squares + squares.T) @ q - 2 * (C @ T @ B.T + C.T @ T @ B)) + M
        D = shared_minima(g, h) - T
        a, b = quadratic(D), np.sum(g * D)
        gamma = line_search(a, b)
        change = gamma * (a * gamma + b)
        T, value = T + gamma * D, value + change
        if abs(change) < tolerance * abs(value) or abs(change) < tolerance:
            break
    return float(value)


def shared_minima(g: np.ndarray, h: np.ndarray) -> np.ndarray:
    """The plan that puts each row on its cheapest column, in equal shares on all that tie."""
    X = (g <= g.min(axis=1, keepdims=True) + 1e-16).astype(Real)
    return X * (h / X.sum(axis=1))[:, None]


def line_search(a: Real, b: Real) -> Real:
    """The minimiser of a x^2 + b x on [0, 1]."""
    if a > 0:
        return min(Real(1), max(Real(0), -b / (2 * a)))
    return Real(1 if a + b < 0 else 0)
