"""Barycenters against those of POT, from the same structure and features."""

import inspect
import os
from typing import Any

import numpy as np
import ot
import ot.gromov
import pytest
import scipy.sparse
import srgw

FULL = bool(os.environ.get("SRGW_TEST_FULL"))
PROBLEMS = 60 if FULL else 12  # for each function
NAMES = [
    "gromov_barycenters",
    "fgw_barycenters",
    "semirelaxed_gromov_barycenters",
    "semirelaxed_fgw_barycenters",
    "entropic_gromov_barycenters",
    "entropic_fused_gromov_barycenters",
]
UPDATES = ["update_barycenter_structure", "update_barycenter_feature"]
Call = tuple[tuple[Any, ...], dict[str, Any]]


def is_fused(name: str) -> bool:
    return "fgw" in name or "fused" in name


def draw_matrix(rng: np.random.Generator, size: int, symmetric: bool) -> np.ndarray:
    matrix = rng.random((size, size)) + 0.05
    return (matrix + matrix.T) / 2 if symmetric else matrix


def draw_call(name: str, seed: int) -> Call:
    rng = np.random.default_rng([NAMES.index(name), seed])
    count, N = int(rng.integers(1, 4)), int(rng.integers(2, 6))
    symmetric = bool(rng.random() < 0.6)
    sizes = rng.integers(3, 10, count)
    Cs = [draw_matrix(rng, n, symmetric) for n in sizes]
    options: dict[str, Any] = {
        "loss_fun": str(rng.choice(["square_loss", "kl_loss"])),
        "symmetric": symmetric,
        "init_C": draw_matrix(rng, N, symmetric),
        "warmstartT": bool(rng.random() < 0.5),
        "stop_criterion": str(rng.choice(["barycenter", "loss"])),
        "max_iter": 50,
        "log": True,
    }
    if rng.random() < 0.7:
        options["ps"] = [rng.dirichlet(np.full(n, 5.0)) for n in sizes]
    if rng.random() < 0.5:
        options["lambdas"] = list(rng.dirichlet(np.full(count, 5.0)))
    if "semirelaxed" not in name and rng.random() < 0.7:
        options["p"] = rng.dirichlet(np.full(N, 5.0))
    if "entropic" in name:
        options["epsilon"] = float(rng.choice([1.0, 3.0]))
    if not is_fused(name):
        return (N, Cs), options
    Ys = [rng.random((n, 2)) for n in sizes]
    options["alpha"] = float(rng.choice([0.3, 0.7]))
    options["init_Y" if "entropic" in name else "init_X"] = rng.random((N, 2))
    if "entropic" in name:
        options["stop_criterion"] = "loss"  # POT never moves its features: the other rule ends it
    return (N, Ys, Cs), options


def value_of(name: str, call: Call, answer: tuple[Any, ...]) -> float:
    """The objective at what was returned, without entropy."""
    (arguments, options), (*parts, C, log) = call, answer
    Cs = arguments[-1]
    shares = options.get("lambdas", [1 / len(Cs)] * len(Cs))
    alpha = options.get("alpha", 1.0)
    X = parts[0] if parts else None
    if name == "entropic_fused_gromov_barycenters":  # POT returns the features of the start
        X = ot.gromov.update_barycenter_feature(
            log["T"], arguments[1], shares, log["p"], target=False
        )
    total = 0.0
    for s, (share, T) in enumerate(zip(shares, log["T"], strict=True)):
        free = "semirelaxed" in name
        pair = (Cs[s], C) if free else (C, Cs[s])
        tensor = ot.gromov.init_matrix(*pair, T.sum(axis=1), T.sum(axis=0), options["loss_fun"])
        value = alpha * ot.gromov.gwloss(*tensor, T)
        if X is not None:
            Y = arguments[1][s]
            M = ot.dist(Y, X) if free else ot.dist(X, Y)
            value += (1 - alpha) * np.sum(M * T)
        total += share * value
    return float(total)


@pytest.mark.filterwarnings("ignore::srgw.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore:Sinkhorn did not converge")
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # POT divides by zero
@pytest.mark.parametrize("name", NAMES)
def test_values_are_not_above_those_of_pot(name: str) -> None:
    alike = 0
    for seed in range(PROBLEMS):
        call = draw_call(name, seed)
        arguments, options = call
        theirs = getattr(ot.gromov, name)(*arguments, **options)
        ours = getattr(srgw, name)(*arguments, **options)
        assert set(theirs[-1]) <= set(ours[-1]), name
        assert [np.shape(a) for a in ours[:-1]] == [np.shape(a) for a in theirs[:-1]]
        for key in {"T", "Ms"} & set(theirs[-1]):
            assert [a.shape for a in ours[-1][key]] == [a.shape for a in theirs[-1][key]]
        assert np.shape(ours[-1]["p"]) == np.shape(theirs[-1]["p"])
        value, other = (value_of(name, call, answer) for answer in (ours, theirs))
        assert value <= other * (1 + 1e-6) + 1e-9, (name, seed)
        if same_plans(ours[-1], theirs[-1]):
            alike += 1
            if "semirelaxed" not in name and options["stop_criterion"] == "barycenter":
                compare_turns(ours[-1], theirs[-1])
    # Where no plan uses a pair of nodes POT sets its entry to 0, we keep it: other paths from there
    assert alike >= 0.6 * PROBLEMS


def same_plans(ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    pairs = zip(ours["T"], theirs["T"], strict=True)
    return all(np.allclose(a, b, atol=1e-6) for a, b in pairs)


def compare_turns(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    for key in {"err", "err_feature", "err_structure"} & set(theirs):
        k = min(len(ours[key]), len(theirs[key]))
        np.testing.assert_allclose(ours[key][:k], theirs[key][:k], atol=1e-3)  # plans: 1e-5
    if "Ts_iter" in theirs:
        first, other = ours["Ts_iter"][0], theirs["Ts_iter"][0]
        for T, their_T in zip(first, other, strict=True):
            np.testing.assert_allclose(T, their_T, atol=1e-6)


@pytest.mark.parametrize("name", [*NAMES, *UPDATES])
def test_positional_arguments_and_defaults_are_those_of_pot(name: str) -> None:
    def positional(function: Any) -> list[tuple[str, Any]]:
        parameters = inspect.signature(function).parameters.values()
        return [(p.name, p.default) for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]

    assert positional(getattr(srgw, name)) == positional(getattr(ot.gromov, name))


@pytest.mark.parametrize("target", [True, False])
@pytest.mark.parametrize("loss", ["square_loss", "kl_loss"])
@pytest.mark.parametrize("given", ["none", "shared", "own", "zeros"])
def test_updates_are_those_of_pot(target: bool, loss: str, given: str) -> None:
    rng = np.random.default_rng(0)
    Ts = [rng.random((n, 3)) for n in (4, 5)]
    if given == "zeros":
        for T in Ts:
            T[:, 1] = 0
    Cs, Ys = [rng.random((n, n)) for n in (4, 5)], [rng.random((n, 2)) for n in (4, 5)]
    p = {"shared": rng.random(3), "own": rng.random((2, 3))}.get(given)
    Ts = Ts if target else [np.ascontiguousarray(T.T) for T in Ts]
    with np.errstate(divide="ignore"):
        theirs = ot.gromov.update_barycenter_structure(Ts, Cs, [0.4, 0.6], p, loss, target)
        features = ot.gromov.update_barycenter_feature(Ts, Ys, [0.4, 0.6], p, target=target)
    ours = srgw.update_barycenter_structure(Ts, Cs, [0.4, 0.6], p, loss, target)
    np.testing.assert_allclose(ours, theirs, atol=1e-13)
    ours = srgw.update_barycenter_feature(Ts, Ys, [0.4, 0.6], p, target=target)
    np.testing.assert_allclose(ours, features, atol=1e-13)
    with pytest.raises(ValueError, match="loss_fun"):
        srgw.update_barycenter_feature(Ts, Ys, [0.4, 0.6], loss_fun="kl_loss")


def samples(dtype: Any = np.float64) -> tuple[list[np.ndarray], list[np.ndarray]]:
    rng = np.random.default_rng(1)
    Cs = [draw_matrix(rng, n, True).astype(dtype) for n in (6, 7, 3)]
    return Cs, [rng.random((len(C), 2)).astype(dtype) for C in Cs]


def call_with(name: str, **options: Any) -> tuple[Any, ...]:
    Cs, Ys = samples()
    return getattr(srgw, name)(4, *((Ys, Cs) if is_fused(name) else (Cs,)), log=True, **options)


@pytest.mark.parametrize("name", NAMES)
def test_seeds_repeat_and_threads_do_not_show(name: str) -> None:
    first, second = (call_with(name, random_state=3, n_jobs=n) for n in (1, 3))
    np.testing.assert_array_equal(first[-2], second[-2])
    assert not np.array_equal(first[-2], call_with(name, random_state=4)[-2])
    assert np.isfinite(first[-2]).all() and first[-1]["converged"]


@pytest.mark.parametrize("name", ["gromov_barycenters", "fgw_barycenters"])
def test_the_first_structure_is_the_one_that_pot_draws(name: str) -> None:
    Cs, Ys = samples()
    arguments = (4, Ys, Cs) if is_fused(name) else (4, Cs)
    ours = getattr(srgw, name)(*arguments, random_state=5)
    theirs = getattr(ot.gromov, name)(*arguments, random_state=5)
    for a, b in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_single_precision_in_gives_single_precision_out(name: str) -> None:
    Cs, Ys = samples(np.float32)
    arguments = (4, Ys, Cs) if is_fused(name) else (4, Cs)
    *parts, log = getattr(srgw, name)(*arguments, random_state=0, log=True)
    assert {part.dtype for part in (*parts, *log["T"], log["p"])} == {np.dtype(np.float32)}


@pytest.mark.parametrize("name", [name for name in NAMES if is_fused(name)])
@pytest.mark.parametrize("fixed", ["fixed_structure", "fixed_features"])
def test_fixed_parts_stay_and_the_others_go_on(name: str, fixed: str) -> None:
    rng = np.random.default_rng(2)
    C, X = draw_matrix(rng, 4, True), rng.random((4, 2))
    key = "init_Y" if "entropic" in name else "init_X"
    options = {"init_C": C, key: X, fixed: True}
    features, structure, log = call_with(name, **options)
    assert log["n_iter"] > 1  # POT ends after one turn
    assert np.array_equal(structure, C) == (fixed == "fixed_structure")
    assert np.array_equal(features, X) == (fixed == "fixed_features")
    missing = "init_C" if fixed == "fixed_structure" else key
    for error in (ValueError, ot.utils.UndefinedParameter):
        with pytest.raises(error, match=missing):
            call_with(name, **{**options, missing: None})


@pytest.mark.parametrize("name", [name for name in NAMES if "semirelaxed" in name])
@pytest.mark.parametrize(
    "G0", ["product", "random", "random_product", "kmeans", "spectral_soft", "fluid"]
)
@pytest.mark.parametrize("warm", [False, True])
@pytest.mark.filterwarnings("ignore::srgw.ConvergenceWarning")
def test_every_start_has_a_name(name: str, G0: str, warm: bool) -> None:
    *_, C, log = call_with(name, G0=G0, warmstartT=warm, random_state=0, max_iter=20)
    assert np.isfinite(C).all() and np.ptp(C) > 1e-3  # not the constant that products make
    np.testing.assert_allclose(log["p"].sum(axis=1), 1, atol=1e-12)
    for T, n in zip(log["T"], (6, 7, 3), strict=True):
        np.testing.assert_allclose(T.sum(axis=1), 1 / n, atol=1e-12)


def test_sparse_samples_give_what_dense_ones_give() -> None:
    rng = np.random.default_rng(3)
    Cs = [draw_matrix(rng, n, True) * (rng.random((n, n)) < 0.5) for n in (6, 7)]
    Cs = [np.maximum(C, C.T) for C in Cs]
    for name in ("gromov_barycenters", "semirelaxed_gromov_barycenters"):
        dense = getattr(srgw, name)(3, Cs, random_state=0)
        sparse = getattr(srgw, name)(3, list(map(scipy.sparse.csr_array, Cs)), random_state=0)
        np.testing.assert_allclose(dense, sparse, atol=1e-12)


def test_callbacks_and_limits_stop_it() -> None:
    heard: list[int] = []

    def two_turns(progress: srgw.Progress) -> bool:
        heard.append(progress.iteration)
        return progress.iteration < 2

    *_, log = call_with("gromov_barycenters", tol=0.0, random_state=0, callback=two_turns)
    assert heard == [1, 2] and log["status"] == "interrupted" and log["n_iter"] == 2
    with pytest.warns(srgw.ConvergenceWarning, match="max_iter"):
        *_, log = call_with("gromov_barycenters", max_iter=1, random_state=0)
    assert log["n_iter"] == 1 and len(log["err"]) == 1
    with pytest.warns(srgw.ConvergenceWarning, match="time_limit"):
        *_, log = call_with("gromov_barycenters", tol=-0.0, time_limit=0.0, random_state=0)
    assert log["status"] == "time_limit"


def test_verbose_prints_the_turns(capsys: pytest.CaptureFixture[str]) -> None:
    call_with("fgw_barycenters", verbose=True, random_state=0)
    assert "Loss" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("message", "options"),
    [
        ("N", {"N": 0}),
        ("Cs", {"Cs": []}),
        (r"Cs\[1\]", {"Cs": [np.eye(6), np.ones((2, 3)), np.eye(3)]}),
        ("ps", {"ps": [[1.0]]}),
        (r"ps\[1\]", {"ps": [None, [0.5, 0.6], None]}),
        ("Ys", {"Ys": [np.ones((6, 2))]}),
        (r"Ys\[1\]", {"Ys": [np.ones((6, 2)), np.ones((6, 2)), np.ones((3, 2))]}),
        ("lambdas", {"lambdas": [0.5, 0.5]}),
        ("lambdas", {"lambdas": [-1.0, 1.0, 1.0]}),
        ("alpha", {"alpha": 1.5}),
        ("loss_fun", {"loss_fun": "l1"}),
        ("stop_criterion", {"stop_criterion": "never"}),
        ("init_C", {"init_C": np.eye(3)}),
        ("init_X", {"init_X": np.eye(3)}),
        ("max_iter", {"max_iter": -1}),
        ("G0", {"G0": "fortune"}),
        ("G0", {"G0": None}),
        ("random_state", {"random_state": -1}),
    ],
)
def test_misuse_names_the_argument(message: str, options: dict[str, Any]) -> None:
    Cs, Ys = samples()
    with pytest.raises((ValueError, TypeError), match=message):
        srgw.semirelaxed_fgw_barycenters(**{"N": 4, "Ys": Ys, "Cs": Cs, **options})
    if "G0" in options:
        return
    with pytest.raises((ValueError, TypeError), match=message):
        srgw.fgw_barycenters(**{"N": 4, "Ys": Ys, "Cs": Cs, **options})


def test_misuse_of_entropic_barycenters_names_the_argument() -> None:
    for message, options in (
        ("epsilon", {"epsilon": 0.0}),
        ("solver", {"solver": "SGD"}),
        ("p", {"p": np.ones(4)}),
    ):
        with pytest.raises(ValueError, match=message):
            call_with("entropic_gromov_barycenters", **options)
    with pytest.raises(ValueError, match="init_Y"):
        call_with("entropic_fused_gromov_barycenters", init_Y=np.eye(3))
    with pytest.warns(UserWarning, match="colour"):
        call_with("entropic_gromov_barycenters", colour="red", random_state=0)
    proximal = call_with("entropic_gromov_barycenters", solver="PPA", random_state=0)
    assert np.isfinite(proximal[0]).all()
