"""Contestants on graphs, each in a process with a time limit; finished cells are not run again."""

import json
import pathlib
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import own
import record
import scores
from graphs import Graph, Place
from other_tools import TOOLS
from record import Cell, Result, Store

WORKER = pathlib.Path(__file__).with_name("worker.py")
OURS = "srgw"
GRACE = 60.0  # seconds for what is not the contestant's: starting, reading, scores


@dataclass(frozen=True)
class Entry:
    """A contestant with its settings."""

    method: str  # of TOOLS, or OURS
    clusters: int | str | None = None
    options: tuple[str, ...] = ()

    def cell(self, graph: str, seed: int) -> Cell:
        return {
            "graph": graph,
            "method": self.method,
            "clusters": self.clusters,
            "options": list(self.options),
            "seed": seed,
        }


def seeds_of(method: str, seeds: Sequence[int]) -> Sequence[int]:
    """The first one where the seed makes no difference."""
    return seeds if method == OURS or TOOLS[method].seeded else seeds[:1]


def missing(store: Store, place: Place, wanted: Iterable[tuple[Entry, Sequence[int]]]) -> bool:
    """Whether something is left to run."""
    return any(
        not store.finished(entry.cell(place.name, seed))
        for entry, seeds in wanted
        for seed in seeds_of(entry.method, seeds)
    )


def hold(
    store: Store, place: Place, entry: Entry, seeds: Sequence[int], limit: float
) -> list[Result]:
    """A result for each seed; `limit` is in seconds for each of them."""
    cells = [entry.cell(place.name, seed) for seed in seeds_of(entry.method, seeds)]
    left = [cell for cell in cells if not store.finished(cell)]
    if left:
        found = run(place, entry, [cell["seed"] for cell in left], limit)
        for cell, result in zip(left, found, strict=True):
            store.put(cell, result)
    return [store.get(cell) for cell in cells]


def run(place: Place, entry: Entry, seeds: Sequence[int], limit: float) -> list[Result]:
    request = {
        "folder": str(place.folder),
        "method": entry.method,
        "clusters": entry.clusters,
        "options": list(entry.options),
        "seeds": list(seeds),
        "limit": limit,
    }
    command = [sys.executable, str(WORKER), json.dumps(request)]
    patience = limit * len(seeds) + GRACE + 2e-5 * place.about["edges"]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, timeout=patience)
    except subprocess.TimeoutExpired as stopped:
        output = stopped.stdout or b""  # bytes, although text was asked for
        return completed(bytes(output).decode(), seeds, record.over(limit))
    last = (answer.stderr.strip().splitlines() or [f"exit code {answer.returncode}"])[-1]
    return completed(answer.stdout, seeds, record.failed(last))


def completed(output: str, seeds: Sequence[int], otherwise: Result) -> list[Result]:
    """Whole lines are results; what is missing ended otherwise."""
    lines = [line for line in output.splitlines() if line.endswith("}")]
    found = [json.loads(line) for line in lines[: len(seeds)]]
    return found + [otherwise] * (len(seeds) - len(found))


def hold_here(
    store: Store, place: Place, graph: Graph, entry: Entry, seeds: Sequence[int], limit: float
) -> list[Result]:
    """Runs inside this process, for many short runs on small graphs: a process takes longer to
    start than they do. Only our program obeys the limit."""
    cells = [entry.cell(place.name, seed) for seed in seeds_of(entry.method, seeds)]
    left = [cell for cell in cells if not store.finished(cell)]
    if entry.method == OURS:
        for cell in left:
            found = own.run(place, entry.clusters or "auto", entry.options, cell["seed"], limit)
            store.put(cell, found.scored(graph))
    elif left:
        for cell, result in zip(left, run_here(place, graph, entry, left), strict=True):
            store.put(cell, result)
    return [store.get(cell) for cell in cells]


def run_here(
    place: Place, graph: Graph, entry: Entry, cells: Sequence[Cell]
) -> Iterator[record.Result]:
    tool = TOOLS[entry.method]
    try:
        prepared = tool.prepare(place, graph)
    except ImportError as error:
        yield from (record.failed(f"{type(error).__name__}: {error}") for _ in cells)
        return
    for cell in cells:
        begin = time.perf_counter()
        found = tool.solve(prepared, 0, cell["seed"])
        seconds = time.perf_counter() - begin
        scored = scores.score(graph, np.asarray(found, dtype=np.int64))
        yield {"status": "done", "seconds": seconds, **scored}
