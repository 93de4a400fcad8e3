#!/usr/bin/env python3
"""The paper's clustering experiment by the paper's own protocol, beside the printed figures.

Usage: make paper-clustering-literal, or bench/clustering/literal.py [--full] [--minutes N]
    [--only NAME,...] [--families NAME,...] [--jobs N]
Finished runs are kept in docs/results/clustering-literal, a line for each, and not made again: the
program goes on where it stopped. By default no run begins after 55 minutes; --full goes on to the
end.
"""

import argparse
import itertools
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
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
    """All of the grid, in an order that makes a part of them a fair sample."""
    alphas: tuple[float | None, ...] = ALPHAS if dataset.features != "none" else (None,)
    none: tuple[None] = (None,)
    trained = method.model != "gw-kmeans"
    own = method.model == "srgw"
    found = [
        Setting(*values)
        for values in itertools.product(
            SIZES if own else none,
            [b * truth.classes for b in ATOMS_PER_CLASS] if trained and not own else none,
            alphas,
            PENALTIES if method.sparsity else none,
            PENALTIES if method.epsilon else none,
            RATES if trained else none,
            BATCHES if trained else none,
        )
    ]
    random.Random(0).shuffle(found)
    return found


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
    if method.model == "gw-kmeans":
        return [*words, "--method", "gw-kmeans"]
    words += ["--model", method.model, "--epochs", "100", "--early-stopping", "2"]
    return words + (["--learner", "adam"] if method.model == "srgw" else [])


@dataclass
class Bench:
    """A dataset and what is measured on it."""

    dataset: Dataset
    truth: Truth
    kept: "Kept"

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
        """RI, ARI, AMI, share of the largest cluster and mean divergence."""
        with tempfile.TemporaryDirectory() as folder:
            if method.model == "gw-kmeans":
                words = arguments_of(method, setting, self.dataset, self.truth)
                tud = str(learners.folder_of(self.dataset))
                found = learners.run(
                    ["cluster", tud, "-k", str(self.truth.classes), *words]
                    + ["--truth", str(self.truth.file), "--seed", str(seed)],
                    LIMIT,
                )
                scores = {name: 100 * found[name] for name in ("ri", "ari", "ami")}
                scores["largest"], value = 100 * found["largest_cluster"], found["inertia"]
            else:
                points, value = self.points(method, setting, seed, folder)
                scores = learners.cluster(points, self.truth, folder, LIMIT)
        names = ("ri", "ari", "ami", "largest")
        return [*(round(scores[name], 2) for name in names), float(f"{value:.5g}")]

    def best_dictionary(self, method: Method, setting: Setting, seed: int) -> list[list[float]]:
        """RI, ARI and AMI of one embedding with five seeds of k-means, ten starts each, which is
        what scikit-learn does by default."""
        from sklearn.cluster import KMeans
        from sklearn.metrics import adjusted_mutual_info_score, adjusted_rand_score, rand_score

        with tempfile.TemporaryDirectory() as folder:
            points, _ = self.points(method, setting, seed, folder)
        found = []
        for start in range(SEEDS):
            means = KMeans(self.truth.classes, n_init=10, random_state=start)
            labels = means.fit_predict(points)
            scores = (rand_score, adjusted_rand_score, adjusted_mutual_info_score)
            found.append([round(100 * score(self.truth.labels, labels), 2) for score in scores])
        return found


class Kept:
    """Finished runs of a dataset, a JSON line for each."""

    def __init__(self, path: pathlib.Path) -> None:
        self.path = path
        self.rows: dict[str, dict[tuple[str, int], list[Any]]] = {}
        self._lock = threading.Lock()
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
        with self._lock:
            self._place(method)[setting.key(), seed] = scores
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a") as file:
                file.write(line + "\n")


Job = tuple[Bench, Method, Setting, int]


def first_jobs(bench: Bench, method: Method) -> Iterator[Job]:
    seeds = SEEDS if method.all_seeds else 1
    for setting in settings(method, bench.dataset, bench.truth):
        for seed in range(seeds):
            yield bench, method, setting, seed


def later_jobs(bench: Bench, method: Method) -> Iterator[Job]:
    """The other seeds of the best tenth, once all settings have one."""
    if method.all_seeds:
        return
    grid = settings(method, bench.dataset, bench.truth)
    scores = [(bench.kept.find(method.name, setting, 0), setting) for setting in grid]
    if any(found is None for found, _ in scores):
        return
    ranked = sorted(scores, key=lambda pair: -(pair[0] or [0.0])[0])
    for _, setting in ranked[: -(-len(ranked) // 10)]:
        for seed in range(1, SEEDS):
            yield bench, method, setting, seed


def best_runs(bench: Bench, method: Method) -> Iterator[Job]:
    """The run with the highest RI."""
    if method.model == "gw-kmeans":
        return
    grid = {s.key(): s for s in settings(method, bench.dataset, bench.truth)}
    runs = {
        place: scores
        for place, scores in bench.kept.rows.get(method.name, {}).items()
        if place[0] in grid
    }
    if runs:
        key, seed = max(runs, key=lambda place: runs[place][0])
        yield bench, method, grid[key], seed


def work(jobs: Iterable[Job], threads: int, deadline: float | None) -> None:
    failures: dict[str, int] = {}

    def one(job: Job) -> None:
        bench, method, setting, seed = job
        if bench.kept.find(method.name, setting, seed) is not None:
            return
        if deadline is not None and time.monotonic() > deadline:
            return
        try:
            bench.kept.add(method.name, setting, seed, bench.measure(method, setting, seed))
        except (RuntimeError, OSError, subprocess.TimeoutExpired) as error:
            failures[f"{bench.dataset.name}, {method.name}: {error}"] = seed

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(one, jobs))
    for text in failures:
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
        Bench(one, learners.truth_of(one, truths), Kept(KEPT / f"{one.name}.jsonl"))
        for one in grid.datasets
    ]
    chosen = [b for b in benches if not given.only or b.dataset.name in given.only.split(",")]
    methods = [m for m in METHODS if not given.families or m.name in given.families.split(",")]
    if not given.report:
        for jobs in (first_jobs, later_jobs):
            # Method by method, small datasets before large ones.
            pairs = itertools.product(methods, sorted(chosen, key=lambda b: b.truth.labels.size))
            work((job for m, b in pairs for job in jobs(b, m)), given.jobs, deadline)
        for bench, method in itertools.product(chosen, methods):
            for _, _, setting, seed in best_runs(bench, method):
                name = f"{method.name}, k-means"
                if bench.kept.find(name, setting, seed) is None:
                    scores = bench.best_dictionary(method, setting, seed)
                    bench.kept.add(name, setting, seed, scores)
    text = literal_report.document([report_of(bench) for bench in benches])
    (KEPT.parent / "clustering-literal.md").write_text(text)


def report_of(bench: Bench) -> literal_report.Measured:
    found = {}
    for method in METHODS:
        grid = {s.key(): s for s in settings(method, bench.dataset, bench.truth)}
        runs: dict[str, list[list[float]]] = {}
        begun = 0
        for (key, seed), scores in bench.kept.rows.get(method.name, {}).items():
            if key in grid:
                runs.setdefault(grid[key].text(), []).append(scores)
                begun += method.all_seeds or seed == 0
        repeated = [
            bench.kept.find(f"{method.name}, k-means", setting, seed)
            for _, _, setting, seed in best_runs(bench, method)
        ]
        found[method.name] = literal_report.Found(
            share=begun / len(grid) / (SEEDS if method.all_seeds else 1),
            whole=[one for one in runs.values() if len(one) == SEEDS],
            repeated=repeated[0] if repeated else None,
        )
    return literal_report.Measured(bench.dataset, found)


if __name__ == "__main__":
    main()
