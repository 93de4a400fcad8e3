"""Dictionaries: small target graphs learned from many graphs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _arguments as arguments
from . import _srgw
from ._completion import CompletedGraph
from ._docs import inherit_parameters
from ._estimator import as_set
from ._graph_sets import GraphEstimator, file_bytes, from_file_bytes
from ._semirelaxed import Method, own_method

__all__ = ["SRGWDictionary"]

Array = NDArray[np.float64]
Path = str | os.PathLike[str]
_LEARNERS = ("closed-form", "adam")
_STATUSES = ("converged", "iteration_limit", "time_limit", "interrupted")  # from good to bad


@inherit_parameters(GraphEstimator)
@dataclass(eq=False, repr=False)
class SRGWDictionary(GraphEstimator):
    """A dictionary of target graphs (atoms) on which graphs are projected.

    The embedding of a graph is the weight that its projection gives to each node of the atom. The
    atom is learned so that the mean divergence is small.

    Parameters
    ----------
    n_nodes : int
        Number of nodes of an atom.
    epsilon : float
        0 for the exact projection (conditional gradient), above 0 for mirror descent.
    sparsity : float
        Weight of the penalty on target weights: graphs use fewer nodes of the atom.
    learner : {'closed-form', 'adam'}
        ``closed-form`` alternates between plans and the best atom for them; ``adam`` is the scheme
        of the paper.
    atom_start : {'noise', 'descriptors', 'both'}, optional
        Initial atom; default ``both`` for ``closed-form``, ``noise`` for ``adam``.
    max_epochs : int, optional
        Maximum number of epochs of each start, without those after jumps of target nodes; default
        20 for ``closed-form``, 100 for ``adam``.
    batch_size : int
    learning_rate : float
        Only for ``adam``.
    patience : int
        Only for ``adam``: evaluations without gain until it stops; 0: make all epochs.
    n_atoms : int
        Number of atoms of the ensemble, each learned with its own seed.
    coordinates : str or sequence of str
        Columns of :meth:`transform`: some of ``weights``, ``sqrt``, ``value``, ``form``,
        ``spectrum``, ``quantiles``, ``log-size``.
    random_starts : int
        Extra random starts of :meth:`transform`.
    forgetting : float
        Factor by which :meth:`partial_fit` multiplies the weight of former batches.
    for_completion : float, optional
        Also learn to complete graphs of which about this share of the nodes is hidden, for
        :meth:`complete`.
    max_iter : int
        Maximum number of iterations of a projection.
    tol : float
        Tolerance of a projection.
    callback : callable, optional
        Called with a :class:`srgw.Progress` after each epoch (``iteration``: the epoch, ``value``:
        the mean loss); returning False stops.

    Attributes
    ----------
    structure_ : array, shape (n_nodes, n_nodes)
        Structure of the (first) atom.
    features_ : array, shape (n_nodes, d)
        Features of the (first) atom, if there are features.
    atoms_ : list of (structure, features)
    embedding_ : array, shape (graphs, n_atoms * n_nodes)
        Target weights of the training graphs, from the last plans of learning.
    loss_ : float
        Mean divergence (squared) of the graphs, over all atoms.
    values_ : array, shape (graphs, n_atoms)
        Divergence of each graph.
    loss_curve_ : list of float
        Loss of the last atom after each epoch; with :meth:`partial_fit`, loss of each batch before
        the update.
    n_epochs_ : int
        Epochs of the best start, summed over atoms.
    n_passes_ : int
        Passes over the dataset: epochs of all starts, and those after jumps of target nodes.
    status_ : str
        The least favourable status of all atoms.
    n_graphs_seen_ : int

    Examples
    --------
    >>> import numpy as np
    >>> import srgw
    >>> graphs = [np.kron(np.eye(2), np.ones((n, n))) for n in range(2, 8)]
    >>> model = SRGWDictionary(2).fit(graphs)
    >>> round(model.loss_, 6)
    0.0
    >>> model.transform(graphs[:3]).round(3).tolist()
    [[0.5, 0.5], [0.5, 0.5], [0.5, 0.5]]
    """

    _left_out = ("callback", "_model", "_completion", "_stream")

    n_nodes: int = 10
    _: KW_ONLY
    epsilon: float = 0.0
    sparsity: float = 0.0
    learner: str = "closed-form"
    atom_start: str | None = None
    max_epochs: int | None = None
    batch_size: int = 32
    learning_rate: float = 0.01
    patience: int = 0
    n_atoms: int = 1
    coordinates: str | Sequence[str] = "weights"
    random_starts: int = 0
    forgetting: float = 0.99
    for_completion: float | None = None
    max_iter: int = 1000
    tol: float = 1e-5

    def fit(self, X: Any, y: Any = None) -> SRGWDictionary:
        """Learns the atoms.

        Parameters
        ----------
        X : sequence of anything that :func:`srgw.as_graph` takes, a Dataset, or the path of one
        y : ignored

        Returns
        -------
        self
        """
        features, samples = self._first_samples(X)
        seed, atoms = arguments.seed(self.random_state), self._atoms()
        learned = []
        with _srgw.TimeLimit(self.time_limit):
            for number in range(atoms):
                learned.append(self._learn(samples, seed + number))
                if learned[-1].status in ("interrupted", "time_limit"):
                    break
            self._take_learned(learned, features, samples)
            if self.for_completion is not None:
                self._learn_completion(samples, seed)
        self._warn_of_limit(self.status_)
        return self

    def partial_fit(self, X: Any, y: Any = None) -> SRGWDictionary:
        """Learns from one more batch of graphs, which are not kept.

        After :meth:`fit` or :meth:`load` it continues from that atom. The first batch fits how
        labels and attributes become features.

        Parameters
        ----------
        X : as for :meth:`fit`
        y : ignored

        Returns
        -------
        self
        """
        if self._atoms() != 1:
            raise ValueError(f"n_atoms is {self.n_atoms}, expected 1 for partial_fit")
        if hasattr(self, "_model"):
            features = self._model.features
            samples = self._samples(X, features)
        else:
            features, samples = self._first_samples(X)
        if getattr(self, "_stream", None) is None:
            self._stream: _srgw.OnlineDictionary | None = self._new_stream()
            self.loss_curve_: list[float] = []
            if hasattr(self, "_model"):  # of a file, which does not have the graphs
                seen = max(self._model.graphs, self._batch())
                self._stream.take_atom(self.atoms_[0], self._model.unit, seen)
        assert self._stream is not None
        with _srgw.TimeLimit(self.time_limit):
            loss = self._stream.partial_fit(samples)
        self.loss_curve_ = [*self.loss_curve_, loss]
        self.loss_ = self.loss_curve_[-1]
        self.n_graphs_seen_: int = self._stream.graphs
        self._keep([self._stream.atom], features, self._stream.unit)
        return self

    @as_set
    def transform(self, X: Any) -> Array:
        """Projects graphs on the atoms.

        Parameters
        ----------
        X : as for :meth:`fit`

        Returns
        -------
        array, shape (graphs, columns)
            The coordinates of each graph.
        """
        return self._embedded(X)[0]

    def coordinate_blocks(self) -> list[int]:
        """Columns of each part of :meth:`transform`: for each atom, of each of its coordinates."""
        self._check_fitted()
        return _srgw.embedding_blocks(self._model, self._words())

    @as_set
    def fit_transform(self, X: Any, y: Any = None) -> Array:
        """Returns ``fit(X).transform(X)``."""
        return self.fit(X, y)._embedded(X)[0]

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Names of the columns of :meth:`transform`, such as ``atom0_weights3``.

        Parameters
        ----------
        input_features : ignored
        """
        blocks = iter(self.coordinate_blocks())
        words = self._words()
        names: list[str] = []
        for atom in range(len(self.atoms_)):
            for word in words:
                if word != "log-size":
                    name = f"atom{atom}_{word}"
                    columns = next(blocks)
                    single = word in ("value", "form")
                    names += [name] if single else [f"{name}{k}" for k in range(columns)]
        names += ["log_size"] if "log-size" in words else []
        return np.array(names, dtype=object)

    def divergences(self, X: Any) -> Array:
        """Squared divergences of graphs from the atoms, shape (graphs, n_atoms)."""
        return self._embedded(X)[1]

    def score(self, X: Any, y: Any = None) -> float:
        """Minus the mean divergence of graphs; higher is better."""
        return -float(self.divergences(X).mean())

    def complete(self, graph: Any, n_nodes: int, **options: Any) -> CompletedGraph:
        """Predicts the hidden nodes and edges of a partially observed graph.

        Parameters
        ----------
        graph : anything that :func:`srgw.as_graph` takes
            The observed nodes, with features if the atoms have features (or ``features=``).
        n_nodes : int
            Nodes of the whole graph; hidden nodes come after the observed ones.
        **options
            ``method``: ``learned`` (default; fit with ``for_completion``), ``alternate`` or
            ``adam``; ``features``, ``mask`` and ``feature_mask`` of unknown pairs and features
            of observed nodes, ``start``, ``learning_rate``, ``max_iter``, ``draws``, ``threshold``.

        Returns
        -------
        CompletedGraph
            ``graph`` (one plausible whole graph), ``probabilities`` (of every unknown pair),
            ``structure``, ``features``, ``value``, ``n_iter``, ``trace``.

        Examples
        --------
        >>> import numpy as np
        >>> graphs = [np.kron(np.eye(2), np.ones((n, n))) for n in range(3, 8)]
        >>> model = SRGWDictionary(2).fit(graphs)
        >>> whole = model.complete(graphs[0], 8, method="alternate")
        >>> whole.graph.shape, whole.probabilities.shape
        ((8, 8), (8, 8))
        """
        self._check_fitted()
        return self._complete(self._file(), graph, n_nodes, options)

    def save(self, path: Path) -> None:
        """Writes the model to an ``.npz`` file, which the command line also reads.

        The file has the atoms, ``coordinates``, ``random_starts`` and how graphs are projected, not
        the options of learning. A pickle has everything.
        """
        self._check_fitted()
        self._file().save(os.fspath(path))

    @classmethod
    def load(cls, path: Path) -> SRGWDictionary:
        """Reads a model file of :meth:`save` or ``srgw learn``."""
        source = _srgw.CompletionSource.load(os.fspath(path))
        model = source.dictionary
        atoms = model.atoms
        epsilon, max_iter, tol = model.method
        words = model.coordinates
        loaded = cls(
            len(atoms[0][0]),
            structure=model.structure or "adjacency",
            weights=model.node_weights or None,
            features=model.features.take,
            alpha=model.alpha,
            sparsity=model.sparsity,
            epsilon=epsilon,
            max_iter=max_iter,
            tol=tol,
            n_atoms=len(atoms),
            coordinates=words[0] if len(words) == 1 else words,
            random_starts=model.random_starts,
        )
        loaded._keep_model(model)
        loaded._completion = source.model
        loaded.n_graphs_seen_ = model.graphs
        return loaded

    def _atoms(self) -> int:
        return arguments.positive_int(self.n_atoms, "n_atoms")

    def _batch(self) -> int:
        return arguments.positive_int(self.batch_size, "batch_size")

    def _starts(self) -> int:
        starts = self.random_starts
        if not isinstance(starts, int | np.integer) or starts < 0:
            raise ValueError(f"random_starts is {starts!r}, expected a whole number from 0")
        return int(starts)

    def _words(self) -> list[str]:
        given = [self.coordinates] if isinstance(self.coordinates, str) else self.coordinates
        return [str(word).replace("_", "-") for word in given]

    def _embedded(self, X: Any) -> tuple[Array, Array]:
        self._check_fitted()
        starts = self._starts()
        threads, seed = arguments.threads(self.n_jobs), arguments.seed(self.random_state)
        with _srgw.TimeLimit(self.time_limit):
            samples = self._samples(X, self._model.features)
            return _srgw.embed(self._model, samples, self._words(), starts, threads, seed)

    def _take_learned(
        self, learned: list[_srgw.Learned], features: _srgw.FeatureMap, samples: _srgw.Samples
    ) -> None:
        self.n_graphs_seen_ = len(samples)
        self._keep([one.atom for one in learned], features, learned[0].unit)
        self.embedding_ = np.hstack([one.embedding for one in learned])
        self.values_ = np.column_stack([one.values for one in learned])
        self.loss_ = float(np.mean([one.loss for one in learned]))
        self.loss_curve_ = list(learned[-1].losses)
        self.n_epochs_ = sum(one.epochs for one in learned)
        self.n_passes_ = sum(one.passes for one in learned)
        self.status_ = max((one.status for one in learned), key=_STATUSES.index)
        self._stream = None
        if len(learned) == 1 and self._atoms() == 1:
            self._stream = self._new_stream()
            self._stream.take(samples, learned[0])

    def _learn_completion(self, samples: _srgw.Samples, seed: int) -> None:
        threads, rate = (
            arguments.threads(self.n_jobs),
            arguments.number(self.for_completion or 0, "for_completion"),
        )
        try:
            self._completion: _srgw.CompletionModel | None = _srgw.learn_completion(
                self._model, samples, rate, threads, seed
            )
        except TimeoutError:
            self.status_ = "time_limit"

    def _learn(self, samples: _srgw.Samples, seed: int) -> _srgw.Learned:
        return _srgw.learn(
            samples,
            arguments.positive_int(self.n_nodes, "n_nodes"),
            self._structure_weight(),
            arguments.number(self.sparsity, "sparsity"),
            self._method(),
            self._learner(),
            arguments.run(self.n_jobs, seed, self.time_limit, self._reporter(self._step)),
        )

    def _learner(self) -> _srgw.ClosedForm | _srgw.AdamScheme:
        given: dict[str, Any] = {"batch": self._batch()}
        if self.atom_start is not None:
            given["start"] = arguments.text(self.atom_start, "atom_start")
        if self.max_epochs is not None:
            given["epochs"] = arguments.positive_int(self.max_epochs, "max_epochs")
        word = arguments.text(self.learner, "learner").replace("_", "-")
        if word == "closed-form":
            return _srgw.ClosedForm(**given)
        if word == "adam":
            return _srgw.AdamScheme(
                learning_rate=arguments.number(self.learning_rate, "learning_rate"),
                patience=arguments.count(self.patience, "patience"),
                **given,
            )
        raise ValueError(f"learner is {self.learner!r}, expected {' or '.join(_LEARNERS)}")

    def _new_stream(self) -> _srgw.OnlineDictionary:
        start = self.atom_start if self.atom_start in ("noise", "descriptors") else "descriptors"
        adam = isinstance(self._learner(), _srgw.AdamScheme)
        return _srgw.online_dictionary(
            arguments.positive_int(self.n_nodes, "n_nodes"),
            self._structure_weight(),
            arguments.number(self.sparsity, "sparsity"),
            self._method(),
            _srgw.AdamSteps(learning_rate=arguments.number(self.learning_rate, "learning_rate"))
            if adam
            else _srgw.OnlineAverages(forgetting=arguments.number(self.forgetting, "forgetting")),
            start,
            arguments.threads(self.n_jobs),
            arguments.seed(self.random_state),
        )

    def _method(self) -> Method:
        return own_method(self.epsilon, self.max_iter, self.tol)

    def _keep(
        self, atoms: list[tuple[Array, Array]], features: _srgw.FeatureMap, unit: float
    ) -> None:
        self._keep_model(
            _srgw.make_dictionary(
                atoms,
                self._structure_weight(),
                arguments.number(self.sparsity, "sparsity"),
                self._method(),
                features,
                self.structure,
                self.weights or "",
                unit,
                self.n_graphs_seen_,
            )
        )

    def _file(self) -> _srgw.CompletionSource:
        model = self._model.described(self._words(), self._starts())
        return _srgw.CompletionSource.of(model, getattr(self, "_completion", None))

    def _keep_model(self, model: _srgw.Dictionary) -> None:
        self._model = model
        self._completion = None
        self.atoms_ = model.atoms
        self.structure_ = self.atoms_[0][0]
        self.__dict__.pop("features_", None)
        if model.columns:
            self.features_ = self.atoms_[0][1]

    def __getstate__(self) -> dict[str, Any]:
        state = super().__getstate__()
        if "_model" in vars(self):
            completion = getattr(self, "_completion", None)
            state["_model"] = file_bytes(_srgw.CompletionSource.of(self._model, completion))
        if getattr(self, "_stream", None) is not None:
            state["_stream"] = file_bytes(self._stream)
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        if "_model" in state:
            source = from_file_bytes(_srgw.CompletionSource.load, state["_model"])
            self._model, self._completion = source.dictionary, source.model
        if "_stream" in state:
            self._stream = self._new_stream()
            from_file_bytes(self._stream.resume, state["_stream"])
