"""How many nodes change their cluster when some edges of a graph do: ours with and without
`--previous`, and igraph's Leiden started from the same previous labels. Written to
docs/results/updates.md."""

import pathlib
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import contest
import drawn
import graphs
import numpy as np
import own
import running
import scores
import tables
from common import seconds_text
from graphs import Graph, Labels

SHARES = (0.01, 0.02, 0.05)
LIMIT = 600.0


def cases(quick: bool) -> list[Callable[[], Graph]]:
    small = [
        lambda: drawn.lfr("lfr-5000", 5000, 0.3, 0),
        lambda: drawn.planted("planted-2000", 2000, 20, 15, 0.7, 0),
    ]
    if quick:
        return small
    large = [
        lambda name=name: graphs.large_dataset(name) for name in ("facebook-pages", "com-dblp")
    ]
    return small + large


def changed(graph: Graph, share: float, seed: int) -> Graph:
    """A share of the edges is removed, and as many others are drawn: inside a true community as
    often as before where the truth is known, else between the ends of two removed edges."""
    rng = np.random.default_rng(seed)
    edges = graphs.as_set(graphs.without_loops(graph.edges))
    gone = rng.random(len(edges)) < share
    lost = edges[gone]
    drawn_ends = np.column_stack([lost[:, 0], rng.permutation(lost[:, 1])])
    if graph.truth is not None:
        inside = graph.truth[lost[:, 0]] == graph.truth[lost[:, 1]]
        order = np.argsort(graph.truth, kind="stable")
        first = np.searchsorted(graph.truth[order], graph.truth)
        sizes = np.bincount(graph.truth)[graph.truth]
        at = lost[:, 0]
        mate = order[first[at] + rng.integers(0, sizes[at])]
        drawn_ends[inside, 1] = mate[inside]
    all_edges = np.concatenate([edges[~gone], graphs.without_loops(drawn_ends)])
    return replace(graph, edges=graphs.as_set(all_edges))


def matched_share(before: Labels, after: Labels) -> float:
    """Nodes outside the best matching of the clusters of two partitions."""
    from scipy.optimize import linear_sum_assignment

    table = np.zeros((before.max() + 1, after.max() + 1), np.int64)
    np.add.at(table, (before, after), 1)
    rows, columns = linear_sum_assignment(-table)
    return 1 - table[rows, columns].sum() / len(before)


def leiden(graph: Graph, previous: Labels, resolution: float, seed: int) -> tuple[Labels, float]:
    import random

    import igraph

    made = igraph.Graph(n=graph.nodes, edges=graph.edges)
    random.seed(seed)
    begin = time.perf_counter()
    found = made.community_leiden(
        objective_function="modularity",
        resolution=resolution,
        n_iterations=-1,
        initial_membership=np.unique(previous, return_inverse=True)[1].tolist(),
    )
    return np.asarray(found.membership), time.perf_counter() - begin


def rows_of(graph: Graph, folder: pathlib.Path) -> list[list[str]]:
    place = graphs.write(graph, folder)
    _, previous = own.partition(place, "auto", [], 0, LIMIT)
    file = folder / f"{graph.name}.npy"
    np.save(file, previous)
    rows = []
    for share in SHARES:
        now = changed(graph, share, 1)
        there = graphs.write(replace(now, name=f"{graph.name}-{share}"), folder)
        runs = []
        for name, options in (
            ("from scratch", []),
            ("--previous", ["--previous", str(file)]),
            ("--previous --keep 0.1", ["--previous", str(file), "--keep", "0.1"]),
        ):
            report, labels = own.partition(there, "auto", options, 0, LIMIT)
            by_id = float(np.mean(labels != previous))
            runs.append((name, labels, by_id, report["seconds"], report["resolution"]))
        labels, seconds = leiden(now, previous, runs[1][4], 0)
        runs.append(("igraph Leiden from previous", labels, None, seconds, runs[1][4]))
        for name, labels, by_id, seconds, resolution in runs:
            after = np.unique(labels, return_inverse=True)[1]
            before = np.unique(previous, return_inverse=True)[1]
            rows.append(
                [
                    graph.name,
                    f"{100 * share:.0f} %",
                    name,
                    f"{100 * matched_share(before, after):.2f} %",
                    tables.NONE if by_id is None else f"{100 * by_id:.2f} %",
                    f"{scores.score(now, labels)['modularity']:.4f}",
                    f"{resolution:.3g}",
                    seconds_text(seconds),
                ]
            )
    return rows


HOW = """\
Nodes that change their cluster when edges change, with `-k auto`. Previous labels are
those of `srgw partition` on the graph before. Edges that are removed are replaced by as
many others: inside the same true community where there is a truth, else between
the same ends. Leiden runs at the resolution of `--previous`.
"""
HEADER = ["graph", "edges changed", "method", "moved (clusters matched)", "moved (by id)"]
HEADER += ["modularity", "resolution", "seconds"]


def publish(shop: running.Workshop, given: Any) -> str:
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for make in cases(given.quick):
            graph = make()
            running.say(graph.name)
            cell = {"graph": graph.name, "method": contest.OURS, "shares": list(SHARES)}
            if not shop.store.finished(cell):
                found = rows_of(graph, pathlib.Path(folder))
                shop.store.put(cell, {"status": "done", "rows": found})
            rows += shop.store.get(cell)["rows"]
    summary = [dict(zip(HEADER, row, strict=True)) for row in rows]
    body = ["", HOW, *tables.table(HEADER, rows)]
    return shop.page("updates", "Partitioning: updates", body, summary)
