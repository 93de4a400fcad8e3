#!/usr/bin/env python3
"""Quality on a battery of graphs and time up to a million nodes, beside other community tools.

Usage: make bench-partition, or bench/partition/battery.py [--quick] [--anew]
Our program comes from the build that SRGW_BUILD_DIR names (by default build/release), datasets
from SRGW_DATA_DIR. Finished cells are kept in build/bench-partition and not computed again.
"""

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


def main() -> None:
    arguments = running.arguments(__doc__)
    sizes = scaling.QUICK if arguments.quick else scaling.DEFAULT
    with running.Workshop(arguments, "bench-partition") as shop:
        if arguments.quick:
            rows = quality.measure(shop, cases.quick(), quality.QUICK)
        else:
            rows = quality.measure(shop, cases.battery(), quality.DEFAULT)
        races = scaling.measure(shop, sizes)
        running.say(f"{shop.store.computed} cells computed, {len(shop.store.results)} in all")
        checks = [*quality.checks(rows), *scaling.checks(races, sizes)]
        summary = tables.table(["", "reached", "target", ""], checks)
        parts = [INTRODUCTION.format(machine=machine(*PACKAGES)), "## Targets", "", *summary, ""]
        parts += [*quality.report(rows), *scaling.report(races)]
        troubles = tables.failures(shop.store.entries())
        parts += ["## Failed cells", "", *troubles, ""] if troubles else []
        text = "\n".join(parts)
        data = {"quality": quality.summary(rows), "scaling": scaling.summary(races)}
        shop.publish("battery", text, data)
        if not shop.quick:
            keep(ROOT / "docs" / "benchmarks.md", "partition", "\n".join(summary))
    sys.stdout.write(text if arguments.quick else "")


if __name__ == "__main__":
    main()
