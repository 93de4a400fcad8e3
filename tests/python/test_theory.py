"""Theorems of the paper about the divergence, on random problems of a few nodes."""

import itertools

import numpy as np
import pytest
import srgw
from numpy.typing import NDArray

Array = NDArray[np.float64]
SEEDS = range(12)


def objective(plan: Array, C: Array, B: Array, M: Array | None = None, alpha: float = 1.0) -> float:
    """alpha E(C, B, T) + (1 - alpha) <M, T>, term by term."""
    differences = (C[:, :, None, None] - B[None, None, :, :]) ** 2
    structure = np.einsum("ijkl,ik,jl->", differences, plan, plan)
    linear = 0.0 if M is None else float((M * plan).sum())
    return float(alpha * structure + (1 - alpha) * linear)


def symmetric(rng: np.random.Generator, size: int) -> Array:
    half = rng.random((size, size))
    return (half + half.T) / 2


def problem(seed: int, directed: bool = False) -> tuple[Array, Array, Array, Array]:
    """C, B, h and M."""
    rng = np.random.default_rng(seed)
    n, m = 5, 3
    C, B = (rng.random((k, k)) if directed else symmetric(rng, k) for k in (n, m))
    h = rng.random(n) + 0.1
    return C, B, h / h.sum(), rng.random((n, m))


@pytest.mark.parametrize("fused", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_balanced_plan_is_never_better_than_free_target_weights(seed: int, fused: bool) -> None:
    C, B, h, M = problem(seed)
    alpha = 0.6 if fused else 1.0
    q = np.random.default_rng(seed + 100).dirichlet(np.ones(3))
    if fused:
        balanced = srgw.fused_gromov_wasserstein(M, C, B, h, q, alpha=alpha)
        free = srgw.semirelaxed_fused_gromov_wasserstein(M, C, B, h, alpha=alpha, G0=balanced)
    else:
        balanced = srgw.gromov_wasserstein(C, B, h, q)
        free = srgw.semirelaxed_gromov_wasserstein(C, B, h, G0=balanced)
    np.testing.assert_allclose(balanced.sum(axis=0), q, atol=1e-9)
    before = objective(balanced, C, B, M, alpha)
    assert objective(free, C, B, M, alpha) <= before + 1e-12


@pytest.mark.parametrize("fused", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_at_its_own_target_weights_the_balanced_problem_has_the_same_solution(
    seed: int, fused: bool
) -> None:
    C, B, h, M = problem(seed)
    alpha = 0.6 if fused else 1.0
    if fused:
        plan, log = srgw.semirelaxed_fused_gromov_wasserstein(M, C, B, h, alpha=alpha, log=True)
        q = plan.sum(axis=0)
        again = srgw.fused_gromov_wasserstein(M, C, B, h, q, alpha=alpha, G0=plan)
    else:
        plan, log = srgw.semirelaxed_gromov_wasserstein(C, B, h, log=True)
        q = plan.sum(axis=0)
        again = srgw.gromov_wasserstein(C, B, h, q, G0=plan)
    # A plan that is stationary among all plans, up to the gap, is so among those with its sums.
    value = objective(plan, C, B, M, alpha)
    assert value - 2 * log["gap"] - 1e-12 <= objective(again, C, B, M, alpha) <= value + 1e-12


@pytest.mark.parametrize("seed", SEEDS)
def test_a_blown_up_part_of_the_target_is_at_distance_0(seed: int) -> None:
    """C_ij = B_{s_i s_j}: nodes of C are copies of some nodes of the target."""
    rng = np.random.default_rng(seed)
    B = symmetric(rng, 4)
    s = np.concatenate([[0, 2], rng.choice([0, 2, 3], size=4)])
    C = B[np.ix_(s, s)]
    h = rng.dirichlet(np.ones(len(s)))
    copies = h[:, None] * np.eye(4)[s]
    assert objective(copies, C, B) == 0
    near = 0.99 * copies + 0.01 * np.outer(h, np.full(4, 0.25))
    plan = srgw.semirelaxed_gromov_wasserstein(C, B, h, G0=near)
    assert objective(plan, C, B) < 1e-12
    np.testing.assert_allclose(plan, copies, atol=1e-6)


@pytest.mark.parametrize("seed", SEEDS)
def test_other_graphs_are_not_at_distance_0(seed: int) -> None:
    """A plan of value 0 has C_ij = B_kl wherever T_ik T_jl > 0; then each node may go to any one of
    its target nodes, so a map of value 0 exists. Where no map is one, no plan is."""
    C, B, h, _ = problem(seed)
    maps = itertools.product(range(len(B)), repeat=len(C))
    worst = min(float(np.abs(B[np.ix_(s, s)] - C).max()) for s in maps)
    assert worst > 1e-3
    plan = srgw.semirelaxed_gromov_wasserstein(C, B, h, n_init=20)
    assert objective(plan, C, B) > 1e-6


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_majorise_minimise_never_raises_the_penalised_value(seed: int, directed: bool) -> None:
    """The value is E + lambda sum_k sqrt(q_k), of asymmetric matrices, too."""
    C, B, h, _ = problem(seed, directed)
    penalty = 0.05

    def value(plan: Array) -> float:
        return objective(plan, C, B) + penalty * float(np.sqrt(plan.sum(axis=0)).sum())

    plain = srgw.semirelaxed_gromov_wasserstein(C, B, h)
    sparse = srgw.semirelaxed_gromov_wasserstein(C, B, h, G0=plain, sparsity=penalty)
    assert value(sparse) <= value(plain) + 1e-12


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("nodes", [3, 4])
def test_free_weights_find_unequal_clusters_and_leave_spare_nodes_empty(
    nodes: int, seed: int
) -> None:
    """The toy graph of the paper: three unequal blocks onto the identity with 3 and with 4 nodes.
    Balanced GW, which has to fill uniform weights, tears blocks apart."""
    sizes = np.array([36, 16, 8])
    rng = np.random.default_rng(seed)
    blocks = np.repeat([0, 1, 2], sizes)
    likely = np.where(blocks[:, None] == blocks, 1.0, 0.05)
    C = np.triu(rng.random((60, 60)) < likely, 1).astype(float)
    C += C.T
    plan = srgw.semirelaxed_gromov_wasserstein(C, np.eye(nodes), n_init=10)
    found = plan.argmax(axis=1)
    assert srgw.metrics.adjusted_rand_index(blocks, found) == 1
    weights = np.sort(plan.sum(axis=0))[::-1]
    np.testing.assert_allclose(weights, [*sizes / 60, *np.zeros(nodes - 3)], atol=1e-9)
    balanced = srgw.gromov_wasserstein(C, np.eye(nodes))
    assert srgw.metrics.adjusted_rand_index(blocks, balanced.argmax(axis=1)) < 0.9
