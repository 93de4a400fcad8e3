#!/usr/bin/env python3
"""The paper's completion of half-seen graphs, beside what a sceptic would try first.

Usage: make paper-completion, or bench/completion/paper.py [--quick] [--full] [--anew]
    [--jobs N] [--minutes N]
Each cell is a run of build/bench/bench/srgw_completion (SRGW_BUILD_DIR names another build):
one dataset, one split, one share of training graphs and one share of hidden nodes. Finished cells
are kept in build/paper-completion and not computed again. As many cells as there are cores run at a
time, with one thread each: milliseconds are those of a machine that has other work.
"""

import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import paper_report
from shared import ROOT, Cell, Result, data_folder, failed, over, running

PROGRAM = ROOT / os.environ.get("SRGW_BUILD_DIR", "build/bench") / "bench" / "srgw_completion"


@dataclass(frozen=True)
class Plan:
    datasets: tuple[str, ...] = ("IMDB-BINARY", "MUTAG")
    splits: tuple[int, ...] = (0, 1, 2, 3, 4)
    shares: tuple[float, ...] = (0.9, 0.5, 0.1)  # of training graphs, at 10 % and 20 % removed
    removed: tuple[float, ...] = (0.1, 0.2, 0.3)  # at the first share
    limit: float = 900  # seconds of a cell
    minutes: float = 38  # then no new cell is begun; the next run goes on


PLANS = {
    "default": Plan(),
    "full": Plan(
        shares=(0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1),
        removed=(0.1, 0.15, 0.2, 0.25, 0.3),
        limit=3600,
        minutes=math.inf,
    ),
    "quick": Plan(datasets=("MUTAG",), splits=(0,), shares=(0.5,), removed=(0.1,)),
}


def cells(plan: Plan) -> Iterator[Cell]:
    """The cells of both figures; what matters most comes first."""
    whole = plan.shares[0]
    main = [(whole, 0.1), (whole, 0.2)]
    rest = [(share, rate) for rate in (0.1, 0.2) for share in plan.shares]
    rest += [(whole, rate) for rate in plan.removed]
    rest = [setting for setting in dict.fromkeys(rest) if setting not in main]
    for part, settings in [("learned", main), ("paper", main), ("learned", rest)]:
        for split in plan.splits:
            for dataset in plan.datasets:
                for share, rate in settings:
                    yield {
                        "part": part,
                        "dataset": dataset,
                        "split": split,
                        "train": share,
                        "removed": rate,
                    }


def run(cell: Cell, limit: float, threads: int) -> Result:
    command = [str(PROGRAM), str(data_folder() / "tud" / cell["dataset"])]
    for name in ("split", "train", "removed"):
        command += [f"--{name}", str(cell[name])]
    command += ["--threads", str(threads)]
    command += ["--paper"] if cell["part"] == "paper" else []
    try:
        answer = subprocess.run(command, check=False, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return over(limit)
    if answer.returncode != 0:
        return failed(answer.stderr.strip())
    return {"status": "done", **json.loads(answer.stdout)}


def main() -> None:
    parser = running.parser(__doc__, full=True)
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="cells at a time")
    parser.add_argument("--minutes", type=float, help="begin nothing new after so many")
    arguments = parser.parse_args()
    plan = PLANS["quick" if arguments.quick else "full" if arguments.full else "default"]
    threads = max(1, (os.cpu_count() or 1) // arguments.jobs)
    with running.Workshop(arguments, "paper-completion") as shop:
        minutes = plan.minutes if arguments.minutes is None else arguments.minutes
        end = time.monotonic() + 60 * minutes

        def finish(cell: Cell) -> tuple[Cell, Result] | None:
            if not shop.store.finished(cell):
                if time.monotonic() > end:
                    return None
                running.say(" ".join(f"{name} {value}" for name, value in cell.items()))
                shop.store.put(cell, run(cell, plan.limit, threads))
            return cell, shop.store.get(cell)

        with ThreadPoolExecutor(arguments.jobs) as pool:
            found = [one for one in pool.map(finish, cells(plan)) if one is not None]
        text = paper_report.document(found, plan.shares[0])
        shop.publish("completion", text, paper_report.summary(found))
    sys.stdout.write(text if arguments.quick else "")


if __name__ == "__main__":
    main()
