"""Gromov-Wasserstein problems and answers, as both sides of a comparison see them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse

Array = np.ndarray


@dataclass(frozen=True)
class Problem:
    """Minimise alpha E(T) + (1 - alpha) <cost, T> over plans T whose rows sum to the weights, and
    whose columns sum to the target weights where they are given."""

    source: Array | scipy.sparse.csr_array  # n x n
    weights: Array  # n
    target: Array  # m x m, or m for a diagonal one
    start: Array | None = None  # labels (n), a plan (n x m), or None: the product
    cost: Array | None = None  # n x m; None: alpha is 1
    alpha: float = 1.0
    loss: str = "square"  # or "kl"
    target_weights: Array | None = None  # m; None: semi-relaxed
    entropy: float = 0.0  # weight of sum T (log T - 1)

    def dense_source(self) -> Array:
        sparse = scipy.sparse.issparse(self.source)
        return self.source.toarray().astype(float) if sparse else self.source

    def dense_target(self) -> Array:
        return np.diag(self.target) if self.target.ndim == 1 else self.target

    def start_plan(self) -> Array:
        n, m = len(self.weights), len(self.target)
        if self.start is None:
            q = np.full(m, 1 / m) if self.target_weights is None else self.target_weights
            return np.outer(self.weights, q)
        if self.start.ndim == 2:
            return self.start
        return np.where(np.arange(m) == self.start.reshape(n, 1), self.weights[:, None], 0.0)


@dataclass(frozen=True)
class Answer:
    """Result of a solver on one problem."""

    value: float
    iterations: int
    plan: Array | None  # n x m, on request
    seconds: list[float]  # of each repetition
    report: dict[str, Any]  # all that the solver said


def value(problem: Problem, plan: Array) -> float:
    """The objective, from its definition with the squares multiplied out."""
    C, B, h = problem.dense_source(), problem.dense_target(), problem.weights
    q = plan.sum(axis=0)
    quadratic = h @ (C * C) @ h + q @ (B * B) @ q - 2 * np.sum(plan * (C @ plan @ B.T))
    linear = 0.0 if problem.cost is None else np.sum(problem.cost * plan)
    return problem.alpha * quadratic + (1 - problem.alpha) * linear


def gradient(problem: Problem, plan: Array) -> Array:
    """Gradient of the objective (n x m), up to a constant in each row."""
    C, B = problem.dense_source(), problem.dense_target()
    q = plan.sum(axis=0)
    quadratic = (B * B + (B * B).T) @ q - 2 * (C @ plan @ B.T + C.T @ plan @ B)
    linear = 0.0 if problem.cost is None else problem.cost
    return problem.alpha * quadratic + (1 - problem.alpha) * linear


def gap(problem: Problem, plan: Array) -> float:
    """The Frank-Wolfe gap <g, T - X>, X the plan that the gradient g likes best."""
    g = gradient(problem, plan)
    return float(np.sum(plan * (g - g.min(axis=1, keepdims=True))))
