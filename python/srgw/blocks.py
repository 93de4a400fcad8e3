"""Graphs summarised by blocks of nodes: coarse graphs and block models."""

from __future__ import annotations

import os
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _arguments as arguments
from . import _srgw
from ._node_results import NodeLabels
from ._semirelaxed import Callback
from ._sources import node_weights
from .graph import Graph, as_graph

__all__ = ["BlockModel", "GraphCoarsener"]

Array = NDArray[np.float64]


@dataclass(eq=False, repr=False)
class GraphCoarsener(NodeLabels):
    """A coarse graph whose nodes are sets of nodes of a graph.

    Minimises the semi-relaxed Gromov-Wasserstein objective over hard plans and over the target,
    whose best structure are the block means; what ``srgw coarsen`` does.

    Parameters
    ----------
    n_nodes : int, optional
        Number of coarse nodes; all of them get nodes.
    ratio : float
        Coarse nodes for each node, if ``n_nodes`` is not given.
    structure : {'adjacency', 'normalized-adjacency', 'laplacian', 'normalized-laplacian'}
        Matrix whose block means are kept close to it.
    weights : {'uniform', 'degree', 'power:b'} or array-like of shape (n,)
        Node weights, all positive.
    n_eigenvalues : int or 'auto'
        Eigenvalues that the spectral error compares; 0: none. ``auto``: 10 up to 20,000 nodes.
    random_state : int, None or Generator
    n_jobs : int, optional
        Threads; all cores by default. The result does not depend on it.
    time_limit : float, optional
        Seconds; the best so far is kept.
    callback : callable, optional
        Called with a :class:`srgw.Progress` after each improvement; returning False stops.
    verbose : bool
        Prints a line for each improvement.

    Attributes
    ----------
    labels_ : array, shape (n,)
        The coarse node of each node, those with most nodes first.
    sizes_ : array, shape (n_nodes,)
        Nodes of each coarse node.
    weights_ : array, shape (n_nodes,)
        Mass of each coarse node.
    coarse_graph_ : Graph
        Sums of edge weights between coarse nodes; a self-loop has the weight of all edges inside.
        It has the means of node features, if the graph has features.
    means_ : Graph
        The target: means of the structure over pairs of nodes, as the weights of a graph.
    objective_ : float
        Its square root bounds the Gromov-Wasserstein distance between graph and coarse graph.
    start_objective_ : float
        Before single nodes were reassigned.
    spectral_error_ : float or None
        Mean relative error of the smallest eigenvalues of the normalised Laplacian.
    eigenvalues_, lifted_eigenvalues_ : arrays
        Of the graph, and of the graph whose pairs have the mean weights of their coarse nodes.
    status_ : str

    Examples
    --------
    >>> import srgw
    >>> graph, blocks = srgw.generate.planted(60, 3, mean_degree=15, random_state=1)
    >>> model = GraphCoarsener(3).fit(graph)
    >>> model.coarse_graph_.n_nodes, [int(size) for size in model.sizes_]
    (3, [20, 20, 20])
    >>> coarse = model.transform([[float(i)] for i in range(60)])
    >>> coarse.shape, model.inverse_transform(coarse).shape
    ((3, 1), (60, 1))
    """

    _left_out = ("callback", "_graph")

    n_nodes: int | None = None
    _: KW_ONLY
    ratio: float = 0.3
    structure: str = "adjacency"
    weights: Any = "uniform"
    n_eigenvalues: int | str = "auto"
    random_state: Any = 0
    n_jobs: int | None = None
    time_limit: float | None = None
    callback: Callback | None = None
    verbose: bool = False

    def fit(self, X: Any, y: Any = None, *, features: Any = None) -> GraphCoarsener:
        """Finds the coarse graph of a graph.

        Parameters
        ----------
        X : anything that :func:`srgw.as_graph` takes
        y : ignored
        features : array-like of shape (n, d), or names of node attributes, optional

        Returns
        -------
        self
        """
        graph = as_graph(X, features=features)
        if self.structure not in _SPARSE:
            raise ValueError(f"structure is {self.structure!r}, expected {', '.join(_SPARSE)}")
        plain = isinstance(self.weights, str) and self.weights == "uniform"
        wanted = self.n_eigenvalues
        if wanted != "auto" and not (isinstance(wanted, int | np.integer) and wanted >= 0):
            raise ValueError(f"n_eigenvalues is {wanted!r}, expected 'auto' or a number from 0")
        nodes = None if self.n_nodes is None else arguments.positive_int(self.n_nodes, "n_nodes")
        found = _srgw.coarsen(
            graph._core,
            nodes,
            arguments.number(self.ratio, "ratio"),
            self.structure,
            None if plain else node_weights(graph, self.weights),
            None if graph.features is None else arguments.as_float64(graph.features),
            None if wanted == "auto" else int(wanted),
            arguments.run(
                self.n_jobs, self.random_state, self.time_limit, self._reporter("improvement")
            ),
        )
        self.labels_, self.sizes_, self.weights_ = found["labels"], found["sizes"], found["weights"]
        means = found["features"] if graph.features is not None else None
        self.coarse_graph_ = Graph._of(found["graph"], None, means)
        self.means_ = Graph._of(found["means"], None)
        self.objective_, self.start_objective_ = found["value"], found["start_value"]
        self.spectral_error_ = found["spectral_error"]
        self.eigenvalues_ = found["eigenvalues"]
        self.lifted_eigenvalues_ = found["lifted_eigenvalues"]
        self.status_ = found["status"]
        self.n_features_in_ = graph.n_nodes
        self._mass: Array = (
            np.full(graph.n_nodes, 1 / graph.n_nodes)
            if plain
            else np.asarray(node_weights(graph, self.weights), np.float64)
        )
        self._graph = graph
        self._names = None if graph.names is None else list(graph.names)
        if self.status_ == "time_limit":
            arguments.warn_of_time_limit("the search stopped", 2)
        return self

    def fit_predict(self, X: Any, y: Any = None) -> NDArray[np.int64]:
        """Finds the coarse graph and returns ``labels_``."""
        return self.fit(X, y).labels_

    def transform(self, X: Any) -> Array:
        """Means of rows over the nodes of each coarse node.

        Parameters
        ----------
        X : array-like of shape (n, d)
            A row for each node of the fitted graph.

        Returns
        -------
        array, shape (n_nodes, d)
        """
        self._check_fitted()
        rows = arguments.real_array(X, "X", 2)
        if len(rows) != len(self.labels_):
            raise ValueError(f"X has {len(rows)} rows, expected {len(self.labels_)}, one per node")
        sums = np.zeros((len(self.sizes_), rows.shape[1]))
        np.add.at(sums, self.labels_, rows * self._mass[:, None])
        masses = np.bincount(self.labels_, self._mass, len(self.sizes_))
        return np.asarray(sums / masses[:, None])

    def inverse_transform(self, X: Any) -> Array:
        """Rows of coarse nodes, copied to their nodes.

        Parameters
        ----------
        X : array-like of shape (n_nodes, d)

        Returns
        -------
        array, shape (n, d)
        """
        self._check_fitted()
        rows = arguments.real_array(X, "X", 2)
        if len(rows) != len(self.sizes_):
            raise ValueError(
                f"X has {len(rows)} rows, expected {len(self.sizes_)}, one per coarse node"
            )
        return np.asarray(rows[self.labels_], np.float64)


@dataclass(eq=False, repr=False)
class BlockModel(NodeLabels):
    """Stochastic block model of any kind: assortative, bipartite, core-periphery or mixed.

    Finds the labels with the shortest microcanonical description of the graph (Peixoto, 2017);
    what ``srgw blockmodel`` does. Edge weights are counts. Directed graphs have directed blocks.

    Parameters
    ----------
    n_blocks : int or 'auto'
        ``auto``: the number with the shortest description.
    max_blocks : int, optional
        Most blocks of ``auto``.
    degree_corrected : bool
        Whether nodes of one block may have any degrees.
    held_out : float
        Share of the pairs of nodes that a second fit leaves out, to compute their log-likelihood.
    n_init : int
        Independent searches, at least 2; the shortest description is kept.
    random_state : int, None or Generator
    n_jobs : int, optional
        Threads; all cores by default. The result does not depend on it.
    time_limit : float, optional
        Seconds; the best so far is kept.
    callback : callable, optional
        Called with a :class:`srgw.Progress` after each improvement; returning False stops.
    verbose : bool
        Prints a line for each improvement.

    Attributes
    ----------
    labels_ : array, shape (n,)
        The block of each node, large blocks first.
    n_blocks_ : int
    sizes_ : array, shape (n_blocks_,)
    probabilities_ : array, shape (n_blocks_, n_blocks_)
        Shares of the pairs of nodes with an edge, from row to column; mean counts of a graph with
        weights.
    standard_errors_ : array, shape (n_blocks_, n_blocks_)
        Binomial standard errors; of counts those of Poisson numbers.
    edges_, pairs_ : arrays, shape (n_blocks_, n_blocks_)
        Edges and pairs of nodes that the probabilities are made of.
    description_length_ : float
        In nats; the smaller, the better.
    description_length_one_ : float
        Description length of a single block.
    trials_ : list of (blocks, description length)
        The numbers of blocks that were tried.
    log_likelihood_, log_likelihood_one_ : float or None
        Mean log-likelihood of the held-out pairs, and by a model with one block.
    propensities_ : array, shape (n,) or (2, n), or None
        Degrees of nodes relative to the mean of their block (directed: out and in), if
        ``degree_corrected``.
    status_ : str

    Examples
    --------
    >>> import numpy as np
    >>> import srgw
    >>> p = [[0.02, 0.3], [0.3, 0.02]]  # a bipartite graph with noise
    >>> graph, blocks = srgw.generate.stochastic_block_model([40, 60], p, random_state=1)
    >>> model = BlockModel().fit(graph)
    >>> model.n_blocks_, srgw.metrics.adjusted_mutual_information(blocks, model.labels_) > 0.98
    (2, True)
    >>> bool(np.all(np.abs(model.probabilities_ - p) < 4 * model.standard_errors_))
    True
    >>> model.sample(random_state=0).n_nodes
    100
    """

    _left_out = ("callback", "_graph", "_found")
    _kind = "clusterer"

    n_blocks: int | str = "auto"
    _: KW_ONLY
    max_blocks: int | None = None
    degree_corrected: bool = False
    held_out: float = 0.0
    n_init: int = 2
    random_state: Any = 0
    n_jobs: int | None = None
    time_limit: float | None = None
    callback: Callback | None = None
    verbose: bool = False

    def fit(self, X: Any, y: Any = None) -> BlockModel:
        """Fits the model to a graph.

        Parameters
        ----------
        X : anything that :func:`srgw.as_graph` takes
        y : ignored

        Returns
        -------
        self
        """
        graph = as_graph(X)
        blocks = None
        if self.n_blocks != "auto":
            blocks = arguments.positive_int(self.n_blocks, "n_blocks")
        most = 0
        if self.max_blocks is not None:
            most = arguments.positive_int(self.max_blocks, "max_blocks")
        found = _srgw.fit_block_model(
            graph._core,
            blocks,
            most,
            bool(self.degree_corrected),
            arguments.number(self.held_out, "held_out"),
            arguments.positive_int(self.n_init, "n_init"),
            arguments.run(
                self.n_jobs, self.random_state, self.time_limit, self._reporter("improvement")
            ),
        )
        self.labels_ = found.labels
        self.sizes_ = np.asarray(found.sizes, np.int64)
        self.n_blocks_ = len(self.sizes_)
        self.probabilities_, self.standard_errors_ = found.probabilities, found.standard_errors
        self.edges_, self.pairs_ = found.edges, found.pairs
        self.description_length_, self.description_length_one_ = found.length, found.one_length
        self.trials_ = found.trials
        self.log_likelihood_ = found.held_out_likelihood
        self.log_likelihood_one_ = found.held_out_likelihood_one
        self.propensities_: Array | None = None
        if self.degree_corrected:
            self.propensities_ = found.propensities
            if found.directed:
                self.propensities_ = np.stack([found.propensities, found.in_propensities])
        self.status_ = found.status
        self.n_features_in_ = graph.n_nodes
        self._graph, self._found = graph, found
        self._names = None if graph.names is None else list(graph.names)
        if self.status_ == "time_limit":
            arguments.warn_of_time_limit("the search stopped", 2)
        return self

    def fit_predict(self, X: Any, y: Any = None) -> NDArray[np.int64]:
        """Fits the model and returns ``labels_``."""
        return self.fit(X, y).labels_

    def sample(self, random_state: Any = None) -> Graph:
        """A graph drawn from the model, with as many nodes in the same blocks.

        Parameters
        ----------
        random_state : int, None or Generator

        Returns
        -------
        Graph
        """
        found = self._kept()
        return Graph._of(_srgw.sample_blocks(found, arguments.seed(random_state)), self._names)

    def save_picture(self, path: str | os.PathLike[str], *, title: str = "") -> None:
        """Draws the block matrix as an SVG file.

        Parameters
        ----------
        path : str or path
        title : str
        """
        svg = _srgw.block_matrix_svg(self._kept(), title, self._summary())
        with open(path, "w", encoding="utf-8") as file:
            file.write(svg)

    def _repr_html_(self) -> str:
        """For notebooks: the parameters and, after fit, the block matrix."""
        words = super()._repr_html_()
        if "_found" not in vars(self):
            return words
        return words + str(_srgw.block_matrix_svg(self._found, "", self._summary()))

    def _summary(self) -> str:
        return f"{self.n_blocks_} blocks, description length {self.description_length_:.6g} nats"

    def _kept(self) -> _srgw.FittedBlocks:
        self._check_fitted()
        if "_found" not in vars(self):
            raise ValueError("pickles do not keep the fitted model; call fit again")
        return self._found


_SPARSE = ("adjacency", "normalized-adjacency", "laplacian", "normalized-laplacian")
