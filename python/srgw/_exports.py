"""Graphs and labels of nodes for other libraries, which are imported on use."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from .graph import Graph

FEATURES, LABELS = "features", "label"  # names of the node attributes that hold them


def edge_arrays(graph: Graph) -> tuple[NDArray[np.int64], NDArray[np.float64] | None]:
    """Ends of the edges, shape (2, E), each edge once, and their weights if there are some."""
    ends, weights = entry_arrays(graph)
    if not graph.directed:
        once = ends[0] <= ends[1]
        ends = ends[:, once]
        weights = None if weights is None else weights[once]
    return ends, weights


def entry_arrays(graph: Graph) -> tuple[NDArray[np.int64], NDArray[np.float64] | None]:
    """Rows and columns of all entries of the adjacency: undirected edges are in both directions."""
    indptr, indices, data = graph.csr()
    offsets = indptr.astype(np.int64)
    rows = np.repeat(np.arange(graph.n_nodes), offsets[1:] - offsets[:-1])
    return np.stack([rows, indices.astype(np.int64)]), None if data is None else np.array(data)


def node_names(graph: Graph, library: str) -> list[Any]:
    """Names of the nodes, each once."""
    if graph.names is None:
        return list(range(graph.n_nodes))
    names = list(graph.names)
    name, count = Counter(names).most_common(1)[0] if names else (None, 1)
    if count > 1:
        raise ValueError(f"names has {name!r} {count} times, {library} needs a name for each node")
    return names


def node_columns(graph: Graph) -> dict[str, list[Any]]:
    """Attributes of the nodes, with features and labels as two of them."""
    columns = {name: list(values) for name, values in graph.attributes.items()}
    if graph.features is not None:
        columns[FEATURES] = graph.features.tolist()
    if graph.node_labels is not None:
        columns[LABELS] = graph.node_labels.tolist()
    return columns


def to_networkx(graph: Graph) -> Any:
    """See :meth:`srgw.Graph.to_networkx`."""
    import networkx as nx

    names = node_names(graph, "NetworkX")
    made = nx.DiGraph() if graph.directed else nx.Graph()
    made.add_nodes_from(names)
    ends, weights = edge_arrays(graph)
    pairs = [(names[i], names[j]) for i, j in ends.T.tolist()]
    if weights is None:
        made.add_edges_from(pairs)
    else:
        triples = zip(pairs, weights.tolist(), strict=True)
        made.add_weighted_edges_from((a, b, weight) for (a, b), weight in triples)
    for key, values in node_columns(graph).items():
        nx.set_node_attributes(made, dict(zip(names, values, strict=True)), key)
    return made


def to_igraph(graph: Graph) -> Any:
    """See :meth:`srgw.Graph.to_igraph`."""
    import igraph

    ends, weights = edge_arrays(graph)
    made = igraph.Graph(n=graph.n_nodes, edges=ends.T.tolist(), directed=graph.directed)
    if graph.names is not None:
        made.vs["name"] = list(graph.names)
    for key, values in node_columns(graph).items():
        made.vs[key] = values
    if weights is not None:
        made.es["weight"] = weights.tolist()
    return made


def to_pyg(graph: Graph) -> Any:
    """See :meth:`srgw.Graph.to_pyg`."""
    import torch
    from torch_geometric.data import Data

    ends, weights = entry_arrays(graph)
    parts: dict[str, Any] = {"edge_index": torch.from_numpy(ends), "num_nodes": graph.n_nodes}
    if weights is not None:
        parts["edge_weight"] = torch.from_numpy(weights.astype(np.float32))
    if graph.features is not None:
        parts["x"] = torch.from_numpy(np.array(graph.features, np.float32))
    if graph.node_labels is not None:
        parts["node_labels"] = torch.from_numpy(np.array(graph.node_labels))
    if graph.names is not None:
        parts["names"] = list(graph.names)
    for name, values in graph.attributes.items():
        if name in parts or hasattr(Data, name):
            raise ValueError(
                f"the node attribute {name!r} has the name of something else in PyG's Data; "
                "rename it"
            )
        parts[name] = list(values)
    return Data(**parts)


def to_pandas(graph: Graph) -> Any:
    """See :meth:`srgw.Graph.to_pandas`."""
    import pandas as pd

    names = node_names(graph, "an edge list")
    ends, weights = edge_arrays(graph)
    columns: dict[str, Any] = {
        key: pd.Series([names[i] for i in side], dtype=None if graph.names is None else object)
        for key, side in zip(("source", "target"), ends.tolist(), strict=True)
    }
    if weights is not None:
        columns["weight"] = weights
    return pd.DataFrame(columns)


def nodes_to_pandas(graph: Graph) -> Any:
    """See :meth:`srgw.Graph.nodes_to_pandas`."""
    import pandas as pd

    index = pd.Index(node_names(graph, "pandas"), name="node", tupleize_cols=False)
    columns = node_columns(graph)
    return pd.DataFrame(columns, index=index)
