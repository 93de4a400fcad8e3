"""Semi-relaxed Gromov-Wasserstein losses and a pooling layer for PyTorch.

Values are computed in double precision on the CPU, in parallel over graphs; tensors of another
dtype or device are converted, and results converted back.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

try:
    import torch
except ImportError as error:  # pragma: no cover
    raise ImportError("srgw.torch needs PyTorch: pip install torch") from error
from torch import Tensor, nn

from . import _arguments as arguments
from . import _srgw
from ._semirelaxed import Method, exact_method, own_method
from .exceptions import ConvergenceWarning

__all__ = ["SRGWPooling", "srgw_loss"]

Tensors: TypeAlias = Tensor | Sequence[Tensor]


class _Settings(NamedTuple):
    kl: bool
    entropy: float
    method: Method
    start: str
    n_init: int
    run: arguments.Run
    found: list[Any]  # filled by the call with what it has matched


class _Graphs(NamedTuple):
    """The structures of all graphs: edges with values, or dense matrices one after the other."""

    edges: tuple[Tensor, Tensor] | None
    values: Tensor | None  # None: ones
    sizes: Tensor
    order: Tensor | None = None  # of the nodes as given, where they were not sorted by graph
    alone: bool = False  # one graph that was not given as a batch


class _Templates(NamedTuple):
    values: Tensor  # of all matrices, one after the other
    sizes: Tensor
    alone: bool


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


def _double(tensor: Tensor) -> Tensor:
    return tensor.to(device="cpu", dtype=torch.float64).contiguous()


def _whole(tensor: Tensor) -> Tensor:
    return tensor.detach().to(device="cpu", dtype=torch.int64).contiguous()


def _as_tensor(value: Any) -> Tensor:
    if isinstance(value, Tensor):
        return value
    if isinstance(value, float):  # not rounded to single precision
        return torch.tensor(value, dtype=torch.float64)
    return torch.as_tensor(value)


def _is_sparse(tensor: Tensor) -> bool:
    return tensor.layout is not torch.strided


def _is_edge_index(C1: Tensor) -> bool:
    return (
        not _is_sparse(C1)
        and C1.dtype in (torch.int64, torch.int32)
        and C1.dim() == 2
        and C1.shape[0] == 2
    )


def _square(tensor: Tensor, name: str) -> Tensor:
    if tensor.dim() != 2 or tensor.shape[0] != tensor.shape[1]:
        raise ValueError(f"{name} has shape {tuple(tensor.shape)}, expected a square matrix")
    return tensor


def _sparse_edges(tensor: Tensor) -> tuple[Tensor, Tensor]:
    """Indices (2, E) and values of a COO or CSR matrix; both carry gradients back to it."""
    if tensor.layout is torch.sparse_csr:
        rows = torch.repeat_interleave(
            torch.arange(tensor.shape[0]), _whole(tensor.crow_indices()).diff()
        )
        return torch.stack([rows, _whole(tensor.col_indices())]), tensor.values()
    if tensor.layout is not torch.sparse_coo:
        raise ValueError(f"C1 has layout {tensor.layout}, expected strided, sparse COO or CSR")
    tensor = tensor.coalesce()
    return _whole(tensor.indices()), tensor.values()


def _from_matrices(matrices: list[Tensor], alone: bool) -> _Graphs:
    for g, matrix in enumerate(matrices):
        _square(matrix, "C1" if alone else f"C1[{g}]")
    sizes = torch.tensor([matrix.shape[0] for matrix in matrices], dtype=torch.int64)
    sparse = [_is_sparse(matrix) for matrix in matrices]
    if not any(sparse):
        values = torch.cat([_double(matrix).reshape(-1) for matrix in matrices])
        return _Graphs(None, values, sizes, alone=alone)
    if not all(sparse):
        raise ValueError("C1 has dense and sparse matrices, expected one kind")
    edges, parts = [], []
    for matrix, first in zip(matrices, (sizes.cumsum(0) - sizes).tolist(), strict=True):
        indices, values = _sparse_edges(matrix)
        edges.append(indices + first)
        parts.append(_double(values))
    joined = torch.cat(edges, dim=1)
    return _Graphs(
        (joined[0].contiguous(), joined[1].contiguous()), torch.cat(parts), sizes, None, alone
    )


def _from_edges(
    edge_index: Tensor,
    edge_weight: Tensor | None,
    batch: Tensor | None,
    batch_size: int | None,
    nodes: int | None,
) -> _Graphs:
    edges = _whole(edge_index)
    if batch is None and nodes is None:
        nodes = int(edges.max()) + 1 if edges.numel() else 1
    order = None
    if batch is None:
        sizes = torch.tensor([nodes], dtype=torch.int64)
    else:
        batch = _whole(batch)
        sizes = torch.bincount(batch, minlength=batch_size or 0)
        if batch.numel() and bool((batch.diff() < 0).any()):
            order = torch.argsort(batch, stable=True)
            place = torch.empty_like(order)
            place[order] = torch.arange(len(order))
            _check_nodes(edges, len(order))
            edges = place[edges]
    values = None if edge_weight is None else _double(edge_weight.reshape(-1))
    return _Graphs(
        (edges[0].contiguous(), edges[1].contiguous()), values, sizes, order, batch is None
    )


def _check_nodes(edges: Tensor, nodes: int) -> None:
    if edges.numel() and not (0 <= int(edges.min()) and int(edges.max()) < nodes):
        raise ValueError(
            f"edge_index has nodes from {int(edges.min())} to {int(edges.max())}, "
            f"expected numbers from 0 to {nodes - 1}"
        )


def _as_templates(C2: Tensors) -> _Templates:
    if isinstance(C2, Tensor) and C2.dim() == 2:
        matrices, alone = [C2], True
    else:
        matrices, alone = [_as_tensor(matrix) for matrix in C2], False
    for k, matrix in enumerate(matrices):
        _square(matrix, "C2" if alone else f"C2[{k}]")
    sizes = torch.tensor([matrix.shape[0] for matrix in matrices], dtype=torch.int64)
    if isinstance(C2, Tensor):
        return _Templates(_double(C2).reshape(-1), sizes, alone)
    return _Templates(torch.cat([_double(matrix).reshape(-1) for matrix in matrices]), sizes, alone)


def _joined(value: Tensors, width: int | None, name: str) -> Tensor:
    """Rows one after the other; (n,) where `width` is None, else (n, width or any)."""
    if not isinstance(value, Tensor):
        value = torch.cat([_double(_as_tensor(part)) for part in value])
    value = _double(value)
    if width is None:
        return value.reshape(-1)
    if value.dim() < 2:
        raise ValueError(f"{name} has shape {tuple(value.shape)}, expected a row for each node")
    return value.reshape(-1, value.shape[-1])


def _distribution(weights: Tensor, sizes: Tensor, name: str) -> Tensor:
    """Scaled to sum 1 in each graph, which single precision does only nearly."""
    if len(weights) != int(sizes.sum()):
        raise ValueError(
            f"{name} has {len(weights)} entries, expected {int(sizes.sum())}, one for each node"
        )
    owner = torch.repeat_interleave(torch.arange(len(sizes)), sizes)
    sums = weights.new_zeros(len(sizes)).index_add(0, owner, weights)
    wrong = ((sums.detach() - 1).abs() > 1e-5) | ~torch.isfinite(sums.detach())
    if bool(wrong.any()):
        worst = int(wrong.nonzero()[0])
        of = f" of {worst}" if len(sizes) > 1 else ""
        raise ValueError(f"{name}{of} sums to {float(sums[worst])}, expected 1")
    if bool((weights.detach() < 0).any()):
        raise ValueError(f"{name} has the entry {float(weights.min())}, expected numbers >= 0")
    return weights / sums[owner]


def _uniform(sizes: Tensor) -> Tensor:
    return torch.repeat_interleave(1 / sizes.to(torch.float64), sizes)


def _cost(M: Any, nodes: int, template_sizes: Tensor) -> Tensor:
    cost = M if isinstance(M, Tensor) else torch.cat([_as_tensor(part) for part in M])
    cost = _double(cost)
    columns = int(template_sizes.sum())
    if cost.dim() < 2 or cost.shape[0] != nodes or cost[0].numel() != columns:
        raise ValueError(
            f"M has shape {tuple(cost.shape)}, expected {nodes} rows with {columns} costs, one for "
            "each node of the templates"
        )
    return cost.reshape(nodes, columns)


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
        (graphs, n, n) tensor, or an ``edge_index`` of shape (2, edges) and integer dtype, whose
        graphs are told by ``batch``. The gradient of a sparse matrix has its stored entries.
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
    >>> C1 = torch.block_diag(torch.ones(3, 3), torch.ones(2, 2))
    >>> C2 = torch.tensor([[0.9, 0.1], [0.1, 0.8]], requires_grad=True)
    >>> loss = srgw_loss(C1, C2)
    >>> loss.backward()
    >>> round(loss.item(), 4), C2.grad.shape
    (0.0148, torch.Size([2, 2]))
    """
    if isinstance(C1, Tensor) and _is_edge_index(C1):
        found = next((len(a) for a in (x, p, M) if isinstance(a, Tensor)), None)
        graphs = _from_edges(C1, edge_weight, batch, batch_size, found)
    elif batch is not None or edge_weight is not None:
        raise ValueError("batch and edge_weight go with an edge_index of shape (2, edges)")
    elif isinstance(C1, Tensor) and (_is_sparse(C1) or C1.dim() == 2):
        graphs = _from_matrices([C1], alone=True)
    else:
        graphs = _from_matrices([_as_tensor(C) for C in C1], alone=False)
    templates = _as_templates(C2)
    nodes = int(graphs.sizes.sum())

    def rows(value: Tensors | None, width: int | None, name: str) -> Tensor | None:
        if value is None:
            return None
        joined = _joined(value, width, name)
        if len(joined) != nodes:
            raise ValueError(f"{name} has {len(joined)} rows, expected {nodes}, one for each node")
        return joined if graphs.order is None else joined[graphs.order]

    h = rows(p, None, "p")
    h = _uniform(graphs.sizes) if h is None else _distribution(h, graphs.sizes, "p")
    features = rows(x, 0, "x")
    if (x is None) != (y is None):
        raise ValueError("only one of x and y is given, expected both or none")
    if x is not None and M is not None:
        raise ValueError("features and M are given, expected one of them")
    others = None if y is None else _joined(y, 0, "y")
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
        cost = _cost(M, nodes, templates.sizes)
        cost = cost if graphs.order is None else cost[graphs.order]
    hbar = None if q is None else _distribution(_joined(q, None, "q"), templates.sizes, "q")
    count = len(templates.sizes)
    weight = _double(_as_tensor(alpha)).reshape(-1)
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
    result = values.to(_like(C1, C2, x, M))
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


def _like(*given: Any) -> Tensor:
    """An empty tensor with the device and the dtype of the result: those of the arguments."""
    tensors = [
        part
        for value in given
        if value is not None
        for part in ([value] if isinstance(value, Tensor) else value)
        if isinstance(part, Tensor)
    ]
    floating = [tensor for tensor in tensors if tensor.is_floating_point()]
    dtype = torch.get_default_dtype()
    if floating:
        dtype = floating[0].dtype
        for tensor in floating[1:]:
            dtype = torch.promote_types(dtype, tensor.dtype)
    device = next((t.device for t in tensors if t.device.type != "cpu"), torch.device("cpu"))
    return torch.empty(0, dtype=dtype, device=device)


def _plans(matched: Any, graphs: _Graphs, templates: _Templates, like: Tensor) -> Any:
    plans = [
        [torch.from_numpy(matched.plan(g, k)).to(like) for k in range(len(templates.sizes))]
        for g in range(len(graphs.sizes))
    ]
    if templates.alone:
        of_graph: list[Any] = [row[0] for row in plans]
        return of_graph[0] if graphs.alone else of_graph
    return plans[0] if graphs.alone else plans


class SRGWPooling(nn.Module):
    """Distances of graphs to learned templates: a pooling layer for graph neural networks.

    The constructor, the parameters and the call are those of ``ot.gnn.TFGWPooling``, which loops
    over graphs and templates; this layer solves all of them in one parallel call. By default the
    weights of template nodes are free (semi-relaxed); with ``balanced`` they are parameters, as in
    POT.

    Parameters
    ----------
    n_features : int
        Number of node features.
    n_tplt : int
        Number of templates.
    n_tplt_nodes : int
        Number of nodes of each template.
    alpha : float, optional
        Weight of the structure; None learns it.
    train_node_weights : bool
        Only with ``balanced``: whether to learn the weights of template nodes.
    multi_alpha : bool
        Whether each template has an ``alpha`` of its own.
    feature_init_mean, feature_init_std : float
        Of the normal distribution that features of templates are drawn from.
    balanced : bool
        Whether templates have weights (fused Gromov-Wasserstein).
    **options
        Of :func:`srgw_loss`: ``epsilon``, ``start``, ``n_init``, ``max_iter``, ``tol``, ``n_jobs``,
        ``loss_fun``, ``random_state``.

    Examples
    --------
    >>> import torch
    >>> layer = SRGWPooling(n_features=3, n_tplt=4, n_tplt_nodes=5)
    >>> edge_index = torch.tensor([[0, 1, 1, 2, 3, 4], [1, 0, 2, 1, 4, 3]])
    >>> batch = torch.tensor([0, 0, 0, 1, 1])
    >>> layer(torch.randn(5, 3), edge_index, batch).shape
    torch.Size([2, 4])
    """

    alpha0: Tensor
    q0: Tensor

    def __init__(
        self,
        n_features: int,
        n_tplt: int = 2,
        n_tplt_nodes: int = 2,
        alpha: float | None = None,
        train_node_weights: bool = True,
        multi_alpha: bool = False,
        feature_init_mean: float = 0.0,
        feature_init_std: float = 1.0,
        *,
        balanced: bool = False,
        **options: Any,
    ) -> None:
        super().__init__()
        self.n_features = n_features
        self.n_tplt, self.n_tplt_nodes = n_tplt, n_tplt_nodes
        self.multi_alpha, self.balanced = multi_alpha, balanced
        self.feature_init_mean, self.feature_init_std = feature_init_mean, feature_init_std
        self.options = options
        structures = torch.rand(n_tplt, n_tplt_nodes, n_tplt_nodes)
        features = torch.empty(n_tplt, n_tplt_nodes, n_features)
        nn.init.normal_(features, mean=feature_init_mean, std=feature_init_std)
        self.tplt_adjacencies = nn.Parameter(0.5 * (structures + structures.transpose(1, 2)))
        self.tplt_features = nn.Parameter(features)
        if balanced:
            self._hold("q0", torch.zeros(n_tplt, n_tplt_nodes), train_node_weights)
        count = n_tplt if multi_alpha else 1
        if alpha is None:
            self._hold("alpha0", torch.zeros(count), True)
        else:
            self._hold("alpha0", torch.logit(torch.full((count,), float(alpha))), False)

    def _hold(self, name: str, value: Tensor, trained: bool) -> None:
        if trained:
            self.register_parameter(name, nn.Parameter(value))
        else:
            self.register_buffer(name, value, persistent=False)

    def forward(
        self,
        x: Tensor,
        edge_index: Tensor,
        batch: Tensor | None = None,
        edge_weight: Tensor | None = None,
        batch_size: int | None = None,
    ) -> Tensor:
        """Distances of each graph to each template, (graphs, templates); (templates,) of one graph.

        Parameters
        ----------
        x : tensor, shape (nodes, n_features)
        edge_index : tensor, shape (2, edges)
        batch : tensor, shape (nodes,), optional
            The graph of each node; without it there is one graph.
        edge_weight : tensor, shape (edges,), optional
        batch_size : int, optional
            Number of graphs.
        """
        loss: Tensor = srgw_loss(
            edge_index,
            self.tplt_adjacencies,
            q=torch.softmax(self.q0, dim=1) if self.balanced else None,
            x=x,
            y=self.tplt_features,
            alpha=torch.sigmoid(self.alpha0),
            edge_weight=edge_weight,
            batch=batch,
            batch_size=batch_size,
            **self.options,
        )
        return loss

    def extra_repr(self) -> str:
        """For print."""
        return (
            f"n_features={self.n_features}, n_tplt={self.n_tplt}, "
            f"n_tplt_nodes={self.n_tplt_nodes}, balanced={self.balanced}"
        )
