"""Graphs: one class, and a function that makes one of whatever you hold."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _arguments as arguments
from . import _srgw

__all__ = ["Dataset", "Graph", "as_graph", "read", "read_dataset"]

Names = Sequence[Any]
Path = str | os.PathLike[str]


class Graph:
    """Nodes and weighted edges, with names, features and attributes of the nodes.

    A graph does not change. An undirected edge is stored in both rows, a self-loop once.

    Parameters
    ----------
    n_nodes : int
    edges : array-like of int, shape (2, E)
        Each edge once, in either direction if undirected; both directions with one weight are one
        edge, and so are repetitions without weights.
    weights : array-like, shape (E,), optional
        1 by default.
    directed : bool
    duplicates : {'refuse', 'sum', 'max', 'first'}
        How to combine repeated weighted edges.
    names : sequence, optional
        Names of the nodes; their indices by default.
    features : array-like, shape (n_nodes, d), optional

    Examples
    --------
    >>> graph = Graph(3, [[0, 1], [1, 2]])
    >>> graph
    Graph(n_nodes=3, n_edges=2)
    >>> graph.degrees().tolist()
    [1.0, 2.0, 1.0]
    """

    _core: _srgw.Graph
    names: Names | None
    features: NDArray[Any] | None
    attributes: dict[str, Any]

    def __init__(
        self,
        n_nodes: int,
        edges: Any,
        weights: Any = None,
        *,
        directed: bool = False,
        duplicates: str = "refuse",
        names: Names | None = None,
        features: Any = None,
    ) -> None:
        ends = _edge_ends(edges, n_nodes)
        values = None
        if weights is not None:
            values = arguments.as_float64(arguments.real_array(weights, "weights", 1))
            if len(values) != ends.shape[1]:
                raise ValueError(
                    f"weights has {len(values)} entries, expected {ends.shape[1]}, one for an edge"
                )
        core = _srgw.Graph.from_edges(n_nodes, ends[0], ends[1], values, directed, duplicates)
        self._set(core, names, features, {})

    @classmethod
    def _of(
        cls,
        core: _srgw.Graph,
        names: Names | None = None,
        features: Any = None,
        attributes: Mapping[str, Any] | None = None,
    ) -> Graph:
        graph = cls.__new__(cls)
        graph._set(core, names, features, dict(attributes or {}))
        return graph

    def _set(
        self, core: _srgw.Graph, names: Names | None, features: Any, attributes: dict[str, Any]
    ) -> None:
        if names is not None and len(names) != core.nodes:
            raise ValueError(f"names has {len(names)} entries, expected {core.nodes}")
        if features is not None:
            features = np.array(arguments.real_array(features, "features", 2))
            if features.shape[0] != core.nodes:
                raise ValueError(f"features has {features.shape[0]} rows, expected {core.nodes}")
        self._core = core
        self.names = names
        self.features = features
        self.attributes = attributes

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return self._core.nodes

    @property
    def n_edges(self) -> int:
        """Number of edges; a self-loop counts once."""
        return self._core.edges

    @property
    def directed(self) -> bool:
        """Whether edges have a direction."""
        return self._core.directed

    @property
    def weighted(self) -> bool:
        """Whether some edge has a weight other than 1."""
        return self._core.weighted

    @property
    def shape(self) -> tuple[int, int]:
        """Shape of the adjacency matrix."""
        return self.n_nodes, self.n_nodes

    def __len__(self) -> int:
        return self.n_nodes

    def __repr__(self) -> str:
        words = [f"n_nodes={self.n_nodes}", f"n_edges={self.n_edges}"]
        words += ["directed=True"] if self.directed else []
        words += ["weighted=True"] if self.weighted else []
        words += [f"features={self.features.shape[1]}"] if self.features is not None else []
        return f"Graph({', '.join(words)})"

    def __reduce__(self) -> Any:
        indptr, indices, data = self._core.csr()
        rows = np.array(indptr), np.array(indices), None if data is None else np.array(data)
        return _rebuild, (*rows, self.directed, self.names, self.features, self.attributes)

    def csr(self) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any] | None]:
        """Rows of the adjacency as (indptr, indices, data); data None stands for ones.

        The arrays are read-only views of the memory of the graph.
        """
        return self._core.csr()

    def degrees(self) -> NDArray[np.float64]:
        """Sums of the weights of each node's edges, shape (n_nodes,); self-loops count twice."""
        return self._core.degrees()

    def undirected(self) -> Graph:
        """The undirected graph; of two weights the larger is kept."""
        core = self._core.undirected()
        return Graph._of(core, self.names, self.features, self.attributes)

    def to_scipy(self) -> Any:
        """The adjacency as a ``scipy.sparse.csr_array``, shape (n_nodes, n_nodes)."""
        from scipy.sparse import csr_array

        indptr, indices, data = self._core.csr()
        values = np.ones(len(indices)) if data is None else np.array(data)
        signed = indptr.astype(np.int32 if indptr[-1] < 2**31 else np.int64)
        return csr_array((values, indices.astype(np.int32), signed), shape=self.shape)

    def to_numpy(self) -> NDArray[np.float64]:
        """The adjacency as an array, shape (n_nodes, n_nodes)."""
        indptr, indices, data = self._core.csr()
        matrix = np.zeros(self.shape)
        rows = np.repeat(np.arange(self.n_nodes), np.diff(indptr.astype(np.int64)))
        matrix[rows, indices] = 1.0 if data is None else data
        return matrix

    def write(self, path: Path, format: str | None = None) -> None:
        """Writes a file; the format is that of the file extension, see docs/formats.md."""
        texts = {name: _plain(values) for name, values in self.attributes.items()}
        _srgw.write_graph(self._core, _plain(self.names), texts, os.fspath(path), format)


def _rebuild(
    indptr: Any,
    indices: Any,
    data: Any,
    directed: bool,
    names: Names | None,
    features: Any,
    attributes: dict[str, Any],
) -> Graph:
    offsets = indptr.view(np.int32 if indptr.dtype.itemsize == 4 else np.int64)
    core = _srgw.Graph.from_csr(offsets, indices.view(np.int32), data, directed)
    return Graph._of(core, names, features, attributes)


@dataclass
class Dataset:
    """Many graphs with their labels; lists are empty if there are none.

    ``labels`` are the classes of the graphs, and ``classes`` their names if the file has names.
    Iterating and indexing give the graphs.
    """

    name: str
    graphs: list[Graph] = field(repr=False)
    names: list[str] = field(default_factory=list, repr=False)
    labels: NDArray[np.int64] | None = field(default=None, repr=False)
    node_labels: list[NDArray[np.int64]] = field(default_factory=list, repr=False)
    classes: list[str] = field(default_factory=list, repr=False)

    def __len__(self) -> int:
        return len(self.graphs)

    def __getitem__(self, number: int) -> Graph:
        return self.graphs[number]

    def __iter__(self) -> Iterator[Graph]:
        return iter(self.graphs)


def read(
    path: Path,
    *,
    format: str | None = None,
    directed: bool = False,
    symmetrize: bool = False,
    duplicates: str = "refuse",
    n_nodes: int | None = None,
    index_base: int = 0,
    weight_attribute: str | None = None,
    n_jobs: int | None = None,
    time_limit: float | None = None,
) -> Graph:
    """Reads a graph from a file.

    Parameters
    ----------
    path : str or path
        Edge list, Matrix Market, METIS, GraphML, GML, ``.npy`` or ``.npz``, each also ``.gz``.
    format : str, optional
        Default: from the file extension.
    directed : bool
        Whether the lines of an edge list are directed edges; a matrix is directed if it is not
        symmetric.
    symmetrize : bool
        Makes a directed graph undirected; of two weights the larger is kept.
    duplicates : {'refuse', 'sum', 'max', 'first'}
        How to combine repeated weighted edges.
    n_nodes : int, optional
        Number of nodes; node names are then the indices from ``index_base`` on.
    index_base : {0, 1}
        The first index.
    weight_attribute : str, optional
        Edge attribute or column with the weights; ``weight`` by default.
    n_jobs : int, optional
    time_limit : float, optional
        Seconds, after which ``TimeoutError`` is raised.

    Returns
    -------
    Graph
        With the names and attributes of its nodes.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "path.txt")
    ...     _ = file.write_text("anna bert\\nbert carl\\n")
    ...     graph = read(file)
    >>> graph, list(graph.names)
    (Graph(n_nodes=3, n_edges=2), ['anna', 'bert', 'carl'])
    """
    with _srgw.TimeLimit(time_limit):
        core, names, node_attributes, _ = _srgw.read_graph(
            os.fspath(path),
            format,
            directed,
            symmetrize,
            duplicates,
            n_nodes,
            index_base,
            weight_attribute,
            arguments.threads(n_jobs),
        )
    return Graph._of(core, names, None, node_attributes)


def read_dataset(path: Path, *, time_limit: float | None = None) -> Dataset:
    """Reads many graphs: a TUDataset folder, a folder of graph files, or a packed ``.npz``.

    Parameters
    ----------
    path : str or path
    time_limit : float, optional
        Seconds, after which ``TimeoutError`` is raised.

    Returns
    -------
    Dataset
        Graphs with their features, names and classes, and node labels.
    """
    with _srgw.TimeLimit(time_limit):
        found = _srgw.read_dataset(os.fspath(path))
    features = found["node_features"] or [None] * len(found["graphs"])
    graphs = [Graph._of(g, None, x) for g, x in zip(found["graphs"], features, strict=True)]
    lists = (found[key] for key in ("names", "labels", "node_labels", "classes"))
    return Dataset(found["name"], graphs, *lists)


def as_graph(
    graph: Any,
    *,
    directed: bool | None = None,
    weight: str | None = "weight",
    features: Any = None,
) -> Graph:
    """Converts an array, a matrix, a graph of another library or a file to a :class:`Graph`.

    Parameters
    ----------
    graph : object
        * :class:`Graph`: returned as it is,
        * array of shape (n, n): adjacency, entries are weights,
        * SciPy sparse matrix or array: the same; stored zeros are no edges,
        * array of int of shape (2, E): ends of the edges (a 2 x 2 array is an adjacency),
        * NetworkX or igraph graph: with names, weights and attributes,
        * PyG ``Data`` or anything with an ``edge_index``: with ``edge_weight`` and ``x``,
        * path of a file: see :func:`read`.
    directed : bool, optional
        Whether edges have a direction. Default: as the object; a matrix is directed if it is not
        symmetric, an edge index is undirected.
    weight : str, optional
        Attribute of NetworkX and igraph edges; None for no weights.
    features : array-like of shape (n, d), or names of node attributes, optional

    Returns
    -------
    Graph

    Examples
    --------
    >>> import numpy as np
    >>> as_graph(np.array([[0, 1], [1, 0]]))
    Graph(n_nodes=2, n_edges=1)
    >>> as_graph(np.array([[0, 1, 2], [1, 2, 3]]))
    Graph(n_nodes=4, n_edges=3)
    """
    made = _converted(graph, directed, weight)
    if features is None:
        return made
    if isinstance(features, str) or (
        isinstance(features, Sequence) and features and isinstance(features[0], str)
    ):
        names = [features] if isinstance(features, str) else list(features)
        missing = [name for name in names if name not in made.attributes]
        if missing:
            known = ", ".join(made.attributes) or "none"
            raise ValueError(f"features names {missing[0]!r}, expected a node attribute: {known}")
        features = np.column_stack([np.asarray(made.attributes[n], float) for n in names])
    return Graph._of(made._core, made.names, features, made.attributes)


def _converted(graph: Any, directed: bool | None, weight: str | None) -> Graph:
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
    return _from_array(graph, directed)


def _from_array(value: Any, directed: bool | None) -> Graph:
    array = np.asarray(value)
    if array.dtype == object or array.ndim != 2:
        raise TypeError(
            f"graph is {type(value).__name__} of shape {array.shape}, expected an adjacency "
            "matrix, a (2, E) edge index, a SciPy sparse matrix, a NetworkX or igraph graph, a PyG "
            "Data or a path"
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
    ends = np.asarray(data.edge_index)
    n_nodes = getattr(data, "num_nodes", None)
    features = getattr(data, "x", None)
    if features is not None:
        features = np.asarray(features)
        n_nodes = n_nodes if n_nodes is not None else len(features)
    if n_nodes is None:
        n_nodes = int(ends.max(initial=-1)) + 1
    if directed is None:
        told = getattr(data, "is_directed", None)
        directed = bool(told()) if callable(told) else False
    weights = getattr(data, "edge_weight", None)
    return Graph(
        int(n_nodes),
        ends,
        None if weights is None else np.asarray(weights).reshape(-1),
        directed=directed,
        features=features,
    )


def _from_networkx(graph: Any, directed: bool | None, weight: str | None) -> Graph:
    nodes = list(graph.nodes)
    number = {node: i for i, node in enumerate(nodes)}
    edges = list(graph.edges(data=weight, default=1)) if weight else list(graph.edges())
    ends = np.array([[number[e[0]] for e in edges], [number[e[1]] for e in edges]], np.int64)
    weights = np.array([e[2] for e in edges], float) if weight else None
    if weights is not None and bool((weights == 1).all()) and not graph.is_multigraph():
        weights = None
    made = Graph(
        len(nodes),
        ends.reshape(2, -1),
        weights,
        directed=graph.is_directed() if directed is None else directed,
        duplicates="sum" if graph.is_multigraph() else "refuse",
        names=None if nodes == list(range(len(nodes))) else nodes,
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
    made = Graph(
        graph.vcount(),
        ends,
        np.array(graph.es[weight], float) if weighted else None,
        directed=graph.is_directed() if directed is None else directed,
        duplicates="sum",
        names=names,
    )
    made.attributes.update({k: v for k, v in attributes.items() if None not in v})
    return made


def _edge_ends(edges: Any, n_nodes: int) -> NDArray[np.uint32]:
    """The (2, E) array that the library takes."""
    ends = np.asarray(edges)
    if ends.size == 0:
        ends = np.zeros((2, 0), np.int64)
    if ends.ndim != 2 or ends.shape[0] != 2:
        raise ValueError(f"edges has shape {ends.shape}, expected (2, E)")
    if ends.dtype.kind not in "iu":
        raise TypeError(f"edges has dtype {ends.dtype}, expected whole numbers")
    if ends.size and (ends.min() < 0 or ends.max() >= n_nodes):
        raise ValueError(
            f"edges has ends from {ends.min()} to {ends.max()}, expected 0 to {n_nodes - 1}"
        )
    return np.ascontiguousarray(ends, dtype=np.uint32)


def _plain(values: Any) -> Any:
    """Names and attributes as the library writes them: numbers, or else texts."""
    if values is None:
        return None
    values = values.tolist() if isinstance(values, np.ndarray) else list(values)
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
        return values
    return [str(value) for value in values]
