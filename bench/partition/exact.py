"""The largest modularity of a small graph, proven: the clique-partition integer program.

x_ij = 1 where nodes i and j are in one cluster. Maximise the sum over pairs of
(a_ij - k_i k_j / 2m) x_ij / m, subject to x_ij + x_jk - x_ik <= 1 for all triples (Groetschel and
Wakabayashi 1989). Triples are added as they are violated: first to the linear program, then, if
its solution is fractional, to the integer program, both solved by HiGHS.
"""

import time
from dataclasses import dataclass

import numpy as np
import scipy.sparse
from graphs import Graph, Labels, without_loops
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse.csgraph import connected_components

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]

CUTS = 4000  # triples added in a round
LEAST_VIOLATION = 1e-4


@dataclass(frozen=True)
class Optimum:
    labels: Labels
    modularity: float
    seconds: float


def least_step(edges: int) -> float:
    """Modularities of two partitions differ by a multiple of this: 2 m^2 times them is whole."""
    return 1 / (2 * edges**2)


def gains(graph: Graph) -> Floats:
    """The modularity that each pair in one cluster adds, n x n without the diagonal."""
    edges = without_loops(graph.edges)
    adjacency = np.zeros((graph.nodes, graph.nodes))
    adjacency[edges[:, 0], edges[:, 1]] = 1
    adjacency = np.maximum(adjacency, adjacency.T)
    degrees = adjacency.sum(axis=1)
    total = degrees.sum()
    return 2 * (adjacency - np.outer(degrees, degrees) / total) / total


def diagonal(graph: Graph) -> float:
    """The part of modularity that no partition changes."""
    degrees = np.bincount(without_loops(graph.edges).ravel(), minlength=graph.nodes)
    return -float(np.sum((degrees / degrees.sum()) ** 2))


def violated(square: Floats) -> Indices:
    """Triples (i, j, k) with x_ij + x_jk - x_ik > 1, the most violated ones first."""
    found = []
    for j in range(len(square)):
        excess = square[:, j, None] + square[None, j, :] - square - 1
        excess[j, :] = excess[:, j] = 0
        np.fill_diagonal(excess, 0)
        ends = np.argwhere(np.triu(excess) > LEAST_VIOLATION)
        if len(ends) > 0:
            middle = np.full(len(ends), j)
            size = excess[ends[:, 0], ends[:, 1]]
            found.append(np.column_stack([ends[:, 0], middle, ends[:, 1], size]))
    if not found:
        return np.zeros((0, 3), dtype=np.int64)
    rows = np.concatenate(found)
    order = np.argsort(-rows[:, 3], kind="stable")[:CUTS]
    return rows[order, :3].astype(np.int64)


class Program:
    """The program with the triples that were added so far."""

    def __init__(self, gain: Floats, gap: float) -> None:
        """`gap`: an upper bound that is nearer than this to a value proves it."""
        self.gap = gap
        self.nodes = len(gain)
        self.first, self.second = np.triu_indices(self.nodes, 1)
        self.gain = gain[self.first, self.second]
        self.number = np.zeros((self.nodes, self.nodes), dtype=np.int64)
        self.number[self.first, self.second] = np.arange(len(self.gain))
        self.number = np.maximum(self.number, self.number.T)
        self.triples = np.zeros((0, 3), dtype=np.int64)

    def solve(self, whole: bool, seconds: float) -> tuple[Floats | None, float]:
        """Values of the pairs, as a square, and an upper bound of the gain."""
        constraints = []
        if len(self.triples) > 0:
            i, j, k = self.triples.T
            rows = np.tile(np.arange(len(i)), 3)
            columns = np.concatenate([self.number[i, j], self.number[j, k], self.number[i, k]])
            values = np.repeat([1.0, 1.0, -1.0], len(i))
            shape = (len(i), len(self.gain))
            matrix = scipy.sparse.csr_array((values, (rows, columns)), shape=shape)
            constraints = [LinearConstraint(matrix, -np.inf, 1)]
        found = milp(
            -self.gain,
            integrality=np.full(len(self.gain), int(whole)),
            bounds=Bounds(0, 1),
            constraints=constraints,
            options={"time_limit": seconds, "mip_rel_gap": 0.4 * self.gap},  # values are below 1
        )
        if found.x is None:
            return None, np.inf
        bound = -found.mip_dual_bound if whole else -found.fun
        square = np.zeros((self.nodes, self.nodes))
        square[self.first, self.second] = square[self.second, self.first] = found.x
        return square, bound

    def tighten(self, square: Floats) -> bool:
        """Adds violated triples; false where there are none."""
        more = violated(square)
        self.triples = np.concatenate([self.triples, more])
        return len(more) > 0


def partition_of(square: Floats) -> Labels:
    """Components of the pairs that are joined."""
    return connected_components(square > 0.5, directed=False)[1].astype(np.int64)


def solve(graph: Graph, seconds: float) -> Optimum | None:
    """None where the time was not enough for a proof."""
    begin = time.perf_counter()
    gain = gains(graph)
    fixed = diagonal(graph)
    program = Program(gain, least_step(len(without_loops(graph.edges))))
    whole = False
    while (left := seconds - (time.perf_counter() - begin)) > 0:
        square, bound = program.solve(whole, left)
        if square is None:
            return None
        labels = partition_of(square)
        same = labels[:, None] == labels[None, :]
        inside = float(gain[same].sum() - np.trace(gain)) / 2
        if bound - inside < 0.9 * program.gap:
            return Optimum(labels, inside + fixed, time.perf_counter() - begin)
        if not program.tighten(square):
            if whole:
                return None  # stopped before the proof
            whole = True
    return None
