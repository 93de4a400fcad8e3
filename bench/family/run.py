#!/usr/bin/env python3
"""Benchmarks of coarsening, block models, graphons and constraints: docs/results/family.md.

Usage: make bench-family, or bench/family/run.py [--only NAME ...] [--full] [--no-write]
"""

import argparse
import pathlib
import platform
import re
import warnings

import block_models
import coarsening
import constraints
import graphons
import srgw
from common import ROOT

DOCUMENT = ROOT / "docs" / "results" / "family.md"
PROGRAM = ROOT / "build" / "bench" / "cli" / "srgw"


def sections(full: bool, program: pathlib.Path, scratch: pathlib.Path) -> dict[str, object]:
    """What each section runs, by its title; reduced sizes unless `full`."""
    return {
        "Coarsening: distances between graphs": lambda: coarsening.datasets(
            100 if full else 30, ["MUTAG", "PTC_MR", "PROTEINS_full"]
        ),
        "Coarsening: a large graph": lambda: coarsening.large(
            program, scratch, 10**6 if full else 10**5, 10**4 if full else 10**3
        ),
        "Block models": lambda: block_models.run(
            [1000, 10_000, 100_000] if full else [1000, 10_000], 50 if full else 10, 3
        ),
        "Graphons": lambda: graphons.run(
            [100, 200, 500, 1000, 2000] if full else [100, 300], 5 if full else 2
        ),
        "Constraints: nothing forbidden": lambda: constraints.overhead(25 if full else 9),
        "Constraints: partial problems": lambda: constraints.partial(200),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", default=[], metavar="WORD", help="parts of titles")
    parser.add_argument("--full", action="store_true", help="the sizes of the protocol")
    parser.add_argument("--no-write", action="store_true")
    parser.add_argument("--program", type=pathlib.Path, default=PROGRAM)
    args = parser.parse_args()
    # Solves that stop at their limit are counted as they are.
    warnings.simplefilter("ignore", srgw.ConvergenceWarning)
    scratch = ROOT / "build" / "family"
    scratch.mkdir(parents=True, exist_ok=True)
    text = DOCUMENT.read_text(encoding="utf-8") if DOCUMENT.exists() else ""
    for title, work in sections(args.full, args.program, scratch).items():
        if args.only and not any(word.lower() in title.lower() for word in args.only):
            continue
        print(f"== {title}", flush=True)
        lines = work()  # type: ignore[operator]
        words = (
            "`make bench-family ARGS=--full`" if args.full else "`make bench-family`, reduced sizes"
        )
        block = (
            f"<!-- {title} -->\n{words}, {platform.machine()}.\n\n"
            + "\n".join(lines)
            + "\n<!-- end -->"
        )
        pattern = re.compile(rf"<!-- {re.escape(title)} -->.*?<!-- end -->", re.DOTALL)
        text = pattern.sub(lambda _, block=block: block, text) if pattern.search(text) else text
        if not args.no_write and pattern.search(text):
            DOCUMENT.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
