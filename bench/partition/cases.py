"""The graphs of the battery; all follow from seeds and public files."""

from collections.abc import Iterator
from dataclasses import dataclass

import drawn
import graphs
from graphs import Graph

DATASETS = ("wikipedia", "eu-email", "amazon", "village")
LABELLED = ("lastfm-asia", "facebook-pages", "github-social")
CLUSTERS_OF_RANDOM = 10  # what is asked of graphs that have none


@dataclass(frozen=True)
class Case:
    kind: str
    graph: Graph

    @property
    def structured(self) -> bool:
        return self.graph.truth is not None

    @property
    def clusters(self) -> int:
        return self.graph.classes or CLUSTERS_OF_RANDOM


def battery() -> Iterator[Case]:
    makers = {
        "dataset": datasets,
        "noisy dataset": noisy,
        "large dataset": lambda: (graphs.large_dataset(name) for name in LABELLED),
        "planted": planted,
        "degree-corrected": degree_corrected,
        "LFR": lfr,
        "unequal blocks": unequal,
        "components": components,
        "random": structureless,
    }
    for kind, make in makers.items():
        for graph in make():
            yield Case(kind, graph)


def quick() -> Iterator[Case]:
    yield Case("noisy", drawn.partly_rewired(drawn.lfr("lfr", 200, 0.2, 1, degree=12), 0.1, 1))
    parts = [drawn.blocks("", (30, 20), 8, 0.9, seed) for seed in (1, 2)]
    yield Case("components", drawn.side_by_side("components-2x2", parts))
    yield Case("random", drawn.random_graph("random-100", 100, 8, 1))


def datasets() -> Iterator[Graph]:
    for name in DATASETS:
        yield graphs.union(graphs.partition_dataset(name))


def noisy() -> Iterator[Graph]:
    for name in DATASETS:
        yield graphs.union(graphs.partition_dataset(name, noisy=True))
    for graph in datasets():
        yield drawn.partly_rewired(graph, 0.1, 1)
        yield drawn.partly_rewired(graph, 0.2, 2)
        yield drawn.with_added(graph, 0.2, 3)


def planted() -> Iterator[Graph]:
    """Nodes, blocks, mean degree, share of the edges inside."""
    table = (
        (1000, 5, 20, 0.6),
        (1000, 10, 20, 0.5),
        (2000, 10, 8, 0.7),
        (2000, 15, 25, 0.48),
        (2000, 40, 20, 0.8),
        (3000, 60, 20, 0.6),
        (5000, 20, 10, 0.6),
    )
    for nodes, blocks, degree, inside in table:
        name = f"planted-{nodes}-k{blocks}-d{degree}-{inside:g}"
        yield drawn.planted(name, nodes, blocks, degree, inside, 1)


def degree_corrected() -> Iterator[Graph]:
    for nodes, blocks, degree, inside in (
        (1000, 10, 20, 0.6),
        (2000, 20, 15, 0.6),
        (2000, 20, 15, 0.8),
        (5000, 50, 20, 0.5),
    ):
        name = f"corrected-{nodes}-k{blocks}-d{degree}-{inside:g}"
        yield drawn.degree_corrected(name, nodes, blocks, degree, inside, 1)


def lfr() -> Iterator[Graph]:
    for nodes, mixings in ((1000, (0.2, 0.3, 0.4, 0.5, 0.6)), (5000, (0.3, 0.5))):
        for mixing in mixings:
            yield drawn.lfr(f"lfr-{nodes}-{mixing:g}", nodes, mixing, 1)


def unequal() -> Iterator[Graph]:
    halves = tuple(640 // 2**i for i in range(6))  # 640, 320, ... 20
    yield drawn.blocks("unequal-halves", halves, 16, 0.75, 1)
    yield drawn.blocks("unequal-one-large", (1000, *[50] * 10), 16, 0.7, 1)
    yield drawn.blocks("unequal-steps", tuple(range(40, 240, 20)), 12, 0.7, 1)


def components() -> Iterator[Graph]:
    for count, inner in ((4, 3), (6, 2), (8, 1)):
        parts = [drawn.blocks("", (100,) * inner, 14, 0.85, seed) for seed in range(count)]
        yield drawn.side_by_side(f"components-{count}x{inner}", parts)
    giant = drawn.blocks("", (120,) * 10, 16, 0.75, 1)
    tiny = [drawn.blocks("", (6,), 4, 1.0, seed) for seed in range(40)]
    bare = [Graph("", one.nodes, one.edges, truth=one.truth) for one in tiny]
    yield drawn.side_by_side("giant-and-40-tiny", [giant, *bare])


def structureless() -> Iterator[Graph]:
    yield drawn.random_graph("random-1000-d10", 1000, 10, 1)
    yield drawn.random_graph("random-2000-d25", 2000, 25, 2)
    yield drawn.configuration("configuration-2000-d10", 2000, 10, 1)
    for name in ("eu-email", "amazon"):
        yield drawn.rewired(f"{name}-all-rewired", graphs.partition_dataset(name), 1)
