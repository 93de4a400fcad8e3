"""Baselines for dictionaries: mixtures, factorizations and k-means on graphs."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _arguments as arguments
from . import _srgw
from ._completion import CompletedGraph, complete
from ._graph_sets import GraphEstimator, file_bytes, from_file_bytes
from ._semirelaxed import Callback
from .graph import as_graph

__all__ = ["GDL", "GWF", "GWKMeans"]

Array = NDArray[np.float64]
Path = str | os.PathLike[str]


class _GraphModel(GraphEstimator):
    """What the three share: a model of the library is kept, and how learning runs."""

    random_state: Any
    n_jobs: int | None
    time_limit: float | None
    callback: Callback | None
    embedding_: Array
    _Model: Any

    def fit(self, X: Any, y: Any = None) -> Any:
        """Learns from graphs."""
        raise NotImplementedError

    def _origin(self, features: _srgw.FeatureMap) -> tuple[_srgw.FeatureMap, str, str]:
        """What the file of the model says of its graphs."""
        return features, self.structure, self.weights or ""

    def _run(self) -> dict[str, Any]:
        return {
            "threads": arguments.threads(self.n_jobs),
            "seed": arguments.seed(self.random_state),
            "time_limit": self.time_limit,
            "callback": self.callback,
        }

    def transform(self, X: Any) -> Array:
        """New graphs as rows, as ``embedding_`` has them."""
        self._check_fitted()
        samples = self._samples(X, self.model_.features)
        return self.model_.embed(samples, arguments.threads(self.n_jobs))[0]

    @property
    def structures_(self) -> list[Array]:
        """Structures of the atoms."""
        self._check_fitted()
        return [structure for structure, _ in self.model_.atoms]

    @property
    def features_(self) -> list[Array]:
        """Features of the atoms, (m, 0) where graphs have none."""
        self._check_fitted()
        return [features for _, features in self.model_.atoms]

    def fit_transform(self, X: Any, y: Any = None) -> Array:
        """Learns from graphs and returns ``embedding_``."""
        return self.fit(X).embedding_

    def save(self, path: Path) -> None:
        """Writes the model as an ``.npz`` that the program and C++ read too."""
        self._check_fitted()
        self.model_.save(os.fspath(path))

    @classmethod
    def load(cls, path: Path) -> Any:
        """An estimator with the model of a file; its other parameters are the defaults."""
        model = cls._Model.load(os.fspath(path))
        made = cls()
        made.structure = model.structure or "adjacency"
        made.weights = model.node_weights or None
        made.model_ = model
        return made

    def __getstate__(self) -> dict[str, Any]:
        """The model travels as the bytes of its file."""
        state = {name: value for name, value in vars(self).items() if name != "callback"}
        if "model_" in state:
            state["model_"] = file_bytes(state["model_"])
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.callback = None
        if "model_" in state:
            self.model_ = from_file_bytes(self._Model.load, state["model_"])


class GDL(_GraphModel):
    """Graph dictionary learning: each graph is a mixture of atoms of one size.

    Parameters
    ----------
    n_atoms : int
    n_nodes : int
        Nodes of an atom.
    reg : float
        Weight of the regulariser ``-|w|^2``: above 0 graphs are mixtures of fewer atoms.
    alpha : float
        Weight of the structure where graphs have features.
    structure : str
        What is made of each graph, as for :class:`SRGWPartition`.
    weights : {'uniform', 'degree', 'power:b'}, optional
    features : {'auto', 'none', 'labels', 'attributes', 'both'}
        What nodes have, as for :class:`srgw.SRGWDictionary`.
    standardise : {'graphs', 'nodes'}, optional
        Attributes to mean 0 and deviation 1, of the means of graphs or of all nodes.
    init : {'graphs', 'noise'}
        Where atoms start.
    epochs, batch_size : int
    learning_rate : float
    random_state : int, None or Generator
    n_jobs : int, optional
        Threads; all cores by default. The result does not depend on it.
    time_limit : float, optional
        Seconds; looked at after each epoch.
    callback : callable, optional
        Called with a :class:`srgw.Progress` after each epoch; returning False stops.

    Attributes
    ----------
    embedding_ : array, shape (n_graphs, n_atoms)
        Shares of the atoms.
    values_ : array, shape (n_graphs,)
    loss_curve_ : array
        Mean value of the graphs of each epoch.
    structures_, features_ : list of arrays
        The atoms.

    Examples
    --------
    >>> import numpy as np
    >>> graphs = [np.ones((n, n)) - np.eye(n) for n in (3, 4, 5)] + [np.zeros((4, 4))]
    >>> GDL(2, 4, epochs=3).fit_transform(graphs).shape
    (4, 2)
    """

    _Model = _srgw.LinearDictionary

    def __init__(
        self,
        n_atoms: int = 8,
        n_nodes: int = 10,
        *,
        reg: float = 0.0,
        alpha: float = 0.5,
        structure: str = "adjacency",
        weights: str | None = None,
        features: str = "auto",
        standardise: str | None = None,
        init: str = "graphs",
        epochs: int = 20,
        batch_size: int = 32,
        learning_rate: float = 0.01,
        random_state: Any = 0,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        callback: Callback | None = None,
    ) -> None:
        self.n_atoms = n_atoms
        self.n_nodes = n_nodes
        self.reg = reg
        self.alpha = alpha
        self.structure = structure
        self.weights = weights
        self.features = features
        self.standardise = standardise
        self.init = init
        self.epochs = epochs
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.callback = callback

    def fit(self, X: Any, y: Any = None) -> GDL:
        """Learns the atoms from graphs: a sequence, a Dataset or the path of one."""
        features, samples = self._first_samples(X)
        found = _srgw.learn_linear(
            samples,
            arguments.positive_int(self.n_atoms, "n_atoms"),
            arguments.positive_int(self.n_nodes, "n_nodes"),
            {"alpha": float(self.alpha), "regularisation": float(self.reg)},
            {
                "start": self.init,
                "epochs": arguments.positive_int(self.epochs, "epochs"),
                "batch": arguments.positive_int(self.batch_size, "batch_size"),
                "learning_rate": float(self.learning_rate),
            },
            *self._origin(features),
            **self._run(),
        )
        self.model_, self.embedding_, self.values_, self.loss_curve_, self.status_ = found
        return self

    def complete(self, graph: Any, n_nodes: int, **options: Any) -> CompletedGraph:
        """The rest of a graph of which only some nodes were seen, as the mixtures like it best.

        Parameters
        ----------
        graph, n_nodes
            As for :meth:`srgw.SRGWDictionary.complete`.
        **options
            The same; ``method`` is ``alternate`` (default) or ``adam``.

        Returns
        -------
        CompletedGraph

        Examples
        --------
        >>> import numpy as np
        >>> graphs = [np.ones((n, n)) - np.eye(n) for n in (3, 4, 5)]
        >>> GDL(2, 4, epochs=3).fit(graphs).complete(graphs[1], 5).graph.shape
        (5, 5)
        """
        self._check_fitted()
        given = {
            "method": "alternate",
            "random_state": self.random_state,
            "n_jobs": self.n_jobs,
            **options,
        }
        if self.model_.columns and "features" not in given:
            given["features"] = as_graph(graph).features
        return complete(self.model_, graph, n_nodes, **given)

    def metric_rows(self, shares: Any) -> Array:
        """Shares so that their distances are those of the mixtures: ``w M^(1/2)``."""
        self._check_fitted()
        return self.model_.metric_rows(
            arguments.as_float64(arguments.real_array(shares, "shares", 2))
        )


class GWF(_GraphModel):
    """Gromov-Wasserstein factorization: each graph is a barycenter of atoms.

    Parameters
    ----------
    n_atoms : int
    n_nodes : int, optional
        Nodes of an atom; by default atoms have the sizes of the graphs that they start from.
    alpha : float
        Weight of the structure where graphs have features.
    epsilon : float
        Inverse length of the proximal steps that find the plans.
    structure : str
        Non-negative, as ``adjacency``.
    weights : {'uniform', 'degree', 'power:b'}, optional
    features, standardise
        As for :class:`GDL`.
    epochs, batch_size : int
    learning_rate : float
    random_state, n_jobs, time_limit, callback
        As for :class:`GDL`.

    Attributes
    ----------
    embedding_, values_, loss_curve_, structures_, features_
        As for :class:`GDL`.

    Examples
    --------
    >>> import numpy as np
    >>> graphs = [np.ones((n, n)) - np.eye(n) for n in (3, 4, 5)] + [np.zeros((4, 4))]
    >>> GWF(2, epochs=2).fit_transform(graphs).shape
    (4, 2)
    """

    _Model = _srgw.Factorization

    def __init__(
        self,
        n_atoms: int = 8,
        n_nodes: int | None = None,
        *,
        alpha: float = 0.5,
        epsilon: float = 0.1,
        structure: str = "adjacency",
        weights: str | None = None,
        features: str = "auto",
        standardise: str | None = None,
        epochs: int = 10,
        batch_size: int = 100,
        learning_rate: float = 0.1,
        random_state: Any = 0,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        callback: Callback | None = None,
    ) -> None:
        self.n_atoms = n_atoms
        self.n_nodes = n_nodes
        self.alpha = alpha
        self.epsilon = epsilon
        self.structure = structure
        self.weights = weights
        self.features = features
        self.standardise = standardise
        self.epochs = epochs
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.callback = callback

    def fit(self, X: Any, y: Any = None) -> GWF:
        """Learns the atoms from graphs: a sequence, a Dataset or the path of one."""
        size = 0 if self.n_nodes is None else arguments.positive_int(self.n_nodes, "n_nodes")
        features, samples = self._first_samples(X)
        found = _srgw.learn_factorization(
            samples,
            arguments.positive_int(self.n_atoms, "n_atoms"),
            size,
            {"alpha": float(self.alpha), "epsilon": float(self.epsilon)},
            {
                "epochs": arguments.positive_int(self.epochs, "epochs"),
                "batch": arguments.positive_int(self.batch_size, "batch_size"),
                "learning_rate": float(self.learning_rate),
            },
            *self._origin(features),
            **self._run(),
        )
        self.model_, self.embedding_, self.values_, self.loss_curve_, self.status_ = found
        return self


class GWKMeans(_GraphModel):
    """k-means on graphs: the distance is (fused) Gromov-Wasserstein, means are barycenters.

    Parameters
    ----------
    n_clusters : int
    n_nodes : int, optional
        Nodes of a centre; by default the median of the graphs.
    alpha : float
        Weight of the structure where graphs have features.
    structure : str
    weights : {'uniform', 'degree', 'power:b'}, optional
    features, standardise
        As for :class:`GDL`.
    max_iter : int
        Rounds of assignment and means at most.
    tol : float
        Relative change of the inertia at which to stop.
    random_state, n_jobs, time_limit, callback
        As for :class:`GDL`; rounds instead of epochs.

    Attributes
    ----------
    labels_ : array, shape (n_graphs,)
    embedding_ : array, shape (n_graphs, n_clusters)
        Divergences to the centres.
    inertia_ : float
    loss_curve_ : array
        Inertia at each assignment.
    structures_, features_ : list of arrays
        The centres.

    Examples
    --------
    >>> import numpy as np
    >>> graphs = [np.ones((n, n)) - np.eye(n) for n in (3, 4, 5)] + [np.zeros((4, 4))]
    >>> model = GWKMeans(2).fit(graphs)
    >>> bool(model.labels_[3] != model.labels_[0])
    True
    """

    _Model = _srgw.GraphCentres

    def __init__(
        self,
        n_clusters: int = 2,
        n_nodes: int | None = None,
        *,
        alpha: float = 0.5,
        structure: str = "adjacency",
        weights: str | None = None,
        features: str = "auto",
        standardise: str | None = None,
        max_iter: int = 300,
        tol: float = 1e-3,
        random_state: Any = 0,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        callback: Callback | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_nodes = n_nodes
        self.alpha = alpha
        self.structure = structure
        self.weights = weights
        self.features = features
        self.standardise = standardise
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.callback = callback

    def fit(self, X: Any, y: Any = None) -> GWKMeans:
        """Clusters graphs: a sequence, a Dataset or the path of one."""
        size = 0 if self.n_nodes is None else arguments.positive_int(self.n_nodes, "n_nodes")
        features, samples = self._first_samples(X)
        found = _srgw.cluster_graphs(
            samples,
            {
                "clusters": arguments.positive_int(self.n_clusters, "n_clusters"),
                "size": size,
                "alpha": float(self.alpha),
                "max_rounds": arguments.positive_int(self.max_iter, "max_iter"),
                "tolerance": float(self.tol),
            },
            *self._origin(features),
            **self._run(),
        )
        self.model_, self.labels_, self.embedding_, self.inertia_ = found[:4]
        self.loss_curve_, self.status_ = found[4:]
        return self

    def fit_predict(self, X: Any, y: Any = None) -> NDArray[np.int64]:
        """Clusters graphs and returns ``labels_``."""
        return self.fit(X).labels_

    def predict(self, X: Any) -> NDArray[np.int64]:
        """The nearest centre of each graph."""
        return self.transform(X).argmin(axis=1)
