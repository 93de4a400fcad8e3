"""Constraints: what they cost where nothing is forbidden, and partial problems against POT."""

import time
import warnings

import numpy as np
import ot
import srgw
from common import Table


def overhead(rounds: int) -> list[str]:
    """Processor times of the same solve without and with an empty list, in turns."""
    table = Table(["nodes", "target nodes", "plain", "forbidden=[]", "overhead"])
    for nodes, columns in ((500, 20), (2000, 30), (4000, 10)):
        graph, _ = srgw.generate.planted(nodes, 8, mean_degree=20, random_state=1)
        C = graph.to_scipy().astype(float)
        target = srgw.generate.planted(columns, 2, mean_degree=4, random_state=2)[0].to_numpy()
        times: list[list[float]] = [[], []]
        for turn in range(2 * rounds):
            extra = {} if turn % 2 == 0 else {"forbidden": []}
            begin = time.process_time()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                srgw.semirelaxed_gromov_wasserstein(C, target, n_jobs=1, **extra)
            times[turn % 2].append(time.process_time() - begin)
        plain, empty = (float(np.median(own)) for own in times)
        table.add(nodes, columns, f"{plain:.5f} s", f"{empty:.5f} s", f"{empty / plain - 1:+.1%}")
    return table.lines()


def partial(problems: int) -> list[str]:
    """Random problems, from POT's start."""
    lower = equal = above = 0
    worst_mass = worst = 0.0
    seconds = np.zeros(2)
    for seed in range(problems):
        random = np.random.default_rng(seed)
        n, m = random.integers(5, 25, 2)
        points = random.random((n, 2)), random.random((m, 2))
        C, D = (ot.dist(x, x, "euclidean") for x in points)
        p, q = ot.unif(n), ot.unif(m)
        mass = float(random.uniform(0.2, 1))
        start = np.outer(p, q) * mass
        begin = time.perf_counter()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            T = srgw.partial_gromov_wasserstein(C, D, p, q, m=mass, G0=start.copy())
            middle = time.perf_counter()
            U = ot.gromov.partial_gromov_wasserstein(C, D, p, q, m=mass, G0=start.copy())
        seconds += [middle - begin, time.perf_counter() - middle]

        def value(plan: np.ndarray, C: np.ndarray = C, D: np.ndarray = D) -> float:
            a, b = plan.sum(axis=1), plan.sum(axis=0)
            return float(a @ C**2 @ a + b @ D**2 @ b - 2 * np.sum((C @ plan @ D) * plan))

        ours, theirs = value(T), value(U)
        worst_mass = max(worst_mass, abs(T.sum() - mass))
        worst = max(worst, ours - theirs)
        if abs(ours - theirs) <= 1e-9 * max(1e-6, abs(theirs)):
            equal += 1
        elif ours < theirs:
            lower += 1
        else:
            above += 1
    table = Table(
        ["problems", "lower than POT", "equal", "above", "largest excess", "error of the mass",
         "seconds", "seconds POT"]
    )  # fmt: skip
    table.add(
        problems, lower, equal, above, f"{worst:.2g}", f"{worst_mass:.1e}", f"{seconds[0]:.2f}",
        f"{seconds[1]:.2f}",
    )  # fmt: skip
    return table.lines()
