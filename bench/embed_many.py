"""Time and memory of `srgw embed` on very many small graphs, which it reads part by part.

Usage: bench/embed_many.py PROGRAM [GRAPHS...]
Graphs have 20 nodes: a ring with random chords, written as a TUDataset and packed by the program.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np

NODES, CHORDS, TAUGHT = 20, 15, 1000


def write_dataset(folder: pathlib.Path, graphs: int) -> None:
    rng = np.random.default_rng(1)
    ring = np.stack([np.arange(NODES), (np.arange(NODES) + 1) % NODES], axis=1)
    folder.mkdir()
    name = folder.name
    with open(folder / f"{name}_A.txt", "w") as edges:
        for begin in range(0, graphs, 10_000):
            count = min(10_000, graphs - begin)
            chords = rng.integers(0, NODES, (count, CHORDS, 2))
            pairs = np.concatenate([np.broadcast_to(ring, (count, NODES, 2)), chords], axis=1)
            pairs = pairs + 1 + NODES * np.arange(begin, begin + count)[:, None, None]
            rows = pairs.reshape(-1, 2)
            rows = rows[rows[:, 0] != rows[:, 1]]
            np.savetxt(edges, np.concatenate([rows, rows[:, ::-1]]), fmt="%d", delimiter=", ")
    numbers = np.repeat(np.arange(1, graphs + 1), NODES)
    np.savetxt(folder / f"{name}_graph_indicator.txt", numbers, fmt="%d")


def measured(command: list[object]) -> tuple[float, float]:
    """Seconds, and the peak of the resident set in MB."""
    begin = time.perf_counter()
    process = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"{command[1]} ended with status {status}")
    return time.perf_counter() - begin, usage.ru_maxrss / 1024


def main() -> int:
    program = pathlib.Path(sys.argv[1]).resolve()
    sizes = [int(word) for word in sys.argv[2:]] or [100_000, 1_000_000]
    with tempfile.TemporaryDirectory() as place:
        work = pathlib.Path(place)
        for graphs in [TAUGHT, *sizes]:
            write_dataset(work / f"G{graphs}", graphs)
            subprocess.run(
                [program, "convert", work / f"G{graphs}", work / f"{graphs}.npz"],
                check=True,
                stdout=subprocess.DEVNULL,
            )
        model = work / "model.npz"
        subprocess.run(
            [program, "learn", work / f"{TAUGHT}.npz", "-m", "5", "-o", model, "--quiet"],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        for graphs in sizes:
            rows = work / "rows.npy"
            seconds, peak = measured(
                [program, "embed", model, work / f"{graphs}.npz", "-o", rows, "-j", 2]
            )
            print(f"{graphs:,} graphs: {seconds:.1f} s, {peak:.0f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
