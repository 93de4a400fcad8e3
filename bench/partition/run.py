#!/usr/bin/env python3
"""Quality and time of `srgw partition` beside other community tools.

Usage: make bench-partition, or bench/partition/run.py [--only PART...] [--times] [--full] [--anew]
Our program comes from the build that SRGW_BUILD_DIR names (by default build/bench), datasets from
SRGW_DATA_DIR. Finished cells are kept in build/bench-partition and not computed again; those of our
program are computed again when it has changed. Each part writes a page below docs/results.
"""

import argparse
import hashlib
import sys

import abcd
import battery
import challenge
import growth
import optimal
import running
import times
import updates
from common import program
from contest import OURS

PARTS = {
    "battery": battery.publish,
    "challenge": challenge.publish,
    "abcd": abcd.publish,
    "optimal": optimal.publish,
    "updates": updates.publish,
    "growth": growth.publish,
    "times": times.publish,
}
DEFAULT = ("battery", "challenge", "abcd", "optimal", "updates")


def arguments() -> argparse.Namespace:
    parser = running.parser(__doc__, full=True)
    parser.add_argument(
        "--only", nargs="+", choices=tuple(PARTS), metavar="PART", help=", ".join(PARTS)
    )
    parser.add_argument(
        "--times", action="store_true", help="only seconds, measured anew; for an idle machine"
    )
    return parser.parse_args()


def forget_other_programs(shop: running.Workshop) -> None:
    """Cells of another build of our program do not count."""
    path = shop.store.path
    if path is None:
        return
    stamp = path.with_name("program.sha256")
    now = hashlib.sha256(program("cli/srgw").read_bytes()).hexdigest()
    if stamp.exists() and stamp.read_text() != now:
        count = shop.store.drop(lambda cell: cell.get("method") == OURS)
        running.say(f"srgw has changed: {count} of its cells are computed again")
    stamp.write_text(now)


def main() -> None:
    given = arguments()
    parts = ("times",) if given.times else given.only or (tuple(PARTS) if given.full else DEFAULT)
    for part in parts:
        with running.Workshop(given, "bench-partition", part) as shop:
            forget_other_programs(shop)
            text = PARTS[part](shop, given)
            sys.stdout.write(text if given.quick else "")
            found = f"{shop.store.computed} cells computed, {len(shop.store.results)} in all"
            running.say(f"{part}: {found}")


if __name__ == "__main__":
    main()
