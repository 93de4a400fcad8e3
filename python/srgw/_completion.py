"""Completion of half-seen graphs, for the estimators to call."""

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
    """What completion found."""

    graph: NDArray[np.int8]
    """Adjacency of one plausible whole graph, hidden nodes behind the seen ones."""
    probabilities: Array
    """That there is an edge, for each free pair; known entries as they are."""
    structure: Array
    """What ``graph`` was cut from, at the threshold."""
    features: Array | None
    """Features of all nodes."""
    value: float
    """Divergence of the completed graph from the atom."""
    n_iter: int
    trace: Array
    """The value after each turn."""


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
    """Completes a graph of which the first nodes were seen.

    Parameters
    ----------
    source
        A dictionary, with what it has learned of hidden nodes for the method 'learned'.
    graph : array-like or graph, shape (n, n)
        The nodes that were seen.
    n_nodes : int
        Nodes of the whole graph.
    features : array-like, shape (n, d), optional
        Of the seen nodes, where the model has features.
    mask : array-like of bool, shape (n, n), optional
        Pairs of seen nodes that are free.
    feature_mask : array-like of bool, shape (n, d), optional
        Features of seen nodes that are free.
    method : {'learned', 'alternate', 'adam'}
    start : {'noise', 'degrees', 'noisy-degrees', 'shaken-degrees'}
        What stands at free entries first; of 'alternate' and 'adam'.
    learning_rate, max_iter
        Of 'adam', and of both iterative methods.
    draws : int, optional
        Completions that the graph of 'learned' is closest to.
    threshold : float
        A free pair is an edge above this, times the unit of the model.
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
