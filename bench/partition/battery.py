#!/usr/bin/env python3
"""Quality on a battery of graphs and time up to a million nodes, beside other community tools.

Usage: make bench-partition, or bench/partition/battery.py [--quick] [--quality | --scaling]
    [--recorded] [--anew]
Our program comes from the build that SRGW_BUILD_DIR names (by default build/bench), datasets
from SRGW_DATA_DIR. Finished cells are kept in build/bench-partition and not computed again.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from typing import Any

import cases
import quality
import running
import scaling
import tables
from common import ROOT, keep, machine
from paper_report import PACKAGES

INTRODUCTION = """\
# {title}

Written by `make bench-partition`; not by hand. {machine}
"""

RECORD = ROOT / "docs" / "results" / "battery.json"
RECORDED = """\
Figures of other tools are means over three seeds that an earlier run has recorded, with the same
versions; ours are of this run.
"""


def arguments() -> argparse.Namespace:
    parser = running.parser(__doc__)
    parts = parser.add_mutually_exclusive_group()
    parts.add_argument("--quality", action="store_true", help="only the battery of graphs")
    parts.add_argument("--scaling", action="store_true", help="only time as graphs grow")
    parser.add_argument(
        "--recorded",
        action="store_true",
        help="other tools on the battery as docs/results/battery.json has them: they know nothing "
        "of changes to ours",
    )
    return parser.parse_args()


def publish(
    shop: running.Workshop,
    part: tuple[str, str, str],
    checks: Sequence[list[str]],
    body: Sequence[str],
    data: Any,
) -> str:
    """A document, and its targets in docs/benchmarks.md. `part`: document, section there, title."""
    name, section, title = part
    summary = tables.table(["", "reached", "target", ""], checks)
    lines = [INTRODUCTION.format(title=title, machine=machine(*PACKAGES)), "## Targets", ""]
    lines += [*summary, "", *body]
    troubles = tables.failures(shop.store.entries())
    lines += ["## Failed cells", "", *troubles, ""] if troubles else []
    text = "\n".join(lines)
    shop.publish(name, text, data)
    if not shop.quick:
        keep(ROOT / "docs" / "benchmarks.md", section, "\n".join(summary))
    return text


def measure_quality(shop: running.Workshop, recorded: bool) -> str:
    quick = (cases.quick, quality.QUICK)
    graphs, plan = quick if shop.quick else (cases.battery, quality.DEFAULT)
    known = json.loads(RECORD.read_text()) if recorded else []
    rows = quality.measure(shop, graphs(), plan, quality.tools_of(known))
    return publish(
        shop,
        ("battery", "partition", "Partitioning: a battery of graphs"),
        list(quality.checks(rows)),
        [*([RECORDED] if recorded else []), *quality.report(rows)],
        quality.summary(rows),
    )


def measure_growth(shop: running.Workshop) -> str:
    sizes = scaling.QUICK if shop.quick else scaling.DEFAULT
    races = scaling.measure(shop, sizes)
    return publish(
        shop,
        ("growth", "scaling", "Partitioning: time up to a million nodes"),
        list(scaling.checks(races, sizes)),
        scaling.report(races),
        scaling.summary(races),
    )


def main() -> None:
    given = arguments()
    texts = []
    with running.Workshop(given, "bench-partition") as shop:
        if not given.scaling:
            texts.append(measure_quality(shop, given.recorded))
        if not given.quality:
            texts.append(measure_growth(shop))
        running.say(f"{shop.store.computed} cells computed, {len(shop.store.results)} in all")
    sys.stdout.write("\n".join(texts) if given.quick else "")


if __name__ == "__main__":
    main()
