#!/usr/bin/env python3
"""Mixed calls in one process under a memory limit: resident memory must not grow.

    .venv/bin/python bench/soak.py --seconds 120 [--program build/bench/cli/srgw] [--csv rss.csv]

Each round makes every call of CALLS with other seeds; with --program, commands of the program run
beside them. Prints resident memory over time. Fails when the last third of the run needs more than
the middle third by 5 % and 4 MB.
"""

import argparse
import csv
import itertools
import pathlib
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np
import srgw


def adjacency(seed: int, nodes: int = 40) -> np.ndarray:
    graph, _ = srgw.generate.planted(nodes, 3, mean_degree=min(8, nodes / 4), random_state=seed)
    return graph.to_numpy()


def solve(seed: int) -> None:
    srgw.semirelaxed_gromov_wasserstein(adjacency(seed), adjacency(seed + 1, 20))


def solve_balanced(seed: int) -> None:
    srgw.gromov_wasserstein(adjacency(seed, 30), adjacency(seed + 1, 30))


def find_communities(seed: int) -> None:
    graph, _ = srgw.generate.planted(2000, 5, mean_degree=16, random_state=seed)
    srgw.SRGWPartition(5, random_state=seed).fit(graph)


def learn(seed: int) -> None:
    graphs = [adjacency(seed + i, 20) for i in range(10)]
    model = srgw.SRGWDictionary(5, random_state=seed, max_epochs=3).fit(graphs)
    model.transform(graphs)


def stop_early(seed: int) -> None:
    graph, _ = srgw.generate.planted(20_000, 5, mean_degree=16, random_state=seed)
    srgw.SRGWPartition(50, random_state=seed, time_limit=0.05).fit(graph)


def fail(seed: int) -> None:
    try:
        srgw.semirelaxed_gromov_wasserstein(np.full((3, 3), np.nan), np.eye(2))
    except ValueError:
        return
    raise AssertionError(seed)


CALLS = [solve, solve_balanced, find_communities, learn, stop_early, fail]


def resident() -> float:
    """Resident memory in MB."""
    text = pathlib.Path("/proc/self/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", text)[1]) / 1024


def run_program(program: pathlib.Path, folder: pathlib.Path, seed: int) -> None:
    for words in (
        f"generate planted -n 500 -b 4 --seed {seed} -o graph.txt",
        "partition graph.txt -k 4 -o labels.tsv --report page.html",
    ):
        subprocess.run([program, *words.split()], cwd=folder, check=True, capture_output=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--memory", type=float, default=2, help="address space in GB")
    parser.add_argument("--program", type=pathlib.Path)
    parser.add_argument("--csv", type=pathlib.Path, help="write seconds and MB")
    args = parser.parse_args()
    warnings.simplefilter("ignore")  # calls that are stopped have not converged
    limit = int(args.memory * 2**30)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    begin, samples, shown = time.monotonic(), [], 0.0
    with tempfile.TemporaryDirectory() as folder:
        for seed in itertools.count():
            for call in CALLS:
                call(seed)
            if args.program:
                run_program(args.program.resolve(), pathlib.Path(folder), seed)
            seconds = time.monotonic() - begin
            samples.append((seconds, resident()))
            if seconds >= shown:
                print(f"{seconds:8.1f} s  {samples[-1][1]:8.1f} MB  {seed + 1} rounds", flush=True)
                shown += args.seconds / 20
            if seconds > args.seconds:
                break
    if args.csv:
        with args.csv.open("w", newline="") as file:
            csv.writer(file).writerows(samples)
    megabytes = [size for _, size in samples]
    third = len(megabytes) // 3
    middle = statistics.median(megabytes[third : 2 * third] or megabytes)
    last = statistics.median(megabytes[2 * third :])
    grows = last > 1.05 * middle and last > middle + 4
    print(
        f"middle third {middle:.1f} MB, last third {last:.1f} MB: {'grows' if grows else 'steady'}"
    )
    return 1 if grows else 0


if __name__ == "__main__":
    sys.exit(main())
