#!/usr/bin/env python3
"""Losses of the default learner and of the paper's scheme: the table of docs/dictionary.md.

Usage: bench/clustering/losses.py [--quick] [--anew] [--seeds N]
Prints a Markdown table; finished cells are kept in build/dictionary-losses.
"""

import pathlib
import statistics
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "partition"))

import learners  # noqa: E402
import recipes  # noqa: E402
import running  # noqa: E402
import tables  # noqa: E402
from recipes import Dataset  # noqa: E402
from record import Result, Store  # noqa: E402

SIZE = 20
LIMIT = 3600.0  # seconds of a run
# The authors stop at the sixth evaluation without gain.
SCHEMES = {"`AdamScheme`": ["--learner", "adam", "--early-stopping", "6"], "`ClosedForm`": []}
EMBEDDED = {
    "the same atoms, embedded from products alone": 0,
    "and with 10 random starts": 10,
}


def features(dataset: Dataset) -> list[str]:
    given = ["--standardise", dataset.standardise] if dataset.standardise != "none" else []
    return given if dataset.features == "none" else ["--features", dataset.features, *given]


def compute(dataset: Dataset, options: list[str], seed: int) -> Result:
    """The loss of the learner, and of its model on the same graphs."""
    tud = str(learners.folder_of(dataset))
    with tempfile.TemporaryDirectory() as folder:
        model, rows = f"{folder}/model.npz", f"{folder}/rows.npy"
        command = ["learn", tud, "-m", str(SIZE), "--seed", str(seed), "-o", model]
        learned = learners.run([*command, *features(dataset), *options], LIMIT)
        found: Result = {"status": "done", "loss": learned["loss"], "seconds": learned["seconds"]}
        for starts in EMBEDDED.values():
            embed = ["embed", model, tud, "-o", rows, "--search", "method"]
            embed += ["--random-starts", str(starts)]
            found[f"embedded_{starts}"] = learners.run(embed, LIMIT)["mean_value"]
    return found


def results(store: Store, dataset: Dataset, scheme: str, seeds: int) -> list[Result]:
    found = []
    for seed in range(seeds):
        cell = {"graph": dataset.name, "method": scheme, "size": SIZE, "seed": seed}
        if not store.finished(cell):
            running.say(f"{dataset.name}: {scheme}, seed {seed}")
            store.put(cell, compute(dataset, SCHEMES[scheme], seed))
        found.append(store.get(cell))
    return found


def mean_text(found: list[Result], field: str) -> str:
    return f"{statistics.fmean(result[field] for result in found):.4f}".removeprefix("0")


def main() -> None:
    parser = running.parser(__doc__)
    parser.add_argument("--seeds", type=int, default=3)
    given = parser.parse_args()
    grid = recipes.read(recipes.HERE / ("quick.toml" if given.quick else "grid.toml"))
    with running.Workshop(given, "dictionary-losses") as shop:
        columns = {
            dataset.name: {
                scheme: results(shop.store, dataset, scheme, given.seeds) for scheme in SCHEMES
            }
            for dataset in grid.datasets
        }
    rows = [
        [scheme, *(mean_text(column[scheme], "loss") for column in columns.values())]
        for scheme in SCHEMES
    ]
    for title, starts in EMBEDDED.items():
        texts = (
            mean_text(column["`ClosedForm`"], f"embedded_{starts}") for column in columns.values()
        )
        rows.append([title, *texts])
    print("\n".join(tables.table(["", *columns], rows)))


if __name__ == "__main__":
    main()
