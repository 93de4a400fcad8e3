"""Structures and node weights by their words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _arguments as arguments
from . import _srgw
from .graph import Graph

Array = NDArray[np.float64]
Source = tuple[_srgw.Structure, Array]

LARGEST_FORMED_KERNEL = 2000  # nodes; above it heat and stability are never formed
FIXED_WEIGHTS = ("modularity", "stability")

_PLAIN: dict[str, Callable[[_srgw.Graph], Source]] = {
    "adjacency": _srgw.adjacency,
    "modularity": _srgw.modularity_structure,
    "normalized-adjacency": _srgw.normalized_adjacency,
    "laplacian": _srgw.laplacian,
    "normalized-laplacian": _srgw.normalized_laplacian,
}
WORDS = (*_PLAIN, "heat:t", "stability:t", "shortest-path", "shortest-path:distance")


def split_word(word: str, name: str) -> tuple[str, float | None]:
    """`heat:5` as its word and its number."""
    kind, colon, number = word.partition(":")
    if not colon:
        return kind, None
    try:
        return kind, float(number)
    except ValueError:
        raise ValueError(f"{name} is {word!r}, expected a number after the colon") from None


def make_source(graph: Graph, structure: str, weights: Any, n_jobs: int | None) -> Source:
    """What a word makes of a graph: its structure and its node weights."""
    if not isinstance(structure, str):
        raise TypeError(f"structure is {structure!r}, expected one of {', '.join(WORDS)}")
    kind, number = split_word(structure, "structure")
    made, h = _transform(graph, structure, kind, number, arguments.threads(n_jobs))
    if weights is None:
        return made, h
    if kind in FIXED_WEIGHTS:
        if isinstance(weights, str) and weights == "degree":
            return made, h
        raise ValueError(f"weights with {kind}, which fixes its own: degree")
    return made, node_weights(graph, weights)


def node_weights(graph: Graph, weights: Any) -> Array:
    """A distribution over the nodes: `uniform`, `degree`, `power:b`, or one number for each."""
    if not isinstance(weights, str):
        return arguments.weights(weights, "weights", graph.n_nodes)[0]
    kind, number = split_word(weights, "weights")
    if weights == "uniform":
        return _srgw.uniform_weights(graph.n_nodes)
    if weights == "degree":
        return _srgw.degree_weights(graph._core)
    if kind == "power" and number is not None:
        return _srgw.power_weights(graph._core, number)
    raise ValueError(f"weights is {weights!r}, expected uniform, degree, power:b or an array")


def _transform(graph: Graph, word: str, kind: str, number: float | None, threads: int) -> Source:
    core = graph._core
    if kind in _PLAIN and number is None:
        return _PLAIN[kind](core)
    formed = graph.n_nodes <= LARGEST_FORMED_KERNEL
    if kind == "heat" and number is not None:
        if formed:
            return _srgw.heat_kernel(core, number, threads)
        return _srgw.implicit_heat_kernel(core, number, 1e-10, threads)
    if kind == "stability" and number is not None:
        if formed:
            return _srgw.stability(core, number, threads)
        return _srgw.implicit_stability(core, number, 1e-10)
    if kind == "shortest-path":
        return _srgw.shortest_path(core, number, threads)
    raise ValueError(f"structure is {word!r}, expected one of {', '.join(WORDS)}")
