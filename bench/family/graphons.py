"""Graphons: the error of the estimate of a single graph, against POT's barycenter.

The thirteen functions are those of Xu et al., "Learning Graphons via Structured Gromov-Wasserstein
Barycenters" (AAAI 2021), table 1, in the order of that paper. The baseline is the dense procedure
with POT: `semirelaxed_gromov_barycenters` of the adjacency with as many nodes as we have steps,
from the better of two starts of the structure. Errors are Gromov-Wasserstein distances between the
step function and the function on a grid.
"""

import time
import warnings

import numpy as np
import ot
import srgw
from common import Table

GRAPHONS = {
    "xy": lambda x, y: x * y,
    "exp(-(x^0.7 + y^0.7))": lambda x, y: np.exp(-(x**0.7 + y**0.7)),
    "(x² + y² + √x + √y)/4": lambda x, y: (x**2 + y**2 + np.sqrt(x) + np.sqrt(y)) / 4,
    "(x + y)/2": lambda x, y: (x + y) / 2,
    "1/(1 + exp(-2(x² + y²)))": lambda x, y: 1 / (1 + np.exp(-2 * (x**2 + y**2))),
    "1/(1 + exp(-max² - min⁴))": lambda x, y: (
        1 / (1 + np.exp(-(np.maximum(x, y) ** 2 + np.minimum(x, y) ** 4)))
    ),
    "exp(-max^0.75)": lambda x, y: np.exp(-(np.maximum(x, y) ** 0.75)),
    "exp(-(min + √x + √y)/2)": lambda x, y: np.exp(-0.5 * (np.minimum(x, y) + x**0.5 + y**0.5)),
    "log(1 + max)": lambda x, y: np.log1p(np.maximum(x, y)),
    "|x - y|": lambda x, y: np.abs(x - y),
    "1 - |x - y|": lambda x, y: 1 - np.abs(x - y),
    "0.8 (x, y on one side)": lambda x, y: 0.8 * ((x < 0.5) == (y < 0.5)),
    "0.8 (x, y on two sides)": lambda x, y: 0.8 * ((x < 0.5) != (y < 0.5)),
}
GRID = 60


def draw(W: object, nodes: int, seed: int) -> np.ndarray:
    random = np.random.default_rng(seed)
    x = random.random(nodes)
    upper = np.triu(random.random((nodes, nodes)) < W(x[:, None], x[None]), 1)
    return (upper | upper.T).astype(float)


def error(values: np.ndarray, widths: np.ndarray, W: object) -> float:
    """The distance to the function on a grid: the best of transports in several orders."""
    places = (np.arange(GRID) + 0.5) / GRID
    truth = W(places[:, None], places[None])
    uniform = np.full(GRID, 1 / GRID)
    starts = [None]
    for own in (values @ widths, values[0], values[:, widths.argmax()]):
        for theirs in (truth.mean(axis=1), truth[0], truth[:, GRID // 2]):
            for sign in (1, -1):
                starts.append(ot.emd_1d(own, sign * theirs, widths / widths.sum(), uniform))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = [
            srgw.gromov_wasserstein2(values, truth, widths / widths.sum(), uniform, G0=G0)
            for G0 in starts
        ]
    return float(np.sqrt(max(min(found), 0)))


def by_pot(A: np.ndarray, steps: int) -> tuple[np.ndarray, np.ndarray]:
    p = np.full(len(A), 1 / len(A))
    best, least = (np.zeros((1, 1)), np.ones(1)), np.inf
    order = np.argsort(-A.sum(axis=0), kind="stable")
    runs = np.array_split(order, steps)
    by_degree = np.array([[A[np.ix_(a, b)].mean() for b in runs] for a in runs])
    for init in (by_degree, None):
        B, log = ot.gromov.semirelaxed_gromov_barycenters(
            steps, [A], [p], [1.0], init_C=init, max_iter=100, log=True, random_state=0
        )
        value = float(log["loss"][-1]) if "loss" in log else 0.0
        if value < least:
            T = log["T"][0] if isinstance(log["T"], list) else log["T"]
            best, least = (B, T.sum(axis=0)), value
    B, q = best
    used = q > 0
    return B[np.ix_(used, used)], q[used]


def run(sizes: list[int], draws: int) -> list[str]:
    table = Table(["graphon", "nodes", "error", "seconds", "error POT", "seconds POT", "faster"])
    for name, W in GRAPHONS.items():
        for nodes in sizes:
            steps = int(np.ceil(np.sqrt(nodes) / 2))
            ours, theirs, seconds = [], [], np.zeros(2)
            for seed in range(draws):
                A = draw(W, nodes, seed)
                begin = time.perf_counter()
                model = srgw.Graphon(steps, random_state=seed).fit([A])
                middle = time.perf_counter()
                B, q = by_pot(A, steps)
                seconds += [middle - begin, time.perf_counter() - middle]
                ours.append(error(model.values_, model.widths_, W))
                theirs.append(error(B, q, W))
            seconds /= draws
            table.add(
                name, nodes, f"{np.mean(ours):.4f}", f"{seconds[0]:.3f}",
                f"{np.mean(theirs):.4f}", f"{seconds[1]:.2f}", f"{seconds[1] / seconds[0]:.0f}x",
            )  # fmt: skip
    return table.lines()
