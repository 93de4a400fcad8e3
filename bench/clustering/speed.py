#!/usr/bin/env python3
"""Time to embed a graph: srGW against mixtures of atoms, ours and POT's, on one thread; and the
time to learn from IMDB-BINARY by the paper's scheme, against the same loop over POT's solver.

Usage: bench/clustering/speed.py [--quick] [--only NAME,...]
Atoms are learned first (srGW: 30 nodes, fused 20; GDL: 8 atoms of the median size, 3 epochs). Our
programs are timed without reading the files, one model after the other, and the fastest run of
each counts; all stop at tolerances of 1e-5, unmixing also after 20 turns of plan and shares, as in
POT. POT unmixes the first graphs with the atoms that ours has learned. Prints two Markdown tables.
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
TRIES = 10  # of our programs, whose runs are short
POT_TRIES = 3
SLICE = 20  # graphs for POT
EPOCHS, BATCH = 100, 32


def fastest_of(models: list[str], tud: str, folder: str) -> list[float]:
    """The fastest of some runs of each model, in which the whole dataset is embedded."""
    rows = f"{folder}/rows.npy"
    times: list[list[float]] = [[] for _ in models]
    for _ in range(TRIES):
        for model, found in zip(models, times, strict=True):
            embedded = learners.run(["embed", model, tud, "-o", rows], LIMIT)
            found.append(embedded["embedding_seconds"])
    return [min(found) for found in times]


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


def pot_batch_seconds(model: str, graphs: list[AttributedGraph]) -> float:
    """One step of the paper's scheme over POT's solver: plans of a batch, the gradient, Adam."""
    import ot.gromov

    with np.load(model) as arrays:
        B = arrays["atom0_structure"]
    dense = [graph.adjacency.toarray() for graph in graphs[:BATCH]]
    first, second = np.zeros_like(B), np.zeros_like(B)
    begin = time.perf_counter()
    gradient = np.zeros_like(B)
    for C in dense:
        T = ot.gromov.semirelaxed_gromov_wasserstein(
            C, B, symmetric=True, max_iter=1000, tol_rel=1e-5, tol_abs=0
        )
        q = T.sum(axis=0)
        gradient += 2 * (B * np.outer(q, q) - T.T @ C @ T) / len(dense)
    first = 0.9 * first + 0.1 * gradient
    second = 0.99 * second + 0.01 * gradient**2
    np.maximum(B - 0.01 * first / (np.sqrt(second) + 1e-15), 0)
    return time.perf_counter() - begin


def learning(folder: str) -> list[str]:
    """The paper's scheme on two threads; POT on all of its BLAS or on one, whichever is faster."""
    from threadpoolctl import threadpool_limits

    tud = str(learners.folder_of(Dataset("IMDB-B", "IMDB-BINARY", "IMDB-B")))
    graphs = read_tud("IMDB-BINARY")
    model = f"{folder}/adam.npz"
    words = ["--learner", "adam", "--epochs", str(EPOCHS), "--batch", str(BATCH)]
    words += ["-m", "20", "--early-stopping", str(EPOCHS), "--features", "none", "-o", model]
    ours = learners.run(["learn", tud, *words], LIMIT, threads=2)["seconds"]
    times = [pot_batch_seconds(model, graphs) for _ in range(POT_TRIES)]
    with threadpool_limits(1):
        times += [pot_batch_seconds(model, graphs) for _ in range(POT_TRIES)]
    pot = min(times) * EPOCHS * -(-len(graphs) // BATCH)
    return ["IMDB-B, m = 20", seconds_text(ours), seconds_text(pot), f"{pot / ours:.0f}x"]


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
    ours, own = (seconds / len(graphs) for seconds in fastest_of([srgw, gdl], tud, folder))
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
        running.say("learning")
        learned = learning(folder)
    print("\n".join(tables.table([*header, "POT / srGW"], rows)))
    title = f"the paper's scheme, {EPOCHS} epochs, batches of {BATCH}, two threads"
    print("\n".join(["", *tables.table([title, "srGW", "POT, from a batch", ""], [learned])]))


if __name__ == "__main__":
    main()
