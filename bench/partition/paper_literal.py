#!/usr/bin/env python3
"""The paper's partition tables by the paper's own protocol, and what each change to it brings.

Usage: make paper-partition-literal, or bench/partition/paper_literal.py [--quick] [--anew]
It calls the functions of the Python package as one would call those of POT, on dense matrices of
all nodes. Datasets come from SRGW_DATA_DIR; finished cells are kept in
build/paper-partition-literal.
"""

import json
import pathlib
import statistics
import sys
import time
import warnings
from collections.abc import Iterator, Sequence
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

Five seeds of k-means, mean ± standard deviation; AMI (arithmetic) and ARI in per cent.
*by AMI* takes the b and t with the highest AMI instead, which needs the classes.
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
        """Of the normalised Laplacian."""
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
        assert self.graph.truth is not None
        ami, ari = scores.agreement(self.graph.truth, whole)
        edges = self.graph.edges
        quality = scores.modularity(edges, whole, self.graph.directed)
        return {"status": "done", "ami": ami, "ari": ari, "modularity": quality, "seconds": seconds}

    def all(self, setting: Setting) -> list[Result]:
        return [self.run(setting, seed) for seed in range(SEEDS)]


def split(column: Column, base: Setting, judge: str, name: str, low: float, high: float) -> Setting:
    """Splits [low, high] at five values, then an interval of half the length around the best of
    them, and so on until the judge changes by less than 1e-3 of itself. ε is split by its log."""
    last = -np.inf
    begin, end = low, high
    while True:
        places = np.linspace(begin, end, 5)
        values = 10**places if name == "epsilon" else places
        found = [replace(base, **{name: float(f"{x:.6g}")}) for x in values]
        judged = [column.run(one, 0)[judge] for one in found]
        best = int(np.argmax(judged))
        if abs(judged[best] - last) <= 1e-3 * abs(judged[best]) or end - begin < 1e-3:
            return found[best]
        last = judged[best]
        half = (end - begin) / 4
        begin, end = max(low, places[best] - half), min(high, places[best] + half)


def best_exponent(column: Column, base: Setting, judge: str, ladder: Sequence[float]) -> Setting:
    found = [replace(base, exponent=b) for b in ladder]
    return max(found, key=lambda one: column.run(one, 0)[judge])


def literal(column: Column, method: str, judge: str, ladder: Sequence[float]) -> Setting:
    base = Setting()
    if "Spec" in method:
        base = split(column, replace(base, time=1.0), judge, "time", 1.0, 100.0)
    if method.endswith("_e"):
        base = split(column, replace(base, epsilon=1.0), judge, "epsilon", -3.0, 1.0)
    return best_exponent(column, base, judge, ladder)


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


def text_of(results: Sequence[Result], field: str) -> str:
    values = [result[field] for result in results]
    return f"{statistics.fmean(values):.1f} ± {statistics.stdev(values):.1f}"


def document(found: Sequence[Column], quick: bool) -> str:
    ladder = (0.0, 1.0) if quick else LADDER
    methods = METHODS[:2] if quick else METHODS
    header = ["", *(one.graph.name for one in found)]
    chosen: dict[tuple[str, str, str], Setting] = {}
    for one in found:
        for method in methods:
            for judge in ("modularity", "ami"):
                running.say(f"{one.graph.name}: {method}, {judge}")
                chosen[one.graph.name, method, judge] = literal(one, method, judge, ladder)

    def printed(field: str, method: str) -> list[str]:
        row = PRINTED[field].get(method, {})
        values = (row.get(one.graph.name) for one in found)
        return [f"*{method}, printed*", *(tables.NONE if v is None else f"{v:.1f}" for v in values)]

    def measured(field: str, method: str, judge: str) -> list[str]:
        name = f"{method}, by {'AMI' if judge == 'ami' else judge}"
        picked = (one.all(chosen[one.graph.name, method, judge]) for one in found)
        return [name, *(text_of(results, field) for results in picked)]

    parts = [INTRODUCTION.format(machine=machine(*PACKAGES[-1:]))]
    for field, title in (("ami", "AMI"), ("ari", "ARI")):
        rows = []
        for method in methods:
            rows += [printed(field, method), measured(field, method, "modularity")]
            rows += [measured(field, method, "ami")]
        parts += [f"## {title}", "", *tables.table(header, rows), ""]
    parts += ["## Weights: AMI for each kind of b", ""]
    rows = []
    for method in methods:
        for kind, values in (("unif", (0.0,)), ("deg", (1.0,)), ("inter", ladder[1:-1])):
            row = PRINTED["ablation"].get(method, {}).get(kind, {})
            texts = []
            for one in found:
                base = chosen[one.graph.name, method, "modularity"]
                best = best_exponent(one, base, "ami", values or (0.0,))
                figure = row.get(one.graph.name)
                paper = tables.NONE if figure is None else f"{figure:.1f}"
                texts.append(f"{one.run(best, 0)['ami']:.1f} (*{paper}*)")
            rows.append([f"{method}, {kind}", *texts])
    remark = "One seed, the best b of each kind by AMI; in brackets: printed."
    parts += [remark, "", *tables.table(header, rows), ""]
    parts += ["## What changes to the protocol bring: AMI", ""]
    rows = []
    for method in methods[:2]:
        steps: dict[str, list[str]] = {}
        for one in found:
            base = chosen[one.graph.name, method, "modularity"]
            for name, setting in changed(one, base):
                steps.setdefault(f"{method}, {name}", []).append(text_of(one.all(setting), "ami"))
        rows += [[name, *texts] for name, texts in steps.items()]
    parts += [*tables.table(header, rows), ""]
    rows = [
        [f"{method}, by {judge}", *(chosen[one.graph.name, method, judge].text() for one in found)]
        for method in methods
        for judge in ("modularity", "ami")
    ]
    parts += ["## Settings that were chosen", "", *tables.table(header, rows), ""]
    return "\n".join(parts)


def main() -> None:
    arguments = running.arguments(__doc__)
    with running.Workshop(arguments, "paper-partition-literal") as shop:
        found = [Column(g, shop.store) for g in (quick_columns() if shop.quick else columns())]
        text = document(found, shop.quick)
        shop.publish("partition-literal", text, shop.store.entries())
    sys.stdout.write(text if shop.quick else "")


if __name__ == "__main__":
    main()
