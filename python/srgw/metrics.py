"""Agreement of two labelings, and modularity."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _srgw
from .graph import as_graph

__all__ = [
    "adjusted_mutual_information",
    "adjusted_rand_index",
    "modularity",
    "mutual_information",
    "normalized_mutual_information",
    "rand_index",
]


def _labels(values: Any, name: str) -> NDArray[np.uint32]:
    """Labels of any kind as numbers."""
    array = np.asarray(values)
    if array.ndim != 1:
        raise ValueError(f"{name} has {array.ndim} dimensions, expected a vector of labels")
    if array.size == 0:
        raise ValueError(f"{name} is empty, expected a label for each item")
    return np.unique(array, return_inverse=True)[1].astype(np.uint32)


def _pair(labels_true: Any, labels_pred: Any) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    a, b = _labels(labels_true, "labels_true"), _labels(labels_pred, "labels_pred")
    if len(a) != len(b):
        raise ValueError(f"labels_pred has {len(b)} labels, expected {len(a)} as in labels_true")
    return a, b


def _is_maximum(average_method: str) -> bool:
    if average_method not in ("arithmetic", "max"):
        raise ValueError(f"average_method is {average_method!r}, expected 'arithmetic' or 'max'")
    return average_method == "max"


def rand_index(labels_true: Any, labels_pred: Any) -> float:
    """Share of pairs on which two labelings agree, from 0 to 1.

    Examples
    --------
    >>> rand_index([0, 0, 1, 1], ["a", "a", "b", "b"])
    1.0
    """
    return _srgw.rand_index(*_pair(labels_true, labels_pred))


def adjusted_rand_index(labels_true: Any, labels_pred: Any) -> float:
    """The Rand index corrected for chance (Hubert and Arabie); at most 1, about 0 by chance.

    Examples
    --------
    >>> adjusted_rand_index([0, 0, 1, 1], [1, 1, 0, 0])
    1.0
    """
    return _srgw.adjusted_rand_index(*_pair(labels_true, labels_pred))


def mutual_information(labels_true: Any, labels_pred: Any) -> float:
    """Mutual information of two labelings, in nats.

    Examples
    --------
    >>> round(mutual_information([0, 0, 1, 1], [0, 0, 1, 1]), 4)
    0.6931
    """
    return _srgw.mutual_information(*_pair(labels_true, labels_pred))


def normalized_mutual_information(
    labels_true: Any, labels_pred: Any, *, average_method: str = "arithmetic"
) -> float:
    """Mutual information over the mean ('arithmetic') or the larger ('max') entropy.

    Examples
    --------
    >>> round(normalized_mutual_information([0, 0, 1, 1], [1, 1, 0, 0]), 6)
    1.0
    """
    pair = _pair(labels_true, labels_pred)
    return _srgw.normalized_mutual_information(*pair, _is_maximum(average_method))


def adjusted_mutual_information(
    labels_true: Any, labels_pred: Any, *, average_method: str = "arithmetic"
) -> float:
    """Mutual information corrected for chance; at most 1, about 0 by chance.

    Examples
    --------
    >>> round(adjusted_mutual_information([0, 0, 1, 1], [1, 1, 0, 0]), 6)
    1.0
    """
    pair = _pair(labels_true, labels_pred)
    return _srgw.adjusted_mutual_information(*pair, _is_maximum(average_method))


def modularity(graph: Any, labels: Any, *, resolution: float = 1.0) -> float:
    """Newman's modularity of a labeling of the nodes of a graph.

    Parameters
    ----------
    graph : anything that :func:`srgw.as_graph` takes
    labels : array-like, shape (n,)
    resolution : float

    Examples
    --------
    >>> import numpy as np
    >>> two_triangles = np.kron(np.eye(2), np.ones((3, 3)) - np.eye(3))
    >>> modularity(two_triangles, [0, 0, 0, 1, 1, 1])
    0.5
    """
    return _srgw.modularity(as_graph(graph)._core, _labels(labels, "labels"), float(resolution))
