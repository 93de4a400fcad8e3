"""Structures and node weights by their names."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _arguments as arguments
from . import _srgw
from .graph import Graph

Array = NDArray[np.float64]
Source = tuple[_srgw.Structure, Array]


def make_source(graph: Graph, structure: str, weights: Any, n_jobs: int | None) -> Source:
    """The structure of a graph by its name, and the node weights."""
    if not isinstance(structure, str):
        raise TypeError(f"structure is {structure!r}, expected a name such as adjacency")
    made, h = _srgw.make_source(graph._core, structure, arguments.threads(n_jobs))
    if weights is None or (isinstance(weights, str) and weights == "auto"):
        return made, h
    if _srgw.fixes_weights(structure):
        if isinstance(weights, str) and weights == "degree":
            return made, h
        raise ValueError(f"weights with {structure}, which fixes its own: degree")
    return made, node_weights(graph, weights)


def node_weights(graph: Graph, weights: Any) -> Array:
    """A distribution over the nodes: `uniform`, `degree`, `power:b`, or one number for each."""
    if not isinstance(weights, str):
        return arguments.weights(weights, "weights", graph.n_nodes)[0]
    kind, _, number = weights.partition(":")
    if weights == "uniform":
        return _srgw.uniform_weights(graph.n_nodes)
    if weights == "degree":
        return _srgw.degree_weights(graph._core)
    try:
        if kind == "power":
            return _srgw.power_weights(graph._core, float(number))
    except ValueError:
        pass
    raise ValueError(f"weights is {weights!r}, expected uniform, degree, power:b or an array")
