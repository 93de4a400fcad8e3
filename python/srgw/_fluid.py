"""Asynchronous fluid communities: labels flow along edges, and crowded ones thin out."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def fluid_labels(
    affinity: NDArray[np.float64], clusters: int, seed: int, max_sweeps: int = 100
) -> NDArray[np.integer[Any]]:
    """One of so many labels for each node, every label in use.

    A label has density 1 / (its nodes). Nodes are visited in random order and take the label whose
    density, summed over the node and its neighbours, is largest; they keep their own when it is
    among the largest. Nodes that no label reaches get the smallest one.
    """
    rng = np.random.default_rng(seed)
    n = len(affinity)
    linked = (affinity != 0) | (affinity.T != 0)
    np.fill_diagonal(linked, True)  # a node counts for itself
    neighbours = [np.flatnonzero(row) for row in linked]
    labels = np.full(n, -1)
    labels[rng.choice(n, clusters, replace=False)] = np.arange(clusters)
    sizes = np.ones(clusters)
    for _ in range(max_sweeps):
        moved = False
        for node in rng.permutation(n):
            around = labels[neighbours[node]]
            around = around[around >= 0]
            own = labels[node]
            if not around.size or (own >= 0 and sizes[own] == 1):
                continue
            density = np.bincount(around, weights=1 / sizes[around], minlength=clusters)
            best = np.flatnonzero(density >= density.max() - 1e-4)
            if own in best:
                continue
            choice = int(rng.choice(best))
            if own >= 0:
                sizes[own] -= 1
            sizes[choice] += 1
            labels[node] = choice
            moved = True
        if not moved:
            break
    for node in np.flatnonzero(labels < 0):
        labels[node] = int(np.argmin(sizes))
        sizes[labels[node]] += 1
    return labels
