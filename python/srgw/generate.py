"""Random graphs with planted blocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _arguments as arguments
from . import _srgw
from .graph import Graph

__all__ = ["degree_corrected", "planted", "stochastic_block_model"]

Drawn = tuple[Graph, NDArray[np.uint32]]


def planted(
    n_nodes: int = 1000,
    n_blocks: int = 10,
    *,
    mean_degree: float = 20.0,
    inside: float = 0.8,
    random_state: Any = 0,
) -> Drawn:
    """Graph with blocks of nearly equal size and a given mean degree.

    The share ``inside`` of the edges is within blocks, in expectation.

    Returns
    -------
    graph : Graph
    blocks : array, shape (n_nodes,)

    Examples
    --------
    >>> graph, blocks = planted(100, 4, mean_degree=10)
    >>> graph.n_nodes, int(blocks.max())
    (100, 3)
    """
    seed = arguments.seed(random_state)
    core, blocks = _srgw.planted(n_nodes, n_blocks, float(mean_degree), float(inside), seed)
    return Graph._of(core), blocks


def stochastic_block_model(
    sizes: Sequence[int], probabilities: Any, *, directed: bool = False, random_state: Any = 0
) -> Drawn:
    """Independent edges whose probability depends on the blocks of their ends.

    Parameters
    ----------
    sizes : sequence of int
        Nodes in each block.
    probabilities : array-like, shape (blocks, blocks)

    Returns
    -------
    graph : Graph
    blocks : array, shape (sum of sizes,)

    Examples
    --------
    >>> graph, blocks = stochastic_block_model([3, 3], [[1.0, 0.0], [0.0, 1.0]])
    >>> graph.n_edges, blocks.tolist()
    (6, [0, 0, 0, 1, 1, 1])
    """
    matrix = arguments.as_float64(arguments.real_array(probabilities, "probabilities", 2))
    seed = arguments.seed(random_state)
    core, blocks = _srgw.stochastic_block_model([int(s) for s in sizes], matrix, directed, seed)
    return Graph._of(core), blocks


def degree_corrected(
    n_nodes: int = 1000,
    n_blocks: int = 10,
    *,
    mean_degree: float = 20.0,
    inside: float = 0.8,
    exponent: float = 2.5,
    largest_degree: float = 0.0,
    random_state: Any = 0,
) -> Drawn:
    """As :func:`planted`, with expected degrees from a power law.

    Parameters
    ----------
    exponent : float
        Exponent of the degree distribution, above 2.
    largest_degree : float
        Largest expected degree; 0: the root of ``n_nodes * mean_degree``.

    Returns
    -------
    graph : Graph
    blocks : array, shape (n_nodes,)

    Examples
    --------
    >>> graph, _ = degree_corrected(200, 2, mean_degree=8)
    >>> graph.directed
    False
    """
    seed = arguments.seed(random_state)
    core, blocks = _srgw.degree_corrected(
        n_nodes,
        n_blocks,
        float(mean_degree),
        float(inside),
        float(exponent),
        float(largest_degree),
        seed,
    )
    return Graph._of(core), blocks
