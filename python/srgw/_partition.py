"""Parameters of a partition as the library takes them; the library resolves `auto`."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _arguments as arguments
from . import _srgw


def number_or_auto(given: Any, name: str) -> int | None:
    """None for `auto`."""
    if isinstance(given, str):
        if given == "auto":
            return None
        raise ValueError(f"{name} is {given!r}, expected a whole number above 0 or 'auto'")
    return arguments.positive_int(given, name)


def structure_name(given: Any) -> str:
    """A name with its number, such as heat:5."""
    if not isinstance(given, str):
        raise TypeError(f"structure is {given!r}, expected a name")
    return given


def node_weights(given: Any, nodes: int) -> Any:
    """A name, or a number for each node."""
    if given is None:
        return "auto"
    return given if isinstance(given, str) else arguments.weights(given, "weights", nodes)[0]


def target(given: Any) -> Any:
    """A name, or a matrix."""
    return given if isinstance(given, str) else arguments.structure(given, "target", None)[0]


def start(init: Any, nodes: int, clusters: int | None) -> Any:
    """None for `auto`, a name, labels or a plan."""
    if isinstance(init, str):
        word = init.replace("_", "-")
        if word not in ("auto", *_srgw.start_names()):
            known = ", ".join(_srgw.start_names())
            raise ValueError(f"init is {init!r}, expected auto or one of {known}")
        return None if word == "auto" else word
    if clusters is None:
        raise ValueError("init with n_clusters 'auto', expected a number of clusters")
    given = np.asarray(init)
    if given.ndim != 1:
        plan = arguments.cost_matrix(init, "init", nodes, clusters)[0]
        if not plan.min() >= 0:
            raise ValueError(f"init has the entry {plan.min()}, expected numbers >= 0")
        return plan
    if given.shape != (nodes,) or given.dtype.kind not in "iu":
        raise ValueError(f"init has shape {given.shape}, expected {nodes} whole numbers")
    if given.min() < 0 or given.max() >= clusters:
        raise ValueError(f"init has labels up to {given.max()}, expected 0 to {clusters - 1}")
    return given.astype(np.uint32)


def some_labels(
    given: Any, name: str, nodes: int, names: list[Any] | None
) -> tuple[Any, list[Any]]:
    """A label for each node, -1 for none, and the names that are no nodes."""
    if given is None:
        return None, []
    series = hasattr(given, "iloc") and given.ndim == 1  # of pandas
    if series or isinstance(given, dict):
        place = {node: i for i, node in enumerate(names if names is not None else range(nodes))}
    if series and any(node in place for node in given.index):
        given = given.to_dict()
    if isinstance(given, dict):
        labels = np.full(nodes, -1, np.int64)
        unknown = []
        for node, label in given.items():
            if isinstance(label, bool) or not isinstance(label, int | np.integer) or label < 0:
                raise ValueError(f"{name} has the label {label!r}, expected whole numbers from 0")
            at = place.get(node)
            if at is None:
                unknown.append(node)
            else:
                labels[at] = label
        return labels, unknown
    labels = np.asarray(given)
    if labels.shape != (nodes,):
        raise ValueError(f"{name} has shape {labels.shape}, expected {nodes} whole numbers")
    if labels.dtype.kind not in "iu":
        raise ValueError(f"{name} has dtype {labels.dtype}, expected whole numbers")
    return np.ascontiguousarray(labels, np.int64), []
