"""Results of POT's functions as tensors, differentiable where their arguments are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor

Slopes = Callable[[], dict[str, Any]]


class _Value(torch.autograd.Function):
    """A number with derivatives that are known."""

    @staticmethod
    def forward(
        ctx: Any, value: Tensor, slopes: Slopes, names: list[str], *tensors: Tensor
    ) -> Tensor:
        ctx.slopes, ctx.names = slopes, names
        ctx.save_for_backward(*tensors)
        return value.clone()

    @staticmethod
    def backward(ctx: Any, *factors: Any) -> Any:
        found = _Slopes.apply(*factors, ctx.slopes, ctx.names, *ctx.saved_tensors)
        return (None, None, None, *found)


class _Slopes(torch.autograd.Function):
    """The derivatives, as a function of its own, so that deriving them again is an error."""

    @staticmethod
    def forward(
        ctx: Any, factor: Tensor, slopes: Slopes, names: list[str], *tensors: Tensor
    ) -> Any:
        known = slopes()
        return tuple(
            None if known.get(name) is None else factor * _like(known[name], tensor)
            for name, tensor in zip(names, tensors, strict=True)
        )

    @staticmethod
    def backward(ctx: Any, *_: Any) -> Any:
        raise NotImplementedError(
            "second derivatives of a divergence: the plan is held fixed in the first ones, so they "
            "would be wrong; differentiate once"
        )


def _like(array: Any, tensor: Tensor) -> Tensor:
    """As this tensor: its dtype, device and shape, and its entries if it is sparse."""
    slope = torch.as_tensor(np.asarray(array)).to(tensor.dtype).to(tensor.device)
    if tensor.layout is torch.strided:
        return slope.reshape(tensor.shape)
    if tensor.layout is torch.sparse_csr:
        count = tensor.crow_indices().diff()
        rows = torch.repeat_interleave(torch.arange(len(count), device=tensor.device), count)
        columns = tensor.col_indices()
        values = slope[rows, columns]
        return torch.sparse_csr_tensor(tensor.crow_indices(), columns, values, tensor.shape)
    return slope.sparse_mask(tensor.coalesce())


def to_numpy(tensor: Tensor) -> Any:
    """A NumPy array, or a SciPy matrix where the tensor is sparse; without a copy if possible."""
    tensor = tensor.detach().cpu()
    if tensor.layout is torch.strided:
        return tensor.numpy()
    from scipy import sparse

    csr = tensor.to_sparse_csr()
    parts = (csr.values().numpy(), csr.col_indices().numpy(), csr.crow_indices().numpy())
    return sparse.csr_array(parts, shape=tuple(tensor.shape))


def from_numpy(array: Any, given: dict[str, Tensor]) -> Tensor:
    """On the device of the arguments."""
    device = next((t.device for t in given.values() if t.device.type != "cpu"), None)
    return torch.as_tensor(np.asarray(array), device=device)


def value(number: Any, slopes: Slopes, given: dict[str, Tensor]) -> Tensor:
    """The value as a tensor; `slopes` gives the derivatives in the arguments by their names."""
    names = [name for name, tensor in given.items() if tensor.requires_grad]
    result = from_numpy(number, given)
    if not names:
        return result
    found: Tensor = _Value.apply(result, slopes, names, *(given[name] for name in names))
    return found
