"""Baselines that embed or cluster graphs: mixtures, factorizations and k-means on graphs."""

from __future__ import annotations

import os
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from . import _arguments as arguments
from . import _srgw
from ._completion import CompletedGraph
from ._docs import inherit_parameters
from ._estimator import as_set
from ._graph_sets import GraphEstimator, file_bytes, from_file_bytes

__all__ = ["GDL", "GWF", "GWKMeans"]

Array = NDArray[np.float64]
Path = str | os.PathLike[str]


class _GraphModel(GraphEstimator):
    """Shared code of the three, which keep a model of the library."""

    _Model: ClassVar[Any]
    _count: ClassVar[str] = "n_atoms"  # parameter with the number of atoms
    n_nodes: int | None

    def fit(self, X: Any, y: Any = None) -> Any:
        """Learns from graphs."""
        raise NotImplementedError

    def _size(self) -> int:
        """Nodes of an atom; 0: chosen by the library."""
        return 0 if self.n_nodes is None else arguments.positive_int(self.n_nodes, "n_nodes")

    def _origin(self, features: _srgw.FeatureMap) -> tuple[_srgw.FeatureMap, str, str]:
        """Description of the graphs for the model file."""
        return features, self.structure, self.weights or ""

    @as_set
    def transform(self, X: Any) -> Array:
        """Embeds graphs, as rows of ``embedding_``."""
        return self._embedded(X)[0]

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Names of the columns of :meth:`transform`: the name of the class and a number.

        Parameters
        ----------
        input_features : ignored
        """
        self._check_fitted()
        return self._numbered_names(len(self.model_.atoms))

    def _embedded(self, X: Any) -> tuple[Array, Array]:
        """The embedding, and the value of each graph."""
        self._check_fitted()
        with _srgw.TimeLimit(self.time_limit):
            samples = self._samples(X, self.model_.features)
            return self.model_.embed(samples, arguments.threads(self.n_jobs))

    @property
    def structures_(self) -> list[Array]:
        """Structures of the atoms."""
        self._check_fitted()
        return [structure for structure, _ in self.model_.atoms]

    @property
    def features_(self) -> list[Array]:
        """Features of the atoms, of shape (m, 0) if graphs have none."""
        self._check_fitted()
        return [features for _, features in self.model_.atoms]

    @as_set
    def fit_transform(self, X: Any, y: Any = None) -> Array:
        """Learns from graphs and returns ``embedding_``."""
        return self.fit(X).embedding_

    def save(self, path: Path) -> None:
        """Writes the model as an ``.npz``, which the command line and C++ also read."""
        self._check_fitted()
        self.model_.save(os.fspath(path))

    @classmethod
    def load(cls, path: Path) -> Any:
        """An estimator with the model of a file; options of learning are the defaults."""
        model = cls._Model.load(os.fspath(path))
        made = cls()
        made.structure = model.structure or "adjacency"
        made.weights = model.node_weights or None
        sizes = {len(structure) for structure, _ in model.atoms}
        made.n_nodes = sizes.pop() if len(sizes) == 1 else made.n_nodes
        setattr(made, cls._count, len(model.atoms))
        made.model_ = model
        return made

    def __getstate__(self) -> dict[str, Any]:
        """The model is pickled as the bytes of its file."""
        state = super().__getstate__()
        if "model_" in state:
            state["model_"] = file_bytes(state["model_"])
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        if "model_" in state:
            self.model_ = from_file_bytes(self._Model.load, state["model_"])


class _MixtureModel(_GraphModel):
    """Shared code of GDL and GWF: each graph gets a weight for each atom."""

    _learn: ClassVar[Any]
    n_atoms: int
    max_epochs: int
    batch_size: int
    learning_rate: float
    patience: int

    def score(self, X: Any, y: Any = None) -> float:
        """Minus the mean value of graphs; higher is better."""
        return -float(np.mean(self._embedded(X)[1]))

    def _fit(self, X: Any, problem: dict[str, Any], scheme: dict[str, Any]) -> None:
        features, samples = self._first_samples(X)
        found = type(self)._learn(
            samples,
            arguments.positive_int(self.n_atoms, "n_atoms"),
            self._size(),
            {"alpha": self._structure_weight(), **problem},
            {
                "epochs": arguments.positive_int(self.max_epochs, "max_epochs"),
                "batch": arguments.positive_int(self.batch_size, "batch_size"),
                "learning_rate": arguments.number(self.learning_rate, "learning_rate"),
                "patience": arguments.count(self.patience, "patience"),
                **scheme,
            },
            *self._origin(features),
            self._run(),
        )
        self.model_, self.embedding_, self.values_, self.loss_curve_, self.status_ = found
        self._warn_of_limit(self.status_)


@inherit_parameters(GraphEstimator)
@dataclass(eq=False, repr=False)
class GDL(_MixtureModel):
    """Graph dictionary learning: each graph is a mixture of atoms of one size.

    Parameters
    ----------
    n_atoms : int
    n_nodes : int
        Number of nodes of an atom.
    reg : float
        Weight of the regulariser ``-|w|^2``: above 0 graphs are mixtures of fewer atoms.
    init : {'graphs', 'noise'}
        Initial atoms.
    max_epochs : int
        Number of passes over the graphs.
    batch_size : int
    learning_rate : float
    patience : int
        Stop after this many evaluations of all graphs, 5 epochs apart, without improvement;
        0: never.

    Attributes
    ----------
    embedding_ : array, shape (n_graphs, n_atoms)
        Weights of the atoms.
    values_ : array, shape (n_graphs,)
    loss_curve_ : array
        Mean value of the graphs of each epoch.
    structures_, features_ : list of arrays
        The atoms.

    Examples
    --------
    >>> import numpy as np
    >>> graphs = [np.ones((n, n)) - np.eye(n) for n in (3, 4, 5)] + [np.zeros((4, 4))]
    >>> GDL(2, 4, max_epochs=3).fit_transform(graphs).shape
    (4, 2)
    """

    _Model = _srgw.LinearDictionary
    _learn = _srgw.learn_linear

    n_atoms: int = 8
    n_nodes: int = 10
    _: KW_ONLY
    reg: float = 0.0
    init: str = "graphs"
    max_epochs: int = 20
    batch_size: int = 32
    learning_rate: float = 0.01
    patience: int = 0

    def fit(self, X: Any, y: Any = None) -> GDL:
        """Learns the atoms from graphs: a sequence, a Dataset or the path of one."""
        self._fit(
            X,
            {"regularisation": arguments.number(self.reg, "reg")},
            {"start": arguments.text(self.init, "init")},
        )
        return self

    def complete(self, graph: Any, n_nodes: int, **options: Any) -> CompletedGraph:
        """Predicts the hidden nodes and edges of a partially observed graph, by mixtures.

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
        >>> GDL(2, 4, max_epochs=3).fit(graphs).complete(graphs[1], 5).graph.shape
        (5, 5)
        """
        self._check_fitted()
        return self._complete(self.model_, graph, n_nodes, {"method": "alternate", **options})

    def metric_rows(self, shares: Any) -> Array:
        """Maps weights to rows whose distances are those of the mixtures: ``w M^(1/2)``."""
        self._check_fitted()
        return self.model_.metric_rows(
            arguments.as_float64(arguments.real_array(shares, "shares", 2))
        )


@inherit_parameters(GDL)
@dataclass(eq=False, repr=False)
class GWF(_MixtureModel):
    """Gromov-Wasserstein factorization: each graph is a barycenter of atoms.

    Parameters
    ----------
    n_nodes : int, optional
        Number of nodes of an atom; by default atoms have the sizes of the graphs that they start
        from.
    epsilon : float
        Inverse length of the proximal steps that find the plans.
    structure : str
        A non-negative structure, such as ``adjacency``.

    Attributes
    ----------
    embedding_, values_, loss_curve_, structures_, features_
        As for :class:`GDL`.

    Examples
    --------
    >>> import numpy as np
    >>> graphs = [np.ones((n, n)) - np.eye(n) for n in (3, 4, 5)] + [np.zeros((4, 4))]
    >>> GWF(2, max_epochs=2).fit_transform(graphs).shape
    (4, 2)
    """

    _Model = _srgw.Factorization
    _learn = _srgw.learn_factorization

    n_atoms: int = 8
    n_nodes: int | None = None
    _: KW_ONLY
    epsilon: float = 0.1
    max_epochs: int = 10
    batch_size: int = 100
    learning_rate: float = 0.1
    patience: int = 0

    def fit(self, X: Any, y: Any = None) -> GWF:
        """Learns the atoms from graphs: a sequence, a Dataset or the path of one."""
        self._fit(X, {"epsilon": arguments.number(self.epsilon, "epsilon")}, {})
        return self


@inherit_parameters(GDL)
@dataclass(eq=False, repr=False)
class GWKMeans(_GraphModel):
    """k-means on graphs: distances are (fused) Gromov-Wasserstein, means are barycenters.

    Parameters
    ----------
    n_clusters : int
    n_nodes : int, optional
        Number of nodes of a centre; by default the median of the graphs.
    max_iter : int
        Maximum number of rounds of assignment and means.
    tol : float
        Relative change of the inertia at which to stop.
    callback : callable, optional
        Called with a :class:`srgw.Progress` after each round; returning False stops.

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
    _count = "n_clusters"
    _kind = "clusterer"
    _step = "round"

    n_clusters: int = 2
    n_nodes: int | None = None
    _: KW_ONLY
    max_iter: int = 300
    tol: float = 1e-3

    def fit(self, X: Any, y: Any = None) -> GWKMeans:
        """Clusters graphs: a sequence, a Dataset or the path of one."""
        features, samples = self._first_samples(X)
        found = _srgw.cluster_graphs(
            samples,
            {
                "clusters": arguments.positive_int(self.n_clusters, "n_clusters"),
                "size": self._size(),
                "alpha": self._structure_weight(),
                "max_rounds": arguments.positive_int(self.max_iter, "max_iter"),
                "tolerance": arguments.number(self.tol, "tol"),
            },
            *self._origin(features),
            self._run(),
        )
        self.model_, self.labels_, self.embedding_, self.inertia_ = found[:4]
        self.loss_curve_, self.status_ = found[4:]
        self._warn_of_limit(self.status_)
        return self

    def fit_predict(self, X: Any, y: Any = None) -> NDArray[np.int64]:
        """Clusters graphs and returns ``labels_``."""
        return self.fit(X).labels_

    def score(self, X: Any, y: Any = None) -> float:
        """Minus the sum of the divergences of graphs from their nearest centres."""
        return -float(self._embedded(X)[0].min(axis=1).sum())

    def predict(self, X: Any) -> NDArray[np.int64]:
        """The nearest centre of each graph."""
        return self._embedded(X)[0].argmin(axis=1)
