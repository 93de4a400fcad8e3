"""POT's functions with arrays of JAX: values, gradients, jit and vmap."""

import warnings
from typing import Any

import numpy as np
import pytest
import srgw

jax = pytest.importorskip("jax")
jax.config.update("jax_enable_x64", True)
jnp = jax.numpy


def problem(seed: int, n: int = 7, m: int = 4) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    C, B = rng.random((n, n)), rng.random((m, m))
    arrays = {
        "M": rng.random((n, m)),
        "C1": C + C.T,
        "C2": B + B.T,
        "p": rng.dirichlet(np.full(n, 4.0)),
        "q": rng.dirichlet(np.full(m, 4.0)),
        "alpha": np.array(0.4),
    }
    return {name: jnp.asarray(array) for name, array in arrays.items()}


def arguments_of(name: str, given: dict[str, Any]) -> dict[str, Any]:
    names = ["C1", "C2", "p"]
    names += ["q"] if "semirelaxed" not in name else []
    names += ["M", "alpha"] if "fused" in name else []
    return {key: given[key] for key in names}


NAMES = sorted(name for name in srgw._HOMES if name.endswith("wasserstein2"))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", NAMES)
def test_values_and_plans_are_those_of_numpy(name: str) -> None:
    given = arguments_of(name, problem(1))
    plain = {key: np.asarray(array) for key, array in given.items()}
    plain = {key: float(array) if key == "alpha" else array for key, array in plain.items()}
    value, log = getattr(srgw, name)(**given, log=True)
    T = getattr(srgw, name.removesuffix("2"))(**given)
    assert isinstance(value, jax.Array) and isinstance(T, jax.Array)
    assert isinstance(log["T"], jax.Array)
    assert float(value) == float(getattr(srgw, name)(**plain))
    np.testing.assert_array_equal(T, getattr(srgw, name.removesuffix("2"))(**plain))
    compiled = jax.jit(lambda arrays: getattr(srgw, name)(**arrays))(given)
    assert float(compiled) == float(value)
    traced = jax.jit(lambda arrays: getattr(srgw, name.removesuffix("2"))(**arrays))(given)
    np.testing.assert_array_equal(traced, T)


PARTIAL = [name for name in NAMES if "partial" in name]  # without gradients
EXACT = [
    name for name in NAMES if name not in PARTIAL and "entropic" not in name and "BAPG" not in name
]


@pytest.mark.parametrize("name", EXACT)
def test_gradients_are_finite_differences_of_values_solved_again(name: str) -> None:
    rng, checked = np.random.default_rng(3), 0
    for seed in range(40):
        given = arguments_of(name, problem(seed))
        ways = {key: rng.standard_normal(array.shape) for key, array in given.items()}
        for key in ("C1", "C2"):
            ways[key] = ways[key] + ways[key].T
        for key in ("p", "q"):
            if key in ways:
                ways[key] -= ways[key].mean()  # weights sum to 1

        def solved(t: float, given: Any = given, ways: Any = ways) -> tuple[float, Any, float]:
            moved = {key: array + t * ways[key] for key, array in given.items()}
            value, log = getattr(srgw, name)(**moved, log=True)
            return float(value), log["T"], float(log["gap"])

        (up, T_up, gap), (down, T_down, other_gap) = solved(1e-6), solved(-1e-6)
        if max(gap, other_gap) > 1e-12 or float(jnp.abs(T_up - T_down).max()) > 1e-3:
            continue  # not solved to the last digit, or another plan, where the derivative jumps
        checked += 1
        slopes = jax.grad(lambda arrays: getattr(srgw, name)(**arrays))(given)
        found = sum(float((slopes[key] * ways[key]).sum()) for key in given)
        assert found == pytest.approx((up - down) / 2e-6, abs=1e-4)
    assert checked >= 3


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [name for name in NAMES if name not in EXACT + PARTIAL])
def test_entropic_gradients_in_structures_are_those_of_pytorch(name: str) -> None:
    torch = pytest.importorskip("torch")
    given = arguments_of(name, problem(2))
    tensors = {k: torch.tensor(np.asarray(a), requires_grad=True) for k, a in given.items()}
    getattr(srgw, name)(**tensors).backward()
    slopes = jax.grad(lambda arrays: getattr(srgw, name)(**arrays))(given)
    for key, slope in slopes.items():
        other = tensors[key].grad
        np.testing.assert_allclose(slope, 0 if other is None else other, atol=1e-12)


def test_values_under_jit_grad_and_vmap() -> None:
    rng = np.random.default_rng(5)
    C = jnp.asarray(np.kron(np.eye(2), np.ones((3, 3))))
    targets = jnp.asarray(rng.random((4, 2, 2)))

    def value(B: Any) -> Any:
        return srgw.semirelaxed_gromov_wasserstein2(C, (B + B.T) / 2)

    alone = [jax.value_and_grad(value)(B) for B in targets]
    values, slopes = jax.jit(jax.vmap(jax.value_and_grad(value)))(targets)
    np.testing.assert_allclose(values, [v for v, _ in alone], atol=1e-14)
    np.testing.assert_allclose(slopes, np.stack([s for _, s in alone]), atol=1e-14)


def test_plans_are_constants_for_derivatives() -> None:
    given = problem(3)

    def with_plan(C2: Any) -> Any:
        T = srgw.semirelaxed_gromov_wasserstein(given["C1"], C2)
        return (T @ C2).sum()

    slope = jax.grad(with_plan)(given["C2"])
    T = srgw.semirelaxed_gromov_wasserstein(given["C1"], given["C2"])
    np.testing.assert_allclose(slope, np.tile(T.sum(axis=0)[:, None], 4), atol=1e-12)


def test_a_target_is_trained() -> None:
    C = jnp.asarray(np.kron(np.eye(3), np.ones((4, 4))))
    B = jnp.asarray(0.3 + 0.3 * np.eye(3))
    step = jax.jit(
        jax.value_and_grad(lambda B: srgw.semirelaxed_gromov_wasserstein2(C, B, G0="kmeans"))
    )
    first, _ = step(B)
    for _ in range(60):
        value, slope = step(B)
        B = B - 0.5 * slope
    assert value < 0.2 * first


def test_whole_numbers_single_precision_and_lists() -> None:
    C = np.kron(np.eye(2, dtype=int), np.ones((3, 3), int))
    B = jnp.asarray([[0.9, 0.1], [0.1, 0.8]], jnp.float32)
    value, slope = jax.value_and_grad(
        lambda B: srgw.semirelaxed_gromov_wasserstein2(jnp.asarray(C), B)
    )(B)
    assert slope.dtype == jnp.float32 and bool(jnp.isfinite(value))
    plain = jax.grad(lambda B: srgw.semirelaxed_gromov_wasserstein2(C.tolist(), B))(B)
    np.testing.assert_allclose(plain, slope, atol=1e-6)
    with pytest.raises(TypeError, match="JAX"):
        srgw.semirelaxed_gromov_wasserstein(jnp.eye(3), pytest.importorskip("torch").eye(2))


def test_second_derivatives_and_logs_are_clear_errors() -> None:
    given = problem(2)

    def value(C2: Any) -> Any:
        return srgw.semirelaxed_gromov_wasserstein2(given["C1"], C2)

    with pytest.raises(NotImplementedError, match="second derivatives"):
        jax.grad(lambda C2: jax.grad(value)(C2).sum())(given["C2"])
    with pytest.raises(NotImplementedError, match="log=True inside jax.grad"):
        jax.grad(lambda C: srgw.semirelaxed_gromov_wasserstein2(given["C1"], C, log=True)[0])(
            given["C2"]
        )


def test_the_parts_of_the_objective_take_arrays_of_jax() -> None:
    given = problem(4)
    p, q = given["p"], given["q"]
    T = jnp.outer(p, q)
    parts = srgw.init_matrix(given["C1"], given["C2"], p, q)
    slope = jax.grad(lambda T: srgw.gwloss(*parts, T))(T)
    np.testing.assert_allclose(slope, srgw.gwggrad(*parts, T) - parts[0], atol=1e-12)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        value = srgw.gromov_wasserstein2(given["C1"], given["C2"], p, q, G0=T, max_iter=10**4)
    assert float(value) <= float(srgw.gwloss(*parts, T)) + 1e-12


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", PARTIAL)
def test_gradients_of_partial_problems_are_a_clear_error(name: str) -> None:
    given = arguments_of(name, problem(2))
    with pytest.raises(NotImplementedError, match="gradients of partial problems"):
        jax.grad(lambda C2: getattr(srgw, name)(**{**given, "C2": C2}))(given["C2"])


@pytest.mark.parametrize("restriction", ["share", "relations"])
def test_gradients_of_shares_and_relations_are_a_clear_error(restriction: str) -> None:
    given = problem(2)
    C1, C2 = (np.asarray(given[name]) for name in ("C1", "C2"))
    extra = {"share": 0.5} if restriction == "share" else {"relations": [(C1, C2)]}

    def value(C2: Any) -> Any:
        return srgw.semirelaxed_gromov_wasserstein2(given["C1"], C2, **extra)

    assert float(jax.jit(value)(given["C2"])) == float(value(given["C2"]))
    with pytest.raises(NotImplementedError, match="several relations"):
        jax.grad(value)(given["C2"])


def test_arrays_with_numbers_stay_as_they_are_in_traced_calls() -> None:
    given = problem(6)
    C1 = given["C1"]
    forbidden, anchors = jnp.asarray([[0, 1], [2, 3]]), jnp.asarray([-1, 2, -1, -1, -1, -1, -1])

    def plan(C2: Any, **more: Any) -> Any:
        return srgw.semirelaxed_gromov_wasserstein(C1, C2, **more)

    def value(C2: Any, **more: Any) -> Any:
        return srgw.semirelaxed_gromov_wasserstein2(C1, C2, **more)

    T = plan(given["C2"], forbidden=forbidden, anchors=anchors)
    assert T[0, 1] == T[2, 3] == 0 and T[1, 2] == pytest.approx(1 / 7)
    traced = jax.jit(lambda C2: plan(C2, forbidden=forbidden, anchors=anchors))(given["C2"])
    np.testing.assert_array_equal(traced, T)
    traced = jax.jit(lambda C2, f, a: plan(C2, forbidden=f, anchors=a))(
        given["C2"], forbidden, anchors
    )
    np.testing.assert_array_equal(traced, T)
    slope = jax.grad(lambda C2: value(C2, forbidden=forbidden))(given["C2"])
    assert bool(jnp.isfinite(slope).all()) and float(jnp.abs(slope).max()) > 0


def test_sparse_matrices_and_graphs_in_traced_calls() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    C = np.kron(np.eye(2), np.ones((3, 3))) - np.eye(6)
    B = jnp.asarray([[0.9, 0.1], [0.1, 0.8]])
    expected = srgw.semirelaxed_gromov_wasserstein(C, B)
    graph = srgw.Graph(6, np.argwhere(np.triu(C)).T)
    for given in (sparse.csr_array(C), sparse.csr_matrix(C), C.tolist(), graph):
        T = jax.jit(lambda B, C=given: srgw.semirelaxed_gromov_wasserstein(C, B))(B)
        np.testing.assert_allclose(T, expected, atol=1e-12)


def test_arguments_that_do_not_fit_are_errors_as_with_numpy() -> None:
    given = problem(2)
    C1, C2 = given["C1"], given["C2"]
    for arrays in ((C1, C2), (np.asarray(C1), np.asarray(C2))):
        with pytest.raises(TypeError, match="positional arguments"):
            srgw.semirelaxed_gromov_wasserstein2(*arrays, *[None] * 40)
    with pytest.raises(TypeError, match="positional arguments"):
        jax.jit(lambda C: srgw.semirelaxed_gromov_wasserstein2(C1, C, *[None] * 40))(C2)
    with pytest.raises(TypeError, match="multiple values"):
        srgw.semirelaxed_gromov_wasserstein2(C1, C2, C1=C1)
