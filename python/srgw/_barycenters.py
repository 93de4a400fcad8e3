"""Shared code of the barycenters."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _arguments as arguments
from . import _srgw
from ._semirelaxed import (
    Callback,
    Extras,
    Method,
    check_keywords,
    exact_method,
    printer,
    projected_method,
)
from ._starts import PARTITIONS, check_method, named_plan
from ._updates import update_barycenter_feature, update_barycenter_structure
from .exceptions import ConvergenceWarning, undefined_parameter

Array = NDArray[np.float64]
_PRODUCTS = ("product", "random_product")


class Samples(NamedTuple):
    """Graphs to be averaged, checked."""

    structures: list[_srgw.Structure]
    weights: list[Array]
    features: list[Array] | None
    shares: Array
    dtype: np.dtype[Any]


class Given(NamedTuple):
    """The known parts of a barycenter of `size` nodes."""

    size: int
    weights: Array | None = None  # None: free
    alpha: float = 1.0
    kl: bool = False
    structure: Array | None = None
    features: Array | None = None
    fixed_structure: bool = False
    fixed_features: bool = False
    entropy: float = 0.0


class Turns(NamedTuple):
    """How plans and barycenter take turns, by POT's names."""

    max_iter: Any
    tol: float
    stop_criterion: str
    warmstartT: bool
    verbose: bool
    log: bool
    random_state: Any
    start: str = "product"


def prepare_samples(Cs: Sequence[Any], ps: Any, Ys: Any, lambdas: Any) -> Samples:
    """Structures, weights, features and shares of the samples."""
    if len(arguments.sequence(Cs, "Cs")) == 0:
        raise ValueError("Cs is empty, expected at least one structure")
    for name, values in (("ps", ps), ("Ys", Ys), ("lambdas", lambdas)):
        if values is not None and len(arguments.sequence(values, name)) != len(Cs):
            raise ValueError(f"{name} has {len(values)} entries, expected {len(Cs)}, as Cs")
    made = [arguments.structure(C, f"Cs[{s}]", None) for s, C in enumerate(Cs)]
    structures = [structure for structure, _ in made]
    weighed = [
        arguments.weights(None if ps is None else ps[s], f"ps[{s}]", structures[s].size)
        for s in range(len(Cs))
    ]
    features = None
    if Ys is not None:
        width = arguments.real_array(Ys[0], "Ys[0]", 2).shape[1]
        features = [
            arguments.cost_matrix(Y, f"Ys[{s}]", structures[s].size, width)
            for s, Y in enumerate(Ys)
        ]
    if lambdas is None:
        lambdas = np.full(len(Cs), 1 / len(Cs))
    shares = arguments.as_float64(arguments.real_array(lambdas, "lambdas", 1))
    if not (shares.min() >= 0 and shares.sum() > 0):
        raise ValueError(f"lambdas is {shares}, expected numbers >= 0, not all 0")
    dtypes = [dtype for _, dtype in (*made, *weighed, *(features or []))]
    return Samples(
        structures,
        [h for h, _ in weighed],
        None if features is None else [Y for Y, _ in features],
        shares / shares.sum(),
        arguments.common_dtype(*dtypes),
    )


def prepare_given(
    samples: Samples,
    N: Any,
    loss_fun: str,
    init_C: Any,
    init_X: Any = None,
    alpha: float = 1.0,
    fixed: tuple[bool, bool] = (False, False),
    features_name: str = "init_X",
) -> Given:
    """Size, loss and what the barycenter starts from."""
    kl = arguments.is_kl(loss_fun)
    alpha = arguments.number(alpha, "alpha")
    if not 0 <= alpha <= 1:
        raise ValueError(f"alpha is {alpha}, expected a number from 0 to 1")
    size = arguments.positive_int(N, "N")
    for wanted, value, name in zip(fixed, (init_C, init_X), ("init_C", features_name), strict=True):
        if wanted and value is None:
            raise undefined_parameter(f"{name} is None, expected the values to keep fixed")
    structure = features = None
    if init_C is not None:
        structure = arguments.cost_matrix(init_C, "init_C", size, size)[0]
    if init_X is not None and samples.features is not None:
        width = samples.features[0].shape[1]
        features = arguments.cost_matrix(init_X, features_name, size, width)[0]
    return Given(size, None, float(alpha), kl, structure, features, *map(bool, fixed))


def average_balanced(
    samples: Samples,
    given: Given,
    p: Any,
    turns: Turns,
    extras: Extras,
    keywords: dict[str, Any],
    epsilon: float | None = None,
) -> Any:
    """Averages the samples with given weights; with an epsilon the plans are entropic."""
    if epsilon is None:
        method = exact_method(turns.max_iter, 1e-5, 0.0)
    else:
        solver, _ = keywords.pop("solver", "PGD"), keywords.pop("warmstart", None)
        method, entropy = projected_method(solver, epsilon, turns.max_iter, 1e-4, keywords)
        given = given._replace(entropy=entropy)
    check_keywords(keywords, 4)
    given = _with_weights(given, samples, p, turns.random_state)
    return _answer(_find(samples, given, method, turns, extras), samples, given, turns)


def average_semirelaxed(
    samples: Samples, given: Given, turns: Turns, extras: Extras, keywords: dict[str, Any]
) -> Any:
    """Averages the samples; each has its own target weights."""
    check_keywords(keywords, 4)
    if not isinstance(turns.start, str):
        raise ValueError(f"G0 is {turns.start!r}, expected the name of a start")
    check_method(turns.start, "G0")
    seed = arguments.seed(turns.random_state)
    turns = turns._replace(random_state=seed)
    method = exact_method(turns.max_iter, arguments.number(turns.tol, "tol"), 0.0)
    starts = [turns.start]
    if given.structure is None and turns.start in _PRODUCTS:
        # All products have the same columns, which would make all nodes of the barycenter alike.
        # Clusters of nodes are a start in addition to random plans.
        starts.append("kmeans")
    deadline, tries = arguments.Deadline(extras.time_limit), []
    for start in starts:
        try:
            begun = _with_first_plans(given, samples, start, seed)
            left = extras._replace(time_limit=deadline.left())
            chosen = turns._replace(start=start)
            tries.append((_find(samples, begun, method, chosen, left), begun, chosen))
        except TimeoutError:
            if not tries:
                raise
        if tries and tries[-1][0].status in ("time_limit", "interrupted"):
            break
    found, begun, chosen = min(tries, key=lambda one: one[0].value)
    return _answer(found, samples, begun, chosen)


def _with_weights(given: Given, samples: Samples, p: Any, random_state: Any) -> Given:
    """Adds the weights, and the initial values of POT where none are given."""
    structure, features = given.structure, given.features
    if structure is None:
        structure = _random_distances(given.size, random_state)
        if samples.features is None and given.size > 1:
            structure = structure / structure.max()
    if features is None and samples.features is not None:
        features = np.zeros((given.size, samples.features[0].shape[1]))
    weights = arguments.weights(p, "p", given.size)[0]
    return given._replace(weights=weights, structure=structure, features=features)


def _random_distances(size: int, random_state: Any) -> Array:
    """Squared distances of random points in the plane, as POT draws them from the same seed."""
    seed = arguments.seed(random_state) % 2**32
    points = np.random.RandomState(seed).randn(size, 2)
    return ((points[:, None] - points[None]) ** 2).sum(axis=2)


def _with_first_plans(given: Given, samples: Samples, G0: str, seed: int) -> Given:
    """Adds the best initial values for the plans named `G0`."""
    structure, features = given.structure, given.features
    if structure is not None and (features is not None or samples.features is None):
        return given
    if structure is None:
        G0 = "random" if G0 in _PRODUCTS else G0
        plans, structure = _first_plans(given.size, samples, G0, seed)
    else:
        plans = _plans_to(structure, samples, range(len(samples.weights)), G0, seed, aligned=True)
    if features is None and samples.features is not None:
        features = update_barycenter_feature(plans, samples.features, list(samples.shares))
    return given._replace(structure=structure, features=features)


def _first_plans(size: int, samples: Samples, G0: str, seed: int) -> tuple[list[Array], Array]:
    """Plans before there is a structure, and the best one for them.

    Smaller samples are aligned with the structure that the larger ones give.
    """
    large = [s for s, C in enumerate(samples.structures) if C.size > size]
    small = [s for s, C in enumerate(samples.structures) if C.size <= size]
    structure, plans = np.zeros((size, size)), dict[int, Array]()
    for group in filter(None, (large, small)):
        made = _plans_to(structure, samples, group, G0, seed, aligned=False)
        plans.update(zip(group, made, strict=True))
        structure = update_barycenter_structure(
            list(plans.values()),
            [samples.structures[s].dense_array() for s in plans],
            [samples.shares[s] for s in plans],
        )
    return [plans[s] for s in sorted(plans)], structure


def _plans_to(
    structure: Array, samples: Samples, which: Sequence[int], G0: str, seed: int, aligned: bool
) -> list[Array]:
    target = _srgw.Structure.dense(structure)
    return [
        named_plan(
            samples.structures[s], target, samples.weights[s], G0, seed + s, aligned, warn=False
        )
        for s in which
    ]


def _find(
    samples: Samples, given: Given, method: Method, turns: Turns, extras: Extras
) -> _srgw.Barycenter:
    """Plans and barycenter take turns."""
    if turns.stop_criterion not in ("barycenter", "loss"):
        raise ValueError(
            f"stop_criterion is {turns.stop_criterion!r}, expected 'barycenter' or 'loss'"
        )
    kind, soft = turns.start.removesuffix("_soft"), turns.start.endswith("_soft")
    partitions, free = kind in PARTITIONS, given.weights is None
    heard = arguments.function(extras.callback)
    callback = _of_turns(printer(heard) if turns.verbose else heard)
    return _srgw.barycenter(
        samples.structures,
        samples.weights,
        samples.features,
        samples.shares,
        given.size,
        given.weights,
        given.alpha,
        given.kl,
        given.entropy,
        given.structure,
        given.features,
        given.fixed_structure,
        given.fixed_features,
        method,
        arguments.iterations(turns.max_iter),
        arguments.number(turns.tol, "tol"),
        turns.stop_criterion == "barycenter",
        bool(turns.warmstartT),
        kind.replace("_", "-") + ("-aligned" if partitions else ""),
        soft,
        # POT blends named starts with the features, but not those that go on from plan to plan.
        free and samples.features is not None and (partitions or not turns.warmstartT),
        bool(turns.log),
        arguments.run(extras.n_jobs, turns.random_state, extras.time_limit, callback),
    )


def _answer(found: _srgw.Barycenter, samples: Samples, given: Given, turns: Turns) -> Any:
    """Returns the features if there are some, the structure, and the log on request."""
    if found.status in ("iteration_limit", "time_limit"):
        limit = "max_iter" if found.status == "iteration_limit" else "time_limit"
        warnings.warn(
            f"the barycenter stopped at {limit}; increase it, or the tolerance",
            ConvergenceWarning,
            stacklevel=4,
        )
    parts = (found.structure,) if samples.features is None else (found.features, found.structure)
    answer: tuple[Any, ...] = tuple(part.astype(samples.dtype, copy=False) for part in parts)
    if turns.log:
        answer += (_log(found, samples, given, turns),)
    return answer if len(answer) > 1 else answer[0]


def _of_turns(callback: Callback | None) -> Callback | None:
    """Calls back after turns only; the library also polls with iteration 0."""
    if callback is None:
        return None
    return lambda progress: callback(progress) if progress.iteration > 0 else None


def _log(found: _srgw.Barycenter, samples: Samples, given: Given, turns: Turns) -> dict[str, Any]:
    """The log, with POT's keys."""
    dtype = samples.dtype
    balanced = given.weights is not None

    def as_in_pot(plans: list[Array]) -> list[NDArray[Any]]:
        return [(T.T if balanced else T).astype(dtype) for T in plans]

    log: dict[str, Any] = {}
    fused = samples.features is not None
    if turns.stop_criterion == "loss":
        losses = np.array(found.values, dtype)
        changes = np.abs(np.diff(losses)) / np.maximum(np.abs(losses[:-1]), np.finfo(dtype).tiny)
        log["loss"] = list(losses)
        log["err_rel_loss" if fused else "err"] = [dtype.type(1), *changes]
    elif fused:
        log["err_feature"] = list(np.array(found.feature_changes, dtype))
        log["err_structure"] = list(np.array(found.structure_changes, dtype))
        if balanced:
            log["Ts_iter"] = [as_in_pot(plans) for plans in found.plan_trace]
    else:
        log["err"] = list(np.array(found.structure_changes, dtype))
    plans = found.plans
    log["T"] = as_in_pot(plans)
    masses = np.stack([T.sum(axis=0) for T in plans]) if given.weights is None else given.weights
    log["p"] = masses.astype(dtype)
    if samples.features is not None:
        distances = [_squared_distances(Y, found.features) for Y in samples.features]
        log["Ms"] = as_in_pot(distances)
    return {
        **log,
        "status": found.status,
        "converged": found.converged,
        "n_iter": found.n_iter,
        "value": found.value,
    }


def _squared_distances(rows: Array, centres: Array) -> Array:
    return ((rows[:, None] - centres[None]) ** 2).sum(axis=2)
