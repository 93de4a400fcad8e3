"""Graphs and templates as tensors: their kinds, and what the library takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import torch
from torch import Tensor

Tensors: TypeAlias = Tensor | Sequence[Tensor]


class Graphs(NamedTuple):
    """The structures of all graphs: edges with values, or dense matrices one after the other."""

    edges: tuple[Tensor, Tensor] | None
    values: Tensor | None  # None: ones
    sizes: Tensor
    order: Tensor | None = None  # of the nodes as given, where they were not sorted by graph
    alone: bool = False  # one graph that was not given as a batch


class Templates(NamedTuple):
    values: Tensor  # of all matrices, one after the other
    sizes: Tensor
    alone: bool


def to_double(tensor: Tensor) -> Tensor:
    return tensor.to(device="cpu", dtype=torch.float64).contiguous()


def to_whole(tensor: Tensor) -> Tensor:
    return tensor.detach().to(device="cpu", dtype=torch.int64).contiguous()


def as_tensor(value: Any) -> Tensor:
    if isinstance(value, Tensor):
        return value
    if isinstance(value, float):  # not rounded to single precision
        return torch.tensor(value, dtype=torch.float64)
    return torch.as_tensor(value)


def is_sparse(tensor: Tensor) -> bool:
    return tensor.layout is not torch.strided


def is_edge_index(C1: Tensor) -> bool:
    return (
        not is_sparse(C1)
        and C1.dtype in (torch.int64, torch.int32)
        and C1.dim() == 2
        and C1.shape[0] == 2
    )


def check_square(tensor: Tensor, name: str) -> Tensor:
    if tensor.dim() != 2 or tensor.shape[0] != tensor.shape[1]:
        raise ValueError(f"{name} has shape {tuple(tensor.shape)}, expected a square matrix")
    return tensor


def sparse_edges(tensor: Tensor) -> tuple[Tensor, Tensor]:
    """Indices (2, E) and values of a COO or CSR matrix; both carry gradients back to it."""
    if tensor.layout is torch.sparse_csr:
        rows = torch.repeat_interleave(
            torch.arange(tensor.shape[0]), to_whole(tensor.crow_indices()).diff()
        )
        return torch.stack([rows, to_whole(tensor.col_indices())]), tensor.values()
    if tensor.layout is not torch.sparse_coo:
        raise ValueError(f"C1 has layout {tensor.layout}, expected strided, sparse COO or CSR")
    tensor = tensor.coalesce()
    return to_whole(tensor.indices()), tensor.values()


def graphs_from_matrices(matrices: list[Tensor], alone: bool) -> Graphs:
    for g, matrix in enumerate(matrices):
        check_square(matrix, "C1" if alone else f"C1[{g}]")
    sizes = torch.tensor([matrix.shape[0] for matrix in matrices], dtype=torch.int64)
    sparse = [is_sparse(matrix) for matrix in matrices]
    if not any(sparse):
        values = torch.cat([to_double(matrix).reshape(-1) for matrix in matrices])
        return Graphs(None, values, sizes, alone=alone)
    if not all(sparse):
        raise ValueError("C1 has dense and sparse matrices, expected one kind")
    edges, parts = [], []
    for matrix, first in zip(matrices, (sizes.cumsum(0) - sizes).tolist(), strict=True):
        indices, values = sparse_edges(matrix)
        edges.append(indices + first)
        parts.append(to_double(values))
    joined = torch.cat(edges, dim=1)
    return Graphs(
        (joined[0].contiguous(), joined[1].contiguous()), torch.cat(parts), sizes, None, alone
    )


def graphs_from_edges(
    edge_index: Tensor,
    edge_weight: Tensor | None,
    batch: Tensor | None,
    batch_size: int | None,
    nodes: int | None,
) -> Graphs:
    edges = to_whole(edge_index)
    if batch is None and nodes is None:
        nodes = int(edges.max()) + 1 if edges.numel() else 1
    order = None
    if batch is None:
        sizes = torch.tensor([nodes], dtype=torch.int64)
    else:
        batch = to_whole(batch)
        sizes = torch.bincount(batch, minlength=batch_size or 0)
        if batch.numel() and bool((batch.diff() < 0).any()):
            order = torch.argsort(batch, stable=True)
            place = torch.empty_like(order)
            place[order] = torch.arange(len(order))
            check_nodes(edges, len(order))
            edges = place[edges]
    values = None if edge_weight is None else to_double(edge_weight.reshape(-1))
    return Graphs(
        (edges[0].contiguous(), edges[1].contiguous()), values, sizes, order, batch is None
    )


def check_nodes(edges: Tensor, nodes: int) -> None:
    if edges.numel() and not (0 <= int(edges.min()) and int(edges.max()) < nodes):
        raise ValueError(
            f"edge_index has nodes from {int(edges.min())} to {int(edges.max())}, "
            f"expected numbers from 0 to {nodes - 1}"
        )


def as_templates(C2: Tensors) -> Templates:
    if isinstance(C2, Tensor) and C2.dim() == 2:
        matrices, alone = [C2], True
    else:
        matrices, alone = [as_tensor(matrix) for matrix in C2], False
    for k, matrix in enumerate(matrices):
        check_square(matrix, "C2" if alone else f"C2[{k}]")
    sizes = torch.tensor([matrix.shape[0] for matrix in matrices], dtype=torch.int64)
    if isinstance(C2, Tensor):
        return Templates(to_double(C2).reshape(-1), sizes, alone)
    return Templates(
        torch.cat([to_double(matrix).reshape(-1) for matrix in matrices]), sizes, alone
    )


def join(value: Tensors, width: int | None, name: str) -> Tensor:
    """Rows one after the other; (n,) where `width` is None, else (n, width or any)."""
    if not isinstance(value, Tensor):
        value = torch.cat([to_double(as_tensor(part)) for part in value])
    value = to_double(value)
    if width is None:
        return value.reshape(-1)
    if value.dim() < 2:
        raise ValueError(f"{name} has shape {tuple(value.shape)}, expected a row for each node")
    return value.reshape(-1, value.shape[-1])


def distribution(weights: Tensor, sizes: Tensor, name: str) -> Tensor:
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


def uniform_weights(sizes: Tensor) -> Tensor:
    return torch.repeat_interleave(1 / sizes.to(torch.float64), sizes)


def join_costs(M: Any, nodes: int, template_sizes: Tensor) -> Tensor:
    cost = M if isinstance(M, Tensor) else torch.cat([as_tensor(part) for part in M])
    cost = to_double(cost)
    columns = int(template_sizes.sum())
    if cost.dim() < 2 or cost.shape[0] != nodes or cost[0].numel() != columns:
        raise ValueError(
            f"M has shape {tuple(cost.shape)}, expected {nodes} rows with {columns} costs, one for "
            "each node of the templates"
        )
    return cost.reshape(nodes, columns)


def like_arguments(*given: Any) -> Tensor:
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
