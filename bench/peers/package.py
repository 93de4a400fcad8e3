"""The Python package: what its door costs, how it scales, what it holds in memory."""

import json
import pathlib
import statistics
import subprocess
import sys
import timeit
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import ours
import srgw
from place import program
from problem import Problem

# Linux counts the memory of whoever starts a process as its own: it is started by a small one.
_LAUNCH = """
import json, os, subprocess, sys, time
begin = time.perf_counter()
with subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, text=True) as process:
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
if process.returncode != 0:
    sys.exit(f"{sys.argv[1]} ended with {process.returncode}")
seconds = time.perf_counter() - begin
print(json.dumps({"seconds": seconds, "peak_bytes": usage.ru_maxrss * 1024, "output": output}))
"""
_IMPORT = """
import numpy, time
begin = time.perf_counter()
import srgw
srgw.semirelaxed_gromov_wasserstein  # modules are imported when their names are asked for
print(time.perf_counter() - begin)
"""
_GENERATE = """
import sys, scipy.sparse, srgw
graph, _ = srgw.generate.planted(int(sys.argv[1]), 15, mean_degree=25)
scipy.sparse.save_npz(sys.argv[2], graph.to_scipy(), compressed=False)
"""
_PARTITION = """
import sys, scipy.sparse, srgw
print(srgw.SRGWPartition().fit(scipy.sparse.load_npz(sys.argv[1])).n_clusters_)
"""


@dataclass(frozen=True)
class Cost:
    """Time and memory of a process."""

    seconds: float
    peak_bytes: int
    output: str


def python(code: str, *arguments: object) -> list[str]:
    return [sys.executable, "-c", code, *map(str, arguments)]


def cost_of(command: list[str | pathlib.Path]) -> Cost:
    answer = subprocess.run(python(_LAUNCH, *command), check=True, capture_output=True, text=True)
    return Cost(**json.loads(answer.stdout))


def import_seconds(rounds: int) -> float:
    """The median over fresh processes of what an import adds to that of NumPy."""
    return statistics.median(float(cost_of(python(_IMPORT)).output) for _ in range(rounds))


def small_problem(nodes: int = 20, columns: int = 5) -> Problem:
    rng = np.random.default_rng(0)
    C, B = rng.random((nodes, nodes)), rng.random((columns, columns))
    h = np.full(nodes, 1 / nodes)
    return Problem((C + C.T) / 2, h, (B + B.T) / 2)


def least_seconds(call: Callable[[], object], calls: int = 50, repeats: int = 200) -> float:
    return min(timeit.repeat(call, number=calls, repeat=repeats)) / calls


def call_seconds() -> tuple[float, float]:
    """One call from Python, and the same solve in C++."""
    problem = small_problem()
    C, h, B = problem.source, problem.weights, problem.target
    rule = {
        "tolerance": 1e-9,
        "absolute_tolerance": 1e-9,
        "stopping": "change",
        "polish_sweeps": 0,
        "max_iterations": 10_000,
    }
    inside = min(ours.solve([problem], rule, repeats=2000)[0].seconds)
    return least_seconds(lambda: srgw.semirelaxed_gromov_wasserstein(C, B, h)), inside


def batch_seconds(graphs: int, threads: int, rounds: int) -> float:
    """Many graphs of 20 to 60 nodes onto a target of 10."""
    rng = np.random.default_rng(1)
    sizes = rng.integers(20, 60, graphs)
    Cs = [(C + C.T) / 2 for C in (rng.random((n, n)) for n in sizes)]
    B = small_problem(10, 10).source
    return least_seconds(lambda: srgw.solve_all(Cs, B, n_jobs=threads), 1, rounds)


def partition_costs(nodes: int, folder: pathlib.Path) -> tuple[Cost, Cost]:
    """A SciPy matrix in a file, clustered from Python and by the program."""
    path = folder / "planted.npz"
    cost_of(python(_GENERATE, nodes, path))
    command = [program("cli/srgw"), "partition", path, "-k", "auto", "--json"]
    return cost_of(python(_PARTITION, path)), cost_of(command)
