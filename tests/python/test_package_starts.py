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
