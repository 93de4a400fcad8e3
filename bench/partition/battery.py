#!/usr/bin/env python3
"""Quality on a battery of graphs and time up to a million nodes, beside other community tools.

Usage: make bench-partition, or bench/partition/battery.py [--quick] [--scaling] [--anew]
Our program comes from the build that SRGW_BUILD_DIR names (by default build/release), datasets
from SRGW_DATA_DIR. Finished cells are kept in build/bench-partition and not computed again.
"""

import argparse
import sys

import cases
import quality
import running
import scaling
import tables
from common import ROOT, keep, machine
from paper_report import PACKAGES

INTRODUCTION = """\
# Partitioning: a battery of graphs, and time up to a million nodes

Written by `make bench-partition`; not by hand. {machine}
"""


SUMMARY = ["", "reached", "target", ""]


def keep_summary(section: str, checks: list[list[str]]) -> None:
    text = "\n".join(tables.table(SUMMARY, checks))
    keep(ROOT / "docs" / "benchmarks.md", section, text)


def arguments() -> argparse.Namespace:
    parser = running.parser(__doc__)
    parser.add_argument(
        "--scaling", action="store_true", help="only time as graphs grow; no battery.md"
    )
    return parser.parse_args()


def main() -> None:
    given = arguments()
    sizes = scaling.QUICK if given.quick else scaling.DEFAULT
    text = ""
    with running.Workshop(given, "bench-partition") as shop:
        rows = []
        if not given.scaling:
            cases_of, plan = (
                (cases.quick, quality.QUICK) if shop.quick else (cases.battery, quality.DEFAULT)
            )
            rows = quality.measure(shop, cases_of(), plan)
        races = scaling.measure(shop, sizes)
        running.say(f"{shop.store.computed} cells computed, {len(shop.store.results)} in all")
        speed = list(scaling.checks(races, sizes))
        if given.scaling:
            text = "\n".join([*tables.table(SUMMARY, speed), "", *scaling.report(races)])
        else:
            found = list(quality.checks(rows))
            parts = [INTRODUCTION.format(machine=machine(*PACKAGES)), "## Targets", ""]
            parts += [*tables.table(SUMMARY, [*found, *speed]), ""]
            parts += [*quality.report(rows), *scaling.report(races)]
            troubles = tables.failures(shop.store.entries())
            parts += ["## Failed cells", "", *troubles, ""] if troubles else []
            text = "\n".join(parts)
            data = {"quality": quality.summary(rows), "scaling": scaling.summary(races)}
            shop.publish("battery", text, data)
            if not shop.quick:
                keep_summary("partition", found)
        if not shop.quick:
            keep_summary("scaling", speed)
    sys.stdout.write(text if given.quick or given.scaling else "")


if __name__ == "__main__":
    main()
