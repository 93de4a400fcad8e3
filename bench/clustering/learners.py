"""Learns, embeds and clusters with our program; a cell is a recipe with a seed."""

import json
import pathlib
import subprocess
import tempfile
from dataclasses import dataclass
from typing import Any

import coordinates
import numpy as np
from common import data_folder, program
from recipes import Dataset, Recipe
from record import Cell, Result, Store, failed, over


@dataclass(frozen=True)
class Truth:
    """Classes of the graphs of a dataset."""

    dataset: pathlib.Path
    file: pathlib.Path
    classes: int
    labels: Any
    median: int  # nodes


def folder_of(dataset: Dataset) -> pathlib.Path:
    return data_folder() / "tud" / dataset.folder


def truth_of(dataset: Dataset, folder: pathlib.Path) -> Truth:
    tud = folder_of(dataset)
    raw = np.loadtxt(tud / f"{dataset.folder}_graph_labels.txt", dtype=int)
    labels = np.unique(raw, return_inverse=True)[1].astype(np.int64)
    owner = np.loadtxt(tud / f"{dataset.folder}_graph_indicator.txt", dtype=int)
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{dataset.name}.npy"
    np.save(file, labels)
    median = int(np.median(np.bincount(owner)[1:]))
    return Truth(tud, file, int(labels.max()) + 1, labels, median)


def run(arguments: list[str], limit: float, threads: int = 1) -> dict[str, Any]:
    command = [str(program("cli/srgw")), *arguments, "--json", "-j", str(threads)]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=limit)
    if answer.returncode != 0:
        raise RuntimeError((answer.stderr or answer.stdout).strip().splitlines()[-1])
    found: dict[str, Any] = json.loads(answer.stdout)
    return found


def cluster(points: Any, truth: Truth, folder: str, limit: float) -> Result:
    """k-means with 100 starts, judged with and without the classes."""
    from sklearn.metrics import silhouette_score

    rows, out = f"{folder}/rows.npy", f"{folder}/labels.npy"
    np.save(rows, points)
    found = run(
        ["cluster", str(truth.dataset), "--embeddings", rows, "-k", str(truth.classes)]
        + ["--truth", str(truth.file), "-o", out],
        limit,
    )
    labels = np.load(out)
    several = len(np.unique(labels)) > 1
    return {
        **{name: 100 * found[name] for name in ("ri", "ari", "ami")},
        "largest": 100 * found["largest_cluster"],
        "silhouette": float(silhouette_score(points, labels)) if several else -1.0,
        "labels": "".join(map(str, labels)),
    }


def points_of(recipe: Recipe, rows: Any, size: int) -> dict[str, Any]:
    """The points of each of the recipe's coordinates."""
    if recipe.ensemble == 1:
        made = {"weights": rows, "log-weights": np.log(np.maximum(rows, 1e-6))}
        return {word: made[word] for word in recipe.coordinates}
    found = coordinates.blocks(rows, size, recipe.ensemble)
    return {words: coordinates.joined(found, words) for words in recipe.coordinates}


def learn_and_cluster(
    recipe: Recipe, dataset: Dataset, truth: Truth, seed: int, limit: float
) -> Result:
    """A clustering for each kind of coordinates, in `by`."""
    size = truth.median if recipe.size == 0 else recipe.size
    with tempfile.TemporaryDirectory() as folder:
        model, rows = f"{folder}/model.npz", f"{folder}/embedding.npy"
        tud = str(folder_of(dataset))
        if recipe.whole:
            return clustered_whole(recipe, tud, truth, seed, folder, limit)
        learn = ["learn", tud, *recipe.learn, "-o", model]
        learn += [] if size is None else ["-m", str(size)]
        learn += ["--seed", str(seed * recipe.ensemble)]
        if recipe.ensemble > 1:
            learn += ["--atoms", str(recipe.ensemble)]
        learned = run(learn, limit)
        embed = ["embed", model, tud, *recipe.embed, "-o", rows, "--seed", str(seed)]
        if recipe.ensemble > 1:
            embed += ["--coordinates", ",".join(coordinates.WORDS)]
        embedded = run(embed, limit)
        by = {
            words: cluster(points, truth, folder, limit)
            for words, points in points_of(recipe, np.load(rows), size or 0).items()
        }
    return {
        "status": "done",
        "learning": learned["seconds"],
        "embedding": embedded["seconds"],
        "value": embedded["mean_value"],
        "by": by,
    }


def clustered_whole(
    recipe: Recipe, tud: str, truth: Truth, seed: int, folder: str, limit: float
) -> Result:
    """Labels of the program in a single command."""
    out = f"{folder}/labels.npy"
    found = run(
        ["cluster", tud, "-k", str(truth.classes), *recipe.learn, "-o", out]
        + ["--truth", str(truth.file), "--seed", str(seed * recipe.ensemble)],
        limit,
    )
    judged = {name: 100 * found[name] for name in ("ri", "ari", "ami")}
    judged["largest"] = 100 * found["largest_cluster"]
    labels = "".join(map(str, np.load(out)))
    return {
        "status": "done",
        "learning": found["seconds"],
        "value": found["inertia"] / len(labels),
        "by": {"clusters": {**judged, "silhouette": -1.0, "labels": labels}},
    }


@dataclass
class Bench:
    """Everything that a measurement of a dataset needs."""

    store: Store
    dataset: Dataset
    truth: Truth
    limit: float
    deadline: float | None = None  # after which nothing new is begun

    def cell(self, recipe: Recipe, seed: int) -> Cell:
        return {
            "graph": self.dataset.name,
            "method": recipe.family,
            "size": recipe.size,
            "options": [*recipe.learn, *recipe.embed],
            "ensemble": recipe.ensemble,
            "seed": seed,
        }

    def result(self, recipe: Recipe, seed: int) -> Result:
        cell = self.cell(recipe, seed)
        if not self.store.finished(cell):
            self.store.put(cell, self.compute(recipe, seed))
        return self.store.get(cell)

    def compute(self, recipe: Recipe, seed: int) -> Result:
        try:
            return learn_and_cluster(recipe, self.dataset, self.truth, seed, self.limit)
        except subprocess.TimeoutExpired:
            return over(self.limit)
        except (RuntimeError, OSError) as error:
            return failed(str(error))
