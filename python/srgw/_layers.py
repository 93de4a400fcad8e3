"""Several graphs on the same nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _arguments as arguments
from . import _srgw
from .graph import Graph, as_graph


@dataclass
class Layers:
    """Graphs with the same nodes in the same order, and what each counts."""

    cores: list[_srgw.Graph]
    weights: list[float]
    names: list[Any] | None

    def sum(self) -> Graph:
        """All edges, with weights times the weight of the layer over its sum of degrees."""
        return Graph._of(_srgw.sum_of_layers(self.cores, self.weights), self.names)


def are_layers(X: Any) -> bool:
    """Whether this is a list of graphs, and not the rows of a matrix."""
    if not isinstance(X, list | tuple) or not X:
        return False
    return all(_is_graph(item) for item in X)


def _is_graph(item: Any) -> bool:
    if isinstance(item, np.ndarray):
        return item.ndim == 2
    return not isinstance(item, list | tuple) and not np.isscalar(item)


def make_layers(X: Any, weights: Any) -> Layers:
    """The graphs of a list; nodes are matched by name, or by number where there are no names."""
    graphs = [as_graph(item) for item in X]
    if weights is None:
        numbers = [1.0] * len(graphs)
    else:
        numbers = arguments.as_float64(arguments.real_array(weights, "layer_weights", 1)).tolist()
    if len(numbers) != len(graphs):
        raise ValueError(
            f"layer_weights has {len(numbers)} numbers, expected {len(graphs)}, one for a graph"
        )
    for k, number in enumerate(numbers):
        if not 0 <= number < float("inf"):
            raise ValueError(f"layer_weights[{k}] is {number}, expected a number from 0")
    named = [graph.names is not None for graph in graphs]
    if not any(named):
        for k, graph in enumerate(graphs):
            if graph.n_nodes != graphs[0].n_nodes:
                raise ValueError(
                    f"X[0] has {graphs[0].n_nodes} nodes and X[{k}] has {graph.n_nodes}, and "
                    "neither names them; expected the same number, or graphs with names"
                )
        return Layers([graph._core for graph in graphs], numbers, None)
    if not all(named):
        without = named.index(False)
        raise ValueError(
            f"X[{without}] has no names of nodes, but X[{named.index(True)}] has; expected names "
            "in all graphs or in none"
        )
    lists = [list(graph.names or ()) for graph in graphs]
    names = list(dict.fromkeys(name for each in lists for name in each))
    place = {name: i for i, name in enumerate(names)}
    cores = []
    for graph, own in zip(graphs, lists, strict=True):
        cores.append(graph._core if own == names else _placed(graph, own, place))
    return Layers(cores, numbers, names)


def _placed(graph: Graph, own: list[Any], place: dict[Any, int]) -> _srgw.Graph:
    """The graph with its nodes at their places among all."""
    indptr, indices, data = graph.csr()
    at = np.array([place[name] for name in own], np.int64)
    offsets = np.asarray(indptr, np.int64)
    rows = np.repeat(np.arange(len(own)), offsets[1:] - offsets[:-1])
    columns = np.asarray(indices, np.int64)
    kept = np.ones(len(rows), bool) if graph.directed else rows <= columns
    ends = np.stack([at[rows[kept]], at[columns[kept]]])
    values = None if data is None else np.asarray(data)[kept]
    return Graph(len(place), ends, values, directed=graph.directed)._core
