"""An edge list read into rows: by us (read_driver.cpp), NetworKit, and pandas with SciPy."""

import json
import pathlib
import statistics
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass

import networkit
import numpy as np
import pandas
import scipy.sparse
from place import program


@dataclass(frozen=True)
class ReadRun:
    lines: int
    file_bytes: int
    seconds: float
    csr_bytes: int
    peak_bytes: int  # of ours, the mapped file not counted
    networkit_seconds: float
    pandas_seconds: float


def make_file(path: pathlib.Path, nodes: int) -> None:
    """A planted graph with 12.5 edges a node, a line for each."""
    model = ["planted", "--nodes", str(nodes), "--blocks", "15", "--degree", "25", "--seed", "1"]
    subprocess.run([program("cli/srgw"), "generate", *model, "-o", path, "-q"], check=True)


def read_networkit(path: pathlib.Path) -> int:
    """Entries of the adjacency; there are no self-loops."""
    graph = networkit.readGraph(str(path), networkit.Format.EdgeListTabZero)
    return 2 * graph.numberOfEdges()


def read_pandas(path: pathlib.Path) -> int:
    table = pandas.read_csv(path, sep="\t", header=None, dtype=np.int32).to_numpy()
    rows = np.concatenate([table[:, 0], table[:, 1]])
    columns = np.concatenate([table[:, 1], table[:, 0]])
    nodes = int(table.max()) + 1
    ones = np.ones(len(rows), dtype=np.int8)
    matrix = scipy.sparse.coo_array((ones, (rows, columns)), shape=(nodes, nodes)).tocsr()
    matrix.sum_duplicates()
    return matrix.nnz


def median_seconds(
    read: Callable[[pathlib.Path], int], path: pathlib.Path, entries: int, rounds: int
) -> float:
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        found = read(path)
        times.append(time.perf_counter() - begin)
        if found != entries:
            raise RuntimeError(f"{read.__name__} found {found} entries, expected {entries}")
    return statistics.median(times)


def run(path: pathlib.Path, rounds: int, threads: int = 2) -> ReadRun:
    """Medians; each reader has the file in the cache of the system from the round before."""
    command = [program("bench/srgw_read"), path, str(threads), str(max(rounds, 3))]
    answer = subprocess.run(command, check=True, capture_output=True, text=True)
    report = json.loads(answer.stdout)
    return ReadRun(
        lines=report["entries"] // 2,
        file_bytes=path.stat().st_size,
        seconds=statistics.median(report["seconds"]),
        csr_bytes=report["csr_bytes"],
        peak_bytes=report["peak_bytes"],
        networkit_seconds=median_seconds(read_networkit, path, report["entries"], rounds),
        pandas_seconds=median_seconds(read_pandas, path, report["entries"], rounds),
    )
