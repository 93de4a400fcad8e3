#!/usr/bin/env python3
"""Clusters of generated graphs whose classes are known: `srgw cluster` with its default
options and with one of them changed. The defaults were chosen by these results.

Usage: bench/clustering/generated.py [--seeds N] [--graphs N] [--jobs N]
Our program comes from the build that SRGW_BUILD_DIR names (by default build/bench).
"""

import argparse
import os
import pathlib
import statistics
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "partition"))

import learners  # noqa: E402
import tables  # noqa: E402

Adjacency = NDArray[np.bool_]
Random = np.random.Generator
Maker = Callable[[Random], Adjacency]

SETTINGS: dict[str, list[str]] = {
    "nothing said": [],
    "`--scale blocks`": ["--scale", "blocks"],
    "`--scale none`": ["--scale", "none"],
    "`--scale blocks --coordinates sqrt`": ["--scale", "blocks", "--coordinates", "sqrt"],
    "`--coordinates weights,value`": ["--coordinates", "weights,value"],
    "`--coordinates spectrum,value`": ["--coordinates", "spectrum,value"],
    "`--atoms 1`": ["--atoms", "1"],
    "`--random-starts 0`": ["--random-starts", "0"],
    "`--size 3`": ["--size", "3"],
    "`--size 20`": ["--size", "20"],
    "`--structure normalized-adjacency`": ["--structure", "normalized-adjacency"],
    "`--weights degree`": ["--weights", "degree"],
    "`--alpha 0.5`": ["--alpha", "0.5"],
    "`--features none`": ["--features", "none"],
    "weights of one atom": ["--atoms", "1", "--scale", "none", "--alpha", "0.5"]
    + ["--random-starts", "0"],
}


@dataclass(frozen=True)
class Drawn:
    """A graph, and what its nodes have."""

    adjacency: Adjacency
    attributes: NDArray[np.float64] | None = None


@dataclass(frozen=True)
class Classes:
    """Who makes the graphs of each class, and the share of the graphs that it has."""

    name: str
    makers: list[Callable[[Random], Drawn]]
    shares: list[float]
    attributes: bool = False


def drawn(random: np.random.Generator, shares: Any) -> Adjacency:
    """Edges with these probabilities, no loops."""
    upper = np.triu(random.random(shares.shape) < shares, 1)
    return np.asarray(upper | upper.T)


def blocks(count: int, inside: float = 0.85, degree: float = 7.0) -> Maker:
    """Communities of like size; the mean degree does not tell how many."""

    def make(random: np.random.Generator) -> Adjacency:
        n = int(random.integers(24, 49))
        of = np.arange(n) * count // n
        same = of[:, None] == of[None, :]
        within, across = same.sum() - n, (~same).sum()
        share = 1.0 if count == 1 else inside
        p = np.where(same, share * degree * n / within, (1 - share) * degree * n / max(across, 1))
        return drawn(random, np.minimum(p, 1.0))

    return make


def uniform(p: float) -> Maker:
    def make(random: np.random.Generator) -> Adjacency:
        n = int(random.integers(20, 41))
        return drawn(random, np.full((n, n), p))

    return make


def heavy(degree: float = 7.0) -> Maker:
    """Expected degrees with a long tail."""

    def make(random: np.random.Generator) -> Adjacency:
        n = int(random.integers(24, 49))
        d = random.pareto(1.6, n) + 1
        d *= degree / d.mean()
        return drawn(random, np.minimum(np.outer(d, d) / d.sum(), 1.0))

    return make


def ring(reach: int = 2) -> Maker:
    """A ring, tied to the next ones, some ties rewired."""

    def make(random: np.random.Generator) -> Adjacency:
        n = int(random.integers(20, 41))
        A = np.zeros((n, n), bool)
        for step in range(1, reach + 1):
            to = (np.arange(n) + step) % n
            moved = random.random(n) < 0.1
            to[moved] = random.integers(0, n, moved.sum())
            A[np.arange(n), to] = True
        A |= A.T
        np.fill_diagonal(A, False)
        return A

    return make


def tree() -> Maker:
    def make(random: np.random.Generator) -> Adjacency:
        n = int(random.integers(20, 41))
        A = np.zeros((n, n), bool)
        for i in range(1, n):
            A[i, random.integers(0, i)] = True
        return np.asarray(A | A.T)

    return make


def hub() -> Maker:
    """Some nodes that are tied to nearly all, the others to nobody else."""

    def make(random: np.random.Generator) -> Adjacency:
        n = int(random.integers(20, 41))
        core = np.arange(n) < 2
        return drawn(random, np.where(core[:, None] | core[None, :], 0.9, 0.02))

    return make


def plain(name: str, *makers: Maker, shares: list[float] | None = None) -> Classes:
    def drawn_by(make: Maker) -> Callable[[Random], Drawn]:
        return lambda random: Drawn(make(random))

    equal = [1 / len(makers)] * len(makers)
    return Classes(name, [drawn_by(make) for make in makers], shares or equal)


def typed(make: Maker, shares: list[float], shuffled: bool = True) -> Callable[[Random], Drawn]:
    """Nodes of three types in these shares, which four noisy numbers tell apart."""

    def found(random: Random) -> Drawn:
        adjacency = make(random)
        n = len(adjacency)
        types = np.searchsorted(np.cumsum(shares)[:-1], (np.arange(n) + 0.5) / n)
        if shuffled:
            types = random.permutation(types)
        return Drawn(adjacency, 2 * np.eye(4)[types] + random.normal(0, 1, (n, 4)))

    return found


def attributed(name: str, *makers: Callable[[Random], Drawn]) -> Classes:
    return Classes(name, list(makers), [1 / len(makers)] * len(makers), attributes=True)


THIRDS = [1 / 3, 1 / 3, 1 / 3]
MIXES = [THIRDS, [0.6, 0.2, 0.2], [0.2, 0.6, 0.2], [0.2, 0.2, 0.6]]
DATASETS = [
    plain("one block, two", blocks(1), blocks(2)),
    plain("one block, two (one in eight)", blocks(1), blocks(2), shares=[0.875, 0.125]),
    plain("two blocks, four", blocks(2), blocks(4)),
    plain("uniform, long-tailed degrees", blocks(1), heavy()),
    plain("densities 0.15, 0.25", uniform(0.15), uniform(0.25)),
    plain("rings, hubs", ring(), hub()),
    plain("one block, two, three, four", *(blocks(count) for count in (1, 2, 3, 4))),
    plain("densities 0.1, 0.2, 0.3, 0.4", *(uniform(p) for p in (0.1, 0.2, 0.3, 0.4))),
    plain("rings, trees, hubs", ring(), tree(), hub()),
    plain("rings, trees, hubs, blocks, tails", ring(), tree(), hub(), blocks(3), heavy()),
    attributed("two mixes of types", typed(blocks(2), THIRDS), typed(blocks(2), [0.55, 0.35, 0.1])),
    attributed("types by blocks, or not", *(typed(blocks(3), THIRDS, s) for s in (False, True))),
    attributed("four mixes of types", *(typed(blocks(2), mix) for mix in MIXES)),
    attributed(
        "two mixes, one block or three",
        *(typed(blocks(count), mix) for count in (1, 3) for mix in MIXES[1:3]),
    ),
    attributed(
        "rings, trees, hubs, any types", *(typed(m, THIRDS) for m in (ring(), tree(), hub()))
    ),
]


def write(folder: pathlib.Path, graphs: list[Drawn], classes: list[int]) -> None:
    """As TUDataset has it."""
    folder.mkdir()
    edges: list[str] = []
    owners: list[str] = []
    numbers: list[str] = []
    for number, graph in enumerate(graphs, 1):
        edges += [f"{i}, {j}" for i, j in np.argwhere(graph.adjacency) + len(owners) + 1]
        owners += [str(number)] * len(graph.adjacency)
        if graph.attributes is not None:
            numbers += [", ".join(f"{x:.4f}" for x in row) for row in graph.attributes]
    files = {"A": edges, "graph_indicator": owners, "graph_labels": list(map(str, classes))}
    files |= {"node_attributes": numbers} if numbers else {}
    for name, lines in files.items():
        (folder / f"{folder.name}_{name}.txt").write_text("\n".join(lines) + "\n")


def generate(classes: Classes, count: int) -> tuple[list[Drawn], list[int]]:
    random = np.random.default_rng(0)
    graphs, labels = [], []
    for label, (make, share) in enumerate(zip(classes.makers, classes.shares, strict=True)):
        for _ in range(round(share * count)):
            graphs.append(make(random))
            labels.append(label)
    return graphs, labels


def agreement(folder: pathlib.Path, clusters: int, seeds: int, options: list[str]) -> float:
    """Mean ARI over seeds, in per cent."""
    command = ["cluster", str(folder), "-k", str(clusters), "--truth", "auto", *options]
    found = [learners.run([*command, "--seed", str(5 * seed)], 600)["ari"] for seed in range(seeds)]
    return 100 * statistics.fmean(found)


def document(found: NDArray[np.float64]) -> list[str]:
    """From settings x datasets."""
    attributes = np.array([one.attributes for one in DATASETS])
    rows = [
        [name, f"{row[~attributes].mean():.1f}", f"{row[attributes].mean():.1f}"]
        + [f"{value:.0f}" for value in row]
        for name, row in zip(SETTINGS, found, strict=True)
    ]
    numbers = [str(number) for number in range(1, len(DATASETS) + 1)]
    names = (f"{number} {one.name}" for number, one in zip(numbers, DATASETS, strict=True))
    table = tables.table(["", "structure alone", "with attributes", *numbers], rows)
    return [*table, "", "Datasets: " + "; ".join(names) + "."]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--graphs", type=int, default=200, help="of a dataset")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="settings at a time")
    given = parser.parse_args()
    found = []
    with tempfile.TemporaryDirectory() as home, ThreadPoolExecutor(given.jobs) as pool:
        for number, classes in enumerate(DATASETS):
            folder = pathlib.Path(home) / f"set{number}"
            write(folder, *generate(classes, given.graphs))
            runs = [
                pool.submit(agreement, folder, len(classes.makers), given.seeds, options)
                for options in SETTINGS.values()
            ]
            found.append([run.result() for run in runs])
            print(classes.name, [round(x) for x in found[-1]], file=sys.stderr, flush=True)
    print("\n".join(document(np.array(found).T)))


if __name__ == "__main__":
    main()
