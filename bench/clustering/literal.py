#!/usr/bin/env python3
"""The paper's clustering experiment by the paper's own protocol, beside the printed figures.

Usage: make paper-clustering-literal, or bench/clustering/literal.py [--full] [--minutes N]
    [--only NAME,...] [--families NAME,...] [--jobs N] [--report]
Finished runs are kept in docs/results/clustering-literal, a line for each, and not made again: the
program goes on where it stopped. The next run is always of the method and dataset on which the
least time was spent, so that all of them have figures early. By default no run begins after 55
minutes; --full goes on to the end.
"""

import argparse
import itertools
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from typing import Any

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "partition"))

import learners  # noqa: E402
import literal_report  # noqa: E402
import numpy as np  # noqa: E402
import recipes  # noqa: E402
import running  # noqa: E402
from common import ROOT  # noqa: E402
from learners import Truth  # noqa: E402
from recipes import Dataset  # noqa: E402

KEPT = ROOT / "docs" / "results" / "clustering-literal"
SEEDS = 5
LIMIT = 3600.0  # seconds of a run
SIZES = (10, 20, 30, 40, 50)
PENALTIES = (0.001, 0.01, 0.1, 1.0)  # of lambda and of epsilon
RATES = (0.01, 0.001)
BATCHES = (16, 32)
ATOMS_PER_CLASS = (2, 4, 6, 8)
# "15 values via a logspace search in (0, 0.5) and symmetrically in (0.5, 1)": which is not printed.
LOW_ALPHAS = tuple(float(f"{x:.4g}") for x in np.geomspace(1e-4, 0.5, 8)[:7])
ALPHAS = (*LOW_ALPHAS, 0.5, *(1 - x for x in reversed(LOW_ALPHAS)))


@dataclass(frozen=True)
class Setting:
    """A point of the grid; None where the method has no such parameter."""

    size: int | None = None
    atoms: int | None = None
    alpha: float | None = None
    sparsity: float | None = None  # lambda
    epsilon: float | None = None
    rate: float | None = None
    batch: int | None = None

    def key(self) -> str:
        return json.dumps([value for value in vars(self).values() if value is not None])

    def text(self) -> str:
        given = {name: value for name, value in vars(self).items() if value is not None}
        return ", ".join(f"{name} {value:g}" for name, value in given.items())


@dataclass(frozen=True)
class Method:
    name: str
    model: str = "srgw"  # or gdl, gwf, gw-kmeans
    sparsity: bool = False
    epsilon: bool = False
    all_seeds: bool = True  # of every setting; otherwise of the best tenth
    sizes: str = "grid"  # or median, or free

    @property
    def learned(self) -> bool:
        return self.model != "gw-kmeans"


METHODS = (
    Method("srGW"),
    Method("srGW_g", sparsity=True),
    Method("srGW_e", epsilon=True, all_seeds=False),
    Method("srGW_e+g", sparsity=True, epsilon=True, all_seeds=False),
    Method("GDL", "gdl", all_seeds=False, sizes="median"),
    Method("GDL_reg", "gdl", sparsity=True, all_seeds=False, sizes="median"),
    Method("GWF-f", "gwf", epsilon=True, all_seeds=False, sizes="median"),
    Method("GWF-r", "gwf", epsilon=True, all_seeds=False, sizes="free"),
    Method("GW-k", "gw-kmeans", sizes="median"),
)


def settings(method: Method, dataset: Dataset, truth: Truth) -> list[Setting]:
    """All of the grid: one of the fastest, then the others in an order that makes a part of them a
    fair sample."""
    alphas: tuple[float | None, ...] = ALPHAS if dataset.features != "none" else (None,)
    none: tuple[None] = (None,)
    own = method.model == "srgw"
    found = [
        Setting(*values)
        for values in itertools.product(
            SIZES if own else none,
            [b * truth.classes for b in ATOMS_PER_CLASS] if method.learned and not own else none,
            alphas,
            PENALTIES if method.sparsity else none,
            PENALTIES if method.epsilon else none,
            RATES if method.learned else none,
            BATCHES if method.learned else none,
        )
    ]
    random.Random(0).shuffle(found)
    first = min(found, key=lambda one: (one.size or 0, one.atoms or 0, abs((one.alpha or 0) - 0.5)))
    return [first, *(one for one in found if one != first)]


def arguments_of(method: Method, setting: Setting, dataset: Dataset, truth: Truth) -> list[str]:
    """Options of `srgw learn`, or of `srgw cluster` where that does all of it."""
    words = ["--features", dataset.features]
    if dataset.standardise != "none":
        words += ["--standardise", dataset.standardise]
    penalty = "--regularisation" if method.model == "gdl" else "--sparsity"
    for option, value in (
        ("-m", truth.median if method.sizes == "median" else setting.size),
        ("--atoms", setting.atoms),
        ("--alpha", setting.alpha),
        (penalty, setting.sparsity),
        ("--epsilon", setting.epsilon),
        ("--learning-rate", setting.rate),
        ("--batch", setting.batch),
    ):
        if value is not None:
            words += [option, str(value)]
    if not method.learned:
        return [*words, "--method", "gw-kmeans"]
    words += ["--model", method.model, "--epochs", "100", "--early-stopping", "2"]
    if method.model != "srgw":
        return words
    # The paper's learner and solvers end at a relative change of 1e-5, and nothing is polished.
    words += ["--learner", "adam"]
    if method.epsilon:
        return [*words, "--value-tolerance", "1e-5"]
    return [*words, "--stopping", "change", "--tolerance", "1e-5", "--polish-sweeps", "0"]


@dataclass(frozen=True)
class Protocol:
    """A dataset, and how methods are measured on it."""

    dataset: Dataset
    truth: Truth

    def points(self, method: Method, setting: Setting, seed: int, folder: str) -> tuple[Any, float]:
        """The embedding of all graphs, and the mean divergence."""
        tud = str(learners.folder_of(self.dataset))
        model, rows = f"{folder}/model.npz", f"{folder}/rows.npy"
        words = arguments_of(method, setting, self.dataset, self.truth)
        learners.run(["learn", tud, *words, "-o", model, "--seed", str(seed)], LIMIT)
        # Rows of GDL have the Mahalanobis distance of mixtures of atoms.
        how = {"srgw": ["--search", "method"], "gdl": ["--coordinates", "metric"], "gwf": []}
        embed = ["embed", model, tud, *how[method.model], "-o", rows, "--seed", str(seed)]
        value = learners.run(embed, LIMIT)["mean_value"]
        return np.load(rows), value

    def measure(self, method: Method, setting: Setting, seed: int) -> list[float]:
        """RI, ARI and AMI of k-means with this seed; their means over five seeds, the deviation of
        RI over these; share of the largest cluster, mean divergence, CPU seconds."""
        begin = sum(os.times()[:4])  # with those of children
        with tempfile.TemporaryDirectory() as folder:
            if not method.learned:
                words = arguments_of(method, setting, self.dataset, self.truth)
                tud = str(learners.folder_of(self.dataset))
                found = learners.run(
                    ["cluster", tud, "-k", str(self.truth.classes), *words]
                    + ["--truth", str(self.truth.file), "--seed", str(seed)],
                    LIMIT,
                )
                scores = [100 * found[name] for name in ("ri", "ari", "ami")]
                largest, value = 100 * found["largest_cluster"], found["inertia"]
                rows = [scores] * SEEDS
            else:
                points, value = self.points(method, setting, seed, folder)
                rows, largest = agreement(points, self.truth, first=seed)
        means = [statistics.fmean(column) for column in zip(*rows, strict=True)]
        spread = statistics.stdev(row[0] for row in rows)
        numbers = [*rows[0], *means, spread, largest]
        seconds = sum(os.times()[:4]) - begin
        return [*(round(x, 2) for x in numbers), float(f"{value:.5g}"), round(seconds, 1)]


def agreement(points: Any, truth: Truth, first: int) -> tuple[list[list[float]], float]:
    """RI, ARI and AMI of k-means with five seeds, ten starts each as in scikit-learn at the time of
    the paper, and the share of the largest cluster of the first."""
    from sklearn.cluster import KMeans
    from sklearn.metrics import adjusted_mutual_info_score, adjusted_rand_score, rand_score
    from threadpoolctl import threadpool_limits

    judges = (rand_score, adjusted_rand_score, adjusted_mutual_info_score)
    with threadpool_limits(1):
        labels = [
            KMeans(truth.classes, n_init=10, random_state=(first + k) % SEEDS).fit_predict(points)
            for k in range(SEEDS)
        ]
    rows = [[100 * judge(truth.labels, one) for judge in judges] for one in labels]
    return rows, 100 * float(np.bincount(labels[0]).max()) / len(points)


class Kept:
    """Finished runs of a dataset, a JSON line for each."""

    def __init__(self, path: pathlib.Path) -> None:
        self.path = path
        self.rows: dict[str, dict[tuple[str, int], list[Any]]] = {}
        if path.exists():
            for line in path.read_text().splitlines():
                method, key, seed, scores = json.loads(line)
                self._place(method)[json.dumps(key), seed] = scores

    def _place(self, method: str) -> dict[tuple[str, int], list[Any]]:
        return self.rows.setdefault(method, {})

    def find(self, method: str, setting: Setting, seed: int) -> list[Any] | None:
        return self._place(method).get((setting.key(), seed))

    def add(self, method: str, setting: Setting, seed: int, scores: list[Any]) -> None:
        row = [method, json.loads(setting.key()), seed, scores]
        line = json.dumps(row, separators=(",", ":"))
        self._place(method)[setting.key(), seed] = scores
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a") as file:
            file.write(line + "\n")


@dataclass
class Bench:
    protocol: Protocol
    kept: Kept


@dataclass(eq=False)
class Cell:
    """A method on a dataset: an entry of the printed table."""

    bench: Bench
    method: Method

    @property
    def runs(self) -> dict[tuple[str, int], list[Any]]:
        return self.bench.kept.rows.get(self.method.name, {})

    @property
    def grid(self) -> list[Setting]:
        return settings(self.method, self.bench.protocol.dataset, self.bench.protocol.truth)

    def seconds(self) -> float:
        return sum(scores[-1] for scores in self.runs.values())

    def wanted(self) -> Iterator[tuple[Setting, int]]:
        """The runs of the whole grid. Where settings have one seed, the best tenth of those that
        are finished get the others, from time to time and at the end."""
        seeds = SEEDS if self.method.all_seeds else 1
        grid = self.grid
        for k, setting in enumerate(grid, 1):
            yield from ((setting, seed) for seed in range(seeds))
            if not self.method.all_seeds and (k == 1 or k % 10 == 0 or k == len(grid)):
                runs = self.runs
                done = [one for one in grid[:k] if (one.key(), 0) in runs]
                done.sort(key=lambda one: -runs[one.key(), 0][0])
                best = done[: -(-len(done) // 10)]
                yield from ((one, seed) for one in best for seed in range(1, SEEDS))

    def runs_of_grid(self) -> float:
        """How many the whole has."""
        each = SEEDS if self.method.all_seeds else 1
        return len(self.grid) * each + (0 if self.method.all_seeds else len(self.grid) // 10 * 4)


def work(cells: Sequence[Cell], jobs: int, deadline: float | None) -> None:
    """Runs what is missing; always of the cell with the least CPU time spent on it."""
    spent = {cell: cell.seconds() for cell in cells}
    wanted = {cell: cell.wanted() for cell in cells}
    left = list(cells)
    failures: set[str] = set()
    running_now: dict[Future[list[float]], tuple[Cell, Setting, int]] = {}

    def next_run() -> tuple[Cell, Setting, int] | None:
        busy = {job[0] for job in running_now.values()}
        while left:
            cell = min(left, key=lambda one: (one in busy, spent[one]))
            for setting, seed in wanted[cell]:
                if cell.bench.kept.find(cell.method.name, setting, seed) is None:
                    return cell, setting, seed
            left.remove(cell)
        return None

    with ProcessPoolExecutor(jobs) as pool:
        while True:
            while len(running_now) < jobs and (deadline is None or time.monotonic() < deadline):
                job = next_run()
                if job is None:
                    break
                measure = job[0].bench.protocol.measure
                running_now[pool.submit(measure, job[0].method, *job[1:])] = job
            if not running_now:
                break
            for future in wait(running_now, return_when=FIRST_COMPLETED).done:
                cell, setting, seed = running_now.pop(future)
                try:
                    scores = future.result()
                except (RuntimeError, OSError, subprocess.TimeoutExpired) as error:
                    failures.add(f"{cell.bench.protocol.dataset.name}, {cell.method.name}: {error}")
                    left = [one for one in left if one != cell]
                    continue
                cell.bench.kept.add(cell.method.name, setting, seed, scores)
                spent[cell] += scores[-1]
    for text in sorted(failures):
        running.say(text)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--full", action="store_true", help="to the end: days")
    parser.add_argument("--minutes", type=float, default=55.0, help="begin nothing after so many")
    parser.add_argument("--only", default="", help="these datasets, with commas")
    parser.add_argument("--families", default="", help="these methods, with commas")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs at a time")
    parser.add_argument("--report", action="store_true", help="only write the document")
    return parser.parse_args()


def main() -> None:
    given = arguments()
    deadline = None if given.full else time.monotonic() + 60 * given.minutes
    grid = recipes.read(recipes.HERE / "full.toml")
    truths = ROOT / "build" / "paper-clustering" / "graphs"
    benches = [
        Bench(Protocol(one, learners.truth_of(one, truths)), Kept(KEPT / f"{one.name}.jsonl"))
        for one in grid.datasets
    ]
    by_size = sorted(benches, key=lambda bench: bench.protocol.truth.labels.size)
    cells = [Cell(bench, method) for method in METHODS for bench in by_size]
    if not given.report:
        names, families = given.only.split(","), given.families.split(",")
        chosen = [
            cell
            for cell in cells
            if (not given.only or cell.bench.protocol.dataset.name in names)
            and (not given.families or cell.method.name in families)
        ]
        work(chosen, given.jobs, deadline)
    text = literal_report.document([report_of(bench) for bench in benches])
    (KEPT.parent / "clustering-literal.md").write_text(text)


def report_of(bench: Bench) -> literal_report.Measured:
    found = {}
    for method in METHODS:
        cell = Cell(bench, method)
        runs: dict[str, list[list[float]]] = {}
        for setting in cell.grid:
            rows = [cell.runs.get((setting.key(), seed)) for seed in range(SEEDS)]
            if done := [row for row in rows if row is not None]:
                runs[setting.text()] = done
        every = [row for rows in runs.values() for row in rows]
        found[method.name] = literal_report.Found(
            runs=len(every),
            wanted=cell.runs_of_grid(),
            seconds=sum(row[-1] for row in every),
            whole={text: rows for text, rows in runs.items() if len(rows) == SEEDS},
            best=max(every, key=lambda row: row[3], default=None) if method.learned else None,
        )
    return literal_report.Measured(bench.protocol.dataset, found)


if __name__ == "__main__":
    main()
