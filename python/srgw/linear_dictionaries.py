"""Drop-in replacements for the dictionaries of ``ot.gromov``: graphs as mixtures of atoms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _arguments as arguments
from . import _srgw
from ._barycenters import Samples, prepare_samples
from ._docs import inherit_parameters
from ._semirelaxed import check_keywords
from .graph import as_graph
from .gromov import semirelaxed_gromov_wasserstein

__all__ = [
    "fused_gromov_wasserstein_dictionary_learning",
    "fused_gromov_wasserstein_linear_unmixing",
    "gromov_wasserstein_dictionary_learning",
    "gromov_wasserstein_linear_unmixing",
]

Array = NDArray[np.float64]
_GUARD = 1e-9  # of POT's Adam


def gromov_wasserstein_linear_unmixing(
    C: Any,
    Cdict: Any,
    reg: float = 0.0,
    p: Any = None,
    q: Any = None,
    tol_outer: float = 1e-5,
    tol_inner: float = 1e-5,
    max_iter_outer: int = 20,
    max_iter_inner: int = 200,
    symmetric: bool | None = None,
    *,
    time_limit: float | None = None,
    **kwargs: Any,
) -> tuple[Array, Array, Array, float]:
    """Writes a structure as a mixture of atoms.

    Minimises ``GW(C, sum_d w[d] Cdict[d]) - reg |w|^2`` over ``w`` in the simplex. Each turn solves
    for the plan and then for ``w``, both by conditional gradient.

    Parameters
    ----------
    C : array-like or SciPy sparse, shape (n, n)
    Cdict : array-like, shape (D, nt, nt)
        Atoms.
    reg : float
        Weight of the regulariser ``-|w|^2``: above 0 fewer atoms are used.
    p : array-like, shape (n,), optional
        Distribution over the structure; uniform by default.
    q : array-like, shape (nt,), optional
        Distribution over the atoms; uniform by default.
    tol_outer, tol_inner : float
        Relative change of the loss at which turns, and the steps of a turn, stop.
    max_iter_outer, max_iter_inner : int
        Maximum number of turns, and of steps in a turn.
    symmetric : bool, optional
        No effect: entries are compared.
    time_limit : float, optional
        Seconds, after which ``TimeoutError`` is raised.
    **kwargs
        Other keywords of POT.

    Returns
    -------
    w : array, shape (D,)
    Cembedded : array, shape (nt, nt)
        The mixture.
    T : array, shape (n, nt)
    loss : float

    Examples
    --------
    >>> import numpy as np
    >>> atoms = np.array([[[0.0, 1.0], [1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]]])
    >>> w, _, _, loss = gromov_wasserstein_linear_unmixing(atoms[0], atoms)
    >>> w.shape, bool(loss >= 0)
    ((2,), True)
    """
    check_keywords(kwargs, 3)
    unmixing = _unmixing(1.0, reg, tol_outer, tol_inner, max_iter_outer, max_iter_inner)
    w, embedded, _, T, loss = _unmix(C, None, Cdict, None, p, q, unmixing, time_limit)
    return w, embedded, T, loss


@inherit_parameters(gromov_wasserstein_linear_unmixing)
def fused_gromov_wasserstein_linear_unmixing(
    C: Any,
    Y: Any,
    Cdict: Any,
    Ydict: Any,
    alpha: float,
    reg: float = 0.0,
    p: Any = None,
    q: Any = None,
    tol_outer: float = 1e-5,
    tol_inner: float = 1e-5,
    max_iter_outer: int = 20,
    max_iter_inner: int = 200,
    symmetric: bool | None = True,
    *,
    time_limit: float | None = None,
    **kwargs: Any,
) -> tuple[Array, Array, Array, Array, float]:
    """Writes a graph with features as a mixture of atoms.

    Parameters
    ----------
    Y : array-like, shape (n, d)
        Features of the nodes.
    Ydict : array-like, shape (D, nt, d)
        Features of the atoms.
    alpha : float
        Weight of the structure, from 0 to 1.

    Returns
    -------
    w : array, shape (D,)
    Cembedded : array, shape (nt, nt)
    Yembedded : array, shape (nt, d)
    T : array, shape (n, nt)
    loss : float

    Examples
    --------
    >>> import numpy as np
    >>> atoms = np.array([[[0.0, 1.0], [1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]]])
    >>> Y = np.eye(2)
    >>> w, C, X, T, loss = fused_gromov_wasserstein_linear_unmixing(
    ...     atoms[0], Y, atoms, np.stack([Y, Y]), 0.5)
    >>> X.shape, T.shape
    ((2, 2), (2, 2))
    """
    check_keywords(kwargs, 3)
    unmixing = _unmixing(alpha, reg, tol_outer, tol_inner, max_iter_outer, max_iter_inner)
    return _unmix(C, Y, Cdict, Ydict, p, q, unmixing, time_limit)


@inherit_parameters(gromov_wasserstein_linear_unmixing, semirelaxed_gromov_wasserstein)
def gromov_wasserstein_dictionary_learning(
    Cs: Sequence[Any],
    D: int,
    nt: int,
    reg: float = 0.0,
    ps: Sequence[Any] | None = None,
    q: Any = None,
    epochs: int = 20,
    batch_size: int = 32,
    learning_rate: float = 1.0,
    Cdict_init: Any = None,
    projection: str = "nonnegative_symmetric",
    use_log: bool = True,
    tol_outer: float = 1e-5,
    tol_inner: float = 1e-5,
    max_iter_outer: int = 20,
    max_iter_inner: int = 200,
    use_adam_optimizer: bool = True,
    verbose: bool = False,
    random_state: Any = None,
    *,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    **kwargs: Any,
) -> tuple[Array, dict[str, list[float]]]:
    """Learns atoms whose mixtures are near to all structures.

    Batches are drawn at random and unmixed; the atoms make a step of Adam (or a plain one) with
    weights and plans held fixed. Random numbers are drawn in POT's order.

    Parameters
    ----------
    Cs : sequence of array-like or SciPy sparse, shapes (n_s, n_s)
    D : int
        Number of atoms.
    nt : int
        Number of nodes of an atom.
    ps : sequence of array-like, shapes (n_s,), optional
        Distributions over the structures; uniform by default.
    epochs, batch_size : int
    learning_rate : float
    Cdict_init : array-like, shape (D, nt, nt), optional
        Initial atoms; by default normal random numbers.
    projection : str
        If it contains ``symmetric``, or ``nonnegative``, so are the atoms.
    use_log : bool
        Whether to record the losses.
    use_adam_optimizer : bool
    verbose : bool
        Prints the loss of each epoch.
    random_state : int, RandomState or None
    time_limit : float, optional
        Seconds; the best epoch so far is kept. ``TimeoutError`` if there was none.

    Returns
    -------
    Cdict : array, shape (D, nt, nt)
        The atoms after the best epoch.
    log : dict
        ``loss_batches`` and ``loss_epochs``.

    Examples
    --------
    >>> import numpy as np
    >>> Cs = [np.ones((3, 3)) - np.eye(3), np.zeros((4, 4))] * 2
    >>> Cdict, log = gromov_wasserstein_dictionary_learning(Cs, 2, 3, epochs=2, random_state=0)
    >>> Cdict.shape, len(log["loss_epochs"])
    ((2, 3, 3), 2)
    """
    check_keywords(kwargs, 3)
    unmixing = _unmixing(1.0, reg, tol_outer, tol_inner, max_iter_outer, max_iter_inner)
    rate = arguments.number(learning_rate, "learning_rate")
    scheme = _scheme(rate, rate, projection, use_adam_optimizer)
    learner = _Learner(prepare_samples(Cs, ps, None, None), D, nt, q, random_state)
    learner.start(Cs, Cdict_init, None)
    run = (n_jobs, time_limit)
    atoms, _, log = learner.learn(unmixing, scheme, epochs, batch_size, use_log, verbose, run)
    return atoms, log


@inherit_parameters(
    gromov_wasserstein_dictionary_learning, fused_gromov_wasserstein_linear_unmixing
)
def fused_gromov_wasserstein_dictionary_learning(
    Cs: Sequence[Any],
    Ys: Sequence[Any],
    D: int,
    nt: int,
    alpha: float,
    reg: float = 0.0,
    ps: Sequence[Any] | None = None,
    q: Any = None,
    epochs: int = 20,
    batch_size: int = 32,
    learning_rate_C: float = 1.0,
    learning_rate_Y: float = 1.0,
    Cdict_init: Any = None,
    Ydict_init: Any = None,
    projection: str = "nonnegative_symmetric",
    use_log: bool = False,
    tol_outer: float = 1e-5,
    tol_inner: float = 1e-5,
    max_iter_outer: int = 20,
    max_iter_inner: int = 200,
    use_adam_optimizer: bool = True,
    verbose: bool = False,
    random_state: Any = None,
    *,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    **kwargs: Any,
) -> tuple[Array, Array, dict[str, list[float]]]:
    """Learns atoms with features whose mixtures are near to all graphs.

    Parameters
    ----------
    Ys : sequence of array-like, shapes (n_s, d)
        Features of the nodes.
    learning_rate_C, learning_rate_Y : float
    Ydict_init : array-like, shape (D, nt, d), optional
        Initial features of the atoms; by default normal random numbers.

    Returns
    -------
    Cdict : array, shape (D, nt, nt)
    Ydict : array, shape (D, nt, d)
    log : dict
        ``loss_batches`` and ``loss_epochs``, empty unless ``use_log``.

    Examples
    --------
    >>> import numpy as np
    >>> Cs = [np.ones((3, 3)) - np.eye(3), np.zeros((4, 4))] * 2
    >>> Ys = [np.ones((3, 1)), np.zeros((4, 1))] * 2
    >>> Cdict, Ydict, log = fused_gromov_wasserstein_dictionary_learning(
    ...     Cs, Ys, 2, 3, 0.5, epochs=2, random_state=0)
    >>> Ydict.shape, log["loss_epochs"]
    ((2, 3, 1), [])
    """
    check_keywords(kwargs, 3)
    unmixing = _unmixing(alpha, reg, tol_outer, tol_inner, max_iter_outer, max_iter_inner)
    rate = arguments.number(learning_rate_C, "learning_rate_C")
    feature_rate = arguments.number(learning_rate_Y, "learning_rate_Y")
    scheme = _scheme(rate, feature_rate, projection, use_adam_optimizer)
    learner = _Learner(prepare_samples(Cs, ps, Ys, None), D, nt, q, random_state)
    learner.start(Cs, Cdict_init, Ydict_init)
    run = (n_jobs, time_limit)
    return learner.learn(unmixing, scheme, epochs, batch_size, use_log, verbose, run)


def _unmixing(
    alpha: float, reg: float, tol_outer: float, tol_inner: float, turns: int, steps: int
) -> dict[str, Any]:
    return {
        "alpha": arguments.number(alpha, "alpha"),
        "regularisation": arguments.number(reg, "reg"),
        "max_turns": arguments.positive_int(turns, "max_iter_outer"),
        "turn_tolerance": arguments.number(tol_outer, "tol_outer"),
        "max_steps": arguments.positive_int(steps, "max_iter_inner"),
        "step_tolerance": arguments.number(tol_inner, "tol_inner"),
    }


def _scheme(rate: float, feature_rate: float, projection: str, adam: bool) -> dict[str, Any]:
    arguments.text(projection, "projection")
    return {
        "learning_rate": rate,
        "feature_learning_rate": feature_rate,
        "adam": bool(adam),
        "guard": _GUARD,
        "symmetric": "symmetric" in projection,
        "non_negative": "nonnegative" in projection,
    }


def _stack(value: Any, name: str, shape: tuple[int | None, ...]) -> Array:
    """Atoms or their features as one array; None in the shape is any number."""
    array = np.asarray(value)
    fits = array.ndim == 3 and all(
        wanted in (None, found) for wanted, found in zip(shape, array.shape, strict=True)
    )
    if not fits or array.dtype.kind not in "fiub":
        words = ", ".join("any" if n is None else str(n) for n in shape)
        raise AssertionError(f"{name} has shape {array.shape}, expected numbers ({words})")
    return arguments.as_float64(array)


def _pairs(atoms: Array, features: Array | None) -> list[tuple[Array, Array]]:
    """Atoms as the library takes them."""
    if features is None:
        features = np.zeros((*atoms.shape[:2], 0))
    return [
        (np.ascontiguousarray(C), np.ascontiguousarray(F))
        for C, F in zip(atoms, features, strict=True)
    ]


def _unmix(
    C: Any,
    Y: Any,
    Cdict: Any,
    Ydict: Any,
    p: Any,
    q: Any,
    unmixing: dict[str, Any],
    time_limit: float | None,
) -> tuple[Array, Array, Array, Array, float]:
    atoms = _stack(Cdict, "Cdict", (None, None, None))
    features = None if Y is None else _stack(Ydict, "Ydict", (len(atoms), atoms.shape[1], None))
    structure, dtype = arguments.structure(C, "C", None)
    h, _ = arguments.weights(p, "p", structure.size)
    hbar, _ = arguments.weights(q, "q", atoms.shape[1])
    rows = None
    if features is not None:
        rows = [arguments.cost_matrix(Y, "Y", structure.size, features.shape[2])[0]]
    graphs = _srgw.make_samples([structure], [h], rows)
    dictionary = _srgw.linear_dictionary(_pairs(atoms, features), hbar, unmixing)
    with _srgw.TimeLimit(time_limit):
        *arrays, loss, _, _ = _srgw.unmix_one(dictionary, graphs)
    out = arguments.common_dtype(dtype)
    w, embedded, mixed, T = (array.astype(out, copy=False) for array in arrays)
    return w, embedded, mixed, T, out.type(loss)


class _Learner:
    """A run of POT's learning, whose random numbers are drawn in its order."""

    def __init__(self, samples: Samples, D: int, nt: int, q: Any, random_state: Any) -> None:
        self.samples = samples
        self.count = arguments.positive_int(D, "D")
        self.size = arguments.positive_int(nt, "nt")
        self.weights, _ = arguments.weights(q, "q", self.size)
        self.random = _random(random_state)

    def start(self, Cs: Sequence[Any], Cdict: Any, Ydict: Any) -> None:
        shape = (self.count, self.size, self.size)
        if Cdict is None:
            means = [_mean(C) for C in Cs]
            self.atoms = self.random.normal(np.mean(means), np.std(means), shape)
        else:
            self.atoms = _stack(Cdict, "Cdict_init", shape)
        self.features: Array | None = None
        if self.samples.features is None:
            return
        rows = np.stack([Y.mean(axis=0) for Y in self.samples.features])
        wide = (self.count, self.size, rows.shape[1])
        if Ydict is None:
            self.features = self.random.normal(rows.mean(axis=0), rows.std(axis=0), wide)
        else:
            self.features = _stack(Ydict, "Ydict_init", wide)

    def learn(
        self,
        unmixing: dict[str, Any],
        scheme: dict[str, Any],
        epochs: int,
        batch_size: int,
        use_log: bool,
        verbose: bool,
        run: tuple[int | None, float | None],
    ) -> tuple[Array, Array, dict[str, list[float]]]:
        n_jobs, time_limit = run
        deadline = arguments.Deadline(time_limit)
        samples = self.samples
        graphs = _srgw.make_samples(samples.structures, samples.weights, samples.features)
        first = _srgw.linear_dictionary(_pairs(self.atoms, self.features), self.weights, unmixing)
        learning = _srgw.LinearLearning(graphs, first, scheme, arguments.threads(n_jobs))
        size = min(arguments.positive_int(batch_size, "batch_size"), len(graphs))
        batches = -(-len(graphs) // size)
        log: dict[str, list[float]] = {"loss_batches": [], "loss_epochs": []}
        best, lowest = learning.dictionary, np.inf
        for epoch in range(arguments.positive_int(epochs, "epochs")):
            losses = []
            try:
                for _ in range(batches):
                    batch = self.random.choice(range(len(graphs)), size=size, replace=False)
                    with _srgw.TimeLimit(deadline.left()):
                        losses.append(learning.step(np.ascontiguousarray(batch, np.int64)))
            except TimeoutError:
                if epoch == 0:
                    raise
                arguments.warn_of_time_limit(f"learning stopped in epoch {epoch}", 4)
                break
            loss = float(sum(losses))
            if use_log:
                log["loss_batches"] += losses
                log["loss_epochs"].append(loss)
            if loss < lowest:
                best, lowest = learning.dictionary, loss
            if verbose:
                print(f"--- epoch = {epoch} cumulated reconstruction error: {loss}")
        dtype = samples.dtype
        structures, features = (np.stack(part) for part in zip(*best.atoms, strict=True))
        return structures.astype(dtype, copy=False), features.astype(dtype, copy=False), log


def _mean(C: Any) -> Any:
    if arguments.is_graph(C):
        return as_graph(C).to_numpy().mean()
    return C.mean() if hasattr(C, "mean") else np.mean(C)


def _random(random_state: Any) -> np.random.RandomState:
    """As scikit-learn and POT make one of an int, but no global state is touched."""
    if isinstance(random_state, np.random.RandomState):
        return random_state
    if isinstance(random_state, np.random.Generator):
        return np.random.RandomState(random_state.integers(2**31))
    try:
        return np.random.RandomState(random_state)
    except TypeError:
        raise TypeError(
            f"random_state is {random_state!r}, expected an int, None or a RandomState"
        ) from None
