"""POT's functions with tensors: the same kind comes back, and values have POT's gradients."""

import warnings
from typing import Any

import numpy as np
import pytest
import srgw

torch = pytest.importorskip("torch")
gromov = pytest.importorskip("ot.gromov")

DOUBLE = torch.float64


def problem(seed: int, n: int = 7, m: int = 4) -> dict[str, Any]:
    generator = np.random.default_rng(seed)

    def symmetric(size: int) -> Any:
        half = generator.random((size, size))
        return half + half.T

    arrays = {
        "M": generator.random((n, m)),
        "C1": symmetric(n),
        "C2": symmetric(m),
        "p": generator.dirichlet(np.full(n, 4.0)),
        "q": generator.dirichlet(np.full(m, 4.0)),
        "alpha": np.array(0.4),
    }
    return {name: torch.tensor(array, requires_grad=True) for name, array in arrays.items()}


def arguments_of(name: str, given: dict[str, Any]) -> dict[str, Any]:
    names = ["C1", "C2", "p"]
    names += ["q"] if "semirelaxed" not in name else []
    names += ["M", "alpha"] if "fused" in name else []
    return {key: given[key] for key in names}


NAMES = [
    "semirelaxed_gromov_wasserstein",
    "semirelaxed_fused_gromov_wasserstein",
    "gromov_wasserstein",
    "fused_gromov_wasserstein",
]


@pytest.mark.parametrize("loss_fun", ["square_loss", "kl_loss"])
@pytest.mark.parametrize("name", NAMES)
def test_values_and_gradients_are_those_of_pot(name: str, loss_fun: str) -> None:
    equal = 0
    for seed in range(5):
        theirs, ours = problem(seed), problem(seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected, log = getattr(gromov, name + "2")(
                **arguments_of(name, theirs), loss_fun=loss_fun, max_iter=100, log=True
            )
            found, our_log = getattr(srgw, name + "2")(
                **arguments_of(name, ours), loss_fun=loss_fun, max_iter=100, log=True
            )
        assert isinstance(our_log["T"], torch.Tensor)
        if not torch.allclose(our_log["T"], log["T"].detach(), atol=1e-7):
            continue
        equal += 1
        assert found.item() == pytest.approx(expected.item(), abs=1e-9)
        expected.backward()
        found.backward()
        for key, tensor in arguments_of(name, theirs).items():
            if tensor.grad is None:
                continue  # POT has no gradients in p of semi-relaxed problems
            mine, other = ours[key].grad, tensor.grad
            tolerance = 1e-6
            if key in "pq":  # POT has those of the plan before the last step
                mine, other, tolerance = mine - mine.mean(), other - other.mean(), 1e-2
            torch.testing.assert_close(mine, other.reshape(mine.shape), atol=tolerance, rtol=1e-5)
    assert equal >= 3


@pytest.mark.parametrize("name", NAMES)
def test_plans_are_tensors_without_gradients(name: str) -> None:
    given = arguments_of(name, problem(1))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        T = getattr(srgw, name)(**given)
        plain = getattr(srgw, name)(**{k: t.detach().numpy() for k, t in given.items()})
    assert isinstance(T, torch.Tensor) and not T.requires_grad and T.dtype == DOUBLE
    np.testing.assert_array_equal(T.numpy(), plain)


def test_gradients_in_weights_of_semirelaxed_problems() -> None:
    given = problem(5)
    logits = torch.zeros(7, dtype=DOUBLE, requires_grad=True)

    def value(logits: Any) -> Any:
        p = torch.softmax(logits, 0)
        return srgw.semirelaxed_gromov_wasserstein2(given["C1"].detach(), given["C2"].detach(), p)

    assert torch.autograd.gradcheck(value, (logits,), atol=1e-5)


def test_entropic_functions_take_tensors() -> None:
    given = problem(3)
    value = srgw.entropic_semirelaxed_gromov_wasserstein2(given["C1"], given["C2"], given["p"])
    value.backward()
    assert given["C1"].grad.shape == (7, 7)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        T = srgw.entropic_gromov_wasserstein(given["C1"], given["C2"], given["p"], given["q"])
    assert isinstance(T, torch.Tensor)


def test_sparse_tensors_and_single_precision() -> None:
    C = torch.block_diag(torch.ones(3, 3), torch.ones(2, 2))
    B = torch.tensor([[0.9, 0.1], [0.1, 0.8]])
    dense = C.clone().requires_grad_()
    expected = srgw.semirelaxed_gromov_wasserstein2(dense, B)
    assert expected.dtype == torch.float32
    expected.backward()
    for sparse in (C.to_sparse(), C.to_sparse_csr()):
        sparse.requires_grad_()
        found = srgw.semirelaxed_gromov_wasserstein2(sparse, B)
        found.backward()
        assert found.item() == pytest.approx(expected.item())
        torch.testing.assert_close(sparse.grad.to_dense(), dense.grad * (C != 0))


def test_second_derivatives_are_a_clear_error() -> None:
    given = problem(2)
    value = srgw.semirelaxed_gromov_wasserstein2(given["C1"], given["C2"])
    (slope,) = torch.autograd.grad(value, given["C2"], create_graph=True)
    with pytest.raises(NotImplementedError, match="second derivatives"):
        slope.sum().backward()


def test_arrays_of_two_libraries_are_refused() -> None:
    jnp = pytest.importorskip("jax.numpy")
    with pytest.raises(TypeError, match="PyTorch and of JAX"):
        srgw.semirelaxed_gromov_wasserstein(jnp.eye(3), torch.eye(2))


ALL_PAIRS = sorted(name.removesuffix("2") for name in srgw._HOMES if name.endswith("wasserstein2"))


@pytest.mark.parametrize("name", [name for name in ALL_PAIRS if "partial" not in name])
def test_all_values_are_differentiable(name: str) -> None:
    """In structures, costs and alpha, with the plan held fixed.

    POT differentiates entropic values through the steps of its solver instead.
    """
    given = arguments_of(name, problem(4))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        value, log = getattr(srgw, name + "2")(**given, log=True)
    value.backward()
    C1, C2, p = (given[key].detach() for key in ("C1", "C2", "p"))
    T, alpha = log["T"], given["alpha"].detach() if "fused" in name else 1.0
    q = T.sum(0)
    expected = {
        "C1": 2 * alpha * (C1 * torch.outer(p, p) - T @ C2 @ T.T),
        "C2": 2 * alpha * (C2 * torch.outer(q, q) - T.T @ C1 @ T),
    }
    if "fused" in name:
        expected["M"] = (1 - alpha) * T
        assert given["alpha"].grad.shape == ()
    for key, slope in expected.items():
        torch.testing.assert_close(given[key].grad, slope, atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("name", [name for name in ALL_PAIRS if "partial" in name])
def test_gradients_of_partial_problems_are_a_clear_error(name: str) -> None:
    given = arguments_of(name, problem(4))
    value = getattr(srgw, name + "2")(**given)
    with pytest.raises(NotImplementedError, match="gradients of partial problems"):
        value.backward()


def test_parts_of_the_objective_take_tensors() -> None:
    given = problem(6)
    p, q = given["p"].detach(), given["q"].detach()
    for loss_fun in ("square_loss", "kl_loss"):
        parts = srgw.init_matrix(given["C1"], given["C2"], p, q, loss_fun)
        theirs = gromov.init_matrix(given["C1"], given["C2"], p, q, loss_fun)
        for one, other in zip(parts, theirs, strict=True):
            torch.testing.assert_close(one, other)
        T = torch.outer(p, q)
        torch.testing.assert_close(srgw.gwloss(*parts, T), gromov.gwloss(*theirs, T))
        torch.testing.assert_close(srgw.gwggrad(*parts, T), gromov.gwggrad(*theirs, T))
        free = srgw.init_matrix_semirelaxed(given["C1"], given["C2"], p, loss_fun)
        for one, other in zip(
            free,
            gromov.init_matrix_semirelaxed(given["C1"], given["C2"], p, loss_fun),
            strict=True,
        ):
            torch.testing.assert_close(one, other)
