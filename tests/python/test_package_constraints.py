"""Constraints of the semi-relaxed functions, and partial functions against those of POT."""

import inspect
import os
import warnings
from typing import Any

import numpy as np
import ot
import pytest
import scipy.sparse
import srgw

PROBLEMS = 1000 if os.environ.get("SRGW_TEST_FULL") else 200
C1 = np.kron(np.eye(2), np.ones((4, 4)))
C2 = np.array([[1.0, 0.1, 0.0], [0.1, 0.9, 0.0], [0.0, 0.0, 0.3]])


@pytest.mark.parametrize("G0", [None, "random", "kmeans", "product", "spectral_soft"])
@pytest.mark.parametrize("entropic", [False, True])
def test_plans_keep_forbidden_pairs_and_anchors(G0: str | None, entropic: bool) -> None:
    name = f"{'entropic_' if entropic else ''}semirelaxed_gromov_wasserstein"
    pairs = [(0, 0), (1, 1), (5, 0), (5, 2)]
    T = getattr(srgw, name)(C1, C2, G0=G0, forbidden=pairs, anchors={7: 2})
    assert all(T[i, k] == 0 for i, k in pairs)
    assert T[7].argmax() == 2 and T[7, 2] == pytest.approx(1 / 8)
    np.testing.assert_allclose(T.sum(axis=1), 1 / 8)


def test_forbidden_pairs_have_three_forms() -> None:
    pairs = np.array([(0, 0), (1, 1), (5, 0)])
    mask = np.zeros((8, 3), bool)
    mask[tuple(pairs.T)] = True
    forms: list[Any] = [pairs, pairs.tolist(), mask, scipy.sparse.coo_array(mask)]
    plans = [srgw.semirelaxed_gromov_wasserstein(C1, C2, forbidden=form) for form in forms]
    for T in plans:
        np.testing.assert_array_equal(T, plans[0])
    anchors = np.full(8, -1)
    anchors[3] = 1
    T = srgw.semirelaxed_gromov_wasserstein(C1, C2, anchors=anchors)
    np.testing.assert_array_equal(T, srgw.semirelaxed_gromov_wasserstein(C1, C2, anchors={3: 1}))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"forbidden": [(0, 0), (0, 1), (0, 2)]}, "row 0 has no column left"),
        ({"forbidden": [(0, 1)], "anchors": {0: 1}}, "row 0 is anchored on column 1, which is"),
        ({"forbidden": [(8, 1)]}, r"forbidden pair 0 is \(8, 1\)"),
        ({"forbidden": np.zeros((3, 3), bool)}, r"forbidden has shape \(3, 3\)"),
        ({"forbidden": [0.5, 1.0]}, "forbidden is an array of float64"),
        ({"anchors": [1, 2]}, "anchors is an array"),
        ({"anchors": {0: 1.5}}, "anchors has 0: 1.5, expected whole numbers"),
        ({"anchors": {"0": 1}}, "anchors has '0': 1"),
        ({"share": 0.0}, "share is 0, expected a number above 0"),
        ({"share": 1.5}, "share is 1.5"),
        ({"relations": [(np.eye(3), C2)]}, "relation 1 is between 3 and 3 nodes"),
        ({"relations": [C1]}, r"relations\[0\] is not"),
        ({"forbidden": [(0, 0)], "G0": np.full((8, 3), 1 / 24)}, "which is forbidden"),
    ],
)
def test_bad_constraints_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        srgw.semirelaxed_gromov_wasserstein(C1, C2, **options)


def test_share_and_relations_are_in_the_value() -> None:
    T, log = srgw.semirelaxed_gromov_wasserstein(C1, C2, share=0.4, G0="random", log=True)
    assert T.sum() == pytest.approx(0.4, abs=1e-12)
    assert (T.sum(axis=1) <= 1 / 8 + 1e-15).all()
    difference = (C1[:, :, None, None] - C2) ** 2
    assert log["srgw_dist"] == pytest.approx(np.einsum("ijkl,ik,jl", difference, T, T))
    other = np.tri(8), np.tri(3)
    T, log = srgw.semirelaxed_gromov_wasserstein(C1, C2, relations=[(*other, 0.5)], log=True)
    more = np.einsum("ijkl,ik,jl", (other[0][:, :, None, None] - other[1]) ** 2, T, T)
    first = np.einsum("ijkl,ik,jl", difference, T, T)
    assert log["srgw_dist"] == pytest.approx(first + 0.5 * more)


def test_alpha_balanced_is_that_of_both_terms() -> None:
    rng = np.random.default_rng(0)
    M = rng.random((8, 3))
    _, log = srgw.semirelaxed_fused_gromov_wasserstein(M, C1, C2, alpha="balanced", log=True)
    structure, features = np.mean(C1**2) - np.mean(C1) ** 2, M.mean(axis=0).min()
    assert log["alpha"] == pytest.approx(features / (structure + features))
    with pytest.raises(ValueError, match="'balanced' or a number"):
        srgw.semirelaxed_fused_gromov_wasserstein(M, C1, C2, alpha="auto")


def test_estimators_take_balanced_alpha() -> None:
    graphs = srgw.datasets.molecules(6)
    for estimator in (srgw.SRGWDictionary(4), srgw.GDL(2, 4), srgw.GWKMeans(2)):
        model = estimator.set_params(alpha="balanced", features="labels", random_state=0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.fit(graphs)
        assert 0 < model.alpha_ < 1


def draw(seed: int) -> tuple[tuple[Any, ...], dict[str, Any]]:
    rng = np.random.default_rng([3, seed])
    n, m = int(rng.integers(2, 20)), int(rng.integers(2, 20))
    x, y = rng.normal(size=(n, 2)), rng.normal(size=(m, 2))
    A, B = (np.linalg.norm(z[:, None] - z, axis=2) for z in (x, y))
    if seed % 5 == 4:
        A, B = rng.random((n, n)), rng.random((m, m))
    p, q = rng.random(n) + 0.1, rng.random(m) + 0.1
    mass = float(rng.uniform(0.1, 1) * min(p.sum(), q.sum()))
    options: dict[str, Any] = {"p": p, "q": q, "m": mass}
    if seed % 3 == 1:
        start = rng.random((n, m))
        start *= mass / start.sum()
        scale = min((p / start.sum(axis=1)).min(), (q / start.sum(axis=0)).min())
        if scale < 1:
            start = np.outer(p, q) * mass / (p.sum() * q.sum())
        options["G0"] = start
    fused = seed % 2 == 1
    return ((rng.random((n, m)), A, B) if fused else (A, B)), options


def test_partial_values_are_not_above_those_of_pot() -> None:
    above = []
    for seed in range(PROBLEMS):
        arrays, options = draw(seed)
        name = f"partial_{'fused_' if len(arrays) == 3 else ''}gromov_wasserstein"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs, their_log = getattr(ot.gromov, name)(*arrays, **options, log=True)
            ours, our_log = getattr(srgw, name)(*arrays, **options, log=True)
        key = "partial_fgw_dist" if len(arrays) == 3 else "partial_gw_dist"
        assert ours.sum() == pytest.approx(options["m"], abs=1e-12)
        assert (ours.sum(axis=1) <= options["p"] + 1e-12).all()
        assert (ours.sum(axis=0) <= options["q"] + 1e-12).all()
        if our_log[key] > their_log[key] * (1 + 1e-9) + 1e-12:
            above.append((seed, our_log[key], their_log[key]))
    assert not above


def test_entropic_partial_plans_are_those_of_pot() -> None:
    for seed in range(0, 20, 2):
        arrays, options = draw(seed)
        given = {**options, "reg": 5.0, "numItermax": 30, "tol": 0.0}
        given.pop("G0", None)
        theirs = ot.gromov.entropic_partial_gromov_wasserstein(*arrays, **given)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ours = srgw.entropic_partial_gromov_wasserstein(*arrays, **given)
        assert ours.sum() == pytest.approx(options["m"], abs=1e-12)
        np.testing.assert_allclose(ours, theirs, atol=1e-6)


@pytest.mark.parametrize("seed", range(20))
def test_line_searches_are_those_of_pot(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, m = 5, 4
    G, X = (rng.random((n, m)) for _ in range(2))
    G, X = G / G.sum(), X / X.sum()
    A, B, M = rng.normal(size=(n, n)), rng.normal(size=(m, m)), rng.random((n, m))
    bounds = {} if seed % 2 else {"alpha_min": 0.1, "alpha_max": 0.8}
    calls = {
        "solve_gromov_linesearch": (G, X - G, 1.0, A, B, M, 0.7),
        "solve_semirelaxed_gromov_linesearch": (G, X - G, 1.0, A, B, np.ones(n), M, 0.7),
        "solve_partial_gromov_linesearch": (G, X - G, 1.0, A @ G, A @ X, M, 0.7),
    }
    for name, arguments in calls.items():
        theirs = getattr(ot.gromov, name)(*arguments, **bounds)
        ours = getattr(srgw, name)(*arguments, **bounds)
        assert len(ours) == len(theirs)
        for own, other in zip(ours, theirs, strict=True):
            np.testing.assert_allclose(own, other, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("name", [name for name in srgw.__all__ if "partial" in name])
def test_arguments_and_defaults_are_those_of_pot(name: str) -> None:
    def positional(function: Any) -> list[tuple[str, Any]]:
        return [
            (p.name, p.default)
            for p in inspect.signature(function).parameters.values()
            if p.kind is p.POSITIONAL_OR_KEYWORD
        ]

    assert positional(getattr(srgw, name)) == positional(getattr(ot.gromov, name))
