"""Changing the import is enough: the functions of the package against those of POT.

Problems have continuous entries, so that no two columns of a gradient are equal, and start from a
plan or from the product; there both libraries make the same steps.
"""

import inspect
import os
import warnings
from typing import Any

import numpy as np
import ot
import ot.gromov
import pytest
import srgw
from srgw import _srgw

PROBLEMS = 300 if os.environ.get("SRGW_TEST_FULL") else 100
NAMES = [
    "semirelaxed_gromov_wasserstein",
    "semirelaxed_gromov_wasserstein2",
    "semirelaxed_fused_gromov_wasserstein",
    "semirelaxed_fused_gromov_wasserstein2",
    "entropic_semirelaxed_gromov_wasserstein",
    "entropic_semirelaxed_gromov_wasserstein2",
    "entropic_semirelaxed_fused_gromov_wasserstein",
    "entropic_semirelaxed_fused_gromov_wasserstein2",
]
BALANCED = [
    "gromov_wasserstein",
    "gromov_wasserstein2",
    "fused_gromov_wasserstein",
    "fused_gromov_wasserstein2",
    "entropic_gromov_wasserstein",
    "entropic_gromov_wasserstein2",
    "entropic_fused_gromov_wasserstein",
    "entropic_fused_gromov_wasserstein2",
]
HELPERS = ["init_matrix", "init_matrix_semirelaxed", "tensor_product", "gwloss", "gwggrad"]
Call = tuple[str, tuple[Any, ...], dict[str, Any]]


def draw_matrix(rng: np.random.Generator, size: int, symmetric: bool, loss: str) -> np.ndarray:
    matrix = rng.normal(0.5, rng.choice([0.3, 1.0]), (size, size))
    if loss == "kl_loss":
        matrix = np.abs(matrix) + 0.05
    return (matrix + matrix.T) / 2 if symmetric else matrix


def draw_call(seed: int) -> Call:
    rng = np.random.default_rng([7, seed])
    name = NAMES[seed % len(NAMES)]
    n, m = int(rng.integers(2, 31)), int(rng.integers(1, 11))
    loss = str(rng.choice(["square_loss", "kl_loss"]))
    symmetric = bool(rng.random() < 0.5)
    C1, C2 = (draw_matrix(rng, size, symmetric, loss) for size in (n, m))
    p = rng.random(n) + 0.01 if rng.random() < 0.7 else np.ones(n)
    p /= p.sum()
    options: dict[str, Any] = {"loss_fun": loss, "log": True, "max_iter": 1000}
    options["symmetric"] = symmetric if rng.random() < 0.5 else None
    if rng.random() < 0.6:
        plan = rng.random((n, m)) + 0.05
        options["G0"] = plan * (p / plan.sum(axis=1))[:, None]
    arrays: tuple[Any, ...] = (C1, C2, p if rng.random() < 0.8 else None)
    if arrays[2] is None and "G0" in options:
        options["G0"] *= (1 / n / options["G0"].sum(axis=1))[:, None]
    if "fused" in name:
        arrays = (3 * rng.random((n, m)), *arrays)
        options["alpha"] = float(rng.choice([0.0, 0.3, 0.5, 1.0]))
    if "entropic" in name:
        options["epsilon"] = float(rng.choice([0.5, 2.0]))
    return name, arrays, options


def value_in(log: dict[str, Any]) -> float:
    return float(log["srgw_dist"] if "srgw_dist" in log else log["srfgw_dist"])


@pytest.mark.filterwarnings("ignore::srgw.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # POT divides by zero
@pytest.mark.parametrize("batch", range(10))
def test_plans_values_and_logs_are_those_of_pot(batch: int) -> None:
    compared = 0
    for seed in range(batch * PROBLEMS // 10, (batch + 1) * PROBLEMS // 10):
        name, arrays, options = draw_call(seed)
        theirs, their_log = getattr(ot.gromov, name)(*arrays, **options)
        ours, our_log = getattr(srgw, name)(*arrays, **options)
        assert set(their_log) <= set(our_log), name
        if not np.isfinite(np.asarray(theirs)).all():
            continue
        compared += 1
        value, other = value_in(our_log), value_in(their_log)
        assert value <= other + 1e-6 * max(1, abs(other)), (seed, name)
        assert np.shape(ours) == np.shape(theirs)
        if value < other - 1e-6 * max(1, abs(other)):
            continue
        np.testing.assert_allclose(ours, theirs, atol=1e-6, err_msg=f"{seed} {name}")
        for key in ("lin_loss", "quad_loss"):
            if key in their_log:
                assert our_log[key] == pytest.approx(their_log[key], abs=1e-6, rel=1e-6)
        if "loss" in their_log and len(our_log["loss"]) == len(their_log["loss"]):
            np.testing.assert_allclose(our_log["loss"], their_log["loss"], atol=1e-6, rtol=1e-6)
        if "err" in their_log:
            k = min(len(our_log["err"]), len(their_log["err"]), 5)
            np.testing.assert_allclose(our_log["err"][:k], their_log["err"][:k], atol=1e-6)
    assert compared >= 0.9 * PROBLEMS / 10


@pytest.mark.parametrize("name", [*NAMES, *BALANCED, "semirelaxed_init_plan", *HELPERS])
def test_positional_arguments_and_defaults_are_those_of_pot(name: str) -> None:
    def positional(function: Any) -> list[tuple[str, Any]]:
        return [
            (p.name, p.default)
            for p in inspect.signature(function).parameters.values()
            if p.kind is p.POSITIONAL_OR_KEYWORD
        ]

    theirs, ours = positional(getattr(ot.gromov, name)), positional(getattr(srgw, name))
    assert [n for n, _ in theirs] == [n for n, _ in ours]
    for (argument, their_default), (_, our_default) in zip(theirs, ours, strict=True):
        if their_default is not inspect.Parameter.empty:
            assert our_default == their_default, argument


@pytest.mark.parametrize("loss", ["square_loss", "kl_loss"])
def test_tensor_helpers_are_those_of_pot(loss: str) -> None:
    rng = np.random.default_rng(1)
    C1, C2, p, q = rng.random((5, 5)), rng.random((3, 3)), rng.random(5), rng.random(3)
    T = rng.random((5, 3))
    for theirs, ours in zip(
        ot.gromov.init_matrix(C1, C2, p, q, loss), srgw.init_matrix(C1, C2, p, q, loss), strict=True
    ):
        np.testing.assert_allclose(ours, theirs, atol=1e-14)
    for theirs, ours in zip(
        ot.gromov.init_matrix_semirelaxed(C1, C2, p, loss),
        srgw.init_matrix_semirelaxed(C1, C2, p, loss),
        strict=True,
    ):
        np.testing.assert_allclose(ours, theirs, atol=1e-14)
    parts = srgw.init_matrix(C1, C2, p, q, loss)
    for name in ("tensor_product", "gwloss", "gwggrad"):
        expected = getattr(ot.gromov, name)(*parts, T)
        np.testing.assert_allclose(getattr(srgw, name)(*parts, T), expected, atol=1e-13)


@pytest.mark.parametrize("reg", [None, 0, 0.5])
@pytest.mark.parametrize("fused", [False, True])
@pytest.mark.parametrize("loss", ["L2", "kl"])
def test_solve_gromov_is_that_of_pot(reg: float | None, fused: bool, loss: str) -> None:
    rng = np.random.default_rng(3)
    C1, C2 = (draw_matrix(rng, size, True, "kl_loss") for size in (12, 4))
    options: dict[str, Any] = {"loss": loss, "reg": reg, "unbalanced_type": "semirelaxed"}
    options["M"] = rng.random((12, 4)) if fused else None
    ours = srgw.solve_gromov(C1, C2, **options)
    if fused and reg:  # POT drops reg there: call the function that it means to call
        _, log = ot.gromov.entropic_semirelaxed_fused_gromov_wasserstein2(
            options["M"],
            C1,
            C2,
            epsilon=reg,
            loss_fun={"L2": "square_loss", "kl": "kl_loss"}[loss],
            max_iter=1000,
            log=True,
        )
        np.testing.assert_allclose(ours.plan, log["T"], atol=1e-6)
        return
    theirs = ot.solve_gromov(C1, C2, **options)
    np.testing.assert_allclose(ours.plan, theirs.plan, atol=1e-6)
    assert ours.value == pytest.approx(theirs.value, abs=1e-6)
    assert ours.value_quad == pytest.approx(theirs.value_quad, abs=1e-6)
    assert ours.value_linear == pytest.approx(theirs.value_linear or 0, abs=1e-6)
    for mine, other in zip(ours.marginals, theirs.marginals, strict=True):
        np.testing.assert_allclose(mine, other, atol=1e-6)
    np.testing.assert_allclose(ours.sparse_plan.toarray(), ours.plan)
    assert ours.potentials is None and ours.potential_a is None and ours.potential_b is None


def draw_balanced_call(seed: int) -> Call:
    rng = np.random.default_rng([11, seed])
    name = BALANCED[seed % len(BALANCED)]
    n, m = int(rng.integers(2, 16)), int(rng.integers(2, 12))
    loss = str(rng.choice(["square_loss", "kl_loss"]))
    symmetric = bool(rng.random() < 0.5)
    C1, C2 = (draw_matrix(rng, size, symmetric, loss) for size in (n, m))
    p, q = rng.dirichlet(np.full(n, 3.0)), rng.dirichlet(np.full(m, 3.0))
    options: dict[str, Any] = {"loss_fun": loss, "log": True, "symmetric": symmetric}
    if rng.random() < 0.5:
        plan = _srgw.transport(rng.random((n, m)), p, q)[0]
        options["G0"] = (plan + np.outer(p, q)) / 2
    arrays: tuple[Any, ...] = (C1, C2, p, q)
    if "fused" in name:
        arrays = (3 * rng.random((n, m)), *arrays)
        options["alpha"] = float(rng.choice([0.3, 0.5, 1.0]))
    if "entropic" in name:
        options |= {"epsilon": float(rng.choice([1.0, 3.0])), "solver": "PGD", "max_iter": 300}
        if rng.random() < 0.4:
            options["solver"] = "PPA"
    return name, arrays, options


@pytest.mark.filterwarnings("ignore::srgw.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.filterwarnings("ignore:Sinkhorn did not converge")
@pytest.mark.parametrize("batch", range(5))
def test_balanced_plans_are_those_of_pot_or_better(batch: int) -> None:
    alike = 0
    count = PROBLEMS // 10
    for seed in range(batch * count, (batch + 1) * count):
        name, arrays, options = draw_balanced_call(seed)
        theirs, their_log = getattr(ot.gromov, name)(*arrays, **options)
        ours, our_log = getattr(srgw, name)(*arrays, **options)
        assert set(their_log) <= set(our_log), name
        T = our_log.get("T", ours)
        p, q = arrays[-2:]
        np.testing.assert_allclose(T.sum(axis=1), p, atol=1e-7)
        np.testing.assert_allclose(T.sum(axis=0), q, atol=1e-7)
        other = their_log.get("T", theirs)
        if not np.isfinite(other).all():
            continue
        value, their_value = (
            float(log["fgw_dist"] if "fgw_dist" in log else log["gw_dist"])
            for log in (our_log, their_log)
        )
        if np.allclose(T, other, atol=1e-6):
            alike += 1
            assert value == pytest.approx(their_value, rel=1e-5, abs=1e-6)
        else:  # the problem is not convex: another vertex of equal cost leads elsewhere
            assert value <= their_value * 1.5 + 1e-3, (seed, name)
        if "u" in our_log:
            assert our_log["u"].shape == p.shape and our_log["v"].shape == q.shape
    assert alike >= 0.8 * count


def test_balanced_misuse_names_the_argument() -> None:
    C1, C2 = np.eye(3), np.eye(2)
    product = np.full((3, 2), 1 / 6)
    for name, options in (
        ("q", {"q": np.full(3, 1 / 3)}),
        ("q", {"q": [0.5, 0.6]}),
        ("G0", {"G0": "product"}),
    ):
        with pytest.raises(ValueError, match=name):
            srgw.gromov_wasserstein(C1, C2, **options)
    with pytest.raises(AssertionError, match="column 0 of G0"):
        srgw.gromov_wasserstein(C1, C2, q=[0.25, 0.75], G0=product)
    with pytest.raises(ValueError, match="epsilon"):
        srgw.entropic_gromov_wasserstein(C1, C2, epsilon=0)
    with pytest.raises(ValueError, match="solver"):
        srgw.entropic_gromov_wasserstein(C1, C2, solver="SGD")


@pytest.mark.parametrize("reg", [None, 2.0])
@pytest.mark.parametrize("fused", [False, True])
def test_balanced_solve_gromov_gives_plans_of_both_weights(reg: float | None, fused: bool) -> None:
    rng = np.random.default_rng(4)
    C1, C2 = (draw_matrix(rng, size, True, "") for size in (9, 5))
    M = rng.random((9, 5)) if fused else None
    result = srgw.solve_gromov(C1, C2, M, reg=reg)
    np.testing.assert_allclose(result.marginal_a, 1 / 9, atol=1e-7)
    np.testing.assert_allclose(result.marginal_b, 1 / 5, atol=1e-7)
    assert (result.potential_a is not None) == (reg is None)
    theirs = ot.solve_gromov(C1, C2, M, reg=reg)
    if not (fused and reg):  # where POT drops reg
        assert result.value <= theirs.value + 0.2 * abs(theirs.value) + 1e-3


def test_solve_gromov_refuses_what_it_does_not_solve() -> None:
    C = np.eye(3)
    for options in (
        {"unbalanced_type": "partial", "unbalanced": 0.5},
        {"unbalanced_type": "kl", "unbalanced": 1.0},
        {"unbalanced_type": "semirelaxed", "loss": "L1"},
        {"unbalanced_type": "semirelaxed", "reg": 1.0, "reg_type": "L2"},
    ):
        with pytest.raises(NotImplementedError):
            srgw.solve_gromov(C, C, **options)


@pytest.mark.parametrize("name", NAMES)
def test_single_precision_in_gives_single_precision_out(name: str) -> None:
    rng = np.random.default_rng(5)
    C1, C2 = (draw_matrix(rng, size, True, "").astype(np.float32) for size in (8, 3))
    arrays = [C1, C2, np.full(8, 1 / 8, np.float32)]
    if "fused" in name:
        arrays.insert(0, rng.random((8, 3)).astype(np.float32))
    result, log = getattr(srgw, name)(*arrays, log=True)
    assert result.dtype == np.float32
    plan = log.get("T", result)
    assert plan.dtype == np.float32
    double = getattr(srgw, name)(*(a.astype(float) for a in arrays))
    assert double.dtype == np.float64
    np.testing.assert_allclose(result, double, atol=1e-3)
    arrays[-1] = arrays[-1].astype(float)
    assert getattr(srgw, name)(*arrays).dtype == np.float64


def test_integers_give_the_plan_of_their_doubles() -> None:
    rng = np.random.default_rng(6)
    C1 = np.triu(rng.integers(0, 9, (10, 10)), 1)
    C1, C2 = C1 + C1.T, np.array([[4, 1], [1, 7]])
    np.testing.assert_array_equal(
        srgw.semirelaxed_gromov_wasserstein(C1, C2),
        srgw.semirelaxed_gromov_wasserstein(C1.astype(float), C2.astype(float)),
    )


def test_keywords_of_pot_are_accepted() -> None:
    C1, C2 = np.eye(4), np.ones((2, 2))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        srgw.semirelaxed_gromov_wasserstein(C1, C2, alpha_min=None, nx=None)
    with pytest.warns(UserWarning, match="n_inits"):
        srgw.semirelaxed_gromov_wasserstein(C1, C2, n_inits=3)
    with pytest.warns(UserWarning, match="alpha_max"):
        srgw.semirelaxed_gromov_wasserstein(C1, C2, alpha_max=0.5)


def test_verbose_prints_the_iterations(capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(8)
    C1, C2 = rng.random((6, 6)), rng.random((2, 2))
    srgw.semirelaxed_gromov_wasserstein(C1, C2, verbose=True)
    srgw.entropic_semirelaxed_gromov_wasserstein(C1, C2, verbose=True)
    assert capsys.readouterr().out.count("It.") >= 2


def test_no_iterations_still_make_one_step() -> None:
    rng = np.random.default_rng(9)
    C1, C2 = rng.random((6, 6)), rng.random((3, 3))
    with pytest.warns(srgw.ConvergenceWarning, match="max_iter"):
        ours, log = srgw.semirelaxed_gromov_wasserstein(C1, C2, max_iter=0, log=True)
    theirs = ot.gromov.semirelaxed_gromov_wasserstein(C1, C2, max_iter=0)
    np.testing.assert_allclose(ours, theirs, atol=1e-12)
    assert log["n_iter"] == 1 and not log["converged"] and log["status"] == "iteration_limit"


def test_product_is_left_by_none_and_kept_by_name() -> None:
    C1, C2 = np.kron(np.eye(2), np.ones((4, 4))), np.eye(2)
    literal, log = srgw.semirelaxed_gromov_wasserstein(C1, C2, G0="product", log=True)
    np.testing.assert_allclose(literal, np.full((8, 2), 1 / 16))
    _, free = srgw.semirelaxed_gromov_wasserstein(C1, C2, log=True)
    assert free["srgw_dist"] < log["srgw_dist"] - 0.1


def test_derivatives_are_those_that_pot_hands_to_its_backends() -> None:
    rng = np.random.default_rng(10)
    C1, C2, M = rng.random((6, 6)), rng.random((3, 3)), rng.random((6, 3))
    _, log = srgw.semirelaxed_fused_gromov_wasserstein2(M, C1, C2, alpha=0.4, log=True)
    T = log["T"]
    found = srgw.derivatives(C1, C2, T, M=M, alpha=0.4)
    step = 1e-6

    def value(A: Any, B: Any, K: Any, alpha: float) -> float:
        parts = srgw.init_matrix(A, B, T.sum(axis=1), T.sum(axis=0))
        return float((1 - alpha) * (K * T).sum() + alpha * srgw.gwloss(*parts, T))

    def moved(array: np.ndarray, by: float) -> np.ndarray:
        other = array.copy()
        other[1, 2] += by
        return other

    slope = (value(moved(C1, step), C2, M, 0.4) - value(moved(C1, -step), C2, M, 0.4)) / 2 / step
    assert found["C1"][1, 2] == pytest.approx(slope, abs=1e-7)
    slope = (value(C1, moved(C2, step), M, 0.4) - value(C1, moved(C2, -step), M, 0.4)) / 2 / step
    assert found["C2"][1, 2] == pytest.approx(slope, abs=1e-7)
    slope = (value(C1, C2, M, 0.4 + step) - value(C1, C2, M, 0.4 - step)) / 2 / step
    assert found["alpha"] == pytest.approx(slope, abs=1e-7)
    np.testing.assert_allclose(found["M"], 0.6 * T)


def test_entropic_runs_end_when_pots_do() -> None:
    """Mass that a projection misplaces must not be taken for a step too long."""
    rng = np.random.default_rng(0)
    C1, C2 = (np.linalg.norm(x[:, None] - x, axis=2) for x in rng.random((2, 60, 2)))
    _, log = srgw.entropic_gromov_wasserstein(C1, C2, epsilon=0.01, log=True)
    _, peer = ot.gromov.entropic_gromov_wasserstein(C1, C2, epsilon=0.01, log=True)
    assert log["converged"] and log["n_iter"] <= 10 * len(peer["err"])
