"""Alternating scaling (BAPG) against POT, whose plans are made feasible to be compared."""

import inspect
import os
from typing import Any

import numpy as np
import ot
import ot.gromov
import pytest
import srgw
from srgw import _srgw
from test_pot_entropic import feasible

PROBLEMS = 80 if os.environ.get("SRGW_TEST_FULL") else 24
NAMES = [
    "BAPG_gromov_wasserstein",
    "BAPG_gromov_wasserstein2",
    "BAPG_fused_gromov_wasserstein",
    "BAPG_fused_gromov_wasserstein2",
]


def draw_call(seed: int) -> tuple[str, tuple[Any, ...], dict[str, Any]]:
    rng = np.random.default_rng([13, seed])
    name = NAMES[seed % len(NAMES)]
    n, m = int(rng.integers(2, 12)), int(rng.integers(2, 9))
    symmetric = bool(rng.random() < 0.5)
    C1, C2 = (rng.random((size, size)) + 0.05 for size in (n, m))
    if symmetric:
        C1, C2 = (C1 + C1.T) / 2, (C2 + C2.T) / 2
    p, q = rng.dirichlet(np.full(n, 5.0)), rng.dirichlet(np.full(m, 5.0))
    options: dict[str, Any] = {
        "loss_fun": str(rng.choice(["square_loss", "kl_loss"])),
        "epsilon": float(rng.choice([1.0, 4.0])),
        "symmetric": symmetric if rng.random() < 0.5 else None,
        "marginal_loss": bool(rng.random() < 0.5),
        "max_iter": 200,
        "log": True,
    }
    if rng.random() < 0.5:
        vertex = _srgw.transport(rng.random((n, m)), p, q)[0]
        options["G0"] = (vertex + np.outer(p, q)) / 2
    arrays: tuple[Any, ...] = (C1, C2, p, q)
    if "fused" in name:
        arrays = (rng.random((n, m)), *arrays)
        options["alpha"] = float(rng.choice([0.0, 0.4, 1.0]))
    return name, arrays, options


@pytest.mark.filterwarnings("ignore::srgw.ConvergenceWarning")
@pytest.mark.parametrize("batch", range(4))
def test_plans_are_those_of_pot_made_feasible(batch: int) -> None:
    for seed in range(batch * PROBLEMS // 4, (batch + 1) * PROBLEMS // 4):
        name, arrays, options = draw_call(seed)
        theirs, their_log = getattr(ot.gromov, name)(*arrays, **options)
        ours, our_log = getattr(srgw, name)(*arrays, **options)
        assert set(their_log) <= set(our_log), name
        assert np.shape(ours) == np.shape(theirs)
        k = min(len(our_log["err"]), len(their_log["err"]))
        np.testing.assert_allclose(our_log["err"][:k], their_log["err"][:k], atol=1e-7)
        plan = our_log.get("T", ours)
        expected = feasible(their_log.get("T", theirs), *arrays[-2:])
        np.testing.assert_allclose(plan, expected, atol=1e-6, err_msg=f"{seed} {name}")
        check_values(name, arrays, options, plan, our_log)


def check_values(
    name: str, arrays: tuple[Any, ...], options: dict[str, Any], T: Any, log: dict[str, Any]
) -> None:
    """The values told are those of the plan."""
    *M, C1, C2, p, q = arrays
    alpha = options.get("alpha", 1.0)
    tensor = srgw.init_matrix(C1, C2, p, q, options["loss_fun"])
    quad = alpha * srgw.gwloss(*tensor, T)
    linear = (1 - alpha) * np.sum(M[0] * T) if M else 0.0
    value = log["fgw_dist"] if M else log["gw_dist"]
    assert value == pytest.approx(quad + linear, abs=1e-9)
    if not options["marginal_loss"]:
        assert log["loss"] == pytest.approx(value - alpha * np.sum(tensor[0] * T), abs=1e-9)
    if name.endswith("fused_gromov_wasserstein2"):
        assert log["quad_loss"] == pytest.approx(quad, abs=1e-9)
        assert log["lin_loss"] == pytest.approx(linear, abs=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_positional_arguments_and_defaults_are_those_of_pot(name: str) -> None:
    def positional(function: Any) -> list[tuple[str, Any]]:
        parameters = inspect.signature(function).parameters.values()
        return [(p.name, p.default) for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]

    assert positional(getattr(srgw, name)) == positional(getattr(ot.gromov, name))


@pytest.mark.filterwarnings("ignore::srgw.ConvergenceWarning")
@pytest.mark.parametrize("name", NAMES)
def test_dtypes_and_what_is_returned(name: str) -> None:
    rng = np.random.default_rng(0)
    for dtype in (np.float32, np.float64):
        C1, C2 = (rng.random((size, size)).astype(dtype) for size in (6, 4))
        M = [rng.random((6, 4)).astype(dtype)] if "fused" in name else []
        function = getattr(srgw, name)
        alone = function(*M, C1, C2, epsilon=2.0)
        result, log = function(*M, C1, C2, epsilon=2.0, log=True)
        np.testing.assert_array_equal(alone, result)
        assert result.dtype == dtype and log.get("T", result).dtype == dtype
        assert {"status", "converged", "n_iter", "gap"} <= set(log) and log["gap"] >= 0


def test_misuse_names_the_argument() -> None:
    C1, C2 = np.eye(3), np.eye(2)
    for message, options in (
        ("epsilon", {"epsilon": 0.0}),
        ("epsilon", {"epsilon": -1.0}),
        ("loss_fun", {"loss_fun": "l1"}),
        ("q", {"q": [0.5, 0.6]}),
        ("max_iter", {"max_iter": -1}),
        ("G0", {"G0": np.eye(3)}),
    ):
        with pytest.raises(ValueError, match=message):
            srgw.BAPG_gromov_wasserstein(C1, C2, **options)
    with pytest.raises(AssertionError, match="G0"):
        srgw.BAPG_gromov_wasserstein(C1, C2, q=[0.3, 0.7], G0=np.full((3, 2), 1 / 6))
    with pytest.raises(ValueError, match="alpha"):
        srgw.BAPG_fused_gromov_wasserstein(np.ones((3, 2)), C1, C2, alpha=2.0)
    with pytest.raises(ValueError, match="M"):
        srgw.BAPG_fused_gromov_wasserstein(np.ones((2, 2)), C1, C2)
