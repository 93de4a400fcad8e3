#!/usr/bin/env python3
"""The paper's completion of half-seen graphs, beside what a sceptic would try first.

Usage: make paper-completion, or bench/completion/paper.py [--quick] [--full] [--anew]
Each cell is a run of build/release/bench/srgw_completion (SRGW_BUILD_DIR names another build):
one dataset, one split, one share of training graphs and one share of hidden nodes. Finished cells
are kept in build/paper-completion and not computed again.
"""

import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass

import paper_report
from shared import ROOT, Cell, Result, data_folder, failed, over, running

PROGRAM = ROOT / os.environ.get("SRGW_BUILD_DIR", "build/release") / "bench" / "srgw_completion"


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


def run(cell: Cell, limit: float) -> Result:
    command = [str(PROGRAM), str(data_folder() / "tud" / cell["dataset"])]
    for name in ("split", "train", "removed"):
        command += [f"--{name}", str(cell[name])]
    command += ["--paper"] if cell["part"] == "paper" else []
    try:
        answer = subprocess.run(command, check=False, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return over(limit)
    if answer.returncode != 0:
        return failed(answer.stderr.strip())
    return {"status": "done", **json.loads(answer.stdout)}


def main() -> None:
    arguments = running.arguments(__doc__, full=True)
    plan = PLANS["quick" if arguments.quick else "full" if arguments.full else "default"]
    with running.Workshop(arguments, "paper-completion") as shop:
        found = []
        end = time.monotonic() + 60 * plan.minutes
        for cell in cells(plan):
            if not shop.store.finished(cell):
                if time.monotonic() > end:
                    continue
                running.say(" ".join(f"{name} {value}" for name, value in cell.items()))
                shop.store.put(cell, run(cell, plan.limit))
            found.append((cell, shop.store.get(cell)))
        text = paper_report.document(found, plan.shares[0])
        shop.publish("completion", text, paper_report.summary(found))
    sys.stdout.write(text if arguments.quick else "")


if __name__ == "__main__":
    main()
