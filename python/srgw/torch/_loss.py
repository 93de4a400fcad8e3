"""The loss of graphs and templates, and its gradients."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import torch
from torch import Tensor

from .. import _arguments as arguments
from .. import _srgw
from .._semirelaxed import Method, exact_method, own_method
from ..exceptions import ConvergenceWarning
from ._inputs import (
    Graphs,
    Templates,
    Tensors,
    as_templates,
    as_tensor,
    distribution,
    graphs_from_edges,
    graphs_from_matrices,
    is_edge_index,
    is_sparse,
    join,
    join_costs,
    like_arguments,
    to_double,
    uniform_weights,
)


class _Settings(NamedTuple):
    kl: bool
    entropy: float
    method: Method
    start: str
    n_init: int
    run: arguments.Run
    found: list[Any]  # filled by the call with what it has matched


class _Match(torch.autograd.Function):
    """Objectives (G, K) of all graphs and templates."""

    @staticmethod
    def forward(ctx: Any, settings: _Settings, layout: Any, *inputs: Tensor | None) -> Tensor:
        edges, sizes, template_sizes = layout
        values, h, x, structures, y, q, alpha, cost = (_numpy(tensor) for tensor in inputs)
        matched = _srgw.match_templates(
            None if edges is None else (edges[0].numpy(), edges[1].numpy()),
            values,
            sizes.numpy(),
            h,
            x,
            structures,
            template_sizes.numpy(),
            y,
            q,
            alpha,
            cost,
            settings.kl,
            settings.entropy,
            settings.method,
            settings.start,
            settings.n_init,
            settings.run,
        )
        settings.found.append(matched)
        ctx.matched, ctx.run = matched, settings.run
        ctx.save_for_backward(*inputs)
        return torch.from_numpy(matched.values)

    @staticmethod
    def backward(ctx: Any, *factors: Any) -> Any:
        wanted = list(ctx.needs_input_grad[2:])
        found = _Gradients.apply(*factors, ctx.matched, wanted, ctx.run, *ctx.saved_tensors)
        return (None, None, *found)


class _Gradients(torch.autograd.Function):
    """The derivatives, as a function of its own, so that deriving them again is an error."""

    @staticmethod
    def forward(
        ctx: Any, factors: Tensor, matched: Any, wanted: Any, run: Any, *inputs: Any
    ) -> Any:
        found = matched.gradients(factors.contiguous().numpy(), wanted, run)
        return tuple(
            None if array is None else torch.from_numpy(array).reshape(tensor.shape)
            for array, tensor in zip(found, inputs, strict=True)
        )

    @staticmethod
    def backward(ctx: Any, *_: Any) -> Any:
        raise NotImplementedError(
            "second derivatives of srgw losses: the plan is held fixed in the first ones, so they "
            "would be wrong; differentiate once"
        )


def _numpy(tensor: Tensor | None) -> Any:
    return None if tensor is None else tensor.detach().numpy()


def _match(settings: _Settings, layout: Any, *inputs: Tensor | None) -> tuple[Tensor, Any]:
    values: Tensor = _Match.apply(settings, layout, *inputs)
    return values, settings.found[0]


def srgw_loss(
    C1: Tensors,
    C2: Tensors,
    p: Tensors | None = None,
    q: Tensors | None = None,
    *,
    x: Tensors | None = None,
    y: Tensors | None = None,
    M: Tensors | None = None,
    alpha: float | Tensor = 0.5,
    edge_weight: Tensor | None = None,
    batch: Tensor | None = None,
    batch_size: int | None = None,
    loss_fun: str = "square_loss",
    epsilon: float = 0.0,
    start: str = "auto",
    n_init: int = 1,
    max_iter: float = 1000,
    tol: float = 1e-9,
    random_state: Any = 0,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    return_plans: bool = False,
) -> Any:
    """Semi-relaxed Gromov-Wasserstein loss of graphs and templates, differentiable.

    Minimises ``alpha sum_ijkl L(C1_ij, C2_kl) T_ik T_jl + (1 - alpha) <M, T>`` over plans with row
    sums ``p``, and with column sums ``q`` where they are given (balanced Gromov-Wasserstein).
    Gradients hold the plan fixed, as the envelope theorem allows where it is unique.

    Parameters
    ----------
    C1 : tensor or list of tensors
        Structures of the graphs: an (n, n) tensor, dense or sparse (COO, CSR), a list of them, a
        (graphs, n, n) tensor, or an ``edge_index`` of shape (2, edges) and integer dtype with
        ``batch``, the graph of each node. The gradient of a sparse matrix has its stored entries.
    C2 : tensor or list of tensors
        Structures of the templates: (m, m), (templates, m, m), or a list of (m_k, m_k).
    p : tensor or list of tensors, optional
        Weights of the nodes, which sum to 1 in each graph; uniform by default.
    q : tensor or list of tensors, optional
        Weights of the nodes of the templates. Given, they are the column sums of the plans.
    x, y : tensor or list of tensors, optional
        Features of the nodes of graphs (nodes, d) and templates (m, d) or (templates, m, d);
        compared by squared Euclidean distances.
    M : tensor or list of tensors, optional
        Costs between nodes instead of features: (nodes, m) or (nodes, templates, m).
    alpha : float or tensor of shape () or (templates,)
        Weight of the structure in [0, 1], where there are features or costs.
    edge_weight : tensor, shape (edges,), optional
        With an ``edge_index``; ones by default. Weights of an edge that occurs twice are added up.
    batch : tensor, shape (nodes,), optional
        With an ``edge_index``: the graph of each node.
    batch_size : int, optional
        Number of graphs; the largest entry of ``batch`` plus one by default.
    loss_fun : {'square_loss', 'kl_loss'}
    epsilon : float
        Weight of the entropy ``sum_ik T_ik (log T_ik - 1)``, which is part of the value.
    start : str
        ``auto`` searches row by row where that serves, or races a few starts; other names are those
        of :func:`srgw.solve_all`.
    n_init : int
        Number of starts.
    max_iter, tol : float
        When to stop: at a relative gap of ``tol``; with ``q``, at a relative change of the value;
        with ``epsilon``, at that change of the plan.
    return_plans : bool
        Whether to return the plans as well.

    Returns
    -------
    loss : tensor, shape (graphs, templates)
        Without the axes that C1 and C2 do not have.
    plans : tensor, or lists of tensors by graph and template, if ``return_plans``

    Examples
    --------
    >>> import torch
    >>> from srgw.torch import srgw_loss
    >>> C1 = torch.block_diag(torch.ones(3, 3), torch.ones(2, 2))
    >>> C2 = torch.tensor([[0.9, 0.1], [0.1, 0.8]], requires_grad=True)
    >>> loss = srgw_loss(C1, C2)
    >>> loss.backward()
    >>> round(loss.item(), 4), C2.grad.shape
    (0.0148, torch.Size([2, 2]))
    """
    if isinstance(C1, Tensor) and is_edge_index(C1):
        found = next((len(a) for a in (x, p, M) if isinstance(a, Tensor)), None)
        graphs = graphs_from_edges(C1, edge_weight, batch, batch_size, found)
    elif batch is not None or edge_weight is not None:
        raise ValueError("batch and edge_weight go with an edge_index of shape (2, edges)")
    elif isinstance(C1, Tensor) and (is_sparse(C1) or C1.dim() == 2):
        graphs = graphs_from_matrices([C1], alone=True)
    else:
        graphs = graphs_from_matrices([as_tensor(C) for C in C1], alone=False)
    templates = as_templates(C2)
    nodes = int(graphs.sizes.sum())

    def rows(value: Tensors | None, width: int | None, name: str) -> Tensor | None:
        if value is None:
            return None
        joined = join(value, width, name)
        if len(joined) != nodes:
            raise ValueError(f"{name} has {len(joined)} rows, expected {nodes}, one for each node")
        return joined if graphs.order is None else joined[graphs.order]

    h = rows(p, None, "p")
    h = uniform_weights(graphs.sizes) if h is None else distribution(h, graphs.sizes, "p")
    features = rows(x, 0, "x")
    if (x is None) != (y is None):
        raise ValueError("only one of x and y is given, expected both or none")
    if x is not None and M is not None:
        raise ValueError("features and M are given, expected one of them")
    others = None if y is None else join(y, 0, "y")
    if features is not None and others is not None and features.shape[1] != others.shape[1]:
        raise ValueError(
            f"x and y have {features.shape[1]} and {others.shape[1]} columns, expected as many"
        )
    if others is not None and len(others) != int(templates.sizes.sum()):
        raise ValueError(
            f"y has {len(others)} rows, expected {int(templates.sizes.sum())}, one for each node "
            "of the templates"
        )
    cost = None
    if M is not None:
        cost = join_costs(M, nodes, templates.sizes)
        cost = cost if graphs.order is None else cost[graphs.order]
    hbar = None if q is None else distribution(join(q, None, "q"), templates.sizes, "q")
    count = len(templates.sizes)
    weight = to_double(as_tensor(alpha)).reshape(-1)
    if len(weight) not in (1, count):
        raise ValueError(f"alpha has {len(weight)} entries, expected 1 or {count}")
    settings = _Settings(
        arguments.is_kl(loss_fun),
        float(epsilon),
        _method(float(epsilon), max_iter, tol, balanced=q is not None),
        start.replace("_", "-"),
        arguments.positive_int(n_init, "n_init"),
        arguments.run(n_jobs, random_state, time_limit, None),
        [],
    )
    inputs = (graphs.values, h, features, templates.values, others, hbar, weight.expand(count))
    layout = (graphs.edges, graphs.sizes, templates.sizes)
    contiguous = [None if tensor is None else tensor.contiguous() for tensor in (*inputs, cost)]
    values, matched = _match(settings, layout, *contiguous)
    result = values.to(like_arguments(C1, C2, x, M))
    if matched.unconverged:
        warnings.warn(
            f"{matched.unconverged} of {values.numel()} solves stopped at max_iter; increase it, "
            "or tol",
            ConvergenceWarning,
            stacklevel=2,
        )
    shape = (() if graphs.alone else (len(graphs.sizes),)) + (() if templates.alone else (count,))
    result = result.reshape(shape)
    return (result, _plans(matched, graphs, templates, result)) if return_plans else result


def _method(epsilon: float, max_iter: float, tol: float, balanced: bool) -> Method:
    if epsilon == 0 and balanced:
        return exact_method(max_iter, tol, tol)
    return own_method(epsilon, max_iter, tol)


def _plans(matched: Any, graphs: Graphs, templates: Templates, like: Tensor) -> Any:
    plans = [
        [torch.from_numpy(matched.plan(g, k)).to(like) for k in range(len(templates.sizes))]
        for g in range(len(graphs.sizes))
    ]
    if templates.alone:
        of_graph: list[Any] = [row[0] for row in plans]
        return of_graph[0] if graphs.alone else of_graph
    return plans[0] if graphs.alone else plans
