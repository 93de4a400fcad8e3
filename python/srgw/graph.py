"""Graphs: one class, and a function that makes one of whatever you hold."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _arguments as arguments
from . import _srgw

__all__ = ["Graph", "as_graph", "read"]

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
    node_labels : array-like of int, shape (n_nodes,), optional
        Kinds of the nodes, such as the atoms of a molecule.

    Examples
    --------
    >>> graph = Graph(3, [[0, 1], [1, 2]])
    >>> graph
    Graph(n_nodes=3, n_edges=2)
    >>> graph.degrees().tolist()
    [1.0, 2.0, 1.0]
    """

    __networkx_backend__ = "srgw"  # NetworkX calls srgw.networkx_backend with a Graph

    _core: _srgw.Graph
    names: Names | None
    features: NDArray[Any] | None
    node_labels: NDArray[np.int64] | None
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
        node_labels: Any = None,
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
        self._set(core, names, features, {}, node_labels)

    @classmethod
    def _of(
        cls,
        core: _srgw.Graph,
        names: Names | None = None,
        features: Any = None,
        attributes: Mapping[str, Any] | None = None,
        node_labels: Any = None,
    ) -> Graph:
        graph = cls.__new__(cls)
        graph._set(core, names, features, dict(attributes or {}), node_labels)
        return graph

    def _set(
        self,
        core: _srgw.Graph,
        names: Names | None,
        features: Any,
        attributes: dict[str, Any],
        node_labels: Any,
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
        self.node_labels = _whole_numbers(node_labels, core.nodes)
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

    def is_directed(self) -> bool:
        """As ``directed``, for NetworkX."""
        return self._core.directed

    def is_multigraph(self) -> bool:
        """False, for NetworkX."""
        return False

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
        words += ["node_labels=True"] if self.node_labels is not None else []
        return f"Graph({', '.join(words)})"

    def __reduce__(self) -> Any:
        indptr, indices, data = self._core.csr()
        rows = np.array(indptr), np.array(indices), None if data is None else np.array(data)
        nodes = self.names, self.features, self.attributes, self.node_labels
        return _rebuild, (*rows, self.directed, *nodes)

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
        return Graph._of(core, self.names, self.features, self.attributes, self.node_labels)

    @classmethod
    def from_pandas(
        cls,
        edges: Any,
        source: str = "source",
        target: str = "target",
        weight: str | None = "weight",
        *,
        nodes: Any = None,
        directed: bool = False,
        duplicates: str = "refuse",
    ) -> Graph:
        """A graph from a pandas table with a row for each edge.

        Parameters
        ----------
        edges : DataFrame
        source, target : str
            Columns with the names of the ends. Whole numbers from 0 are indices of nodes, so that
            those between them are nodes without edges; where one is 1000 or more and at least ten
            times the number of different ends, they are names.
        weight : str, optional
            Column with the weights; without such a column all are 1.
        nodes : DataFrame or sequence, optional
            All nodes, also those without edges: their names, or a table whose index are the names
            and whose columns become attributes.
        directed : bool
        duplicates : {'refuse', 'sum', 'max', 'first'}
            How to combine repeated weighted edges.

        Returns
        -------
        Graph

        Examples
        --------
        >>> import pandas as pd
        >>> edges = pd.DataFrame({"source": ["anna", "bert"], "target": ["bert", "carl"]})
        >>> Graph.from_pandas(edges).names
        ['anna', 'bert', 'carl']
        """
        from ._conversions import from_edge_frame

        return from_edge_frame(edges, source, target, weight, nodes, directed, duplicates)

    def to_networkx(self) -> Any:
        """A ``networkx.Graph`` (or ``DiGraph``) with names, weights and attributes.

        ``features`` and ``node_labels`` become the node attributes ``features`` and ``label``:
        ``as_graph(G, features="features", node_labels="label")`` takes them back.
        """
        from ._exports import to_networkx

        return to_networkx(self)

    def to_igraph(self) -> Any:
        """An ``igraph.Graph`` with names, weights and attributes, named as for NetworkX."""
        from ._exports import to_igraph

        return to_igraph(self)

    def to_pyg(self) -> Any:
        """A ``torch_geometric.data.Data``.

        With ``edge_index`` (undirected edges in both directions), ``edge_weight``, ``x``
        (features), ``node_labels``, ``names`` and the attributes of the nodes as lists;
        :func:`as_graph` takes all of them back.
        """
        from ._exports import to_pyg

        return to_pyg(self)

    def to_pandas(self) -> Any:
        """A table with a row for each edge: ``source``, ``target`` and, if weighted, ``weight``."""
        from ._exports import to_pandas

        return to_pandas(self)

    def nodes_to_pandas(self) -> Any:
        """A table with a row for each node: its name is the index, attributes are columns."""
        from ._exports import nodes_to_pandas

        return nodes_to_pandas(self)

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
    node_labels: Any,
) -> Graph:
    offsets = indptr.view(np.int32 if indptr.dtype.itemsize == 4 else np.int64)
    core = _srgw.Graph.from_csr(offsets, indices.view(np.int32), data, directed)
    return Graph._of(core, names, features, attributes, node_labels)


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


def as_graph(
    graph: Any,
    *,
    directed: bool | None = None,
    weight: str | None = "weight",
    features: Any = None,
    node_labels: Any = None,
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
        * PyG ``Data`` or anything with an ``edge_index``: with ``edge_weight``, ``x``,
          ``node_labels``, ``names`` and lists or vectors with an entry for each node,
        * pandas table: an edge list with the columns ``source`` and ``target`` (and ``weight``; see
          :meth:`Graph.from_pandas`), or an adjacency with the same names of rows and columns,
        * path of a file: see :func:`read`.
    directed : bool, optional
        Whether edges have a direction. Default: as the object; a matrix is directed if it is not
        symmetric, an edge index is undirected.
    weight : str, optional
        Attribute of NetworkX and igraph edges; None for no weights.
    features : array-like of shape (n, d), or names of node attributes, optional
    node_labels : array-like of int of shape (n,), or the name of a node attribute, optional

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
    from ._conversions import columns_of, convert

    made = convert(graph, directed, weight)
    if features is None and node_labels is None:
        return made
    named = isinstance(features, str) or (
        isinstance(features, Sequence) and bool(features) and isinstance(features[0], str)
    )
    if features is None:
        features = made.features
    elif named:
        names = [features] if isinstance(features, str) else list(features)
        features = columns_of(made, names, "features")
    if node_labels is None:
        node_labels = made.node_labels
    elif isinstance(node_labels, str):
        node_labels = columns_of(made, [node_labels], "node_labels").reshape(-1)
    return Graph._of(made._core, made.names, features, made.attributes, node_labels)


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


def _whole_numbers(labels: Any, nodes: int) -> NDArray[np.int64] | None:
    """Labels of nodes."""
    if labels is None:
        return None
    given = np.asarray(labels)
    if given.shape != (nodes,):
        raise ValueError(f"node_labels has shape {given.shape}, expected ({nodes},)")
    finite = given.dtype.kind in "iufb" and bool(np.isfinite(given).all())
    if not finite or bool((given != np.floor(given)).any()):
        raise ValueError("node_labels are not all whole numbers; number them, one for each kind")
    return given.astype(np.int64)


def _plain(values: Any) -> Any:
    """Names and attributes as the library writes them: numbers, or else texts."""
    if values is None:
        return None
    values = values.tolist() if isinstance(values, np.ndarray) else list(values)
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
        return values
    return [str(value) for value in values]
