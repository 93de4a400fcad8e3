"""Graphs with the labels of their nodes, and the folders in which all contestants find them."""

import json
import pathlib
from dataclasses import dataclass, replace

import numpy as np
import pandas
from common import data_folder
from numpy.typing import NDArray

Labels = NDArray[np.int64]
Edges = NDArray[np.int64]  # m x 2


@dataclass(frozen=True)
class Graph:
    """Unweighted. Undirected edges are listed once, with the smaller end first."""

    name: str
    nodes: int
    edges: Edges
    directed: bool = False
    truth: Labels | None = None  # class of each node

    @property
    def classes(self) -> int | None:
        return None if self.truth is None else len(np.unique(self.truth))

    @property
    def connected(self) -> NDArray[np.bool_]:
        """Which nodes have an edge to another node."""
        mask = np.zeros(self.nodes, dtype=bool)
        mask[without_loops(self.edges).ravel()] = True
        return mask


def without_loops(edges: Edges) -> Edges:
    return edges[edges[:, 0] != edges[:, 1]]


def as_set(edges: Edges) -> Edges:
    """Undirected edges: the smaller end first, each once, sorted."""
    pairs = np.sort(edges.astype(np.int64), axis=1)
    base = int(pairs.max(initial=0)) + 1
    keys = np.unique(pairs[:, 0] * base + pairs[:, 1])
    return np.column_stack(np.divmod(keys, base))


def union(graph: Graph) -> Graph:
    """Undirected: an edge where either direction is."""
    return replace(graph, edges=as_set(graph.edges), directed=False)


def read_columns(path: pathlib.Path) -> NDArray[np.int64]:
    """Two numbers in each line; comments (#) list nodes without edges."""
    table = pandas.read_csv(path, sep=r"\s+", comment="#", header=None, dtype=np.int64)
    return table.to_numpy()


def write_columns(path: pathlib.Path, table: NDArray[np.int64]) -> None:
    pandas.DataFrame(table).to_csv(path, sep="\t", header=False, index=False)


def read_truth(path: pathlib.Path) -> Labels:
    return np.unique(read_columns(path)[:, 1], return_inverse=True)[1].astype(np.int64)


DIRECTED = ("wikipedia", "eu-email")


def partition_dataset(name: str, noisy: bool = False) -> Graph:
    """One of the paper's four, with its directions."""
    folder = data_folder() / "partition" / name
    truth = read_truth(folder / "labels.tsv")
    edges = read_columns(folder / ("edges_noisy.tsv" if noisy else "edges.tsv"))
    return Graph(name + "-noisy" * noisy, len(truth), edges, name in DIRECTED, truth)


def large_dataset(name: str) -> Graph:
    folder = data_folder() / "large" / name
    plain = folder / "edges.tsv"
    edges = read_columns(plain if plain.exists() else folder / "edges.tsv.gz")
    labels = folder / "labels.tsv"
    truth = read_truth(labels) if labels.exists() else None
    nodes = int(edges.max()) + 1 if truth is None else len(truth)
    return Graph(name, nodes, edges, truth=truth)


@dataclass(frozen=True)
class Place:
    """A folder with edges.tsv, truth.tsv and graph.json: the same files for all contestants."""

    folder: pathlib.Path  # has the name of the graph

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def edges(self) -> pathlib.Path:
        return self.folder / "edges.tsv"

    @property
    def truth(self) -> pathlib.Path:
        return self.folder / "truth.tsv"

    @property
    def about(self) -> dict[str, int]:
        return json.loads((self.folder / "graph.json").read_text())

    def read(self) -> Graph:
        about = self.about
        truth = read_columns(self.truth)[:, 1] if self.truth.exists() else None
        edges = read_columns(self.edges)
        return Graph(self.name, about["nodes"], edges, bool(about["directed"]), truth)


def write(graph: Graph, parent: pathlib.Path) -> Place:
    place = Place(parent / graph.name)
    place.folder.mkdir(parents=True, exist_ok=True)
    write_columns(place.edges, graph.edges)
    if graph.truth is not None:
        write_columns(place.truth, np.column_stack([np.arange(graph.nodes), graph.truth]))
    describe(place, graph.nodes, len(graph.edges), graph.directed)
    return place


def describe(place: Place, nodes: int, edges: int, directed: bool = False) -> None:
    about = {"nodes": nodes, "edges": edges, "directed": directed}
    (place.folder / "graph.json").write_text(json.dumps(about) + "\n")
