#!/usr/bin/env python3
"""The paper's partition tables by the paper's own protocol, and what each change to it brings.

Usage: make paper-partition-literal, or bench/partition/paper_literal.py [--quick] [--anew]
    [--only COLUMN,...]
It calls the functions of the Python package as one would call those of POT, on dense matrices of
all nodes. Datasets come from SRGW_DATA_DIR; finished cells are kept in
build/paper-partition-literal. With --only these columns are computed and no document is written.
"""

import json
import pathlib
import random
import statistics
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
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

Array = NDArray[np.float64]
PRINTED = json.loads((pathlib.Path(__file__).with_name("printed.json")).read_text())
SEEDS = 5  # of k-means
SCALES = (1.0, 0.3, 0.1, 0.03, 0.01, 0.003)

INTRODUCTION = """\
# Partitioning by the paper's protocol

Written by `make paper-partition-literal`; not by hand. {machine}

- All nodes are kept, those without edges and small components, too. The structure is the adjacency
  matrix (srGW) or the heat kernel exp(-t L) of the normalised Laplacian (srSpecGW), the target the
  identity, as many nodes as there are classes.
- The start is k-means on the rows of the structure, ten starts; conditional gradient with the
  relative change 1e-9 of POT's rule, no other start and no refinement. Clusters are the largest
  entries of the rows of the plan.
- Node weights are (degree + a)^b, a = 1 where a node has no edge; b is the one of 0, 1e-4, 5e-4,
  1e-3, 5e-3, 1e-2, 5e-2, 0.1, 0.5, 1 with the highest modularity.
- t: [1, 100] is split at five values, the best by modularity becomes the middle of an interval of
  half the length, until modularity changes by less than 1e-3. Weights are uniform there. ε
  likewise on a log scale from 1e-3 to 10.
- `_asym`: directed adjacency, and the symmetric Laplacian of Chung (networkx) for directed graphs;
  `_sym`: an edge where either direction is.

- Louvain (igraph) has the resolution of {{0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4}} with the highest
  modularity, or AMI; nodes without edges are clusters of their own, as in FastGreedy (igraph).

Five seeds of k-means, mean ± standard deviation; AMI (arithmetic) and ARI in per cent.
*by AMI* takes the setting with the highest AMI of all that were tried instead, which needs the
classes. GWL and SpecGWL are in [the other document](partition.md) only.
"""


@dataclass(frozen=True)
class Setting:
    exponent: float = 0.0  # b
    time: float | None = None  # of the heat kernel; None: adjacency
    epsilon: float = 0.0
    scale: float = 1.0  # c of the target c I
    connected: bool = False  # nodes without edges are left out
    raced: bool = False  # the lowest value of starts from k-means and from eigenvectors

    def text(self) -> str:
        words = [] if self.time is None else [f"t={self.time:.3g}"]
        words += [f"ε={self.epsilon:.3g}"] if self.epsilon else []
        words += [f"c={self.scale:g}"] if self.scale != 1 else []
        return ", ".join([*words, f"b={self.exponent:g}"])


class Column:
    """A graph, and its matrices."""

    def __init__(self, graph: Graph, store: Store) -> None:
        self.graph, self.store = graph, store
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

    def rows(self, setting: Setting) -> NDArray[np.bool_]:
        """The nodes that are solved."""
        return self.graph.connected if setting.connected else np.ones(self.graph.nodes, dtype=bool)

    def start(self, setting: Setting, C: Array, seed: int, spectral: bool = False) -> Labels:
        """Labels by k-means on the rows of C, or on its leading eigenvectors."""
        from sklearn.cluster import KMeans

        key = (setting.time, setting.connected, seed, spectral)
        if key not in self._starts:
            rows = C
            if spectral:
                values, vectors = np.linalg.eigh((C + C.T) / 2)
                first = np.argsort(-np.abs(values))[: self.graph.classes]
                rows = vectors[:, first] * np.abs(values[first])
            means = KMeans(self.graph.classes or 2, n_init=10, random_state=seed)
            self._starts[key] = means.fit_predict(rows).astype(np.int64)
        return self._starts[key]

    def run(self, setting: Setting, seed: int) -> Result:
        cell = {"graph": self.graph.name, "method": "literal", **vars(setting), "seed": seed}
        if not self.store.finished(cell):
            self.store.put(cell, self.solve(setting, seed))
        return self.store.get(cell)

    def solve(self, setting: Setting, seed: int) -> Result:
        import srgw

        rows = self.rows(setting)
        C = np.ascontiguousarray(self.matrix(setting)[np.ix_(rows, rows)])
        h = (self.degrees[rows] + (0 if (self.degrees[rows] > 0).all() else 1)) ** setting.exponent
        h /= h.sum()
        classes = self.graph.classes or 2
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
                if setting.epsilon:
                    T, log = srgw.entropic_semirelaxed_gromov_wasserstein(
                        C, target, h, epsilon=setting.epsilon, G0=G0, log=True, max_iter=1000
                    )
                else:
                    T, log = srgw.semirelaxed_gromov_wasserstein(C, target, h, G0=G0, log=True)
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
        if self.store.finished(cell):
            return self.store.get(cell)
        import igraph

        random.seed(seed)  # igraph draws from it
        graph = igraph.Graph(n=self.graph.nodes, edges=self.graph.edges.tolist())
        begin = time.perf_counter()
        if name == "louvain":
            membership = graph.community_multilevel(resolution=resolution).membership
        else:
            membership = graph.simplify().community_fastgreedy().as_clustering().membership
        seconds = time.perf_counter() - begin
        return self.store.put(cell, self.score(np.array(membership, dtype=np.int64), seconds))

    def all(self, setting: Setting) -> list[Result]:
        return [self.run(setting, seed) for seed in range(SEEDS)]


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

    base = Setting()
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
    yield "literal", setting
    setting = replace(setting, connected=True)
    yield "nodes with edges only", setting
    scaled = [replace(setting, scale=c) for c in SCALES]
    setting = max(scaled, key=lambda one: column.run(one, 0)["modularity"])
    yield "and target c I", setting
    yield "and four starts", replace(setting, raced=True)


METHODS = ("srGW", "srSpecGW", "srGW_e", "srSpecGW_e")
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


@dataclass(frozen=True)
class Measured:
    """What a column has to show; all of it is in the store afterwards."""

    column: Column
    tried: dict[str, Tried]

    def by(self, method: str, judge: str) -> Setting:
        return best(self.tried[method], judge)


def measure(column: Column, methods: Sequence[str], ladder: Sequence[float]) -> Measured:
    tried = {}
    for method in methods:
        running.say(f"{column.graph.name}: {method}")
        tried[method] = search(column, method, ladder)
        for judge in ("modularity", "ami"):
            column.all(best(tried[method], judge))
    for method in methods[:2]:
        for _, setting in changed(column, best(tried[method], "modularity")):
            column.all(setting)
    return Measured(column, tried)


def document(found: Sequence[Measured], ladder: Sequence[float]) -> str:
    methods = list(found[0].tried)
    graphs = [one.column.graph for one in found]
    header = ["", *(graph.name for graph in graphs)]

    def printed(field: str, method: str) -> list[str]:
        row = PRINTED[field].get(method, {})
        values = (row.get(graph.name) for graph in graphs)
        return [f"*{method}, printed*", *(tables.NONE if v is None else f"{v:.1f}" for v in values)]

    def measured(field: str, method: str, judge: str) -> list[str]:
        name = f"{method}, by {'AMI' if judge == 'ami' else judge}"
        results = (one.column.all(one.by(method, judge)) for one in found)
        return [name, *(text_of(r, field) for r in results)]

    def tools(field: str) -> Iterator[list[str]]:
        undirected = [None if one.column.graph.directed else one.column for one in found]
        for name, runs in (
            ("Louvain, by modularity", lambda column: louvain(column, "modularity")),
            ("Louvain, by AMI", lambda column: louvain(column, "ami")),
            ("FastGreedy", lambda column: [column.tool("greedy", 1.0, 0)]),
        ):
            if "AMI" not in name:
                yield printed(field, name.split(",")[0])
            yield [name, *(text_of(runs(c), field) if c else tables.NONE for c in undirected)]

    parts = [INTRODUCTION.format(machine=machine(*PACKAGES))]
    for field, title in (("ami", "AMI"), ("ari", "ARI")):
        rows = []
        for method in methods:
            rows += [printed(field, method), measured(field, method, "modularity")]
            rows += [measured(field, method, "ami")]
        parts += [f"## {title}", "", *tables.table(header, [*rows, *tools(field)]), ""]
    parts += ["## Weights: AMI for each kind of b", ""]
    rows = []
    for method in methods:
        for kind, values in (("unif", (0.0,)), ("deg", (1.0,)), ("inter", ladder[1:-1])):
            row = PRINTED["ablation"].get(method, {}).get(kind, {})
            texts = []
            for one in found:
                tried = one.tried[method]
                figure = row.get(one.column.graph.name)
                paper = tables.NONE if figure is None else f"{figure:.1f}"
                ours = tried[best(tried, "ami", values)]["ami"] if values else None
                texts.append(f"{tables.NONE if ours is None else f'{ours:.1f}'} (*{paper}*)")
            rows.append([f"{method}, {kind}", *texts])
    remark = "One seed, the best setting with such a b by AMI; in brackets: printed."
    parts += [remark, "", *tables.table(header, rows), ""]
    parts += ["## What changes to the protocol bring: AMI", ""]
    for field in ("ami", "ari"):
        rows = []
        for method in methods[:2]:
            steps: dict[str, list[str]] = {}
            for one in found:
                for name, setting in changed(one.column, one.by(method, "modularity")):
                    row = steps.setdefault(f"{method}, {name}", [])
                    row.append(text_of(one.column.all(setting), field))
            rows += [[name, *texts] for name, texts in steps.items()]
        parts += ["## What changes to the protocol bring: ARI", ""] if field == "ari" else []
        parts += [*tables.table(header, rows), ""]
    rows = [
        [f"{method}, by {judge}", *(one.by(method, judge).text() for one in found)]
        for method in methods
        for judge in ("modularity", "ami")
    ]
    parts += ["## Settings that were chosen", "", *tables.table(header, rows), ""]
    rows = [
        [method, *(f"{sum(r['seconds'] for r in one.tried[method].values()):.1f}" for one in found)]
        for method in methods
    ]
    remark = "Seconds of the solver for all settings of the search with one seed, without k-means."
    parts += ["## Time", "", remark, "", *tables.table(header, rows), ""]
    return "\n".join(parts)


def main() -> None:
    parser = running.parser(__doc__)
    parser.add_argument("--only", default="", help="compute these columns, with commas")
    arguments = parser.parse_args()
    with running.Workshop(arguments, "paper-partition-literal") as shop:
        ladder = (0.0, 1.0) if shop.quick else LADDER
        methods = METHODS[:2] if shop.quick else METHODS
        names = arguments.only.split(",") if arguments.only else None
        found = [
            measure(Column(graph, shop.store), methods, ladder)
            for graph in (quick_columns() if shop.quick else columns())
            if names is None or graph.name in names
        ]
        if names is None:
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


FIELDS = ("ami", "ari", "modularity", "seconds")

if __name__ == "__main__":
    main()
