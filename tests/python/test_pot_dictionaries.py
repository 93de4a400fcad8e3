"""Dictionaries of mixtures against POT's, with the same atoms, starts and random numbers."""

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import ot.gromov
import pytest
import srgw

NAMES = [
    "gromov_wasserstein_linear_unmixing",
    "fused_gromov_wasserstein_linear_unmixing",
    "gromov_wasserstein_dictionary_learning",
    "fused_gromov_wasserstein_dictionary_learning",
]


def draw(seed: int, count: int = 6) -> tuple[list[Any], list[Any], Any, Any]:
    """Graphs with continuous entries, where POT's steps and ours are the same."""
    rng = np.random.default_rng(seed)

    def symmetric(n: int) -> Any:
        C = rng.random((n, n))
        return (C + C.T) / 2

    sizes = rng.integers(4, 9, count)
    Cs, Ys = [symmetric(n) for n in sizes], [rng.random((n, 2)) for n in sizes]
    return Cs, Ys, np.stack([symmetric(5) for _ in range(3)]), rng.random((3, 5, 2))


@pytest.mark.parametrize("name", NAMES)
def test_arguments_are_those_of_pot(name: str) -> None:
    theirs = inspect.signature(getattr(ot.gromov, name)).parameters
    ours = inspect.signature(getattr(srgw, name)).parameters
    positional = [p for p in ours.values() if p.kind is not inspect.Parameter.KEYWORD_ONLY]
    assert [p.name for p in positional] == list(theirs)
    assert [p.default for p in positional] == [p.default for p in theirs.values()]


@pytest.mark.parametrize("reg", [0.0, 0.05])
@pytest.mark.parametrize("seed", range(8))
def test_unmixing(seed: int, reg: float) -> None:
    Cs, Ys, Cdict, Ydict = draw(seed)
    for C, Y in zip(Cs, Ys, strict=True):
        ours = srgw.gromov_wasserstein_linear_unmixing(C, Cdict, reg)
        theirs = ot.gromov.gromov_wasserstein_linear_unmixing(C, Cdict, reg)
        compare(ours, theirs)
        ours_fused = srgw.fused_gromov_wasserstein_linear_unmixing(C, Y, Cdict, Ydict, 0.4, reg)
        theirs_fused = ot.gromov.fused_gromov_wasserstein_linear_unmixing(
            C, Y, Cdict, Ydict, 0.4, reg
        )
        compare(ours_fused, theirs_fused)


def compare(ours: tuple[Any, ...], theirs: tuple[Any, ...]) -> None:
    """Up to turns whose change is at the tolerance, 1e-5, which one of them may still make."""
    assert ours[-1] == pytest.approx(float(theirs[-1]), rel=1e-4, abs=1e-9)
    for one, other in zip(ours[:-1], theirs[:-1], strict=True):
        np.testing.assert_allclose(one, other, atol=5e-3)


@pytest.mark.parametrize("adam", [True, False])
@pytest.mark.parametrize("projection", ["nonnegative_symmetric", ""])
def test_learning_draws_and_steps_like_pot(adam: bool, projection: str) -> None:
    Cs, Ys, _, _ = draw(3)
    options: dict[str, Any] = {"epochs": 3, "batch_size": 4, "random_state": 5, "use_log": True}
    options |= {"use_adam_optimizer": adam, "projection": projection, "reg": 0.01}

    def both(name: str, *arguments: Any, **rates: float) -> tuple[Any, Any]:
        function: Callable[..., Any] = getattr(srgw, name)
        return (
            function(*arguments, **options, **rates),
            getattr(ot.gromov, name)(*arguments, **options, **rates),
        )

    ours, theirs = both("gromov_wasserstein_dictionary_learning", Cs, 2, 5, learning_rate=0.01)
    same_learning(ours, theirs)
    ours, theirs = both(
        "fused_gromov_wasserstein_dictionary_learning",
        *(Cs, Ys, 2, 5, 0.4),
        learning_rate_C=0.01,
        learning_rate_Y=0.02,
    )
    same_learning(ours, theirs)


def same_learning(ours: Any, theirs: Any) -> None:
    for key in ("loss_batches", "loss_epochs"):
        np.testing.assert_allclose(ours[-1][key], theirs[-1][key], rtol=1e-4)
    for one, other in zip(ours[:-1], theirs[:-1], strict=True):
        np.testing.assert_allclose(one, other, atol=1e-3)


def test_float32_stays() -> None:
    Cs, _, Cdict, _ = draw(0)
    w, *_ = srgw.gromov_wasserstein_linear_unmixing(Cs[0].astype(np.float32), Cdict)
    assert w.dtype == np.float32


def test_bad_atoms_are_refused_by_name() -> None:
    Cs, _, Cdict, _ = draw(0)
    with pytest.raises(AssertionError, match="Cdict has shape"):
        srgw.gromov_wasserstein_linear_unmixing(Cs[0], Cdict[0])
    with pytest.raises(AssertionError, match="Cdict_init has shape"):
        srgw.gromov_wasserstein_dictionary_learning(Cs, 2, 5, Cdict_init=Cdict)
    with pytest.raises(ValueError, match="q has 4 entries"):
        srgw.gromov_wasserstein_linear_unmixing(Cs[0], Cdict, q=np.full(4, 0.25))
