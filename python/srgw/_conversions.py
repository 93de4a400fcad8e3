"""Graphs of other libraries as :class:`srgw.Graph`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _arguments as arguments
from . import _srgw
from .graph import Graph, Names, read


def convert(graph: Any, directed: bool | None, weight: str | None) -> Graph:
    """Whatever :func:`srgw.as_graph` takes as a Graph."""
    if isinstance(graph, Graph):
        return graph
    if isinstance(graph, str | os.PathLike):
        return read(graph, directed=bool(directed))
    if arguments.is_sparse(graph):
        indptr, indices, data = arguments.csr_rows(graph, "graph")
        return Graph._of(_srgw.Graph.from_csr(indptr, indices, data, directed))
    if hasattr(graph, "edge_index"):
        return _from_edge_index(graph, directed)
    if hasattr(graph, "vcount") and hasattr(graph, "get_edgelist"):
        return _from_igraph(graph, directed, weight)
    if hasattr(graph, "is_directed") and hasattr(graph, "adj") and hasattr(graph, "nodes"):
        return _from_networkx(graph, directed, weight)
    if is_frame(graph):
        return _from_frame(graph, directed, weight)
    return _from_array(graph, directed)


def is_frame(value: Any) -> bool:
    """Whether this is a pandas DataFrame, without importing pandas."""
    return hasattr(value, "columns") and hasattr(value, "iloc")


def columns_of(made: Graph, names: Sequence[str], argument: str) -> NDArray[np.float64]:
    """Node attributes side by side, each a number or a list of numbers for each node."""
    missing = [name for name in names if name not in made.attributes]
    if missing:
        known = ", ".join(made.attributes) or "none"
        raise ValueError(f"{argument} names {missing[0]!r}, expected a node attribute: {known}")
    try:
        return np.column_stack([np.asarray(made.attributes[name], float) for name in names])
    except (TypeError, ValueError) as error:
        raise ValueError(f"{argument} {', '.join(names)}: {error}") from None


def from_edge_frame(
    edges: Any,
    source: str,
    target: str,
    weight: str | None,
    nodes: Any,
    directed: bool,
    duplicates: str,
) -> Graph:
    """A pandas table with a row for each edge."""
    for name in (source, target):
        if name not in edges.columns:
            known = ", ".join(map(str, edges.columns))
            raise ValueError(f"edges has no column {name!r}, expected one of: {known}")
    lists = [edges[source].tolist(), edges[target].tolist()]
    for name, ends in zip((source, target), lists, strict=True):
        for row, end in enumerate(ends):
            if _is_missing(end):
                raise ValueError(f"edges: row {row} has no {name}, expected the name of a node")
    names = list(dict.fromkeys(end for pair in zip(*lists, strict=True) for end in pair))
    attributes: dict[str, Any] = {}
    if nodes is not None:
        listed = nodes.index.tolist() if is_frame(nodes) else list(nodes)
        strangers = set(names).difference(listed)
        if strangers:
            raise ValueError(f"nodes does not have {next(iter(strangers))!r}, an end of an edge")
        names = listed
        if is_frame(nodes):
            attributes = {str(column): nodes[column].tolist() for column in nodes.columns}
    elif _are_indices(names):
        names = list(range(max(names, default=-1) + 1))
    number = {name: i for i, name in enumerate(names)}
    if len(number) < len(names):
        raise ValueError("nodes has a name twice, expected each node once")
    ends = np.array([[number[end] for end in column] for column in lists], np.int64)
    weights = None
    if weight is not None and weight in edges.columns:
        weights = _weights(edges[weight].tolist(), lambda row: f"edges: row {row}")
    made = Graph(
        len(names),
        ends.reshape(2, -1),
        weights,
        directed=directed,
        duplicates=duplicates,
        names=_unless_indices(names),
    )
    made.attributes.update(attributes)
    return made


def _are_indices(names: list[Any]) -> bool:
    """Whether names of nodes are numbers as in an edge index, not large identifiers."""
    most = max(10 * len(names), 1000)
    return all(isinstance(name, int) and 0 <= name < most for name in names)


def _from_frame(frame: Any, directed: bool | None, weight: str | None) -> Graph:
    """An edge list if it has the columns, an adjacency if rows and columns have the same names."""
    if {"source", "target"} <= set(frame.columns):
        return from_edge_frame(frame, "source", "target", weight, None, bool(directed), "refuse")
    names = frame.index.tolist()
    if names != frame.columns.tolist():
        raise ValueError(
            "graph is a table without the columns 'source' and 'target', and its rows are not "
            "named as its columns; expected an edge list (srgw.Graph.from_pandas) or an adjacency"
        )
    made = _from_array(frame.to_numpy(), directed)
    return Graph._of(made._core, _unless_indices(names))


def _from_array(value: Any, directed: bool | None) -> Graph:
    array = np.asarray(value)
    if array.dtype == object and array.ndim == 2:
        try:
            array = array.astype(float)
        except (TypeError, ValueError):
            pass
    if array.dtype == object or array.ndim != 2:
        raise TypeError(
            f"graph is {type(value).__name__} of shape {array.shape}, expected an adjacency "
            "matrix, a (2, E) edge index, a SciPy sparse matrix, a NetworkX or igraph graph, a PyG "
            "Data, a pandas table or a path"
        )
    if array.shape[0] != array.shape[1]:
        if array.shape[0] == 2 and array.dtype.kind in "iu":
            return Graph(int(array.max(initial=-1)) + 1, array, directed=bool(directed))
        raise ValueError(
            f"graph has shape {array.shape}, expected (n, n), or (2, E) of whole numbers"
        )
    matrix = arguments.as_float64(arguments.real_array(array, "graph", 2))
    rows, columns = np.nonzero(matrix)  # NaN counts as an entry, which the library refuses
    indptr = np.zeros(len(matrix) + 1, np.int64)
    np.cumsum(np.bincount(rows, minlength=len(matrix)), out=indptr[1:])
    values = matrix[rows, columns]
    data = None if bool((values == 1).all()) else values
    core = _srgw.Graph.from_csr(indptr, columns.astype(np.int32), data, directed)
    return Graph._of(core)


def _from_edge_index(data: Any, directed: bool | None) -> Graph:
    """PyG's Data and what looks like it: an undirected graph lists both directions."""
    ends = _numpy(data.edge_index)
    n_nodes = getattr(data, "num_nodes", None)
    features = getattr(data, "x", None)
    if features is not None:
        features = _numpy(features)
        n_nodes = n_nodes if n_nodes is not None else len(features)
    if n_nodes is None:
        n_nodes = int(ends.max(initial=-1)) + 1
    if directed is None:
        told = getattr(data, "is_directed", None)
        directed = bool(told()) if callable(told) else False
    weights = getattr(data, "edge_weight", None)
    names, labels = getattr(data, "names", None), getattr(data, "node_labels", None)
    made = Graph(
        int(n_nodes),
        ends,
        None if weights is None else _numpy(weights).reshape(-1),
        directed=directed,
        names=names if isinstance(names, list) else None,
        features=features,
        node_labels=None if labels is None else _numpy(labels),
    )
    made.attributes.update(_columns_of_data(data, made.n_nodes))
    return made


# Names in PyG's Data that are not attributes of nodes, or are read as something else.
_OF_DATA = frozenset(
    {"x", "edge_index", "edge_weight", "edge_attr", "num_nodes", "names", "node_labels", "y"}
    | {"batch", "ptr", "pos", "adj_t", "face"}
)


def _columns_of_data(data: Any, nodes: int) -> dict[str, list[Any]]:
    """Lists and vectors with an entry for each node."""
    parts = (
        data.to_dict()
        if callable(getattr(data, "to_dict", None))
        else getattr(data, "__dict__", {})
    )
    found: dict[str, list[Any]] = {}
    for key, values in parts.items():
        if key in _OF_DATA or not isinstance(key, str) or key.startswith("_"):
            continue
        if hasattr(values, "detach"):
            values = _numpy(values)
        if isinstance(values, np.ndarray) and values.ndim == 1:
            values = values.tolist()
        if isinstance(values, list) and len(values) == nodes:
            found[key] = values
    return found


def _from_networkx(graph: Any, directed: bool | None, weight: str | None) -> Graph:
    if directed and not graph.is_directed():
        graph = graph.to_directed(as_view=True)  # both arcs of each edge
    nodes = list(graph.nodes)
    number = {node: i for i, node in enumerate(nodes)}
    edges = list(graph.edges(data=weight, default=1)) if weight else list(graph.edges())
    ends = np.array([[number[e[0]] for e in edges], [number[e[1]] for e in edges]], np.int64)
    weights = None
    if weight:
        weights = _weights(
            [e[2] for e in edges], lambda at: f"graph: edge {edges[at][0]!r} - {edges[at][1]!r}"
        )
    if weights is not None and bool((weights == 1).all()) and not graph.is_multigraph():
        weights = None
    made = Graph(
        len(nodes),
        ends.reshape(2, -1),
        weights,
        directed=graph.is_directed() if directed is None else directed,
        duplicates="sum" if graph.is_multigraph() else "refuse",
        names=_unless_indices(nodes),
    )
    keys = {key for _, data in graph.nodes(data=True) for key in data}
    for key in sorted(keys, key=str):
        values = [data.get(key) for _, data in graph.nodes(data=True)]
        if all(value is not None for value in values):  # one with gaps is no column
            made.attributes[str(key)] = values
    return made


def _from_igraph(graph: Any, directed: bool | None, weight: str | None) -> Graph:
    ends = np.array(graph.get_edgelist(), np.int64).reshape(-1, 2).T
    weighted = weight is not None and weight in graph.es.attributes()
    attributes = {name: list(graph.vs[name]) for name in graph.vs.attributes()}
    names = attributes.pop("name", None)
    weights = None
    if weighted:
        weights = _weights(list(graph.es[weight]), lambda at: f"graph: edge {at}")
    if directed and not graph.is_directed():  # both arcs of each edge, one of a self-loop
        apart = ends[0] != ends[1]
        ends = np.concatenate([ends, ends[::-1, apart]], axis=1)
        weights = None if weights is None else np.concatenate([weights, weights[apart]])
    made = Graph(
        graph.vcount(),
        ends,
        weights,
        directed=graph.is_directed() if directed is None else directed,
        duplicates="sum",
        names=names,
    )
    for key, values in attributes.items():
        if all(value is not None for value in values):
            made.attributes[key] = values
    return made


def _weights(values: list[Any], place: Any) -> NDArray[np.float64]:
    """Weights of edges; an error names the place of what is no number."""
    try:
        return np.array(values, float)
    except (TypeError, ValueError):
        for at, value in enumerate(values):
            try:
                float(value)
            except (TypeError, ValueError):
                raise ValueError(
                    f"{place(at)} has the weight {value!r}, expected a number "
                    "(weight=None ignores weights)"
                ) from None
        raise


def _numpy(value: Any) -> NDArray[Any]:
    """An array; tensors that have gradients or are on another device are copied."""
    if hasattr(value, "detach"):
        value = value.detach().cpu()
    return np.asarray(value)


def _is_missing(value: Any) -> bool:
    return value is None or value != value  # NaN, also that of pandas


def _unless_indices(names: Iterable[Any]) -> Names | None:
    """None where the names of the nodes are their indices."""
    listed = list(names)
    return None if listed == list(range(len(listed))) else listed
