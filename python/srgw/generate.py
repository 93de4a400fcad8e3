"""Random graphs with planted blocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _arguments as arguments
from . import _srgw
from .graph import Graph

__all__ = ["abcd", "challenge", "degree_corrected", "lfr", "planted", "stochastic_block_model"]

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
    core, blocks = _srgw.planted(
        n_nodes,
        n_blocks,
        arguments.number(mean_degree, "mean_degree"),
        arguments.number(inside, "inside"),
        seed,
    )
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
    counts = [arguments.positive_int(s, "sizes") for s in arguments.sequence(sizes, "sizes")]
    core, blocks = _srgw.stochastic_block_model(counts, matrix, directed, seed)
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
        arguments.number(mean_degree, "mean_degree"),
        arguments.number(inside, "inside"),
        arguments.number(exponent, "exponent"),
        arguments.number(largest_degree, "largest_degree"),
        seed,
    )
    return Graph._of(core), blocks


def lfr(
    n_nodes: int = 1000,
    *,
    mean_degree: float = 20.0,
    largest_degree: float = 50.0,
    mixing: float = 0.3,
    degree_exponent: float = 2.5,
    size_exponent: float = 1.5,
    smallest_size: int = 20,
    largest_size: int = 100,
    random_state: Any = 0,
) -> Drawn:
    """Benchmark of Lancichinetti, Fortunato and Radicchi (2008).

    Degrees and community sizes have power laws; each node has the same expected share of edges
    that leave its community.

    Parameters
    ----------
    mixing : float
        Expected share of a node's edges that leave its community.
    degree_exponent, size_exponent : float
        Exponents of the degrees (above 2) and of the community sizes (at least 1).
    smallest_size, largest_size : int
        Nodes of a community.

    Returns
    -------
    graph : Graph
    blocks : array, shape (n_nodes,)

    Examples
    --------
    >>> graph, blocks = lfr(500, mean_degree=10)
    >>> graph.n_nodes, int(np.bincount(blocks).min()) >= 20
    (500, True)
    """
    seed = arguments.seed(random_state)
    core, blocks = _srgw.lfr(
        n_nodes,
        arguments.number(mean_degree, "mean_degree"),
        arguments.number(largest_degree, "largest_degree"),
        arguments.number(mixing, "mixing"),
        arguments.number(degree_exponent, "degree_exponent"),
        arguments.number(size_exponent, "size_exponent"),
        smallest_size,
        largest_size,
        seed,
    )
    return Graph._of(core), blocks


def abcd(
    n_nodes: int = 1000,
    *,
    noise: float = 0.25,
    degree_exponent: float = 2.5,
    smallest_degree: int = 5,
    largest_degree: int = 30,
    size_exponent: float = 1.5,
    smallest_size: int = 20,
    largest_size: int = 250,
    random_state: Any = 0,
) -> Drawn:
    """Artificial Benchmark for Community Detection (Kaminski, Pralat and Theberge, 2021).

    Degrees and community sizes have discrete power laws. A share ``noise`` of the edge ends of
    each node is paired at random over the whole graph, the others inside the community.

    Parameters
    ----------
    noise : float
        xi of the paper, in [0, 1]. 0: all edges are inside communities.
    degree_exponent, smallest_degree, largest_degree : float, int, int
        Power law of the degrees.
    size_exponent, smallest_size, largest_size : float, int, int
        Power law of the community sizes.

    Returns
    -------
    graph : Graph
    blocks : array, shape (n_nodes,)

    Examples
    --------
    >>> graph, blocks = abcd(500, noise=0.1)
    >>> int(graph.degrees().min()), int(np.bincount(blocks).min()) >= 20
    (5, True)
    """
    seed = arguments.seed(random_state)
    core, blocks = _srgw.abcd(
        n_nodes,
        arguments.number(noise, "noise"),
        arguments.number(degree_exponent, "degree_exponent"),
        smallest_degree,
        largest_degree,
        arguments.number(size_exponent, "size_exponent"),
        smallest_size,
        largest_size,
        seed,
    )
    return Graph._of(core), blocks


def challenge(
    n_nodes: int = 1000,
    *,
    overlap: str = "low",
    size_variation: str = "low",
    random_state: Any = 0,
) -> Drawn:
    """Directed graph of the IEEE HPEC Graph Challenge (stochastic block partition).

    There are ``int(n_nodes**0.35)`` blocks; in- and out-degrees have a power law.

    Parameters
    ----------
    overlap : {'low', 'high'}
        5 or 2.5 edges within blocks for each edge between blocks.
    size_variation : {'low', 'high'}
        How much block sizes differ.

    Returns
    -------
    graph : Graph
    blocks : array, shape (n_nodes,)

    Examples
    --------
    >>> graph, blocks = challenge(500, overlap="high")
    >>> graph.directed, int(blocks.max()) + 1
    (True, 8)
    """
    seed = arguments.seed(random_state)
    core, blocks = _srgw.challenge(n_nodes, overlap, size_variation, seed)
    return Graph._of(core), blocks
