#!/usr/bin/env python3
"""Runs one contestant on one graph, for some seeds; prints a JSON line for each.

Usage: worker.py REQUEST, with the JSON object that contest.py makes. A process of its own, so
that it can be stopped, crash, and have its memory measured.
"""

import json
import pathlib
import resource
import sys
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import own
import record
import scores
from graphs import Place
from other_tools import TOOLS

REQUEST = dict[str, Any]


def peak_from_here() -> None:
    """Resets the peak memory of this process to its present size."""
    try:
        pathlib.Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        pass  # then building the graph counts, too


def peak_bytes() -> int:
    lines = pathlib.Path("/proc/self/status").read_text().splitlines()
    return next(1024 * int(line.split()[1]) for line in lines if line.startswith("VmHWM"))


def tool_runs(request: REQUEST) -> Iterator[record.Result]:
    tool, place = TOOLS[request["method"]], Place(pathlib.Path(request["folder"]))
    graph = place.read()
    prepared = tool.prepare(place, graph)
    for seed in request["seeds"]:
        peak_from_here()
        begin = time.perf_counter()
        found = tool.solve(prepared, request["clusters"], seed)
        seconds = time.perf_counter() - begin
        peak = peak_bytes()
        result = scores.score(graph, np.asarray(found, dtype=np.int64))
        yield {"status": "done", "seconds": seconds, "peak_bytes": peak, **result}


def own_runs(request: REQUEST) -> Iterator[record.Result]:
    """The graph is read after all runs: a large parent would count as the peak of its children."""
    place = Place(pathlib.Path(request["folder"]))
    settings = request["clusters"], request["options"]
    runs = [own.run(place, *settings, seed, request["limit"]) for seed in request["seeds"]]
    peak = 1024 * resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    graph = place.read()
    for run in runs:
        yield {**run.scored(graph), "peak_bytes": peak}


def main() -> None:
    request = json.loads(sys.argv[1])
    runs = own_runs if request["method"] == "srgw" else tool_runs
    for result in runs(request):
        print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
