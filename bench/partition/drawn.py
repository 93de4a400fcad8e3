"""Random graphs: drawn by `srgw generate` where it has the model, else here; all from seeds."""

import pathlib
import tempfile
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import own
from common import program
from graphs import Edges, Graph, Labels, Place, as_set, describe, union, without_loops
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Model = Sequence[str | int | float]  # words after `srgw generate`


def generate(place: Place, words: Model, seed: int) -> Place:
    """A graph of `srgw generate`, written in its place without passing through memory."""
    place.folder.mkdir(parents=True, exist_ok=True)
    command = [program("cli/srgw"), "generate", *words, "--seed", seed]
    command += ["-o", place.edges, "--labels", place.truth, "--json"]
    made = own.ask([str(word) for word in command], limit=600)
    describe(place, made["nodes"], made["edges"])
    return place


def drawn(name: str, words: Model, seed: int) -> Graph:
    with tempfile.TemporaryDirectory() as folder:
        return generate(Place(pathlib.Path(folder) / name), words, seed).read()


def model(kind: str, nodes: int, blocks: int, degree: float, inside: float) -> Model:
    return [kind, "-n", nodes, "-b", blocks, "--degree", degree, "--inside", inside]


def planted(name: str, nodes: int, blocks: int, degree: float, inside: float, seed: int) -> Graph:
    return drawn(name, model("planted", nodes, blocks, degree, inside), seed)


def degree_corrected(
    name: str, nodes: int, blocks: int, degree: float, inside: float, seed: int
) -> Graph:
    return drawn(name, model("degree-corrected", nodes, blocks, degree, inside), seed)


def power_law(
    rng: np.random.Generator, exponent: float, low: float, high: float, count: int
) -> Floats:
    """Numbers in [low, high] with that density, by inversion."""
    power = 1 - exponent
    share = rng.random(count)
    return (low**power + share * (high**power - low**power)) ** (1 / power)


def degrees_of_mean(
    rng: np.random.Generator, mean: float, high: float, exponent: float, count: int
) -> Floats:
    """From a power law whose lower end is such that the mean is right."""
    low, top = 1.0, mean
    uniform = np.random.default_rng(0)
    for _ in range(30):
        middle = (low + top) / 2
        sample = power_law(uniform, exponent, middle, high, 20_000).mean()
        low, top = (middle, top) if sample < mean else (low, middle)
    return power_law(rng, exponent, low, high, count)


def matched(rng: np.random.Generator, degrees: NDArray[np.int64]) -> Edges:
    """The ends of nodes joined at random; loops and double edges are left out."""
    ends = rng.permutation(np.repeat(np.arange(len(degrees)), degrees))
    pairs = ends[: len(ends) // 2 * 2].reshape(-1, 2)
    return as_set(without_loops(pairs))


def lfr(name: str, nodes: int, mixing: float, seed: int, degree: float = 20) -> Graph:
    """As Lancichinetti, Fortunato and Radicchi (2008): sizes and degrees from power laws
    (exponents 1.5 and 2.5), each node with the same share of its edges outside. Communities have
    20 to 100 nodes, degrees are at most 50."""
    rng = np.random.default_rng(seed)
    sizes = community_sizes(rng, nodes)
    truth = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    degrees = degrees_of_mean(rng, degree, 50, 2.5, nodes)
    inner = np.minimum(rounded(rng, (1 - mixing) * degrees), sizes[truth] - 1)
    outer = rounded(rng, mixing * degrees)
    parts = [outside(matched(rng, outer), truth)]
    for block in range(len(sizes)):
        members = np.flatnonzero(truth == block)
        parts.append(members[matched(rng, inner[members])])
    return Graph(name, nodes, as_set(np.concatenate(parts)), truth=truth)


def community_sizes(rng: np.random.Generator, nodes: int) -> NDArray[np.int64]:
    sizes: list[int] = []
    while sum(sizes) < nodes:
        sizes.append(int(power_law(rng, 1.5, 20, 100, 1)[0]))
    sizes[-1] -= sum(sizes) - nodes
    if sizes[-1] < 20 and len(sizes) > 1:
        rest = sizes.pop()
        sizes[-1] += rest
    return np.array(sizes)


def rounded(rng: np.random.Generator, values: Floats) -> NDArray[np.int64]:
    """Up or down, so that the mean stays."""
    return np.floor(values + rng.random(len(values))).astype(np.int64)


def outside(edges: Edges, truth: Labels) -> Edges:
    return edges[truth[edges[:, 0]] != truth[edges[:, 1]]]


def blocks(name: str, sizes: Sequence[int], degree: float, inside: float, seed: int) -> Graph:
    """Blocks of any sizes; in all of them a node has the same mean degree, of which a share stays
    inside."""
    rng = np.random.default_rng(seed)
    truth = np.repeat(np.arange(len(sizes)), sizes)
    parts = [outside(matched(rng, rng.poisson(degree * (1 - inside), len(truth))), truth)]
    first = 0
    for size in sizes:
        parts.append(first + matched(rng, rng.poisson(degree * inside, size)))
        first += size
    return Graph(name, len(truth), as_set(np.concatenate(parts)), truth=truth)


def side_by_side(name: str, parts: Sequence[Graph]) -> Graph:
    """One graph of which the given ones are components (or more, where they fall apart)."""
    edges, truth, nodes, classes = [], [], 0, 0
    for part in parts:
        assert part.truth is not None
        edges.append(part.edges + nodes)
        truth.append(part.truth + classes)
        nodes, classes = nodes + part.nodes, classes + int(part.truth.max()) + 1
    return Graph(name, nodes, np.concatenate(edges), truth=np.concatenate(truth))


def random_graph(name: str, nodes: int, degree: float, seed: int) -> Graph:
    """Erdős–Rényi with a given number of edges."""
    rng = np.random.default_rng(seed)
    wanted = int(nodes * degree / 2)
    edges = as_set(without_loops(rng.integers(nodes, size=(wanted + wanted // 5 + 20, 2))))
    return Graph(name, nodes, edges[np.sort(rng.permutation(len(edges))[:wanted])])


def configuration(name: str, nodes: int, degree: float, seed: int) -> Graph:
    """Degrees from a power law, ends joined at random."""
    rng = np.random.default_rng(seed)
    degrees = rounded(rng, degrees_of_mean(rng, degree, nodes**0.5, 2.5, nodes))
    return Graph(name, nodes, matched(rng, degrees))


def rewired(name: str, graph: Graph, seed: int) -> Graph:
    """The degrees of a graph and nothing else of it."""
    simple = without_loops(union(graph).edges)
    degrees = np.bincount(simple.ravel(), minlength=graph.nodes)
    return Graph(name, graph.nodes, matched(np.random.default_rng(seed), degrees))


def partly_rewired(graph: Graph, share: float, seed: int) -> Graph:
    """A share of the edges is drawn out and their ends are joined at random."""
    rng = np.random.default_rng(seed)
    simple = without_loops(union(graph).edges)
    taken = rng.random(len(simple)) < share
    moved = rng.permutation(simple[taken].ravel()).reshape(-1, 2)
    edges = as_set(without_loops(np.concatenate([simple[~taken], moved])))
    return replace(
        graph, name=f"{graph.name}-rewired-{share:.0%}"[:-1], edges=edges, directed=False
    )


def with_added(graph: Graph, share: float, seed: int) -> Graph:
    """So many more edges, between random nodes."""
    rng = np.random.default_rng(seed)
    simple = union(graph).edges
    more = rng.integers(graph.nodes, size=(int(share * len(simple)), 2))
    edges = as_set(np.concatenate([simple, without_loops(more)]))
    return replace(graph, name=f"{graph.name}-added-{share:.0%}"[:-1], edges=edges, directed=False)
