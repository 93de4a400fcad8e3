"""srgw.generate.abcd beside abcd-graph, the package of the authors of the benchmark."""

import random

import numpy as np
import pytest
import srgw
from abcd_graph import ABCDGraph, ABCDParams
from numpy.typing import NDArray

NODES, DRAWS = 2000, 8
DEGREES, SIZES = (5, 50), (30, 200)
Numbers = NDArray[np.int64]
Sample = tuple[Numbers, Numbers, float]  # degrees, community sizes, share of edges between


def sample(edges: Numbers, labels: Numbers) -> Sample:
    degrees = np.bincount(edges.ravel(), minlength=NODES)
    sizes = np.bincount(np.unique(labels, return_inverse=True)[1])
    return degrees, sizes, float(np.mean(labels[edges[:, 0]] != labels[edges[:, 1]]))


def drawn_here(noise: float, seed: int) -> Sample:
    graph, blocks = srgw.generate.abcd(
        NODES,
        noise=noise,
        smallest_degree=DEGREES[0],
        largest_degree=DEGREES[1],
        smallest_size=SIZES[0],
        largest_size=SIZES[1],
        random_state=seed,
    )
    matrix = graph.to_scipy().tocoo()
    above = matrix.row < matrix.col
    return sample(np.column_stack([matrix.row[above], matrix.col[above]]), blocks)


def drawn_there(noise: float, seed: int) -> Sample:
    np.random.seed(seed)  # noqa: NPY002 (abcd-graph draws from the global generators)
    random.seed(seed)
    params = ABCDParams(
        vcount=NODES,
        gamma=2.5,
        beta=1.5,
        xi=noise,
        min_degree=DEGREES[0],
        max_degree=DEGREES[1],
        min_community_size=SIZES[0],
        max_community_size=SIZES[1],
    )
    made = ABCDGraph(params).build()
    return sample(np.array(made.edges), np.array(made.membership_list))


def largest_difference(a: Numbers, b: Numbers) -> float:
    """The statistic of Kolmogorov and Smirnov."""
    values = np.union1d(a, b)
    below = [np.searchsorted(np.sort(x), values, side="right") / len(x) for x in (a, b)]
    return float(np.abs(below[0] - below[1]).max())


def threshold(a: Numbers, b: Numbers) -> float:
    """Exceeded by chance once in ten thousand times where both have one distribution."""
    return float(np.sqrt(-np.log(1e-4 / 2) / 2 * (1 / len(a) + 1 / len(b))))


@pytest.mark.parametrize("noise", [0.2, 0.4, 0.6])
def test_graphs_have_the_distributions_of_abcd_graph(noise: float) -> None:
    samples = [[draw(noise, seed) for seed in range(DRAWS)] for draw in (drawn_here, drawn_there)]
    for field in (0, 1):  # degrees, sizes
        here, there = (np.concatenate([one[field] for one in of]) for of in samples)
        assert largest_difference(here, there) < threshold(here, there)
    # Noise edges fall inside a community by chance. abcd-graph also sends edges that find no place
    # in their community to the noise: the more, the less noise there is (2 points at 0.2).
    here, there = (float(np.mean([one[2] for one in of])) for of in samples)
    chance = np.mean([np.sum((one[1] / NODES) ** 2) for one in samples[0]])
    assert abs(here - noise * (1 - chance)) < 0.01
    assert -0.01 < there - here < 0.03


def test_other_graphs_do_not() -> None:
    """The comparison tells samples apart that differ a little."""
    here, there = drawn_here(0.2, 0), drawn_here(0.25, 1)
    assert abs(here[2] - there[2]) > 0.02
    other, _ = srgw.generate.abcd(
        NODES, degree_exponent=2.1, smallest_degree=5, largest_degree=50, random_state=1
    )
    degrees = np.asarray(other.degrees(), np.int64)
    assert largest_difference(here[0], degrees) > threshold(here[0], degrees)
