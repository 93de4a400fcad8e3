"""Runs on large planted graphs, measured by the program srgw_peers (peer_driver.cpp)."""

import json
import statistics
import subprocess
from dataclasses import dataclass

import numpy as np
from place import program


@dataclass(frozen=True)
class LargeRun:
    nodes: int
    columns: int
    entries: int
    copy_seconds: float  # two threads copy the graph's bytes
    seconds: float
    iteration_seconds: list[float]
    steps: list[float]  # of each iteration
    bytes_beyond_graph: int
    iterations: int
    value: float
    gap: float

    @property
    def first_iteration(self) -> float:
        """In copies: all passes over the rows that a short step of a fresh start takes."""
        return self.iteration_seconds[0] / self.copy_seconds

    @property
    def full_pass(self) -> float:
        """In copies: the first iteration whose step has length 1 is one pass over all rows."""
        first = self.steps.index(1.0) if 1.0 in self.steps else 0
        return self.iteration_seconds[first] / self.copy_seconds

    @property
    def median_seconds(self) -> float:
        return statistics.median(self.iteration_seconds)

    @property
    def median_iteration(self) -> float:
        """In copies."""
        return self.median_seconds / self.copy_seconds


def run(nodes: int, columns: int, threads: int = 2) -> LargeRun:
    command = [program("bench/srgw_peers"), str(nodes), str(columns), str(threads)]
    answer = subprocess.run(command, check=True, capture_output=True, text=True)
    report = json.loads(answer.stdout)
    return LargeRun(
        nodes=report["nodes"],
        columns=report["columns"],
        entries=report["entries"],
        copy_seconds=report["copy_seconds"],
        seconds=report["seconds"],
        iteration_seconds=list(np.diff(report["report_seconds"])),
        steps=report["steps"][1:],
        bytes_beyond_graph=report["bytes_beyond_graph"],
        iterations=report["iterations"],
        value=report["value"],
        gap=report["gap"],
    )


@dataclass(frozen=True)
class KernelRun:
    nodes: int
    degree: int  # of the Chebyshev series
    seconds: float  # of the run
    product_seconds: float
    walk_seconds: float  # of one product with the sparse walk
    bytes_beyond_graph: int


def run_kernel(nodes: int, columns: int, t: float, threads: int = 2) -> KernelRun:
    """Ten iterations on the implicit heat kernel of a planted graph."""
    command = [program("bench/srgw_peers"), str(nodes), str(columns), str(threads), str(t)]
    answer = subprocess.run(command, check=True, capture_output=True, text=True)
    return KernelRun(**json.loads(answer.stdout))


def median_run(nodes: int, columns: int, rounds: int) -> LargeRun:
    """The run with the median time."""
    runs = sorted((run(nodes, columns) for _ in range(rounds)), key=lambda one: one.seconds)
    return runs[rounds // 2]
