"""Our side: the program `srgw partition` on files, as users call it."""

import json
import pathlib
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import record
import scores
from common import program
from graphs import Graph, Labels, Place

NOTES = ("significant", "symmetrized", "resolution", "iterations", "value", "reasons")


@dataclass(frozen=True)
class Run:
    result: record.Result
    labels: Labels | None  # none where it failed

    def scored(self, graph: Graph) -> record.Result:
        if self.labels is None:
            return self.result
        found = self.result | scores.score(graph, self.labels)
        return found | objectives(graph, self.labels, found.get("resolution"))


def run(place: Place, clusters: int | str, options: Sequence[str], seed: int, limit: float) -> Run:
    """`clusters` may be "auto"."""
    begin = time.perf_counter()
    try:
        report, labels = partition(place, clusters, options, seed, limit)
    except subprocess.TimeoutExpired:
        return Run(record.over(limit), None)
    except RuntimeError as error:
        return Run(record.failed(str(error)), None)
    result = {
        "status": "done",
        "seconds": report["seconds"],
        "wall": time.perf_counter() - begin,
        "converged": report.get("status"),
    }
    return Run(result | {name: report[name] for name in NOTES if name in report}, labels)


def objectives(graph: Graph, labels: Labels, resolution: float | None) -> dict[str, float]:
    """Our own objective of the labels that were found and of the true ones."""
    if resolution is None or graph.truth is None:
        return {}
    return {
        "objective": scores.objective(graph, labels, resolution),
        "objective_of_truth": scores.objective(graph, graph.truth, resolution),
    }


def partition(
    place: Place, clusters: int | str, options: Sequence[str], seed: int, limit: float
) -> tuple[dict[str, Any], Labels]:
    about = place.about
    with tempfile.TemporaryDirectory() as folder:
        labels = pathlib.Path(folder) / "labels.npy"
        command = [program("cli/srgw"), "partition", place.edges, "-k", clusters]
        command += ["--nodes", about["nodes"], "--seed", seed, "-o", labels, "--json", "-q"]
        command += ["--directed"] * bool(about["directed"]) + list(options)
        return ask([str(word) for word in command], limit), np.load(labels).astype(np.int64)


def ask(command: Sequence[str], limit: float) -> dict[str, Any]:
    """The JSON that our program prints; its error as a RuntimeError."""
    answer = subprocess.run(command, capture_output=True, text=True, timeout=limit)
    if answer.returncode != 0:
        raise RuntimeError(message(answer))
    return json.loads(answer.stdout)


def message(answer: subprocess.CompletedProcess[str]) -> str:
    try:
        return json.loads(answer.stdout)["error"]["message"]
    except (json.JSONDecodeError, KeyError):
        return answer.stderr.strip() or f"exit code {answer.returncode}"
