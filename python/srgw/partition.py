"""Clustering of the nodes of a graph."""

from __future__ import annotations

import os
import warnings
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _arguments as arguments
from . import _partition as given
from . import _srgw
from ._layers import Layers, are_layers, make_layers
from ._node_results import NodeLabels
from ._semirelaxed import Callback, own_method
from .graph import Graph, as_graph

__all__ = ["SRGWPartition"]

Array = NDArray[np.float64]
Rows = tuple[NDArray[Any], NDArray[Any], Array]
_LAYER = ("weight", "n_edges", "modularity")
_CUT = ("components", "edges", "cut", "relative", "exact")
_LEVEL = ("resolution", "n_clusters", "modularity", "labels", "parents", "is_result")
_PREDICTING = ("adjacency", "modularity", "normalized-adjacency")


@dataclass(eq=False, repr=False)
class SRGWPartition(NodeLabels):
    """Clusters of nodes by semi-relaxed Gromov-Wasserstein projection onto a small target.

    By default, or with only a number of clusters, it does what ``srgw partition`` does: a search
    for the hard plan onto a scaled identity at a resolution chosen for the graph, a test whether
    there are communities at all, and conditional gradient for soft memberships and a certificate.
    With the structure ``modularity`` and the identity as target, a hard plan costs a constant minus
    Newman's modularity. ``structure``, ``target``, ``init``, ``method``, ``loss``, ``select``,
    ``entropic_mode``, weights other than ``degree``, and ``sparsity`` with a number of clusters
    replace the search by a solve, which needs ``n_clusters``.

    Parameters
    ----------
    n_clusters : int or 'auto'
        Number of clusters; ``auto``: found by the search. Without the search some may stay empty.
    criterion : {'auto', 'description-length', 'modularity'}
        How ``n_clusters='auto'`` is chosen. ``modularity`` is at resolution 1. ``auto``:
        ``description-length``, for weighted graphs ``modularity``.
    effort : {'quick', 'normal', 'thorough'}
        How much the search does. ``quick``: few solutions, and ``n_clusters='auto'`` is chosen by
        modularity. ``thorough``: more solutions, combinations and refinement than ``normal``.
    levels : bool
        Also find coarser and finer levels of clusters, see ``hierarchy_``.
    cuts : bool
        Also compute the smallest cut of each cluster, see ``cuts_``.
    min_cut : float
        Clusters whose smallest cut is below ``min_cut * log10(nodes)`` edges are split along it.
        Only with ``n_clusters='auto'``.
    split_disconnected : bool or 'auto'
        Whether clusters that are not connected are split into their components; with a given
        number of clusters the smaller components join a neighbouring cluster. ``auto``: yes, unless
        there are features.
    test_significance : bool
        Test whether the graph has communities; ``n_clusters='auto'`` gives one cluster if it has
        none.
    structure : str
        ``auto``: ``modularity``, for a directed graph after making it undirected (with a learned
        target or ``gwl`` ``adjacency``). Or one of ``adjacency``, ``modularity``,
        ``stability:t``, ``heat:t``, ``normalized-adjacency``, ``laplacian``,
        ``normalized-laplacian``, ``shortest-path``.
    weights : {'auto', 'uniform', 'degree', 'power:b'} or array-like of shape (n,)
        Node weights; ``auto``: those of the structure.
    target : str or array-like of shape (n_clusters, n_clusters)
        ``auto``: chosen by the search, otherwise the identity. ``identity``,
        ``scaled-identity:s`` (modularity at resolution s), ``learned`` (alternates between
        the plan and the best target for it: blocks of any kind), or a matrix.
    method : {'srgw', 'gwl', 'specgwl'}
        ``gwl``: balanced, onto the diagonal of interpolated weights; ``specgwl``: ``gwl`` with the
        heat kernel.
    loss : {'square', 'kl'}
    select : {'none', 'modularity'}
        ``modularity`` chooses by modularity what is not given of the time of ``heat`` or
        ``stability``, the scale of the target, the exponent of ``power`` weights and epsilon.
    alpha : float
        Weight of the structure if features are given.
    epsilon : float
        0 for the exact problem (conditional gradient), above 0 for mirror descent.
    entropic_mode : {'proximal', 'entropic'}
        Whether epsilon is an inverse step length or the weight of the entropy.
    sparsity : float
        Weight of the penalty on target weights: fewer clusters are used. With ``n_clusters='auto'``
        the search is followed by a path of penalties up to it.
    init : str or array-like
        ``auto``: the search; without the search ``spectral`` (``kmeans`` with ``select`` or
        features, ``product`` for ``gwl`` and ``specgwl``). Or ``kmeans``, ``fluid``,
        ``split-merge``, ``multilevel``, ``random-labels``, ``random``, ``random-product``,
        ``product``; labels of shape (n,) or a plan of shape (n, n_clusters), whose rows are scaled
        to the node weights.
    n_init : int or 'auto'
        Number of starts; the best is kept. ``auto``: the search has as many independent
        solutions as ``effort`` says, a solve 3 starts; 1 from labels or a plan, and without
        ``init`` for ``gwl``, ``specgwl`` and ``select``.
    previous : array-like of shape (n,) or dict, optional
        Labels of an earlier run: whole numbers from 0, -1 for none; or a dict from node name to
        label. The search starts from them, and clusters keep their ids.
    keep : float
        Modularity that moves must gain for each share of the mass that leaves its previous cluster.
    fixed : array-like of shape (n,) or dict, optional
        Labels of some nodes that may not change, as in ``previous``.
    min_size : int, optional
        Fewest nodes of a cluster; smaller ones are merged.
    max_size : int, optional
        Most nodes of a cluster; larger ones are split.
    layer_weights : array-like of shape (n_layers,), optional
        What each of several graphs given to ``fit`` counts. Default: 1. A layer of weight 0 only
        gets its modularity.
    max_iter : int
    tol : float
        Relative gap (mirror descent: change of the plan) at which to stop.
    random_state : int, None or Generator
    n_jobs : int, optional
        Threads; all cores by default. The result does not depend on it.
    time_limit : float, optional
        Seconds; the best so far is kept.
    callback : callable, optional
        Called with a :class:`srgw.Progress` after each iteration; returning False stops.
    verbose : bool
        Prints a line for each iteration.

    Attributes
    ----------
    labels_ : array, shape (n,)
        Cluster of each node: a column of ``plan_``, the largest first (with a given target: its
        nodes). Nodes without an edge to another node, and components beyond the number of clusters,
        form a separate group with the largest label.
    plan_ : array, shape (n, k)
        Memberships: rows sum to the node weights. Computed at each access.
    plan_sparse_ : scipy.sparse.csr_array, shape (n, k)
        The same without its zeros, for large graphs.
    weights_ : array, shape (k,)
        Mass of each cluster.
    objective_ : float
    gap_ : float
        Frank-Wolfe gap: 0 at a stationary point.
    n_iter_ : int
    status_ : str
    start_values_ : array
        Final value of each start.
    n_clusters_ : int
        Number of clusters that are not empty.
    modularity_ : float
        Newman's modularity of the (undirected) graph.
    resolution_ : float
        Scale of the target.
    criterion_ : str or None
        What decided ``n_clusters='auto'``: ``description-length`` or ``modularity``.
    layers_ : list of dict
        ``weight``, ``n_edges`` and ``modularity`` of each of several layers; ``modularity_`` is
        their weighted mean.
    significant_ : bool
        False: the graph has no communities. Then all connected nodes are one cluster
        without ``n_clusters``; a given number is kept, with a warning.
    reasons_ : list of str
        Choices of the search, with reasons.
    path_ : list of tuples
        ``(sparsity, clusters, value, modularity)`` along the path of ``sparsity``.
    lengths_ : list of tuples
        ``(resolution, clusters, description length, modularity)`` of the resolutions that were
        tried, if the description length chose the number of clusters.
    cuts_ : list of dict
        For each cluster, with ``cuts`` or ``min_cut``: ``components``, ``edges`` inside, ``cut``
        (weight of the smallest cut in mean edge weights; None for a single node), ``relative``
        (``cut / log10(nodes)``; above 1 the cluster is well connected) and ``exact`` (False: an
        upper bound).
    hierarchy_ : list of dict
        With ``levels``, from the finest level to the coarsest: ``labels``, ``parents`` (the cluster
        of the next level that each cluster lies in), ``n_clusters``, ``resolution``,
        ``modularity`` and ``is_result`` (True for the level with ``labels_``).
    unconnected_ : int
        Number of nodes in the separate group.
    ids_ : list of int
        With ``previous`` or ``fixed``: the id of each column of ``plan_``, and of the separate
        group. ``labels_`` are ids then.
    moved_ : float
        Share of the nodes with a previous label whose id changed, if ``previous`` was given.
    previous_ami_ : float
        Adjusted mutual information with the previous labels, if ``previous`` was given.
    vanished_ : int
        Names in ``previous`` that the graph does not have.
    costs_ : dict
        Modularity at ``resolution_`` with and without ``keep``, ``fixed``, ``max-size`` and
        ``min-size``.
    features_ : array, shape (k, d)
        Features of the clusters, if the nodes have features.
    target_ : array, shape (k, k)
        The target, if it was learned or given.

    Examples
    --------
    >>> import srgw
    >>> graph, blocks = srgw.generate.planted(300, 3, mean_degree=15)
    >>> model = SRGWPartition().fit(graph)
    >>> model.n_clusters_, model.significant_
    (3, True)
    >>> srgw.metrics.adjusted_mutual_information(blocks, model.labels_) > 0.9
    True

    Start from the clusters of the first run, with at most 60 nodes each:

    >>> again = SRGWPartition(previous=model.labels_).fit(graph)
    >>> again.moved_
    0.0
    >>> int(max(np.bincount(SRGWPartition(max_size=60).fit(graph).labels_))) <= 60
    True

    Levels of clusters, and how each cluster hangs together:

    >>> model = SRGWPartition(levels=True, cuts=True).fit(graph)
    >>> [level["n_clusters"] for level in model.hierarchy_]
    [3]
    >>> model.cuts_[0]["components"]
    1

    One partition of two graphs on the same nodes:

    >>> other, _ = srgw.generate.planted(300, 3, mean_degree=15, random_state=1)
    >>> model = SRGWPartition(layer_weights=[1, 0.5]).fit([graph, other])
    >>> [layer["weight"] for layer in model.layers_], model.criterion_
    ([1.0, 0.5], 'modularity')
    """

    _left_out = ("callback", "_graph", "_found")
    _kind = "clusterer"

    n_clusters: int | str = "auto"
    _: KW_ONLY
    criterion: str = "auto"
    effort: str = "normal"
    levels: bool = False
    cuts: bool = False
    min_cut: float = 0.0
    split_disconnected: bool | str = "auto"
    test_significance: bool = True
    structure: str = "auto"
    weights: Any = "auto"
    target: Any = "auto"
    method: str = "srgw"
    loss: str = "square"
    select: str = "none"
    alpha: float = 0.5
    epsilon: float = 0.0
    entropic_mode: str = "proximal"
    sparsity: float = 0.0
    init: Any = "auto"
    n_init: int | str = "auto"
    previous: Any = None
    keep: float = 0.0
    fixed: Any = None
    min_size: int | None = None
    max_size: int | None = None
    layer_weights: Any = None
    max_iter: int = 1000
    tol: float = 1e-5
    random_state: Any = 0
    n_jobs: int | None = None
    time_limit: float | None = None
    callback: Callback | None = None
    verbose: bool = False

    def fit(self, X: Any, y: Any = None, *, features: Any = None) -> SRGWPartition:
        """Finds the clusters of a graph.

        Parameters
        ----------
        X : anything that :func:`srgw.as_graph` takes, or a list of such graphs
            Several graphs are layers on the same nodes, matched by name, or by number if they have
            no names: the weighted mean of their modularities is maximised, each with its own
            degrees. This needs the search and no features; memberships are hard.
        y : ignored
        features : array-like of shape (n, d), or names of node attributes, optional

        Returns
        -------
        self
        """
        layers: Layers | None = None
        if are_layers(X):
            layers = make_layers(X, self.layer_weights)
            if features is not None:
                raise ValueError("features with several layers, expected none")
            graph = layers.sum()
        elif self.layer_weights is not None:
            raise ValueError("layer_weights with one graph, expected a list of graphs")
        else:
            graph = as_graph(X, features=features)
        if graph.n_nodes == 1:
            raise ValueError("X has one node (n_samples=1), expected an edge between two nodes")
        options = self._options(graph.n_nodes)
        names = None if graph.names is None else list(graph.names)
        previous, vanished = given.some_labels(self.previous, "previous", graph.n_nodes, names)
        fixed, unknown = given.some_labels(self.fixed, "fixed", graph.n_nodes, names)
        if unknown:
            raise ValueError(f"fixed has {unknown[0]!r}, which is not a node of the graph")
        sizes = [
            None if size is None else arguments.positive_int(size, name)
            for name, size in (("min_size", self.min_size), ("max_size", self.max_size))
        ]
        _srgw.constrain_partition(
            options, previous, arguments.number(self.keep, "keep"), fixed, *sizes
        )
        run = arguments.run(
            self.n_jobs, self.random_state, self.time_limit, self._reporter("iteration")
        )
        if layers is not None:
            found = _srgw.partition_layers(layers.cores, layers.weights, options, run)
        else:
            found = _srgw.partition(
                graph._core,
                options,
                None if graph.features is None else arguments.as_float64(graph.features),
                arguments.number(self.alpha, "alpha"),
                run,
            )
        self._keep(found, graph)
        if found.update is not None:
            self.vanished_ = len(vanished)
            if not found.update[5]:
                warnings.warn(
                    f"previous labels cover {found.update[0]} of {graph.n_nodes} nodes, less than "
                    "half",
                    stacklevel=2,
                )
        if found.symmetrized:
            warnings.warn(
                "the graph is directed and was made undirected; name a structure to keep the "
                "directions",
                stacklevel=2,
            )
        if not found.significant and found.clusters > 1 and self.n_clusters != "auto":
            warnings.warn(
                f"the graph has no communities; the {found.clusters} clusters are kept because "
                "n_clusters was given (see reasons_)",
                stacklevel=2,
            )
        arguments.warn_unless_converged([found.solution], 2)
        return self

    def fit_predict(self, X: Any, y: Any = None, *, features: Any = None) -> NDArray[np.int64]:
        """Finds the clusters of a graph and returns ``labels_``."""
        return self.fit(X, y, features=features).labels_

    @property
    def plan_(self) -> Array:
        """Memberships, shape (n, k); rows sum to the node weights."""
        self._check_fitted()
        indptr, indices, data = self._rows
        plan = np.zeros((len(self.labels_), len(self.weights_)))
        offsets = indptr.astype(np.int64)
        rows = np.repeat(np.arange(len(plan)), offsets[1:] - offsets[:-1])
        plan[rows, indices] = data
        return plan

    @property
    def plan_sparse_(self) -> Any:
        """``plan_`` as a ``scipy.sparse.csr_array``."""
        self._check_fitted()
        from scipy.sparse import csr_array

        indptr, indices, data = self._rows
        shape = len(self.labels_), len(self.weights_)
        return csr_array((data, indices.astype(np.int64), indptr.astype(np.int64)), shape=shape)

    def predict(self, X: Any) -> NDArray[np.int64]:
        """Clusters of new nodes, from their edges to the nodes of the fitted graph.

        Each node goes to the cluster with the lowest linearised objective at the fitted plan.

        Parameters
        ----------
        X : array-like or SciPy sparse, shape (new, n)
            Weights of the edges from new nodes to fitted ones.

        Returns
        -------
        labels : array, shape (new,)
            Nodes without edges get the label after all clusters, as in ``labels_``.
        """
        self._check_fitted()
        kind = self._word
        if kind not in _PREDICTING or hasattr(self, "features_"):
            raise ValueError(
                f"predict needs the structure {', '.join(_PREDICTING)} and no features, not {kind}"
            )
        n = len(self.labels_)
        edges = X.tocsr() if arguments.is_sparse(X) else arguments.real_array(X, "X", 2)
        if edges.ndim != 2 or edges.shape[1] != n:
            raise ValueError(f"X has shape {edges.shape}, expected (new nodes, {n})")
        arguments.check_finite(edges, "X")
        degrees = np.asarray(edges.sum(axis=1), float).reshape(-1)
        plan = self.plan_
        with np.errstate(divide="ignore", invalid="ignore"):
            right, left = {
                "adjacency": (np.ones(n), np.ones(len(degrees))),
                "modularity": (0.5 / plan.sum(axis=1), 1 / degrees),
                "normalized-adjacency": (self._degrees**-0.5, degrees**-0.5),
            }[kind]
        right, left = (np.where(np.isfinite(side), side, 0.0) for side in (right, left))
        products = edges @ (plan * right[:, None]) * left[:, None]
        labels = np.asarray(self._slopes(np.asarray(products))).argmin(axis=1)
        if self.ids_:
            labels = np.asarray(self.ids_, np.int64)[labels]
        apart = int(self.labels_.max()) + (0 if self.unconnected_ else 1)
        if self.ids_ and self.unconnected_:  # the last id, which need not be the largest
            apart = int(self.ids_[-1])
        labels[degrees == 0] = apart
        return labels

    def _slopes(self, products: Array) -> Array:
        """Linearised objective of each cluster, given C T of the node."""
        B, q = getattr(self, "target_", None), self.weights_
        if B is None:
            return 2 * self.resolution_ * (self.resolution_ * q - 2 * products)
        return (B * B + (B * B).T) @ q - 2 * products @ (B + B.T)

    def report(self, path: str | os.PathLike[str], *, name: str = "a graph") -> None:
        """Writes a web page about the result: clusters, certificate, graph, members.

        Parameters
        ----------
        path : str or path
            A file with the extension ``.html``.
        name : str
            Name of the graph on the page.
        """
        graph, found = self._shown()
        _srgw.save_partition_report(
            graph._core,
            _node_names(graph),
            found,
            name,
            f"{self!r}.fit(graph)",
            arguments.seed(self.random_state) if isinstance(self.random_state, int) else 0,
            os.fspath(path),
        )

    def _repr_html_(self) -> str:
        """For notebooks: the parameters and, after fit, a picture."""
        words = super()._repr_html_()
        if "_found" not in vars(self):
            return words
        graph, found = self._shown()
        subtitle = f"{self.n_clusters_} clusters, modularity {self.modularity_:.4f}, {self.status_}"
        picture = _srgw.partition_svg(graph._core, _node_names(graph), found, "", subtitle)
        return words + picture

    def _shown(self) -> tuple[Graph, _srgw.Partition]:
        self._check_fitted()
        if "_found" not in vars(self):
            raise ValueError("pickles do not keep the graph; call fit again to draw the result")
        return self._graph, self._found

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import InputTags

        tags = super().__sklearn_tags__()
        tags.input_tags = InputTags(pairwise=True, sparse=True, positive_only=True)
        return tags

    def _options(self, nodes: int) -> _srgw.PartitionOptions:
        for name, value, known in (
            ("entropic_mode", self.entropic_mode, ("proximal", "entropic")),
            ("select", self.select, ("none", "modularity")),
        ):
            if value not in known:
                raise ValueError(f"{name} is {value!r}, expected {' or '.join(known)}")
        target = given.target(self.target)
        clusters = given.number_or_auto(self.n_clusters, "n_clusters")
        columns = target.size if isinstance(target, _srgw.Structure) else clusters
        if self.split_disconnected not in ("auto", True, False):
            raise ValueError(
                f"split_disconnected is {self.split_disconnected!r}, expected 'auto', True or False"
            )
        options = _srgw.partition_options(
            clusters,
            self.method,
            given.structure_name(self.structure),
            given.node_weights(self.weights, nodes),
            target,
            self.loss,
            arguments.number(self.epsilon, "epsilon") if self.entropic_mode == "entropic" else 0.0,
            arguments.number(self.sparsity, "sparsity"),
            given.start(self.init, nodes, columns),
            given.number_or_auto(self.n_init, "n_init"),
            self.select == "modularity",
            self.criterion,
            self.effort,
            own_method(self.epsilon, self.max_iter, self.tol),
        )
        split = None if self.split_disconnected == "auto" else bool(self.split_disconnected)
        _srgw.set_connectivity(
            options,
            split,
            bool(self.cuts),
            arguments.number(self.min_cut, "min_cut"),
            bool(self.levels),
        )
        options.test_significance = bool(self.test_significance)
        return options

    def _keep(self, found: _srgw.Partition, graph: Graph) -> None:
        solution = found.solution
        self.labels_ = np.asarray(found.node_ids, np.int64)
        self.ids_ = found.ids
        self.costs_ = found.costs
        for name in ("moved_", "previous_ami_", "vanished_"):
            self.__dict__.pop(name, None)
        if found.update is not None:
            self.moved_, self.previous_ami_ = found.update[3:5]
        self.weights_ = solution.target_weights
        self.objective_ = solution.value
        self.gap_ = solution.gap
        self.n_iter_ = solution.n_iter
        self.status_ = solution.status
        self.start_values_ = solution.start_values
        self.n_clusters_ = found.clusters
        self.modularity_ = found.modularity
        self.resolution_ = found.resolution
        self.criterion_ = found.criterion
        self.layers_ = [dict(zip(_LAYER, layer, strict=True)) for layer in found.layers]
        self.significant_ = found.significant
        self.reasons_ = found.reasons
        self.path_ = found.path
        self.lengths_ = found.lengths
        self.cuts_ = [dict(zip(_CUT, cut, strict=True)) for cut in found.cuts]
        self.hierarchy_ = [dict(zip(_LEVEL, level, strict=True)) for level in found.hierarchy]
        for level in self.hierarchy_:
            level["labels"] = level["labels"].astype(np.int64)
            level["parents"] = level["parents"].astype(np.int64)
        self.unconnected_ = found.unconnected
        self.n_features_in_ = graph.n_nodes
        parts = {"features_": found.target_features, "target_": found.target}
        if not isinstance(self.target, str):
            parts["target_"] = np.asarray(self.target, np.float64)
        for name, part in parts.items():
            self.__dict__.pop(name, None)
            if part.size:
                setattr(self, name, part)
        self._rows: Rows = solution.plan_rows()
        self._degrees = graph.degrees()
        self._word = found.structure
        self._graph, self._found = graph, found
        self._names = None if graph.names is None else list(graph.names)


def _node_names(graph: Graph) -> list[str] | None:
    return None if graph.names is None else [str(name) for name in graph.names]
