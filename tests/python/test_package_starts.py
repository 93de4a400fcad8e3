"""Named starts: valid plans of a quality like POT's, from a generator of their own."""

import warnings

import numpy as np
import ot
import pytest
import scipy.sparse
import srgw
from srgw import _srgw

METHODS = [
    "product",
    "random",
    "random_product",
    "kmeans",
    "spectral",
    "fluid",
    "kmeans_soft",
    "spectral_soft",
    "fluid_soft",
]


def planted(n: int, blocks: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    graph, labels = srgw.generate.planted(n, blocks, mean_degree=12, inside=0.9, random_state=seed)
    return graph.to_numpy(), labels


@pytest.mark.parametrize("seed", range(20))
def test_transport_is_that_of_the_network_simplex(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(1, 9)), int(rng.integers(1, 9))
    a, b = rng.random(n), rng.random(m)
    if seed % 3 == 0:
        a[0] = 0.0 if n > 1 else a[0]
    a, b, cost = a / a.sum(), b / b.sum(), rng.normal(size=(n, m))
    plan, value, u, v = _srgw.transport(cost, a, b)
    np.testing.assert_allclose(plan.sum(axis=1), a, atol=1e-12)
    np.testing.assert_allclose(plan.sum(axis=0), b, atol=1e-12)
    assert plan.min() >= 0
    assert value == pytest.approx(ot.emd2(a, b, cost), abs=1e-10)
    assert (plan * cost).sum() == pytest.approx(value, abs=1e-10)
    assert (u[:, None] + v <= cost + 1e-10).all() and a @ u + b @ v == pytest.approx(value)


@pytest.mark.filterwarnings("ignore:C1 and C2 have the same size")
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("shape", [(30, 4), (4, 12), (6, 6), (5, 1), (1, 3)])
@pytest.mark.parametrize("with_cost", [False, True])
def test_rows_of_a_start_sum_to_the_weights(
    method: str, shape: tuple[int, int], with_cost: bool
) -> None:
    rng = np.random.default_rng(2)
    n, m = shape
    C1, C2 = (np.abs(rng.normal(size=(size, size))) for size in shape)
    C1, C2 = C1 + C1.T, C2 + C2.T
    p = rng.random(n)
    p /= p.sum()
    M = rng.random(shape) if with_cost else None
    T = srgw.semirelaxed_init_plan(C1, C2, p, M, 0.7, method)
    assert T.shape == shape and T.min() >= 0
    np.testing.assert_allclose(T.sum(axis=1), p, atol=1e-14)
    again = srgw.semirelaxed_init_plan(C1, C2, p, M, 0.7, method)
    np.testing.assert_array_equal(T, again)


@pytest.mark.parametrize("method", ["kmeans", "spectral", "fluid"])
def test_partitions_find_planted_blocks_as_well_as_those_of_pot(method: str) -> None:
    C1, labels = planted(90, 3)
    C2, p = np.eye(3), np.full(90, 1 / 90)
    ours, theirs = [], []
    for seed in range(5):
        T = srgw.semirelaxed_init_plan(C1, C2, p, method=method, random_state=seed)
        other = ot.gromov.semirelaxed_init_plan(C1, C2, p, method=method, random_state=seed)
        for plan, scores in ((T, ours), (other, theirs)):
            found = plan.argmax(axis=1)
            scores.append(srgw.metrics.adjusted_mutual_information(labels, found))
    assert np.median(ours) >= np.median(theirs) - 0.1


def directed_blocks() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Two blocks of 30 and 15 nodes that are nearly as dense, and their densities."""
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1], [30, 15])
    B = np.array([[0.8, 0.1], [0.1, 1.0]])
    C = (rng.random((45, 45)) < B[labels][:, labels]).astype(float)
    return (C + C.T) / 2, B, labels


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("method", ["fluid", "kmeans", "spectral", "fluid_soft", "kmeans_soft"])
def test_clusters_go_to_the_target_nodes_they_fit_whatever_their_masses(
    method: str, seed: int
) -> None:
    """POT's transport splits them where masses differ and the first cluster is the second block."""
    C, B, _ = directed_blocks()
    T = srgw.semirelaxed_gromov_wasserstein(C, B, G0=method, random_state=seed)
    np.testing.assert_allclose(T.sum(axis=0), [30 / 45, 15 / 45], atol=0.02)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = ot.gromov.semirelaxed_gromov_wasserstein2(C, B, G0=method, random_state=seed)
    value = srgw.semirelaxed_gromov_wasserstein2(C, B, G0=method, random_state=seed)
    assert value <= theirs + 1e-9


def test_clusters_are_placed_by_their_structure_not_by_their_number() -> None:
    """A chain of blocks of different sizes: the plan is the same for any order of the nodes."""
    rng = np.random.default_rng(1)
    B = 0.1 + 0.8 * (np.abs(np.subtract.outer(range(6), range(6))) <= 1) - 0.1 * np.diag(range(6))
    labels = np.repeat(range(6), [20, 5, 12, 30, 8, 15])
    order = rng.permutation(90)
    C = B[labels[order]][:, labels[order]]
    T = srgw.semirelaxed_init_plan(C, B, method="kmeans")
    np.testing.assert_array_equal(T.argmax(axis=1), labels[order])


@pytest.mark.parametrize("seed", [0, 3, 2**31])
@pytest.mark.parametrize("method", ["random", "random_product"])
def test_random_starts_are_those_of_pot(method: str, seed: int) -> None:
    C, B, _ = directed_blocks()
    p = np.random.default_rng(2).dirichlet(np.ones(45))
    state = np.random.get_state()  # noqa: NPY002
    theirs = ot.gromov.semirelaxed_init_plan(C, B, p, method=method, random_state=seed)
    np.random.set_state(state)  # noqa: NPY002
    ours = srgw.semirelaxed_init_plan(C, B, p, method=method, random_state=seed)
    np.testing.assert_allclose(ours, theirs, atol=1e-16)
    expected = ot.gromov.semirelaxed_gromov_wasserstein(C, B, p, G0=theirs)
    T = srgw.semirelaxed_gromov_wasserstein(C, B, p, G0=method, random_state=seed)
    np.testing.assert_allclose(T.sum(axis=0), expected.sum(axis=0), atol=1e-6)


def test_without_the_target_clusters_are_kept() -> None:
    C1, _ = planted(60, 3)
    T = srgw.semirelaxed_init_plan(C1, np.eye(3), method="spectral", use_target=False)
    assert ((T > 0).sum(axis=1) == 1).all()


def test_a_named_start_of_a_fused_problem_is_blended_with_the_cheapest_columns() -> None:
    rng = np.random.default_rng(4)
    M, p = rng.integers(0, 3, (6, 3)).astype(float), np.full(6, 1 / 6)
    ours = srgw.semirelaxed_init_plan(np.eye(6), np.eye(3), p, M, 0.3, "product")
    theirs = ot.gromov.semirelaxed_init_plan(np.eye(6), np.eye(3), p, M, 0.3, "product")
    np.testing.assert_allclose(ours, theirs, atol=1e-15)


@pytest.mark.parametrize("method", [m for m in METHODS if m != "product"])
@pytest.mark.parametrize("fused", [False, True])
def test_solvers_take_the_names(method: str, fused: bool) -> None:
    C1, labels = planted(60, 3)
    M = np.where(labels[:, None] == np.arange(3), 0.0, 1.0)
    if fused:
        T, log = srgw.semirelaxed_fused_gromov_wasserstein(
            M, C1, np.eye(3), alpha=0.5, G0=method, log=True
        )
        assert log["srfgw_dist"] <= log["loss"][0] + 1e-12
    else:
        T, log = srgw.semirelaxed_gromov_wasserstein(C1, np.eye(3), G0=method, log=True)
        assert log["srgw_dist"] <= log["loss"][0] + 1e-12
    np.testing.assert_allclose(T.sum(axis=1), 1 / 60, atol=1e-14)


def test_several_starts_are_never_worse_than_the_first() -> None:
    C1, _ = planted(60, 4, seed=3)
    for start in (None, "random", "kmeans"):
        one = srgw.semirelaxed_gromov_wasserstein2(C1, np.eye(4), G0=start)
        many = srgw.semirelaxed_gromov_wasserstein2(C1, np.eye(4), G0=start, n_init=6)
        assert many <= one + 1e-12


def test_a_seed_fixes_the_draw_and_global_state_is_not_touched() -> None:
    C1, _ = planted(40, 3)
    np.random.seed(1)  # noqa: NPY002
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    first = srgw.semirelaxed_gromov_wasserstein(C1, np.eye(3), G0="random", random_state=3)
    again = srgw.semirelaxed_gromov_wasserstein(C1, np.eye(3), G0="random", random_state=3)
    np.testing.assert_array_equal(first, again)
    np.testing.assert_array_equal(before, np.random.get_state()[1])  # noqa: NPY002
    for state in (None, np.random.default_rng(0), np.random.RandomState(0)):  # noqa: NPY002
        srgw.semirelaxed_gromov_wasserstein(C1, np.eye(3), G0="random", random_state=state)


def test_equal_sizes_warn_and_a_sparse_source_is_taken() -> None:
    C1, _ = planted(40, 3)
    with pytest.warns(UserWarning, match="same size"):
        srgw.semirelaxed_init_plan(C1, C1, method="kmeans")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sparse = scipy.sparse.csr_array(C1)
        T = srgw.semirelaxed_init_plan(sparse, np.eye(3), method="spectral")
    dense = srgw.semirelaxed_init_plan(C1, np.eye(3), method="spectral")
    assert T.shape == dense.shape
