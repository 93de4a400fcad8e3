"""The graphs and targets of the comparison; everything follows from seeds and public files."""

import pathlib
from dataclasses import dataclass

import numpy as np
import pot
import scipy.sparse
from place import data_folder
from problem import Array, Problem

MEAN_DEGREE = 25
INSIDE = 0.8  # share of a planted graph's edges that stay in a block
BLOCKS = 15


def planted(nodes: int, seed: int = 1) -> scipy.sparse.csr_array:
    """The adjacency of a planted partition into equal blocks."""
    rng = np.random.default_rng(seed)
    block = np.arange(nodes) * BLOCKS // nodes
    size = nodes / BLOCKS
    inside, outside = MEAN_DEGREE * INSIDE / size, MEAN_DEGREE * (1 - INSIDE) / (nodes - size)
    probability = np.where(block[:, None] == block, inside, outside)
    upper = np.triu(rng.random((nodes, nodes)) < probability, 1)
    return scipy.sparse.csr_array((upper | upper.T).astype(float))


def planted_problem(nodes: int) -> Problem:
    """Adjacency onto the identity, from random labels."""
    labels = np.random.default_rng(2).integers(BLOCKS, size=nodes)
    return Problem(planted(nodes), np.full(nodes, 1 / nodes), np.ones(BLOCKS), start=labels)


def kernel(points: Array) -> Array:
    squares = ((points[:, None] - points) ** 2).sum(axis=2)
    return np.exp(-squares / (2 * 0.2**2))


def kernel_problem(nodes: int, identity: bool) -> Problem:
    """A Gaussian kernel of points in the unit square onto a smaller one, or onto the identity."""
    rng = np.random.default_rng(3)
    start = rng.random((nodes, BLOCKS))
    return Problem(
        source=kernel(rng.random((nodes, 2))),
        weights=np.full(nodes, 1 / nodes),
        target=np.ones(BLOCKS) if identity else kernel(rng.random((BLOCKS, 2))),
        start=start / start.sum(axis=1, keepdims=True) / nodes,
    )


def soft_planted_problem(nodes: int) -> Problem:
    """Adjacency onto the identity, from a random plan."""
    start = np.random.default_rng(2).random((nodes, BLOCKS))
    start /= nodes * start.sum(axis=1, keepdims=True)
    return Problem(planted(nodes), np.full(nodes, 1 / nodes), np.ones(BLOCKS), start=start)


def heat_problem(nodes: int, t: float = 5) -> Problem:
    """The heat kernel of a planted graph, an array, onto a scaled identity, from random labels."""
    adjacency = planted(nodes).toarray()
    degrees = np.maximum(adjacency.sum(axis=1), 1)
    laplacian = np.eye(nodes) - adjacency / np.sqrt(np.outer(degrees, degrees))
    values, vectors = np.linalg.eigh(laplacian)
    return Problem(
        source=(vectors * np.exp(-t * values)) @ vectors.T,
        weights=np.full(nodes, 1 / nodes),
        target=np.full(BLOCKS, BLOCKS / nodes),
        start=np.random.default_rng(2).integers(BLOCKS, size=nodes),
    )


def transport_input(rows: int, columns: int) -> tuple[Array, Array, Array]:
    """Squared distances of points in the plane, and random masses."""
    rng = np.random.default_rng(5)
    x, y = rng.normal(size=(rows, 2)), rng.normal(size=(columns, 2))
    a, b = 0.1 + rng.random(rows), 0.1 + rng.random(columns)
    return ((x[:, None] - y) ** 2).sum(axis=2), a / a.sum(), b / b.sum()


def distances(points: Array) -> Array:
    return np.sqrt(((points[:, None] - points) ** 2).sum(axis=2))


def balanced_problem(nodes: int, entropy: float = 0.0) -> Problem:
    """Distances of points in the plane against those of others, uniform weights, product start."""
    rng = np.random.default_rng(6)
    uniform = np.full(nodes, 1 / nodes)
    return Problem(
        source=distances(rng.random((nodes, 2))),
        weights=uniform,
        target=distances(rng.random((nodes, 2))),
        target_weights=uniform.copy(),
        entropy=entropy,
    )


@dataclass(frozen=True)
class AttributedGraph:
    adjacency: scipy.sparse.csr_array
    features: Array  # n x d, one-hot labels; d = 0 without labels


def tud_folder(name: str) -> pathlib.Path:
    """Folder of a dataset in the layout of the TUDataset collection, below SRGW_DATA_DIR."""
    return data_folder() / "tud" / name


def read_tud(name: str) -> list[AttributedGraph]:
    folder = tud_folder(name)
    owner = np.loadtxt(folder / f"{name}_graph_indicator.txt", dtype=int) - 1
    entries = np.loadtxt(folder / f"{name}_A.txt", delimiter=",", dtype=int) - 1
    entries = np.unique(entries, axis=0)  # a set: some files list each entry twice
    adjacency = scipy.sparse.csr_array(
        (np.ones(len(entries)), (entries[:, 0], entries[:, 1])), shape=(len(owner), len(owner))
    )
    features = np.zeros((len(owner), 0))
    if (folder / f"{name}_node_labels.txt").exists():
        labels = np.loadtxt(folder / f"{name}_node_labels.txt", dtype=int)
        features = np.eye(labels.max() + 1)[labels]
    ends = np.searchsorted(owner, np.arange(owner.max() + 2))
    return [
        AttributedGraph(adjacency[begin:end, begin:end], features[begin:end])
        for begin, end in zip(ends[:-1], ends[1:], strict=True)
    ]


@dataclass(frozen=True)
class Atom:
    """A target that stands for a dataset: symmetric structure (m x m) and features (m x d)."""

    structure: Array
    features: Array


def onto_atom(graph: AttributedGraph, atom: Atom, alpha: float) -> Problem:
    """Uniform weights, product start; features by squared distance."""
    n = graph.adjacency.shape[0]
    problem = Problem(graph.adjacency, np.full(n, 1 / n), atom.structure)
    if alpha == 1:
        return problem
    differences = graph.features[:, None] - atom.features
    cost = (differences**2).sum(axis=2)
    return Problem(problem.source, problem.weights, problem.target, None, cost, alpha)


def learn_atom(
    graphs: list[AttributedGraph], size: int, alpha: float, epochs: int = 5, sample: int = 200
) -> Atom:
    """Closed-form updates from random entries, with plans by POT so that it depends on it alone."""
    rng = np.random.default_rng(4)
    noise = rng.random((size, size))
    pool = np.concatenate([graph.features for graph in graphs])
    atom = Atom((noise + noise.T) / 2, pool[rng.integers(len(pool), size=size)])
    for _ in range(epochs):
        chosen = rng.choice(len(graphs), min(sample, len(graphs)), replace=False)
        atom = refit(atom, [graphs[g] for g in chosen], alpha)
    return atom


def refit(atom: Atom, graphs: list[AttributedGraph], alpha: float) -> Atom:
    """The best structure and features for the plans onto `atom`; what no plan uses stays."""
    structure, features = np.zeros_like(atom.structure), np.zeros_like(atom.features)
    pairs, masses = np.zeros_like(atom.structure), np.zeros(len(atom.structure))
    for graph in graphs:
        plan = pot.solve(onto_atom(graph, atom, alpha), 1e-5, 0).plan
        q = plan.sum(axis=0)
        structure += plan.T @ (graph.adjacency @ plan)
        features += plan.T @ graph.features
        pairs += np.outer(q, q)
        masses += q
    return Atom(
        np.divide(structure, pairs, out=atom.structure.copy(), where=pairs > 0),
        np.divide(features, masses[:, None], out=atom.features.copy(), where=masses[:, None] > 0),
    )
