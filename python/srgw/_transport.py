"""Exact optimal transport between a few points, for the alignment of starting plans."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def transport(a: Array, b: Array, cost: Array) -> Array:
    """The cheapest plan with row sums a and column sums b.

    Successive shortest paths with potentials: each round finds the cheapest way in the residual
    graph from the rows that have mass left to a column that lacks some.
    """
    n, m = cost.shape
    plan = np.zeros((n, m))
    supply, demand = a.astype(float), b * (a.sum() / b.sum())
    tiny = 1e-15 * max(1.0, float(a.sum()))
    u, v = cost.min(axis=1), np.zeros(m)  # reduced costs cost - u - v are never negative
    while supply.max() > tiny and demand.max() > tiny:
        row_dist, column_dist, column_from, row_from, end = _shortest(
            cost - u[:, None] - v, plan, supply > tiny, demand > tiny
        )
        length = column_dist[end]
        u += np.maximum(length - row_dist, 0)
        v -= np.maximum(length - column_dist, 0)
        path, column = [], end
        while True:
            row = column_from[column]
            path.append((row, column))
            if row_from[row] < 0:
                break
            column = row_from[row]
        amount = min(supply[row], demand[end])
        back = [(path[k][0], path[k + 1][1]) for k in range(len(path) - 1)]
        amount = min([amount, *(plan[i, k] for i, k in back)])
        for i, k in path:
            plan[i, k] += amount
        for i, k in back:
            plan[i, k] = 0.0 if plan[i, k] - amount <= tiny else plan[i, k] - amount
        supply[row] -= amount
        demand[end] -= amount
    return plan


def _shortest(
    reduced: Array, plan: Array, from_rows: NDArray[np.bool_], to_columns: NDArray[np.bool_]
) -> tuple[Array, Array, NDArray[np.intp], NDArray[np.intp], int]:
    """Dijkstra: forward along any (row, column), back along those that carry mass."""
    n, m = reduced.shape
    row_dist, column_dist = np.where(from_rows, 0.0, np.inf), np.full(m, np.inf)
    column_from, row_from = np.full(m, -1), np.full(n, -1)
    row_done, column_done = np.zeros(n, bool), np.zeros(m, bool)
    while True:
        i = int(np.argmin(np.where(row_done, np.inf, row_dist)))
        k = int(np.argmin(np.where(column_done, np.inf, column_dist)))
        nearest_row = np.inf if row_done[i] else row_dist[i]
        if not column_done[k] and column_dist[k] <= nearest_row:
            if to_columns[k]:
                return row_dist, column_dist, column_from, row_from, k
            column_done[k] = True
            closer = (plan[:, k] > 0) & ~row_done & (column_dist[k] < row_dist)
            row_dist[closer], row_from[closer] = column_dist[k], k
        else:
            row_done[i] = True
            through = row_dist[i] + np.maximum(reduced[i], 0)
            closer = ~column_done & (through < column_dist)
            column_dist[closer], column_from[closer] = through[closer], i
