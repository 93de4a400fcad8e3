"""Pictures with matplotlib, which is imported on first use.

Each function draws into ``ax`` and returns it, a ``matplotlib.axes.Axes`` (a new one by default).
:func:`partition` and :func:`completion` draw two panels: they take and return an array of two
axes, as ``pyplot.subplots(1, 2)`` gives it. The colours suit the colour-blind.
:meth:`srgw.SRGWPartition.report` needs no matplotlib.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _srgw
from .graph import Graph, as_graph

__all__ = ["atom", "bars", "completion", "curves", "embedding", "layout", "matching", "partition"]

Array = NDArray[np.float64]

# Okabe and Ito, without black and yellow; the program draws with the same colours.
COLOURS = (
    *("#0072b2", "#e69f00", "#009e73", "#cc79a7"),
    *("#56b4e9", "#d55e00", "#948a1e", "#56368c"),
)


def layout(graph: Any, blocks: Any = None, *, time_limit: float | None = None) -> Array:
    """Positions of the nodes of a graph: pivot scaling, then sparse stress.

    Parameters
    ----------
    graph : anything that :func:`srgw.as_graph` takes
    blocks : array-like of int, shape (n,), optional
        Edges between blocks are drawn longer, so that blocks stand apart.
    time_limit : float, optional
        Seconds, after which ``TimeoutError`` is raised.

    Returns
    -------
    points : array, shape (n, 2)

    Examples
    --------
    >>> import srgw
    >>> srgw.plot.layout(srgw.Graph(3, [[0, 1], [1, 2]])).shape
    (3, 2)
    """
    given = None if blocks is None else np.array(blocks, np.uint32, order="C")
    with _srgw.TimeLimit(time_limit):
        return _srgw.layout(as_graph(graph)._core, given)


def partition(graph: Any, labels: Any, *, axes: Any = None) -> NDArray[Any]:
    """The graph coloured by cluster, and its adjacency in the order of clusters.

    Parameters
    ----------
    graph : anything that :func:`srgw.as_graph` takes
    labels : array-like of int, shape (n,)
    axes : two matplotlib axes, optional

    Returns
    -------
    axes : array of matplotlib axes, shape (2,)
        The graph and the adjacency; ``axes[0].figure`` is their figure.
    """
    drawn, labels = as_graph(graph), np.asarray(labels)
    if labels.shape != (drawn.n_nodes,):
        raise ValueError(f"labels has shape {labels.shape}, expected ({drawn.n_nodes},)")
    axes = _two(axes)
    _, numbers = np.unique(labels, return_inverse=True)
    _draw_graph(axes[0], drawn, layout(drawn, numbers), [_colour(k) for k in numbers])
    rows, columns = _entries(drawn)
    place = np.empty(drawn.n_nodes, np.int64)
    place[np.argsort(numbers, kind="stable")] = np.arange(drawn.n_nodes)
    axes[1].plot(place[columns], place[rows], "s", color="#1c1c1c", markersize=1)
    axes[1].set(
        xlim=(-0.5, drawn.n_nodes - 0.5),
        ylim=(drawn.n_nodes - 0.5, -0.5),
        aspect="equal",
        xticks=[],
        yticks=[],
        title="adjacency, nodes sorted by cluster",
    )
    return axes


def matching(source: Any, target: Any, plan: Any, *, ax: Any = None) -> Any:
    """Two graphs side by side, and arcs in the colour of their source node.

    Parameters
    ----------
    source, target : anything that :func:`srgw.as_graph` takes
    plan : array-like, shape (n, m)
    ax : matplotlib axes, optional

    Returns
    -------
    ax : matplotlib axes
    """
    first, second, plan = as_graph(source), as_graph(target), np.asarray(plan, float)
    if plan.shape != (first.n_nodes, second.n_nodes):
        raise ValueError(f"plan has shape {plan.shape}, expected {first.n_nodes, second.n_nodes}")
    ax = _axes(1)[0] if ax is None else ax
    left, right = _unit(layout(first)), _unit(layout(second)) + [1.6, 0]
    colours = _ramp(left[:, 1])
    weights = plan.sum(axis=1, keepdims=True)
    shares = np.divide(plan, weights, out=np.zeros_like(plan), where=weights > 0)
    for i, k in zip(*np.nonzero(shares > 0.01), strict=True):
        ends = np.stack([left[i], right[k]])
        ax.plot(*ends.T, color=colours[i], alpha=0.15 + 0.5 * shares[i, k], linewidth=1, zorder=1)
    received = plan.T @ colours / np.maximum(plan.sum(axis=0), 1e-300)[:, None]
    _draw_graph(ax, first, left, colours, plan.sum(axis=1))
    _draw_graph(ax, second, right, np.clip(received, 0, 1), plan.sum(axis=0))
    return ax


def atom(structure: Any, weights: Any = None, *, ax: Any = None) -> Any:
    """An atom: edges in grey by their value, nodes by weight.

    Parameters
    ----------
    structure : array-like, shape (m, m)
    weights : array-like, shape (m,), optional
    ax : matplotlib axes, optional

    Returns
    -------
    ax : matplotlib axes
    """
    entries = np.asarray(structure, float)
    if entries.ndim != 2 or entries.shape[0] != entries.shape[1]:
        raise ValueError(f"structure has shape {entries.shape}, expected a square")
    ax = _axes(1)[0] if ax is None else ax
    strength = np.abs(entries + entries.T) / 2
    np.fill_diagonal(strength, 0)
    strength /= max(strength.max(), 1e-300)
    m = len(strength)
    ends = np.stack(np.nonzero(np.triu(strength > 0.5)))
    points = layout(Graph(m, ends))
    for a, b in zip(*np.nonzero(np.triu(strength >= 0.05)), strict=True):
        shade = str(0.92 - 0.7 * strength[a, b])
        ax.plot(*points[[a, b]].T, color=shade, linewidth=0.5 + strength[a, b], zorder=1)
    masses = np.full(m, 1 / m) if weights is None else np.asarray(weights, float)
    _draw_nodes(ax, points, [_colour(k) for k in range(m)], masses)
    return ax


def completion(seen: Any, found: Any, *, axes: Any = None) -> NDArray[Any]:
    """The observed part of a graph next to the completed graph; predictions are orange.

    Parameters
    ----------
    seen : anything that :func:`srgw.as_graph` takes
        The graph that was completed.
    found : CompletedGraph
        Result of :meth:`srgw.SRGWDictionary.complete`.
    axes : two matplotlib axes, optional

    Returns
    -------
    axes : array of matplotlib axes, shape (2,)
        The observed graph and the completed one.
    """
    axes = _two(axes)
    part, whole = as_graph(seen), as_graph(np.asarray(found.graph, float))
    n = part.n_nodes
    points = _unit(layout(whole))
    colours = np.array(["#8b8f93"] * n + [_colour(1)] * (whole.n_nodes - n))
    _draw_graph(axes[0], part, points[:n], colours[:n])
    axes[0].set_title(f"observed: {n} nodes")
    _draw_graph(axes[1], whole, points, colours)
    known = np.zeros((whole.n_nodes, whole.n_nodes), bool)
    known[_entries(part)] = True
    rows, columns = np.nonzero(np.triu((np.asarray(found.graph) != 0) & ~known & ~known.T, 1))
    for i, j in zip(rows, columns, strict=True):
        width = 0.8 + 2.2 * float(np.clip(found.probabilities[i, j], 0, 1))
        axes[1].plot(*points[[i, j]].T, color=_colour(1), linewidth=width, zorder=1.5)
    axes[1].set_title(f"{whole.n_nodes - n} more nodes, {len(rows)} more edges")
    return axes


def embedding(rows: Any, classes: Any = None, *, ax: Any = None) -> Any:
    """Rows in the plane of their two main directions, coloured by class.

    Parameters
    ----------
    rows : array-like, shape (graphs, columns)
    classes : array-like, shape (graphs,), optional
    ax : matplotlib axes, optional

    Returns
    -------
    ax : matplotlib axes
    """
    values = np.asarray(rows, float)
    ax = _axes(1)[0] if ax is None else ax
    centred = values - values.mean(axis=0)
    _, lengths, directions = np.linalg.svd(centred, full_matrices=False)
    points = centred @ directions[:2].T
    if points.shape[1] < 2:
        points = np.column_stack([points, np.zeros(len(points))])
    share = np.append(lengths**2 / max((lengths**2).sum(), 1e-300), 0)
    names = np.zeros(len(values)) if classes is None else np.asarray(classes)
    for k, name in enumerate(np.unique(names)):
        chosen = points[names == name]
        label = None if classes is None else f"class {name}"
        ax.plot(*chosen.T, "o", color=_colour(k), markersize=4, alpha=0.75, label=label)
    ax.set(
        xlabel=f"first direction ({100 * share[0]:.0f} % of the variance)",
        ylabel=f"second direction ({100 * share[1]:.0f} %)",
    )
    if classes is not None:
        ax.legend()
    return ax


def curves(
    series: Mapping[str, Any],
    *,
    xlabel: str = "iteration",
    ylabel: str = "value",
    log: bool = False,
    ax: Any = None,
) -> Any:
    """Line plot of one or more series.

    Parameters
    ----------
    series : mapping from a name to its numbers
    xlabel, ylabel : str
    log : bool
        Whether the y axis is logarithmic.
    ax : matplotlib axes, optional

    Returns
    -------
    ax : matplotlib axes
    """
    ax = _axes(1)[0] if ax is None else ax
    for k, (name, numbers) in enumerate(series.items()):
        ax.plot(np.asarray(numbers, float), color=_colour(k), label=name)
    ax.set(xlabel=xlabel, ylabel=ylabel)
    if log:
        ax.set_yscale("log")
    if len(series) > 1:
        ax.legend()
    return ax


def bars(
    groups: Sequence[str], series: Mapping[str, Any], *, ylabel: str = "", ax: Any = None
) -> Any:
    """Groups of bars, one colour for each series; a NaN is an absent bar.

    Parameters
    ----------
    groups : names of the groups
    series : mapping from a name to a number for each group
    ylabel : str
    ax : matplotlib axes, optional

    Returns
    -------
    ax : matplotlib axes
    """
    ax = _axes(1)[0] if ax is None else ax
    width = 0.8 / max(len(series), 1)
    places = np.arange(len(groups))
    for k, (name, numbers) in enumerate(series.items()):
        heights = np.asarray(numbers, float)
        if heights.shape != places.shape:
            raise ValueError(
                f"series {name!r} has shape {heights.shape}, expected a number for each of the "
                f"{len(groups)} groups"
            )
        shift = (k - (len(series) - 1) / 2) * width
        ax.bar(places + shift, heights, width, color=_colour(k), label=name)
    ax.set_xticks(places, groups)
    ax.set(ylabel=ylabel)
    if len(series) > 1:
        ax.legend()
    return ax


def _two(axes: Any) -> NDArray[Any]:
    """Two axes, new ones by default."""
    if axes is None:
        return np.asarray(_axes(2))
    given = np.array(axes, object).reshape(-1)
    if len(given) != 2:
        raise ValueError(f"axes has {len(given)} entries, expected two matplotlib axes")
    return given


def _axes(count: int) -> Any:
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError("srgw.plot draws with matplotlib: pip install matplotlib") from error
    figure, axes = pyplot.subplots(1, count, figsize=(6 * count, 5), squeeze=False)
    figure.set_layout_engine("constrained")
    return axes[0]


def _colour(k: int) -> str:
    return COLOURS[int(k) % len(COLOURS)]


def _ramp(values: Array) -> Array:
    from matplotlib import colormaps

    ranks = np.argsort(np.argsort(values)) / max(len(values) - 1, 1)
    return np.asarray(colormaps["viridis"](ranks))[:, :3]


def _unit(points: Array) -> Array:
    low, size = points.min(axis=0), max(float(np.ptp(points, axis=0).max()), 1e-12)
    return np.asarray((points - low) / size)


def _entries(graph: Graph) -> tuple[NDArray[Any], NDArray[Any]]:
    indptr, indices, _ = graph._core.csr()
    offsets = np.asarray(indptr).astype(np.int64)
    counts = offsets[1:] - offsets[:-1]
    return np.repeat(np.arange(graph.n_nodes), counts), np.asarray(indices)


def _draw_graph(ax: Any, graph: Graph, points: Array, colours: Any, weights: Any = None) -> None:
    from matplotlib.collections import LineCollection

    rows, columns = _entries(graph)
    once = rows < columns if not graph.directed else rows != columns
    lines = np.stack([points[rows[once]], points[columns[once]]], axis=1)
    ax.add_collection(
        LineCollection(list(lines), colors="#6b7075", linewidths=0.5, alpha=0.5, zorder=1)
    )
    masses = np.full(graph.n_nodes, 1 / graph.n_nodes) if weights is None else np.asarray(weights)
    _draw_nodes(ax, points, colours, masses)


def _draw_nodes(ax: Any, points: Array, colours: Any, weights: Array) -> None:
    n = len(points)
    sizes = np.clip(8000 / n, 4, 160) * np.maximum(weights * n / max(weights.sum(), 1e-300), 0.05)
    ax.scatter(*points.T, s=sizes, c=colours, edgecolors="white", linewidths=0.5, zorder=2)
    ax.set(aspect="equal", xticks=[], yticks=[])
