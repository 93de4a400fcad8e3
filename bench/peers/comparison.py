"""Our time and POT's on the same problems, in turns."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import ours
import pot
from problem import Answer, Array, Problem
from threadpoolctl import threadpool_limits


@dataclass(frozen=True)
class Rule:
    """POT's stopping rule, for both sides."""

    tol_rel: float
    tol_abs: float

    def method(self) -> dict[str, object]:
        return {
            "stopping": "change",
            "tolerance": self.tol_rel,
            "absolute_tolerance": self.tol_abs,
            "ties": "share",
            "polish_sweeps": 0,
            "max_iterations": 10_000,
        }

    def solve_with_pot(self, problem: Problem) -> Answer:
        return pot.solve(problem, self.tol_rel, self.tol_abs, symmetric=True)


@dataclass(frozen=True)
class Steps:
    """A number of steps of mirror descent, for both sides."""

    epsilon: float
    iterations: int

    def method(self) -> dict[str, object]:
        return {
            "name": "mirror-descent",
            "epsilon": self.epsilon,
            "max_iterations": self.iterations,
            "tolerance": 0.0,
        }

    def solve_with_pot(self, problem: Problem) -> Answer:
        return pot.solve_entropic(problem, self.epsilon, self.iterations, symmetric=True)


@dataclass(frozen=True)
class Projected:
    """Projected mirror descent on the entropic problem to the end, for both sides; problems carry
    the entropy."""

    tolerance: float = 1e-9

    def method(self) -> dict[str, object]:
        return {"name": "mirror-descent", "tolerance": self.tolerance, "max_iterations": 1000}

    def solve_with_pot(self, problem: Problem) -> Answer:
        return pot.solve_scaled(problem, "PGD", problem.entropy, tol=self.tolerance)


@dataclass(frozen=True)
class Comparison:
    """Seconds for all problems together, and the value of each."""

    our_seconds: float
    pot_seconds: float
    our_values: Array
    pot_values: Array
    our_iterations: int
    pot_iterations: int

    @property
    def ratio(self) -> float:
        return self.pot_seconds / self.our_seconds

    @property
    def graphs_above(self) -> int:
        """On how many problems our value is above POT's, by more than 1e-6 of it."""
        return int(np.sum(self.our_values > self.pot_values * (1 + 1e-6)))

    def as_good(self, tolerance: float) -> bool:
        return bool(self.our_values.mean() <= self.pot_values.mean() * (1 + tolerance))


@dataclass(frozen=True)
class Round:
    seconds: float
    values: Array
    iterations: int


def our_round(problems: Sequence[Problem], rule: Rule | Steps | Projected, repeats: int) -> Round:
    """One thread; the median of `repeats` passes over all problems."""
    answers = ours.solve(problems, rule.method(), repeats)
    passes = np.sum([answer.seconds for answer in answers], axis=0)
    return Round(
        seconds=float(np.median(passes)),
        values=np.array([answer.value for answer in answers]),
        iterations=sum(answer.iterations for answer in answers),
    )


def pot_round(
    problems: Sequence[Problem], rule: Rule | Steps | Projected, threads: int | None
) -> Round:
    """`threads` of BLAS, None: all. POT is told that the matrices are symmetric, as ours knows."""
    with threadpool_limits(threads):
        answers = [rule.solve_with_pot(problem) for problem in problems]
    return Round(
        seconds=sum(answer.seconds[0] for answer in answers),
        values=np.array([answer.value for answer in answers]),
        iterations=sum(answer.iterations for answer in answers),
    )


def compare(
    problems: Sequence[Problem],
    rule: Rule | Steps | Projected,
    pot_threads: Sequence[int | None],
    rounds: int,
    repeats: int,
) -> Comparison:
    """Medians over rounds in which both take turns; POT with whichever of `pot_threads` is best."""
    our_rounds, pot_rounds = [], {threads: [] for threads in pot_threads}
    for _ in range(rounds):
        our_rounds.append(our_round(problems, rule, repeats))
        for threads in pot_threads:
            pot_rounds[threads].append(pot_round(problems, rule, threads))
    return Comparison(
        our_seconds=median_seconds(our_rounds),
        pot_seconds=min(median_seconds(group) for group in pot_rounds.values()),
        our_values=our_rounds[0].values,
        pot_values=pot_rounds[pot_threads[0]][0].values,
        our_iterations=our_rounds[0].iterations,
        pot_iterations=pot_rounds[pot_threads[0]][0].iterations,
    )


def median_seconds(rounds: Sequence[Round]) -> float:
    return statistics.median(one.seconds for one in rounds)


def compare_transport(cost: Array, a: Array, b: Array, rounds: int, repeats: int) -> Comparison:
    """Exact transport, one thread against one thread."""
    ours_seconds, pot_seconds = [], []
    for _ in range(rounds):
        mine = ours.transport([(cost, a, b)], repeats)[0]
        ours_seconds.append(statistics.median(mine.seconds))
        with threadpool_limits(1):
            other = pot.transport(cost, a, b)
        pot_seconds.append(other.seconds[0])
    return Comparison(
        our_seconds=statistics.median(ours_seconds),
        pot_seconds=statistics.median(pot_seconds),
        our_values=np.array([mine.value]),
        pot_values=np.array([other.value]),
        our_iterations=mine.iterations,
        pot_iterations=other.iterations,
    )
