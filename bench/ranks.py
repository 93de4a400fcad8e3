"""Gain and cost of MPI ranks on one machine; a section of docs/benchmarks.md.

Usage: bench/ranks.py PROGRAM [--plain PROGRAM] [--graphs N] [--write]
Seconds are those of the wall, with the start of mpirun.
PROGRAM is built with MPI, --plain without (by default the same one, started without mpirun).
Every part gives rows (what, asked for, measured, met); --write puts them into the document.
"""

import argparse
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
from embed_many import write_dataset
from peers.report import keep, machine, seconds_text
from ranks_partition import partition_rows

ROOT = pathlib.Path(__file__).resolve().parent.parent
Row = tuple[str, str, str, bool]

# Ranks of one machine, as root and without a network.
MPI_ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_btl": "self,vader",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "OMPI_MCA_osc": "^ucx",  # UCX takes time to start and watches the allocation of memory
    "OMPI_MCA_pml": "ob1",
    "OMPI_MCA_plm_rsh_agent": "/bin/false",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
}


def on_ranks(count: int, *command: object) -> list[str]:
    """A command line; 0 ranks: without mpirun."""
    words = [str(word) for word in command]
    return words if count == 0 else ["mpirun", "-np", str(count), *words]


def seconds_of(command: list[str]) -> float:
    begin = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=os.environ | MPI_ENVIRONMENT)
    return time.perf_counter() - begin


def median_seconds(tries: int, *commands: list[str]) -> list[float]:
    """Seconds of each command, in turns and each first in its turn, so that other load on the
    machine and leftovers of the command before affect all alike."""
    seconds: list[list[float]] = [[] for _ in commands]
    for turn in range(tries):
        for place in range(len(commands)):
            which = (turn + place) % len(commands)
            seconds[which].append(seconds_of(commands[which]))
    return [statistics.median(column) for column in seconds]


# ---- datasets


def make_dataset(program: pathlib.Path, work: pathlib.Path, graphs: int) -> pathlib.Path:
    packed = work / f"{graphs}.npz"
    write_dataset(work / f"G{graphs}", graphs)
    subprocess.run(
        [program, "convert", work / f"G{graphs}", packed], check=True, stdout=subprocess.DEVNULL
    )
    return packed


def embed_rows(
    program: pathlib.Path, plain: pathlib.Path, work: pathlib.Path, graphs: int
) -> list[Row]:
    """embed of many graphs: two ranks against one, and one against none."""
    data, taught = make_dataset(program, work, graphs), make_dataset(program, work, 1000)
    model, rows = work / "model.npz", [work / f"rows{r}.npy" for r in range(3)]
    subprocess.run(
        [program, "learn", taught, "-m", "5", "-o", model, "--quiet"],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    commands = [
        on_ranks(r, plain if r == 0 else program, "embed", model, data, "-o", rows[r], "-j", 1)
        for r in range(3)
    ]
    none, one, two = median_seconds(5, *commands)
    assert rows[1].read_bytes() == rows[0].read_bytes() == rows[2].read_bytes()
    return [
        (
            f"embed of {graphs:,} graphs, two ranks of one thread against one",
            "≥ 1.8 times",
            f"{one / two:.2f} times ({seconds_text(one)}, {seconds_text(two)})",
            one / two >= 1.8,
        ),
        (
            "the same, one rank against no mpirun",
            "≤ 5 % slower",
            f"{100 * (one / none - 1):+.1f} % ({seconds_text(none)})",
            one / none <= 1.05,
        ),
    ]


def learn_rows(program: pathlib.Path, plain: pathlib.Path, work: pathlib.Path) -> list[Row]:
    """learn: one rank against none; what two bring is told."""
    data = make_dataset(program, work, 4000)
    models = [work / f"learned{r}.npz" for r in range(3)]
    options = ["-m", 10, "--epochs", 4, "--batch", 256, "--seed", 1, "-j", 1, "--quiet"]
    commands = [
        on_ranks(r, plain if r == 0 else program, "learn", data, "-o", models[r], *options)
        for r in range(3)
    ]
    none, one, two = median_seconds(5, *commands)
    assert models[1].read_bytes() == models[2].read_bytes()
    return [
        (
            "learn from 4,000 graphs, one rank against no mpirun",
            "≤ 5 % slower",
            f"{100 * (one / none - 1):+.1f} % ({seconds_text(none)}, {seconds_text(one)})",
            one / none <= 1.05,
        ),
        (
            "the same, two ranks of one thread against one",
            "told",
            f"{one / two:.2f} times",
            True,
        ),
    ]


def lost_rank_rows(program: pathlib.Path, work: pathlib.Path, times: int) -> list[Row]:
    """kill -9 of one of four ranks during learn."""
    data, point = make_dataset(program, work, 300), work / "point.npz"
    whole, rest = work / "whole.npz", work / "rest.npz"
    learn = [program, "learn", data, "-m", 8, "--epochs", 6, "--batch", 16, "--quiet", "-j", 1]
    seconds_of(on_ranks(0, *learn, "-o", whole))
    rng = np.random.default_rng(1)
    slowest, fine = 0.0, 0
    for attempt in range(times):
        point.unlink(missing_ok=True)
        command = on_ranks(4, *learn, "-o", rest, "--checkpoint", point, "--checkpoint-every", 0)
        process = subprocess.Popen(
            command,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=os.environ | MPI_ENVIRONMENT,
        )
        while not point.exists():
            time.sleep(0.01)
        time.sleep(float(rng.uniform(0, 0.3)))
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
        os.kill(int(children.split()[attempt % 4]), signal.SIGKILL)
        begin = time.perf_counter()
        code = process.wait(timeout=60)
        slowest = max(slowest, time.perf_counter() - begin)
        seconds_of(on_ranks(1 + attempt % 3, *learn, "-o", rest, "--resume", point))
        fine += code != 0 and rest.read_bytes() == whole.read_bytes()
    return [
        (
            f"kill -9 of one of four ranks during learn, {times} times",
            "clean end, resume gives the bytes",
            f"{fine} of {times}, the job ends within {seconds_text(slowest)}",
            fine == times,
        )
    ]


# ---- the document


def section(rows: list[Row]) -> str:
    lines = ["| | measured |", "|---|---|"]
    lines += [f"| {what} | {found} |" for what, _, found, _ in rows]
    return machine() + "\n\n" + "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--plain", type=pathlib.Path)
    parser.add_argument("--graphs", type=int, default=1_000_000)
    parser.add_argument("--losses", type=int, default=20, help="ranks that are killed")
    parser.add_argument("--nodes", type=int, default=1_000_000, help="of the one large graph")
    parser.add_argument("--parts", default="embed,learn,lost,partition", help="of these words")
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    program = args.program.resolve()
    plain = (args.plain or args.program).resolve()
    with tempfile.TemporaryDirectory() as place:
        work = pathlib.Path(place)
        parts = {
            "embed": lambda: embed_rows(program, plain, work, args.graphs),
            "learn": lambda: learn_rows(program, plain, work),
            "lost": lambda: lost_rank_rows(program, work, args.losses),
            "partition": lambda: partition_rows(
                program, plain, work, args.nodes, on_ranks, MPI_ENVIRONMENT, median_seconds
            ),
        }
        rows = [row for word in args.parts.split(",") for row in parts[word]()]
    text = section(rows)
    print(text)
    if args.write:
        keep(ROOT / "docs" / "benchmarks.md", "ranks", text)
    return 0 if all(met for *_, met in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
