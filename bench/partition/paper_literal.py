#!/usr/bin/env python3
"""The paper's partition tables by the paper's own protocol, and what each change to it brings.

Usage: make paper-partition-literal, or bench/partition/paper_literal.py [--quick] [--anew]
    [--minutes N]
It calls the functions of the Python package as one would call those of POT, on matrices of all
nodes. Datasets come from SRGW_DATA_DIR; finished cells are kept in build/paper-partition-literal,
so the program continues where it stopped. By default nothing begins after 55 minutes, and what is
not finished is a dash in the document.
"""

import contextlib
import json
import pathlib
import random
import statistics
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
import running
import scores
import tables
from common import PACKAGES, machine
from graphs import Graph, Labels
from grid import LADDER
from numpy.typing import NDArray
from paper import columns, quick_columns
from record import Result, Store
from scipy.sparse import csr_array

Array = NDArray[np.float64]
PRINTED = json.loads((pathlib.Path(__file__).with_name("printed.json")).read_text())
SEEDS = 5  # of k-means
SCALES = (1.0, 0.3, 0.1, 0.03, 0.01, 0.003)

INTRODUCTION = """\
# Partitioning by the paper's protocol

Written by `make paper-partition-literal`; not by hand. {machine}

- All nodes are kept, including those without edges and small components. The structure is the
  adjacency matrix (srGW) or the heat kernel exp(-t L) of the normalised Laplacian (srSpecGW), the
  target is the identity with as many nodes as there are classes.
- The start is k-means on the rows of the structure, ten starts; conditional gradient with the
  relative change 1e-9 of POT's rule, no other start and no refinement. Clusters are the largest
  entries of the rows of the plan.
- Node weights are (degree + a)^b, a = 1 where a node has no edge; b is the one of 0, 1e-4, 5e-4,
  1e-3, 5e-3, 1e-2, 5e-2, 0.1, 0.5, 1 with the highest modularity.
- t: [1, 100] is split at five values, the best by modularity becomes the middle of an interval of
  half the length, until modularity changes by less than 1e-3. Weights are uniform there. ε
  likewise on a log scale from 1e-3 to 10.
- GWL and SpecGWL have given target weights h̄, which are h in decreasing order, read at k
  equidistant places; the target is diag(h̄), the start h h̄'. Nodes are in random order, by the seed:
  the files are sorted by class, and transport breaks ties by the order. In the order of the file
  GWL with b = 0 has AMI 98 on Wikipedia.
- Mirror descent (ε) starts from the average of the k-means plan and h q', since entries of the plan
  that are 0 stay 0: from the k-means plan itself it never moves.
- `_asym`: directed adjacency, and the symmetric Laplacian of Chung (networkx) for directed graphs;
  `_sym`: an edge where either direction is.
- Louvain (igraph) has the resolution of {{0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4}} with the highest
  modularity, or AMI; nodes without edges are clusters of their own, as in FastGreedy (igraph).

A dash is what has not been computed: `ARGS="--minutes 600"` goes further than the default of 55
minutes. Five seeds (of k-means, or of the order of nodes), mean ± standard deviation; AMI
(arithmetic) and ARI in per cent. *by AMI* takes the setting with the highest AMI of all that were
tried instead, which needs the classes.
"""


@dataclass(frozen=True)
class Setting:
    exponent: float = 0.0  # b
    time: float | None = None  # of the heat kernel; None: adjacency
    epsilon: float = 0.0
    scale: float = 1.0  # c of the target c I
    connected: bool = False  # nodes without edges are left out
    raced: bool = False  # the lowest value of starts from k-means and from eigenvectors
    balanced: bool = False  # GWL: the weights of the target are given

    def text(self) -> str:
        words = [] if self.time is None else [f"t={self.time:.3g}"]
        words += [f"ε={self.epsilon:.3g}"] if self.epsilon else []
        words += [f"c={self.scale:g}"] if self.scale != 1 else []
        return ", ".join([*words, f"b={self.exponent:g}"])


class OutOfTimeError(Exception):
    """Nothing more may begin."""


class Column:
    """A graph, and its matrices. Computes what is not in the store until the deadline."""

    def __init__(self, graph: Graph, store: Store, deadline: float = np.inf) -> None:
        self.graph, self.store, self.deadline = graph, store, deadline
        self._starts: dict[Any, Labels] = {}

    @cached_property
    def adjacency(self) -> Array:
        C = np.zeros((self.graph.nodes, self.graph.nodes))
        i, j = self.graph.edges.T
        C[i, j] = 1
        if not self.graph.directed:
            C[j, i] = 1
        return C

    @cached_property
    def degrees(self) -> Array:
        C = self.adjacency
        return C.sum(axis=0) + C.sum(axis=1) if self.graph.directed else C.sum(axis=1)

    @cached_property
    def eigen(self) -> tuple[Array, Array]:
        """Eigenvectors of the normalised Laplacian."""
        if self.graph.directed:
            import networkx

            graph = networkx.from_numpy_array(self.adjacency, create_using=networkx.DiGraph)
            L = np.asarray(networkx.directed_laplacian_matrix(graph))
        else:
            roots = 1 / np.sqrt(np.maximum(self.degrees, 1))
            L = np.diag((self.degrees > 0).astype(float))
            L -= roots[:, None] * self.adjacency * roots
        return np.linalg.eigh((L + L.T) / 2)

    def matrix(self, setting: Setting) -> Array:
        if setting.time is None:
            return self.adjacency
        values, vectors = self.eigen
        return (vectors * np.exp(-setting.time * values)) @ vectors.T

    def short_rows(self, setting: Setting) -> Array:
        """The rows of the heat kernel after a rotation, without its columns that are about 0."""
        values, vectors = self.eigen
        factors = np.exp(-(setting.time or 0.0) * values)
        kept = factors > 1e-10 * factors.max()
        return (vectors[:, kept] * factors[kept])[self.rows(setting)]

    def rows(self, setting: Setting) -> NDArray[np.bool_]:
        """The nodes that are solved."""
        return self.graph.connected if setting.connected else np.ones(self.graph.nodes, dtype=bool)

    def start(self, setting: Setting, C: Array, seed: int, spectral: bool = False) -> Labels:
        """Labels by k-means on the rows of C, or on its leading eigenvectors."""
        from sklearn.cluster import KMeans

        key = (setting.time, setting.connected, seed, spectral)
        if key not in self._starts:
            rows = csr_array(C) if setting.time is None else self.short_rows(setting)
            if spectral:
                values, vectors = np.linalg.eigh((C + C.T) / 2)
                first = np.argsort(-np.abs(values))[: self.graph.classes]
                rows = vectors[:, first] * np.abs(values[first])
            means = KMeans(self.graph.classes or 2, n_init=10, random_state=seed)
            self._starts[key] = means.fit_predict(rows).astype(np.int64)
        return self._starts[key]

    def run(self, setting: Setting, seed: int) -> Result:
        cell = {"graph": self.graph.name, "method": "literal", **vars(setting), "seed": seed}
        return self.kept(cell, lambda: self.solve(setting, seed))

    def kept(self, cell: dict[str, Any], compute: Callable[[], Result]) -> Result:
        if not self.store.finished(cell):
            if time.monotonic() > self.deadline:
                raise OutOfTimeError
            self.store.put(cell, compute())
        return self.store.get(cell)

    def solve(self, setting: Setting, seed: int) -> Result:
        import srgw

        rows = self.rows(setting)
        C = np.ascontiguousarray(self.matrix(setting)[np.ix_(rows, rows)])
        structure = csr_array(C) if setting.time is None else C
        h = (self.degrees[rows] + (0 if (self.degrees[rows] > 0).all() else 1)) ** setting.exponent
        h /= h.sum()
        classes = self.graph.classes or 2
        if setting.balanced:
            # Files are sorted by class and transport breaks ties by the order of nodes.
            order = np.random.default_rng(seed).permutation(len(h))
            mixed, weights = structure[np.ix_(order, order)], interpolated(h, classes)
            begin = time.perf_counter()
            T = srgw.gromov_wasserstein(mixed, np.diag(weights), h[order], weights)
            labels = np.empty(len(h), dtype=np.int64)
            labels[order] = T.argmax(axis=1)
            return self.score(labels, time.perf_counter() - begin)
        target = setting.scale * np.eye(classes)
        starts = [self.start(setting, C, seed)]
        if setting.raced:
            starts += [self.start(setting, C, seed + 10 * k) for k in (1, 2)]
            starts += [self.start(setting, C, seed, spectral=True)]
        best, least, seconds = starts[0], np.inf, 0.0
        for labels in starts:
            G0 = h[:, None] * np.eye(classes)[labels]
            begin = time.perf_counter()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # a limit of iterations is part of the protocol
                if setting.epsilon:  # entries that are 0 would stay 0
                    G0 = (G0 + np.outer(h, G0.sum(axis=0))) / 2
                    T, log = srgw.entropic_semirelaxed_gromov_wasserstein(
                        structure,
                        target,
                        h,
                        epsilon=setting.epsilon,
                        G0=G0,
                        log=True,
                        max_iter=1000,
                    )
                else:
                    T, log = srgw.semirelaxed_gromov_wasserstein(
                        structure, target, h, G0=G0, log=True
                    )
            seconds += time.perf_counter() - begin
            if float(log["srgw_dist"]) < least:
                best, least = T.argmax(axis=1).astype(np.int64), float(log["srgw_dist"])
        whole = np.full(self.graph.nodes, classes, dtype=np.int64)
        whole[rows] = best
        return self.score(whole, seconds)

    def score(self, labels: Labels, seconds: float) -> Result:
        assert self.graph.truth is not None
        ami, ari = scores.agreement(self.graph.truth, labels)
        quality = scores.modularity(self.graph.edges, labels, self.graph.directed)
        return {"status": "done", "ami": ami, "ari": ari, "modularity": quality, "seconds": seconds}

    def tool(self, name: str, resolution: float, seed: int) -> Result:
        """Louvain or FastGreedy of igraph, on all nodes."""
        cell = {"graph": self.graph.name, "method": name, "scale": resolution, "seed": seed}
        return self.kept(cell, lambda: self.communities(name, resolution, seed))

    def communities(self, name: str, resolution: float, seed: int) -> Result:
        import igraph

        random.seed(seed)  # igraph draws from it
        graph = igraph.Graph(n=self.graph.nodes, edges=self.graph.edges.tolist())
        begin = time.perf_counter()
        if name == "louvain":
            membership = graph.community_multilevel(resolution=resolution).membership
        else:
            membership = graph.simplify().community_fastgreedy().as_clustering().membership
        seconds = time.perf_counter() - begin
        return self.score(np.array(membership, dtype=np.int64), seconds)

    def kmeans(self, seed: int) -> Result:
        """The start of srGW itself."""
        cell = {"graph": self.graph.name, "method": "k-means", "seed": seed}
        return self.kept(cell, lambda: self.score(self.start(Setting(), self.adjacency, seed), 0.0))

    def all(self, setting: Setting) -> list[Result]:
        return [self.run(setting, seed) for seed in range(SEEDS)]


def interpolated(h: Array, size: int) -> Array:
    """Weights of the target in GWL: h in decreasing order, read at equidistant places."""
    places = np.linspace(0, 1, len(h))
    weights: Array = np.interp(np.linspace(0, 1, size), places, np.sort(h)[::-1])
    return weights / weights.sum()


def split(
    judge: Callable[[Setting], float], base: Setting, name: str, low: float, high: float
) -> Setting:
    """Splits [low, high] at five values, then an interval of half the length around the best of
    them, and so on until the judge changes by less than 1e-3 of itself. ε is split by its log."""
    last = -np.inf
    begin, end = low, high
    while True:
        places = np.linspace(begin, end, 5)
        values = 10**places if name == "epsilon" else places
        found = [replace(base, **{name: float(f"{x:.6g}")}) for x in values]
        judged = [judge(one) for one in found]
        best = int(np.argmax(judged))
        if abs(judged[best] - last) <= 1e-3 * abs(judged[best]) or end - begin < 1e-3:
            return found[best]
        last = judged[best]
        half = (end - begin) / 4
        begin, end = max(low, places[best] - half), min(high, places[best] + half)


Tried = dict[Setting, Result]  # with the first seed


def search(column: Column, method: str, ladder: Sequence[float]) -> Tried:
    """All settings that the protocol tries, by modularity."""
    tried: Tried = {}

    def judge(setting: Setting) -> float:
        tried[setting] = column.run(setting, 0)
        return float(tried[setting]["modularity"])

    base = Setting(balanced="GWL" in method)
    if "Spec" in method:
        base = split(judge, replace(base, time=1.0), "time", 1.0, 100.0)
    if method.endswith("_e"):
        base = split(judge, replace(base, epsilon=1.0), "epsilon", -3.0, 1.0)
    for exponent in ladder:
        judge(replace(base, exponent=exponent))
    return tried


def best(tried: Tried, judge: str, exponents: Sequence[float] | None = None) -> Setting:
    known = [one for one in tried if exponents is None or one.exponent in exponents]
    return max(known, key=lambda one: tried[one][judge])


def changed(column: Column, setting: Setting) -> Iterator[tuple[str, Setting]]:
    """Our changes, one after the other, chosen by modularity."""
    yield CHANGES[0], setting
    setting = replace(setting, connected=True)
    yield CHANGES[1], setting
    scaled = [replace(setting, scale=c) for c in SCALES]
    setting = max(scaled, key=lambda one: column.run(one, 0)["modularity"])
    yield CHANGES[2], setting
    yield CHANGES[3], replace(setting, raced=True)


CHANGES = ("literal", "nodes with edges only", "and target c I", "and four starts")
CHANGES_REMARK = """\
Each row adds a change to the row above it. *Nodes with edges only*: nodes without edges are left
out of the solve and form a cluster of their own. *Target c I*: c of {1, 0.3, 0.1, 0.03, 0.01,
0.003} with the highest modularity. *Four starts*: three of k-means and one of eigenvectors, of
which the plan with the lowest value is kept."""
METHODS = ("srGW", "GWL", "SpecGWL", "srSpecGW", "srGW_e", "srSpecGW_e")
CHANGED = ("srGW", "srSpecGW")
RESOLUTIONS = (0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0)


def louvain(column: Column, judge: str) -> list[Result]:
    """With the resolution that is best by the judge, and five seeds; undirected graphs only."""
    runs = [[column.tool("louvain", r, seed) for seed in range(SEEDS)] for r in RESOLUTIONS]
    return max(runs, key=lambda results: statistics.fmean(r[judge] for r in results))


def text_of(results: Sequence[Result], field: str) -> str:
    values = [result[field] for result in results]
    if len(values) == 1:
        return f"{values[0]:.1f}"
    return f"{statistics.fmean(values):.1f} ± {statistics.stdev(values):.1f}"


@dataclass
class Measured:
    """Results of a column that are finished."""

    column: Column
    tried: dict[str, Tried] = field(default_factory=dict)
    changes: dict[str, list[tuple[str, Setting]]] = field(default_factory=dict)
    tools: dict[str, list[Result]] = field(default_factory=dict)

    def by(self, method: str, judge: str) -> Setting | None:
        return best(self.tried[method], judge) if method in self.tried else None


def measure(columns: Sequence[Column], ladder: Sequence[float]) -> list[Measured]:
    """Method by method, cheap ones first, so that an unfinished run has some for all columns."""
    found = [Measured(column) for column in columns]
    jobs: list[Callable[[Measured], None]] = [measure_tools]
    jobs += [partial(measure_method, method=method, ladder=ladder) for method in METHODS]
    jobs += [partial(measure_changes, method=method) for method in CHANGED]
    for job in jobs:
        for one in found:
            with contextlib.suppress(OutOfTimeError):
                job(one)
    return found


def measure_tools(one: Measured) -> None:
    column = one.column
    one.tools["k-means"] = [column.kmeans(seed) for seed in range(SEEDS)]
    if not column.graph.directed:
        one.tools["Louvain, by modularity"] = louvain(column, "modularity")
        one.tools["Louvain, by AMI"] = louvain(column, "ami")
        one.tools["FastGreedy"] = [column.tool("greedy", 1.0, 0)]


def measure_method(one: Measured, method: str, ladder: Sequence[float]) -> None:
    running.say(f"{one.column.graph.name}: {method}")
    tried = search(one.column, method, ladder)
    for judge in ("modularity", "ami"):
        one.column.all(best(tried, judge))
    one.tried[method] = tried


def measure_changes(one: Measured, method: str) -> None:
    setting = one.by(method, "modularity")
    if setting is None:
        return
    changes = list(changed(one.column, setting))
    for _, setting in changes:
        one.column.all(setting)
    one.changes[method] = changes


def agreement(found: Sequence[Measured], field: str) -> list[list[str]]:
    """Rows of AMI or ARI, each below the printed one."""
    names = [one.column.graph.name for one in found]

    def printed(method: str) -> list[str]:
        row = PRINTED[field].get(method, {})
        return [f"*{method}, printed*", *(shown(row.get(name)) for name in names)]

    rows = []
    for method in METHODS:
        rows.append(printed(method))
        for judge in ("modularity", "ami"):
            settings = [one.by(method, judge) for one in found]
            texts = (
                text_of(one.column.all(setting), field) if setting else tables.NONE
                for one, setting in zip(found, settings, strict=True)
            )
            rows.append([f"{method}, by {'AMI' if judge == 'ami' else judge}", *texts])
    for name in ("Louvain, by modularity", "Louvain, by AMI", "FastGreedy", "k-means"):
        if name != "Louvain, by AMI":
            rows.append(printed(name.split(",")[0]))
        results = (one.tools.get(name) for one in found)
        rows.append([name, *(text_of(r, field) if r else tables.NONE for r in results)])
    return rows


def shown(figure: float | None) -> str:
    return tables.NONE if figure is None else f"{figure:.1f}"


def ablation(one: Measured, method: str, kind: str, exponents: Sequence[float]) -> str:
    tried = one.tried.get(method)
    ours = tried[best(tried, "ami", exponents)]["ami"] if tried and exponents else None
    figures = PRINTED["ablation"][method].get(one.column.graph.name, {})
    return f"{shown(ours)} (*{shown(figures.get(kind))}*)"


def steps(found: Sequence[Measured], field: str) -> list[list[str]]:
    """Rows of the changes to the protocol."""
    rows = []
    for method in CHANGED:
        for k, name in enumerate(CHANGES):
            changes = (one.changes.get(method) for one in found)
            texts = (
                text_of(one.column.all(change[k][1]), field) if change else tables.NONE
                for one, change in zip(found, changes, strict=True)
            )
            rows.append([f"{method}, {name}", *texts])
    return rows


def document(found: Sequence[Measured], ladder: Sequence[float]) -> str:
    header = ["", *(one.column.graph.name for one in found)]
    kinds = (("unif", (0.0,)), ("deg", (1.0,)), ("inter", ladder[1:-1]))
    weights = [
        [f"{method}, {kind}", *(ablation(one, method, kind, values) for one in found)]
        for method in METHODS
        for kind, values in kinds
    ]
    chosen = [
        [f"{method}, by {judge}", *(s.text() if s else tables.NONE for s in settings)]
        for method in METHODS
        for judge in ("modularity", "ami")
        for settings in [[one.by(method, judge) for one in found]]
    ]
    sections = (
        ("AMI", "", agreement(found, "ami")),
        ("ARI", "", agreement(found, "ari")),
        (
            "Weights: AMI for each kind of b",
            "One seed, the best setting with such a b by AMI; in brackets: printed.",
            weights,
        ),
        ("Changes to the protocol: AMI", CHANGES_REMARK, steps(found, "ami")),
        ("Changes to the protocol: ARI", "", steps(found, "ari")),
        ("Settings that were chosen", "", chosen),
    )
    parts = [INTRODUCTION.format(machine=machine(*PACKAGES))]
    for title, remark, rows in sections:
        if all(set(row[1:]) == {tables.NONE} for row in rows):
            continue  # nothing was computed
        parts += [f"## {title}", "", *([remark, ""] if remark else [])]
        parts += [*tables.table(header, rows), ""]
    return "\n".join(parts)


def main() -> None:
    parser = running.parser(__doc__)
    parser.add_argument("--minutes", type=float, default=55.0, help="begin nothing after so many")
    arguments = parser.parse_args()
    deadline = time.monotonic() + 60 * arguments.minutes
    with running.Workshop(arguments, "paper-partition-literal") as shop:
        ladder = (0.0, 1.0) if shop.quick else LADDER
        graphs = quick_columns() if shop.quick else columns()
        found = measure([Column(graph, shop.store, deadline) for graph in graphs], ladder)
        text = document(found, ladder)
        shop.publish("partition-literal", text, compact(shop.store))
        sys.stdout.write(text if shop.quick else "")


def compact(store: Store) -> dict[str, Any]:
    """Cells in short: a list of values under the name of the column and the setting."""
    found: dict[str, Any] = {"fields": FIELDS, "cells": {}}
    for entry in store.entries():
        cell = dict(entry["cell"])
        cells = found["cells"].setdefault(cell.pop("graph"), {})
        values = [entry[name] for name in FIELDS]
        key = " ".join(f"{name}={value}" for name, value in cell.items() if value)
        cells[key] = [round(value, 4) for value in values]
    return found


FIELDS = ("ami", "ari", "modularity")

if __name__ == "__main__":
    main()
