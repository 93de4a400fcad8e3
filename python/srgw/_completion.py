"""Completion of partially observed graphs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _arguments as arguments
from . import _srgw
from .graph import as_graph

Array = NDArray[np.float64]


class CompletedGraph(NamedTuple):
    """A completed graph."""

    graph: NDArray[np.int8]
    """Adjacency of one plausible whole graph, hidden nodes after the observed ones."""
    probabilities: Array
    """Probability of each unknown edge; known entries are unchanged."""
    structure: Array
    """Values of all pairs; ``graph`` has those above the threshold."""
    features: Array | None
    """Features of all nodes."""
    value: float
    """Divergence of the completed graph from the atom."""
    n_iter: int
    trace: Array
    """Value after each iteration."""


def complete(
    source: _srgw.CompletionSource | _srgw.LinearDictionary,
    graph: Any,
    n_nodes: int,
    *,
    features: Any = None,
    mask: Any = None,
    feature_mask: Any = None,
    method: str = "learned",
    start: str = "degrees",
    learning_rate: float = 0.01,
    max_iter: int | None = None,
    draws: int | None = None,
    threshold: float = 0.5,
    random_state: Any = 0,
    n_jobs: int | None = None,
) -> CompletedGraph:
    """Completes a graph whose first nodes were observed.

    Parameters
    ----------
    source
        A dictionary; the method 'learned' needs one fitted with ``for_completion``.
    graph : array-like or graph, shape (n, n)
        The observed nodes.
    n_nodes : int
        Nodes of the whole graph.
    features : array-like, shape (n, d), optional
        Features of the observed nodes, if the model has features.
    mask : array-like of bool, shape (n, n), optional
        Unknown pairs of observed nodes.
    feature_mask : array-like of bool, shape (n, d), optional
        Unknown features of observed nodes.
    method : {'learned', 'alternate', 'adam'}
    start : {'noise', 'degrees', 'noisy-degrees', 'shaken-degrees'}
        Initial values of the unknown entries; only for 'alternate' and 'adam'.
    learning_rate : float
        Only for 'adam'.
    max_iter : int, optional
        Only for 'alternate' and 'adam'.
    draws : int, optional
        Only for 'learned': number of drawn completions; the graph closest to them is returned.
    threshold : float
        An unknown pair becomes an edge if its value is above this, times the unit of the model.
    """
    seen = _adjacency(graph)
    answer = _srgw.complete(
        source,
        seen,
        None if features is None else _matrix(features, "features"),
        arguments.positive_int(n_nodes, "n_nodes"),
        _mask(mask, "mask"),
        _mask(feature_mask, "feature_mask"),
        method,
        start,
        float(learning_rate),
        None if max_iter is None else arguments.positive_int(max_iter, "max_iter"),
        None if draws is None else arguments.positive_int(draws, "draws"),
        arguments.threads(n_jobs),
        arguments.seed(random_state),
    )
    whole = answer.structure > threshold * answer.unit
    known = np.ones(seen.shape, dtype=bool) if mask is None else ~np.asarray(mask)
    whole[: len(seen), : len(seen)] |= (seen != 0) & known
    np.fill_diagonal(whole, False)
    return CompletedGraph(
        graph=whole.astype(np.int8),
        probabilities=answer.probabilities,
        structure=answer.structure,
        features=answer.features if source.columns > 0 else None,
        value=answer.value,
        n_iter=answer.iterations,
        trace=np.asarray(answer.values, dtype=np.float64),
    )


def _adjacency(graph: Any) -> Array:
    if isinstance(graph, np.ndarray | Sequence):
        return _matrix(graph, "graph")
    return _matrix(as_graph(graph).to_numpy(), "graph")


def _matrix(value: Any, name: str) -> Array:
    return arguments.as_float64(arguments.real_array(value, name, 2))


def _mask(value: Any, name: str) -> NDArray[np.bool_] | None:
    if value is None:
        return None
    array = np.ascontiguousarray(value)
    if array.ndim != 2 or array.dtype != np.bool_:
        raise ValueError(f"{name} has dtype {array.dtype}, expected a matrix of booleans")
    return array
