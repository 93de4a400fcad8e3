"""Losses and layers for PyTorch: values, gradients, and where they run."""

import doctest
import pathlib
import re
import warnings
from typing import Any

import numpy as np
import pytest
import srgw

torch = pytest.importorskip("torch")

import srgw.torch  # noqa: E402
from srgw.torch import SRGWPooling, srgw_loss  # noqa: E402

DOUBLE = torch.float64


def random_graph(generator: np.random.Generator, n: int, density: float = 0.4) -> np.ndarray:
    upper = np.triu(generator.random((n, n)) < density, 1)
    upper[np.arange(n - 1), np.arange(1, n)] = True
    return (upper | upper.T).astype(float)


def symmetric(generator: np.random.Generator, m: int) -> np.ndarray:
    B = generator.random((m, m))
    return (B + B.T) / 2


def tensors(*arrays: Any) -> list[Any]:
    return [torch.tensor(array, dtype=DOUBLE, requires_grad=True) for array in arrays]


def edges_of(C: Any) -> Any:
    return torch.tensor(np.array(np.nonzero(C)))


def batch_of(graphs: list[np.ndarray]) -> tuple[Any, Any]:
    sizes = [len(C) for C in graphs]
    firsts = np.cumsum([0, *sizes])
    edges = torch.cat([edges_of(C) + int(f) for C, f in zip(graphs, firsts, strict=False)], dim=1)
    return edges, torch.repeat_interleave(torch.arange(len(graphs)), torch.tensor(sizes))


def value_of(C: Any, B: Any, T: Any, M: Any = None, alpha: float = 1.0, kl: bool = False) -> float:
    """The four-fold sum."""
    a, b = C[:, :, None, None], B[None, None]
    loss = a * np.log((a + 1e-18) / (b + 1e-18)) - a + b if kl else (a - b) ** 2
    quad = np.einsum("ijkl,ik,jl->", loss, T, T)
    return alpha * quad + (0 if M is None else (1 - alpha) * (M * T).sum())


def test_examples_in_docstrings() -> None:
    assert doctest.testmod(srgw.torch).failed == 0


def test_examples_of_the_page_run() -> None:
    page = pathlib.Path(__file__).resolve().parents[2] / "docs" / "torch.md"
    names: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
        exec(block, names)
    assert names["C2"].grad is not None and names["distances"].shape == (2, 4)


@pytest.mark.parametrize("kl", [False, True])
@pytest.mark.parametrize("balanced", [False, True])
@pytest.mark.parametrize("fused", [False, True])
def test_values_are_the_objective_at_the_plans(kl: bool, balanced: bool, fused: bool) -> None:
    generator = np.random.default_rng(1)
    C, B = random_graph(generator, 7), symmetric(generator, 3) + 0.1
    x, y = generator.random((7, 2)), generator.random((3, 2))
    q = generator.dirichlet(np.ones(3)) if balanced else None
    loss, T = srgw_loss(
        *tensors(C, B),
        q=None if q is None else torch.tensor(q),
        x=torch.tensor(x) if fused else None,
        y=torch.tensor(y) if fused else None,
        alpha=0.3,
        loss_fun="kl_loss" if kl else "square_loss",
        return_plans=True,
    )
    M = ((x[:, None] - y) ** 2).sum(-1) if fused else None
    expected = value_of(C, B, T.numpy(), M, 0.3 if fused else 1.0, kl)
    assert loss.item() == pytest.approx(expected, abs=1e-9)
    np.testing.assert_allclose(T.sum(1), np.full(7, 1 / 7), atol=1e-9)
    if q is not None:
        np.testing.assert_allclose(T.sum(0), q, atol=1e-8)


CASES = {
    "semirelaxed": {},
    "fused": {"fused": True},
    "kl": {"loss_fun": "kl_loss", "fused": True},
    "entropic": {"epsilon": 0.5, "fused": True, "tol": 1e-13, "max_iter": 20000},
    "balanced": {"balanced": True, "fused": True},
    "entropic balanced": {
        "epsilon": 0.5,
        "fused": True,
        "balanced": True,
        "tol": 1e-13,
        "max_iter": 20000,
    },
    "asymmetric": {"fused": True, "asymmetric": True},
}


@pytest.mark.parametrize("name", CASES)
def test_gradcheck(name: str) -> None:
    case = dict(CASES[name])
    generator = np.random.default_rng(3)
    n, m = 6, 3
    C, B = symmetric(generator, n) + 0.1, symmetric(generator, m) + 0.1
    if case.pop("asymmetric", False):
        C, B = generator.random((n, n)), generator.random((m, m))
    fused, balanced = case.pop("fused", False), case.pop("balanced", False)
    x, y = generator.random((n, 2)), generator.random((m, 2))
    p, q = generator.dirichlet(np.full(n, 5.0)), generator.dirichlet(np.full(m, 5.0))
    inputs = tensors(C, B, p, *([q] if balanced else []), *([x, y, 0.4] if fused else []))

    def loss(*given: Any) -> Any:
        C, B, p, *rest = given
        options = dict(case)
        if balanced:
            options["q"], *rest = rest
        if fused:
            options.update(x=rest[0], y=rest[1], alpha=rest[2])
        return srgw_loss(C, B, p, **options)

    assert torch.autograd.gradcheck(loss, inputs, eps=1e-6, atol=1e-5, rtol=1e-4)


def test_gradcheck_of_costs_given_as_a_matrix_for_each_template() -> None:
    generator = np.random.default_rng(5)
    C1, C2, M = tensors(
        symmetric(generator, 5), np.stack([symmetric(generator, 3) for _ in range(2)]),
        generator.random((5, 2, 3)),
    )  # fmt: skip
    alpha = torch.tensor([0.3, 0.7], dtype=DOUBLE, requires_grad=True)
    assert torch.autograd.gradcheck(
        lambda *a: srgw_loss(a[0], a[1], M=a[2], alpha=a[3]), (C1, C2, M, alpha), atol=1e-5
    )


def test_finite_differences_of_values_solved_again() -> None:
    """200 problems whose plan is the only optimum nearby; all inputs are moved at a time."""
    generator, accepted, tried = np.random.default_rng(7), 0, 0
    step = 1e-6
    while accepted < 200:
        tried += 1
        n, m = int(generator.integers(5, 15)), int(generator.integers(2, 6))
        arrays = [
            random_graph(generator, n) * symmetric(generator, n),
            symmetric(generator, m),
            generator.random((n, 3)),
            generator.random((m, 3)),
        ]
        ways = [generator.standard_normal(a.shape) for a in arrays]
        ways[0], ways[1] = (ways[0] + ways[0].T) * (arrays[0] > 0), ways[1] + ways[1].T
        alpha, way = generator.uniform(0.2, 0.8), generator.standard_normal()

        def solved(
            shift: float,
            arrays: Any = arrays,
            ways: Any = ways,
            alpha: float = alpha,
            way: float = way,
        ) -> Any:
            C, B, x, y = tensors(*(a + shift * w for a, w in zip(arrays, ways, strict=True)))
            weight = torch.tensor(alpha + shift * way, dtype=DOUBLE, requires_grad=True)
            loss, T = srgw_loss(C, B, x=x, y=y, alpha=weight, return_plans=True)
            return loss, T, [C, B, x, y, weight]

        (up, T_up, _), (down, T_down, _) = solved(step), solved(-step)
        if (T_up - T_down).abs().max() > 1e-3:
            continue  # two plans with nearly the same value: the derivative jumps here
        accepted += 1
        loss, _, inputs = solved(0)
        loss.backward()
        ours = sum(
            float((t.grad * torch.as_tensor(w)).sum())
            for t, w in zip(inputs, [*ways, way], strict=True)
        )
        assert ours == pytest.approx((up - down).item() / (2 * step), abs=1e-5)
    assert tried < 220


@pytest.mark.parametrize("layout", ["coo", "csr", "edges"])
def test_sparse_structures_have_the_gradients_of_dense_ones(layout: str) -> None:
    generator = np.random.default_rng(11)
    C = random_graph(generator, 12) * symmetric(generator, 12)
    B = symmetric(generator, 4)
    dense, target = tensors(C, B)
    expected = srgw_loss(dense, target)
    expected.backward()
    (other,) = tensors(B)
    if layout == "edges":
        edge_index = edges_of(C)
        weight = dense.detach()[edge_index[0], edge_index[1]].requires_grad_()
        loss = srgw_loss(edge_index, other, edge_weight=weight)
        loss.backward()
        found = torch.zeros(12, 12, dtype=DOUBLE)
        found[edge_index[0], edge_index[1]] = weight.grad
    else:
        leaf = dense.detach().to_sparse() if layout == "coo" else dense.detach().to_sparse_csr()
        leaf.requires_grad_()
        loss = srgw_loss(leaf, other)
        loss.backward()
        found = leaf.grad.to_dense()
    assert loss.item() == pytest.approx(expected.item(), abs=1e-12)
    torch.testing.assert_close(found, dense.grad * (dense.detach() != 0), atol=1e-12, rtol=0)
    torch.testing.assert_close(other.grad, target.grad, atol=1e-12, rtol=0)


def test_edges_that_occur_twice_and_weights_of_zero() -> None:
    B = torch.tensor([[1.0, 0.2], [0.2, 0.7]], dtype=DOUBLE)
    edges = torch.tensor([[0, 0, 1, 1, 2, 1, 0, 2], [1, 1, 0, 0, 1, 2, 2, 0]])
    weight = torch.tensor([0.5, 0.3, 0.6, 0.2, 1.0, 1.0, 0.0, 0.0], dtype=DOUBLE).requires_grad_()
    C = torch.zeros(3, 3, dtype=DOUBLE).index_put(tuple(edges), weight.detach(), accumulate=True)
    C.requires_grad_()
    loss, expected = srgw_loss(edges, B, edge_weight=weight), srgw_loss(C, B)
    loss.backward()
    expected.backward()
    assert loss.item() == pytest.approx(expected.item())
    torch.testing.assert_close(weight.grad, C.grad[edges[0], edges[1]])


def test_a_batch_is_its_graphs_one_by_one_in_any_order_of_nodes() -> None:
    generator = np.random.default_rng(13)
    graphs = [random_graph(generator, int(n)) for n in generator.integers(2, 12, 9)]
    edges, batch = batch_of(graphs)
    x = torch.tensor(generator.random((len(batch), 3)), requires_grad=True)
    templates = [torch.tensor(symmetric(generator, m), requires_grad=True) for m in (2, 5, 3)]
    y = [torch.tensor(generator.random((m, 3)), requires_grad=True) for m in (2, 5, 3)]
    alpha = torch.tensor([0.2, 0.5, 0.9], dtype=DOUBLE, requires_grad=True)
    factors = torch.tensor(generator.random((9, 3)))
    inputs = [x, *templates, *y, alpha]
    loss = srgw_loss(edges, templates, x=x, y=y, alpha=alpha, batch=batch)
    assert loss.shape == (9, 3)
    together = torch.autograd.grad((loss * factors).sum(), inputs)

    values = [
        [
            srgw_loss(
                torch.tensor(C), templates[k], x=x[batch == g], y=y[k], alpha=alpha[k]
            )
            for k in range(3)
        ]
        for g, C in enumerate(graphs)
    ]  # fmt: skip
    alone = torch.stack([torch.stack(row) for row in values])
    torch.testing.assert_close(loss, alone, atol=1e-12, rtol=1e-9)
    for one, other in zip(
        together, torch.autograd.grad((alone * factors).sum(), inputs), strict=True
    ):
        torch.testing.assert_close(one, other, atol=1e-10, rtol=1e-7)

    # Nodes of graphs mixed up. Ties between nodes that look the same are broken by their order, so
    # the order in each graph is kept.
    order = torch.tensor(np.lexsort((np.arange(len(batch)), generator.permutation(len(batch)))))
    keep = torch.argsort(batch[order], stable=True)
    order = order.clone()
    order[keep] = torch.arange(len(batch))
    place = torch.empty_like(order)
    place[order] = torch.arange(len(order))
    mixed = srgw_loss(
        place[edges], templates, x=x[order], y=y, alpha=alpha, batch=batch[order], batch_size=9
    )
    torch.testing.assert_close(mixed, loss, atol=1e-12, rtol=1e-9)
    for one, other in zip(
        torch.autograd.grad((mixed * factors).sum(), inputs), together, strict=True
    ):
        torch.testing.assert_close(one, other, atol=1e-10, rtol=1e-7)


def test_results_do_not_depend_on_threads() -> None:
    generator = np.random.default_rng(17)
    graphs = [random_graph(generator, int(n)) for n in generator.integers(3, 20, 150)]
    edges, batch = batch_of(graphs)
    x = torch.tensor(generator.random((len(batch), 3)))

    def run(n_jobs: int) -> list[Any]:
        torch.manual_seed(0)
        layer = SRGWPooling(3, 4, 5, n_jobs=n_jobs).double()
        loss = layer(x, edges, batch)
        loss.sum().backward()
        return [loss.detach(), *(p.grad for p in layer.parameters())]

    for one, other in zip(run(1), run(3), strict=True):
        assert torch.equal(one, other)


def test_single_precision_in_and_out() -> None:
    layer = SRGWPooling(2, 3, 4)
    edges = torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]])
    x = torch.randn(3, 2, requires_grad=True)
    loss = layer(x, edges)
    assert loss.dtype == torch.float32 and loss.shape == (3,)
    loss.sum().backward()
    assert x.grad is not None and x.grad.dtype == torch.float32
    assert all(p.grad is not None and p.grad.dtype == torch.float32 for p in layer.parameters())


def test_double_backward_is_a_clear_error() -> None:
    C, B = tensors(np.eye(3), np.eye(2) * 0.9)
    loss = srgw_loss(C, B)
    (slope,) = torch.autograd.grad(loss, B, create_graph=True)
    with pytest.raises(NotImplementedError, match="second derivatives"):
        slope.sum().backward()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"C2": torch.zeros(2, 3)}, r"C2 has shape \(2, 3\), expected a square matrix"),
        ({"p": torch.ones(3)}, "p sums to 3.0, expected 1"),
        ({"p": torch.tensor([1.5, -0.5, 0.0])}, "p has the entry -0.5"),
        ({"q": torch.ones(3) / 3}, "q has 3 entries, expected 2"),
        ({"x": torch.ones(3, 2)}, "only one of x and y is given"),
        ({"x": torch.ones(4, 2), "y": torch.ones(2, 2)}, "x has 4 rows, expected 3"),
        ({"x": torch.ones(3, 2), "y": torch.ones(2, 1)}, "x and y have 2 and 1 columns"),
        ({"M": torch.ones(3, 3)}, r"M has shape \(3, 3\), expected 3 rows with 2 costs"),
        ({"alpha": torch.ones(2)}, "alpha has 2 entries, expected 1"),
        ({"batch": torch.zeros(3)}, "batch and edge_weight go with an edge_index"),
        ({"start": "nowhere"}, "nowhere"),
        ({"C1": torch.full((3, 3), float("nan"))}, "finite"),
        ({"C2": torch.full((2, 2), float("nan"))}, "template 0 has a number that is not finite"),
        ({"C1": torch.tensor([[0, 5], [1, 0]]), "x": torch.ones(3, 1), "y": torch.ones(2, 1)},
         "edge 1 has the node 5|node 5"),
    ],
)  # fmt: skip
def test_errors_name_the_argument_and_what_was_expected(
    change: dict[str, Any], message: str
) -> None:
    given = {"C1": torch.eye(3), "C2": torch.eye(2), **change}
    with pytest.raises(ValueError, match=message):
        srgw_loss(given.pop("C1"), given.pop("C2"), **given)


def test_edges_between_graphs_are_refused() -> None:
    with pytest.raises(ValueError, match=r"edge 0 \(0, 2\) joins graphs 0 and 1"):
        srgw_loss(torch.tensor([[0], [2]]), torch.eye(2), batch=torch.tensor([0, 0, 1]))
    with pytest.raises(ValueError, match="graph 1 has 0 nodes"):
        srgw_loss(torch.tensor([[0], [1]]), torch.eye(2), batch=torch.tensor([0, 0, 2]))


def test_numbers_of_any_scale_have_finite_values_and_gradients() -> None:
    generator = np.random.default_rng(19)
    C, B = random_graph(generator, 8), symmetric(generator, 3)
    for scale in (1e-140, 1e-60, 1e60, 1e140):
        c, b = tensors(C * scale, B * scale)
        loss = srgw_loss(c, b)
        loss.backward()
        ref_c, ref_b = tensors(C, B)
        expected = srgw_loss(ref_c, ref_b)
        assert loss.item() == pytest.approx(expected.item() * scale**2, rel=1e-6)
        assert torch.isfinite(c.grad).all() and torch.isfinite(b.grad).all()


def test_pooling_has_the_parameters_of_pot() -> None:
    gnn = pytest.importorskip("ot.gnn")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = gnn.TFGWPooling(3, 4, 5)
    ours = SRGWPooling(3, 4, 5, balanced=True)
    ours.load_state_dict(theirs.state_dict())
    assert {n: p.shape for n, p in ours.named_parameters()} == {
        n: p.shape for n, p in theirs.named_parameters()
    }


def test_balanced_pooling_is_that_of_pot_with_its_gradients() -> None:
    """Equal wherever both end at the same plan, which is nearly everywhere."""
    pytest.importorskip("torch_geometric")
    gnn = pytest.importorskip("ot.gnn")
    generator = np.random.default_rng(23)
    graphs = [random_graph(generator, int(n)) for n in generator.integers(4, 12, 12)]
    edges, batch = batch_of(graphs)
    x = torch.tensor(generator.random((len(batch), 3)), dtype=torch.float32)
    torch.manual_seed(0)
    theirs = gnn.TFGWPooling(3, 3, 4)
    ours = SRGWPooling(3, 3, 4, balanced=True, max_iter=50)
    ours.load_state_dict(theirs.state_dict())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected, found = theirs(x, edges, batch), ours(x, edges, batch)
    # POT computes in single precision, which may stop a step earlier or later.
    same = (expected - found).abs() < 1e-5
    assert same.float().mean() > 0.9
    (expected * same).sum().backward()
    (found * same).sum().backward()
    for name, parameter in ours.named_parameters():
        if name == "q0":
            continue  # dual potentials of a degenerate transport: not unique
        other = dict(theirs.named_parameters())[name]
        torch.testing.assert_close(parameter.grad, other.grad, atol=2e-3, rtol=1e-2)


def test_balanced_gradients_are_those_of_pot_where_plans_are_equal() -> None:
    gromov = pytest.importorskip("ot.gromov")
    generator, equal = np.random.default_rng(31), 0
    for _ in range(40):
        n, m = (int(k) for k in generator.integers(4, 10, 2))
        arrays = [symmetric(generator, n), symmetric(generator, m), generator.random((n, m))]
        weights = [generator.dirichlet(np.full(k, 4.0)) for k in (n, m)]
        theirs, ours = (tensors(*arrays, *weights, 0.6) for _ in range(2))
        C1, C2, M, p, q, alpha = theirs
        expected, log = gromov.fused_gromov_wasserstein2(
            M, C1, C2, p, q, alpha=alpha, symmetric=True, log=True
        )
        C1, C2, M, p, q, alpha = ours
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found, T = srgw_loss(C1, C2, p, q, M=M, alpha=alpha, max_iter=10000, return_plans=True)
        if not torch.allclose(T, log["T"], atol=1e-8):
            continue
        equal += 1
        expected.backward()
        found.backward()
        for one, other in zip(ours[:3], theirs[:3], strict=True):
            torch.testing.assert_close(one.grad, other.grad, atol=1e-7, rtol=1e-6)
        torch.testing.assert_close(ours[5].grad, theirs[5].grad, atol=1e-7, rtol=1e-6)
        for one, other, h in zip(ours[3:5], theirs[3:5], weights, strict=True):
            # Along the simplex: constants have no meaning.
            along = torch.eye(len(h), dtype=DOUBLE) - 1 / len(h)
            torch.testing.assert_close(along @ one.grad, along @ other.grad, atol=1e-3, rtol=1e-2)
    assert equal >= 30


def test_a_dictionary_trained_by_adam_reaches_the_loss_of_ours() -> None:
    generator = np.random.default_rng(29)
    graphs = []
    for _ in range(40):
        labels = generator.integers(0, 3, int(generator.integers(12, 25)))
        rate = np.where(labels[:, None] == labels, 0.9, 0.05)
        upper = np.triu(generator.random(rate.shape) < rate, 1)
        graphs.append((upper | upper.T).astype(float))
    model = srgw.SRGWDictionary(3, random_state=0).fit(graphs)
    edges, batch = batch_of(graphs)
    torch.manual_seed(1)
    atom = torch.rand(3, 3, dtype=DOUBLE)
    atom = ((atom + atom.T) / 2).requires_grad_()
    steps = torch.optim.Adam([atom], lr=0.02)
    for _ in range(150):
        steps.zero_grad()
        loss = srgw_loss(edges, atom, batch=batch, batch_size=40).mean()
        loss.backward()
        steps.step()
    ours = srgw_loss(edges, torch.tensor(model.structure_), batch=batch).mean()
    assert loss.item() <= 1.02 * ours.item()


class Pooled(torch.utils.data.Dataset):  # type: ignore[misc]
    """Losses that are computed in workers."""

    def __len__(self) -> int:
        return 8

    def __getitem__(self, number: int) -> Any:
        C = torch.tensor(random_graph(np.random.default_rng(number), 12))
        return srgw_loss(C, torch.eye(3, dtype=DOUBLE) * 0.8).detach()


@pytest.mark.parametrize("context", ["fork", "spawn"])
def test_workers_of_data_loaders(context: str) -> None:
    data = Pooled()
    expected = torch.stack([data[i] for i in range(8)])  # with threads, before the fork
    loader = torch.utils.data.DataLoader(
        data, batch_size=4, num_workers=2, multiprocessing_context=context, timeout=120
    )
    torch.testing.assert_close(torch.cat(list(loader)), expected)


def test_compiled_networks_give_the_same() -> None:
    torch.manual_seed(0)
    pool, linear = SRGWPooling(3, 4, 5), torch.nn.Linear(4, 2)
    edges, batch = (
        torch.tensor([[0, 1, 1, 2, 3, 4], [1, 0, 2, 1, 4, 3]]),
        torch.tensor([0, 0, 0, 1, 1]),
    )
    x = torch.randn(5, 3)

    def network(x: Any) -> Any:
        return linear(pool(torch.relu(x), edges, batch))

    expected = network(x)
    expected.sum().backward()
    slopes = [p.grad.clone() for p in pool.parameters()]
    pool.zero_grad()
    found = torch.compile(network, backend="eager")(x)
    found.sum().backward()
    torch.testing.assert_close(found, expected)
    for parameter, slope in zip(pool.parameters(), slopes, strict=True):
        torch.testing.assert_close(parameter.grad, slope)
