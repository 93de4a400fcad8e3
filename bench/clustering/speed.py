#!/usr/bin/env python3
"""Time to embed a graph: srGW against mixtures of atoms, ours and POT's, on one thread.

Usage: bench/clustering/speed.py [--quick] [--only NAME,...]
Atoms are learned first (srGW: 30 nodes, fused 20; GDL: 8 atoms of the median size). Our programs
are timed without reading the files; POT unmixes the first graphs with the atoms that ours has
learned. Prints a Markdown table.
"""

import pathlib
import sys
import tempfile
import time
from typing import Any

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "partition"))

import clustering_report  # noqa: E402
import learners  # noqa: E402
import numpy as np  # noqa: E402
import recipes  # noqa: E402
import running  # noqa: E402
import tables  # noqa: E402
from common import seconds_text  # noqa: E402
from inputs import AttributedGraph, read_tud  # noqa: E402
from recipes import Dataset  # noqa: E402

LIMIT = 3600.0
TRIES = 3
SLICE = 20  # graphs for POT


def seconds_of(model: str, tud: str, folder: str) -> float:
    """The fastest of some runs, in which the whole dataset is embedded."""
    rows = f"{folder}/rows.npy"
    return min(
        learners.run(["embed", model, tud, "-o", rows], LIMIT)["embedding_seconds"]
        for _ in range(TRIES)
    )


def pot_seconds(model: str, graphs: list[AttributedGraph], fused: bool) -> float:
    """Mean of the first graphs."""
    import ot.gromov

    with np.load(model) as arrays:
        count = sum(name.endswith("_structure") for name in arrays)
        Cdict = np.stack([arrays[f"atom{s}_structure"] for s in range(count)])
        Ydict = np.stack([arrays[f"atom{s}_features"] for s in range(count)])
    begin = time.perf_counter()
    for graph in graphs[:SLICE]:
        C: Any = graph.adjacency.toarray()
        if fused:
            ot.gromov.fused_gromov_wasserstein_linear_unmixing(C, graph.features, Cdict, Ydict, 0.5)
        else:
            ot.gromov.gromov_wasserstein_linear_unmixing(C, Cdict)
    return (time.perf_counter() - begin) / min(SLICE, len(graphs))


def row(dataset: Dataset, folder: str) -> list[str]:
    tud = str(learners.folder_of(dataset))
    graphs = read_tud(dataset.folder)
    truth = learners.truth_of(dataset, pathlib.Path(folder))
    fused = dataset.features == "labels"
    features = ["--features", "labels" if fused else "none"]
    srgw, gdl = f"{folder}/srgw.npz", f"{folder}/gdl.npz"
    learners.run(["learn", tud, "-m", "20" if fused else "30", *features, "-o", srgw], LIMIT)
    mixtures = ["--model", "gdl", "--atoms", "8", "-m", str(truth.median), "--epochs", "3"]
    learners.run(["learn", tud, *mixtures, *features, "-o", gdl], LIMIT)
    ours = seconds_of(srgw, tud, folder) / len(graphs)
    own = seconds_of(gdl, tud, folder) / len(graphs)
    pot = pot_seconds(gdl, graphs, fused)
    printed = clustering_report.PRINTED["embedding_ms"]
    texts = [seconds_text(1e-3 * printed[name][dataset.printed][0]) for name in ("srGW", "GDL")]
    return [
        dataset.name,
        seconds_text(ours),
        f"*{texts[0]}*",
        seconds_text(own),
        f"*{texts[1]}*",
        seconds_text(pot),
        f"{own / ours:.0f}x",
        f"{pot / ours:.0f}x",
    ]


def main() -> None:
    parser = running.parser(__doc__)
    parser.add_argument("--only", default="", help="these datasets, with commas")
    given = parser.parse_args()
    grid = recipes.read(recipes.HERE / ("quick.toml" if given.quick else "grid.toml"))
    header = ["", "srGW", "*printed*", "GDL", "*printed*", "POT's unmixing", "GDL / srGW"]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for dataset in grid.datasets:
            if given.only and dataset.name not in given.only.split(","):
                continue
            running.say(dataset.name)
            rows.append(row(dataset, folder))
    print("\n".join(tables.table([*header, "POT / srGW"], rows)))


if __name__ == "__main__":
    main()
