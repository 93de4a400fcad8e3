#!/usr/bin/env python3
"""The paper's tables of graph clustering, measured anew beside the printed figures.

Usage: make paper-clustering, or bench/clustering/clustering.py [--quick] [--full] [--anew]
    [--grid FILE.toml] [--only NAME,...] [--families NAME,...] [--minutes N] [--jobs N]
Our program comes from the build that SRGW_BUILD_DIR names (by default build/bench), datasets
from SRGW_DATA_DIR. Finished cells are kept in build/paper-clustering and not computed again.
"""

import argparse
import os
import pathlib
import sys
import time
from concurrent.futures import ThreadPoolExecutor

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "partition"))

import choice  # noqa: E402
import clustering_report  # noqa: E402
import learners  # noqa: E402
import recipes  # noqa: E402
import running  # noqa: E402
import scalars  # noqa: E402
from clustering_report import Measured  # noqa: E402
from recipes import Dataset, Grid, Recipe  # noqa: E402

GRIDS = {name: recipes.HERE / f"{name}.toml" for name in ("grid", "full", "quick")}
LIMIT = {"grid": 1800.0, "full": 3600.0, "quick": 60.0}  # seconds of a run


def arguments() -> argparse.Namespace:
    parser = running.parser(__doc__, full=True)
    parser.add_argument("--grid", type=pathlib.Path, help="another grid, as grid.toml")
    parser.add_argument("--only", default="", help="these datasets, with commas")
    parser.add_argument("--families", default="", help="these families, with commas")
    parser.add_argument("--minutes", type=float, help="begin nothing new after so many")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="datasets at a time")
    return parser.parse_args()


def measure(bench: learners.Bench, grid: Grid, families: list[str]) -> Measured:
    def late(recipe: Recipe, seed: int) -> bool:
        over = bench.deadline is not None and time.monotonic() > bench.deadline
        return over and not bench.store.finished(bench.cell(recipe, seed))

    chosen = {}
    for name in families:
        running.say(f"{bench.dataset.name}: {name}")
        family = grid.family(name, bench.dataset)
        runs = choice.explore(family, bench.result, grid.seeds, late)
        chosen[name] = choice.Chosen.of(runs, grid.seeds)
    return Measured(bench.dataset, chosen, scalars.measure(bench))


def main() -> None:
    given = arguments()
    name = "quick" if given.quick else "full" if given.full else "grid"
    grid = recipes.read(given.grid or GRIDS[name])
    families = given.families.split(",") if given.families else list(grid.families)
    deadline = None if given.minutes is None else time.monotonic() + 60 * given.minutes
    with running.Workshop(given, "paper-clustering") as shop:

        def run(dataset: Dataset) -> Measured:
            truth = learners.truth_of(dataset, shop.graphs)
            bench = learners.Bench(shop.store, dataset, truth, LIMIT[name], deadline)
            return measure(bench, grid, families)

        only = given.only.split(",") if given.only else [one.name for one in grid.datasets]
        datasets = [one for one in grid.datasets if one.name in only]
        # Runs of the program use one thread each. Long datasets, which stand last, go first.
        with ThreadPoolExecutor(given.jobs) as pool:
            found = list(pool.map(run, reversed(datasets)))[::-1]
        running.say(f"{shop.store.computed} cells computed, {len(shop.store.results)} in all")
        text = clustering_report.document(found, shop.store, grid)
        shop.publish("clustering", text, clustering_report.summary(found))
    sys.stdout.write(text if given.quick else "")


if __name__ == "__main__":
    main()
