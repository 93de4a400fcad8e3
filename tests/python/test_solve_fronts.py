"""The default method of `solve`: its answers, and that the command line and Python agree."""

import json
import pathlib
import subprocess

import numpy as np
import pytest
import scipy.sparse
import srgw
from place import program

METHODS = ["auto", "conditional_gradient"]


def symmetric(size: int, seed: int, density: float = 1.0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    half = np.triu(rng.random((size, size)) * (rng.random((size, size)) < density), 1)
    return half + half.T


def solve_with_program(place: pathlib.Path, *words: object) -> dict[str, object]:
    command = [program("cli/srgw"), "solve", place / "source.npz", place / "target.npz", "--json"]
    done = subprocess.run(
        [*map(str, command), *map(str, words)], check=False, capture_output=True, text=True
    )
    return json.loads(done.stdout)


@pytest.mark.parametrize("size", [12, 30])
def test_the_default_of_the_program_is_that_of_python(tmp_path: pathlib.Path, size: int) -> None:
    C, B = symmetric(30, 1, 0.3), symmetric(size, 2)
    scipy.sparse.save_npz(tmp_path / "source.npz", scipy.sparse.csr_matrix(C))
    scipy.sparse.save_npz(tmp_path / "target.npz", scipy.sparse.csr_matrix(B))
    ours = srgw.solve_all([scipy.sparse.csr_matrix(C)], scipy.sparse.csr_matrix(B))[0]
    default = solve_with_program(tmp_path)
    assert default["value"] == pytest.approx(ours.value, rel=1e-12)
    for typed in (["--method", "auto"], ["--epsilon", 0], ["--stopping", "gap"], ["--starts", 1]):
        again = solve_with_program(tmp_path, *typed)
        assert again["value"] == default["value"]
        assert again["start_values"] == default["start_values"]


def test_methods_that_do_not_fit_epsilon_are_refused(tmp_path: pathlib.Path) -> None:
    scipy.sparse.save_npz(tmp_path / "source.npz", scipy.sparse.csr_matrix(symmetric(8, 1)))
    scipy.sparse.save_npz(tmp_path / "target.npz", scipy.sparse.csr_matrix(symmetric(3, 2)))
    for words, message in (
        (["--method", "mirror-descent"], "needs --epsilon above 0"),
        (["--method", "conditional-gradient", "--epsilon", 0.1], "expected --epsilon 0"),
    ):
        answer = solve_with_program(tmp_path, *words)
        assert message in answer["error"]["message"]  # type: ignore[index]
    with pytest.raises(ValueError, match="expected 0"):
        srgw.solve_all([np.eye(4)], np.eye(2), method="conditional_gradient", epsilon=0.1)
    with pytest.raises(ValueError, match="expected one of auto"):
        srgw.solve_all([np.eye(4)], np.eye(2), method="row_descent")


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("fused", [False, True])
def test_the_default_ends_lower_than_conditional_gradient(sparse: bool, fused: bool) -> None:
    Cs = [symmetric(n, n, 0.4) for n in range(8, 40)]
    B = symmetric(10, 3)
    Ms = [np.random.default_rng(len(C)).random((len(C), 10)) for C in Cs] if fused else None
    sources = [scipy.sparse.csr_matrix(C) for C in Cs] if sparse else Cs
    values = {
        method: [s.value for s in srgw.solve_all(sources, B, Ms=Ms, method=method)]
        for method in METHODS
    }
    assert np.mean(values["auto"]) <= np.mean(values["conditional_gradient"]) * (1 + 1e-9)


@pytest.mark.parametrize("fused", [False, True])
def test_values_and_gaps_of_the_default_are_those_of_its_plan(fused: bool) -> None:
    for n in range(5, 30, 4):
        C, B, alpha = symmetric(n, n, 0.5), symmetric(6, n), 0.3 if fused else 1.0
        M = np.random.default_rng(n).random((n, 6)) * 5
        s = srgw.solve_all([C], B, Ms=[M] if fused else None, alpha=alpha)[0]
        T, q = s.plan, s.plan.sum(axis=0)
        h = np.full(n, 1 / n)
        quad = h @ C**2 @ h + q @ B**2 @ q - 2 * (T * (C @ T @ B)).sum()
        linear = (M * T).sum() if fused else 0.0
        np.testing.assert_allclose(T.sum(axis=1), h, atol=1e-15)
        np.testing.assert_allclose(s.target_weights, q, atol=1e-12)
        assert s.value_quad == pytest.approx(alpha * quad, abs=1e-12)
        assert s.value_linear == pytest.approx((1 - alpha) * linear, abs=1e-12)
        gradient = alpha * (2 * (C**2 @ h)[:, None] + 2 * B**2 @ q - 4 * C @ T @ B)
        gradient += (1 - alpha) * M if fused else 0
        gap = (gradient * T).sum() - h @ gradient.min(axis=1)
        assert s.gap == pytest.approx(gap, abs=1e-10) and s.converged
        assert s.value == min(s.start_values) == s.start_values[s.best_start]


def test_a_graph_and_itself_have_divergence_zero() -> None:
    Cs = [symmetric(n, n, 0.5) for n in (5, 20, 200)]
    assert max(s.value for C in Cs for s in srgw.solve_all([C], C)) <= 1e-13


def test_entries_of_any_size_are_solved_by_the_default() -> None:
    C, B = symmetric(20, 1, 0.5), symmetric(5, 2)
    one = srgw.solve_all([C], B)[0]
    for factor in (2.0**-200, 2.0**-40, 2.0**40, 2.0**200):
        s = srgw.solve_all([C * factor], B * factor)[0]
        assert s.value / factor**2 == pytest.approx(one.value, rel=1e-9)


def test_more_starts_never_end_higher() -> None:
    Cs, B = [symmetric(n, n, 0.4) for n in range(10, 30)], symmetric(8, 1)
    few = [s.value for s in srgw.solve_all(Cs, B)]
    many = [s.value for s in srgw.solve_all(Cs, B, n_init=8)]
    assert all(b <= a * (1 + 1e-9) for a, b in zip(few, many, strict=True))
    assert np.mean(many) < np.mean(few)


def test_the_default_hears_the_callback() -> None:
    heard: list[float] = []
    C, B = symmetric(20, 1, 0.5), symmetric(5, 2)
    s = srgw.solve_all([C], B, callback=lambda p: heard.append(p.value))[0]
    assert heard[-1] == s.value
    stopped = srgw.solve_all([C], B, callback=lambda p: False)[0]
    assert stopped.status == "interrupted" and stopped.value <= heard[0] * (1 + 1e-12)
