"""One number a graph, and no dictionary: what any table has to beat."""

import tempfile
from collections.abc import Callable
from typing import Any

import learners
import numpy as np
import scipy.sparse
from inputs import read_tud
from recipes import Dataset
from record import Result


def density(C: Any) -> float:
    n = C.shape[0]
    return float(C.sum()) / max(n * (n - 1), 1)


def kappa(C: Any) -> float:
    """h'(C o C)h with equal weights."""
    return float((C * C).sum()) / C.shape[0] ** 2


def kappa_normalised(C: Any) -> float:
    degrees = np.maximum(np.asarray(C.sum(axis=1)).ravel(), 1)
    scale = scipy.sparse.diags_array(degrees**-0.5)
    return kappa(scale @ C @ scale)


SCALARS: dict[str, Callable[[Any], float]] = {
    "n": lambda C: float(C.shape[0]),
    "log n": lambda C: float(np.log(C.shape[0])),
    "density": density,
    "κ, adjacency": kappa,
    "κ, normalised": kappa_normalised,
}


def measure(bench: learners.Bench) -> dict[str, Result]:
    """A clustering for each scalar; kept like other cells."""
    cells = {
        name: {"graph": bench.dataset.name, "method": "scalar", "options": [name]}
        for name in SCALARS
    }
    if not all(bench.store.finished(cell) for cell in cells.values()):
        compute(bench.dataset, bench, cells)
    return {name: bench.store.get(cell) for name, cell in cells.items()}


def compute(dataset: Dataset, bench: learners.Bench, cells: dict[str, Any]) -> None:
    graphs = [graph.adjacency for graph in read_tud(dataset.folder)]
    with tempfile.TemporaryDirectory() as folder:
        for name, scalar in SCALARS.items():
            points = np.array([[scalar(C)] for C in graphs])
            found = learners.cluster(points, bench.truth, folder, bench.limit)
            bench.store.put(cells[name], {"status": "done", **found})
