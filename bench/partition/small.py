"""Forty small graphs whose largest modularity is proven (optima.json)."""

from collections.abc import Iterator
from typing import Any

import graphs
import networkx
import numpy as np
from common import data_folder
from graphs import Graph

SMALLEST, LARGEST = 30, 60  # nodes of the graphs of TUDataset
DATASETS = ("ENZYMES", "IMDB-BINARY", "IMDB-MULTI")
OF_EACH = 6


def from_networkx(name: str, made: Any) -> Graph:
    """Without weights, directions and self-loops."""
    plain = networkx.convert_node_labels_to_integers(networkx.Graph(made))
    edges = np.array([(a, b) for a, b in plain.edges() if a != b], dtype=np.int64)
    return Graph(name, plain.number_of_nodes(), graphs.as_set(edges))


def known() -> Iterator[Graph]:
    yield from_networkx("karate", networkx.karate_club_graph())
    yield from_networkx("southern-women", networkx.davis_southern_women_graph())
    yield from_networkx("florentine-families", networkx.florentine_families_graph())
    yield from_networkx("les-miserables", networkx.les_miserables_graph())
    yield from_networkx("tutte", networkx.tutte_graph())
    yield from_networkx("grid-6x6", networkx.grid_2d_graph(6, 6))
    yield from_networkx("ring-of-cliques-8x5", networkx.ring_of_cliques(8, 5))


def of_dataset(name: str) -> Iterator[Graph]:
    """The first graphs of a suitable size."""
    folder = data_folder() / "tud" / name
    owner = np.loadtxt(folder / f"{name}_graph_indicator.txt", dtype=np.int64)
    pairs = np.loadtxt(folder / f"{name}_A.txt", dtype=np.int64, delimiter=",") - 1
    sizes = np.bincount(owner)
    suitable = np.flatnonzero((sizes >= SMALLEST) & (sizes <= LARGEST))[:OF_EACH]
    for graph in suitable:
        first = int(np.flatnonzero(owner == graph)[0])
        edges = graphs.as_set(pairs[owner[pairs[:, 0]] == graph] - first)
        yield Graph(f"{name}-{graph}", int(sizes[graph]), graphs.without_loops(edges))


def drawn() -> Iterator[Graph]:
    for seed in (1, 2, 3, 4):
        yield from_networkx(f"random-22-{seed}", networkx.gnm_random_graph(22, 44, seed=seed))
    for seed in (1, 2, 3, 4):
        made = networkx.barabasi_albert_graph(24, 2, seed=seed)
        yield from_networkx(f"preferential-24-{seed}", made)
    for seed in (1, 2, 3, 4):
        made = networkx.connected_watts_strogatz_graph(40, 4, 0.2, seed=seed)
        yield from_networkx(f"small-world-40-{seed}", made)
    for seed in (1, 2, 3):
        made = networkx.planted_partition_graph(4, 12, 0.5, 0.08, seed=seed)
        yield from_networkx(f"planted-4x12-{seed}", made)


def all_graphs() -> Iterator[Graph]:
    yield from known()
    for name in DATASETS:
        yield from of_dataset(name)
    yield from drawn()
