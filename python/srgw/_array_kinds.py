"""Functions of POT take arrays of PyTorch and JAX, and return the same kind."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _srgw
from ._arguments import is_graph

if TYPE_CHECKING:
    from ._semirelaxed import Answer

_LIBRARIES = {"torch": "torch", "jax": "jax", "jaxlib": "jax"}
_NO_SLOPES = "gradients of partial problems and of several relations, expected NumPy arrays"


def _library(value: Any) -> str | None:
    """The library that an array is of, without importing it."""
    return _LIBRARIES.get(type(value).__module__.partition(".")[0])


def array_module(*values: Any) -> Any:
    """NumPy, or torch or jax.numpy where one of the values is an array of these."""
    for value in values:
        library = _library(value)
        if library == "torch":
            import torch

            return torch
        if library == "jax":
            from jax import numpy as jnp

            return jnp
    return np


@functools.cache
def _signature(function: Callable[..., Any]) -> inspect.Signature:
    return inspect.signature(function)


class Given(NamedTuple):
    """Arguments whose arrays were converted to NumPy, and how results are converted back."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    arrays: dict[str, Any]  # those of the other library by the names of arguments
    library: str | None
    dtype: Any = None  # where arrays of JAX have no numbers: they are left out of args and kwargs

    @property
    def traced(self) -> bool:
        """Whether this is a call inside jax.grad, jax.jit or jax.vmap."""
        return self.dtype is not None

    def plan(self, answer: Answer) -> Any:
        """The (n, m) plan, which carries no derivatives."""
        return self.convert(answer.plan)

    def value(self, answer: Answer) -> Any:
        """The value, differentiable if an argument is a tensor that requires it."""
        if self.library != "torch":
            return self.convert(answer.value)
        from .torch import _values

        return _values.value(answer.value, lambda: slopes(answer), self.arrays)

    def convert(self, found: Any) -> Any:
        """Arrays and numbers of NumPy as those of the library; those in dicts and lists, too."""
        if self.library is None:
            return found
        if isinstance(found, dict):
            return {key: self.convert(item) for key, item in found.items()}
        if isinstance(found, list):
            return [self.convert(item) for item in found]
        if not isinstance(found, np.ndarray | np.floating):
            return found
        if self.library == "torch":
            from .torch import _values

            return _values.from_numpy(found, self.arrays)
        from jax import numpy as jnp

        return jnp.asarray(found)


def convert_arguments(
    solve: Callable[..., Answer], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Given:
    """NumPy arrays in place of those of PyTorch and JAX."""
    libraries = {_library(value) for value in (*args, *kwargs.values())} - {None}
    if not libraries:  # the common case
        return Given(args, kwargs, {}, None)
    if len(libraries) > 1:
        raise TypeError("arguments are arrays of PyTorch and of JAX, expected one of both")
    library = libraries.pop()
    try:
        _signature(solve).bind(*args, **kwargs)
    except TypeError as error:
        raise TypeError(f"{solve.__name__}(): {error}") from None
    names = list(_signature(solve).parameters)
    arrays: dict[str, Any] = {}
    if library == "jax":
        traced = _traced(dict(zip(names, args, strict=False)) | kwargs)
        if traced is not None:
            return traced

    def plain(name: str, value: Any) -> Any:
        if _library(value) is None:
            return value
        arrays[name] = value
        return _plain(name, value, library)

    args = tuple(plain(name, value) for name, value in zip(names, args, strict=False))
    kwargs = {name: plain(name, value) for name, value in kwargs.items()}
    return Given(args, kwargs, arrays, library)


def _traced(named: dict[str, Any]) -> Given | None:
    """The arguments of a call inside jax.grad, jax.jit or jax.vmap; None outside of them."""
    from . import _jax_values

    arrays = {name: value for name, value in named.items() if _library(value) is not None}
    traced = {name: value for name, value in arrays.items() if _jax_values.is_traced(value)}
    if not traced:
        return None
    if named.get("log"):
        raise NotImplementedError(
            "log=True inside jax.grad, jax.jit or jax.vmap; ask for the log outside of them"
        )
    known = {
        name: _plain(name, value, "jax") if name in arrays else value
        for name, value in named.items()
        if name not in traced
    }
    dtype = _jax_values.common_dtype(traced.values(), arrays.values())
    return Given((), known, traced, "jax", dtype)


def traced_value(solve: Callable[..., Answer], given: Given) -> Any:
    """The value as an array of JAX that is computed later."""
    from . import _jax_values

    named = given.kwargs
    partial = "partial" in solve.__name__ or named.get("share", 1) != 1
    refusal = _NO_SLOPES if partial or named.get("relations") is not None else ""
    return _jax_values.value(_later(solve, given), slopes, given.arrays, given.dtype, refusal)


def traced_plan(solve: Callable[..., Answer], given: Given) -> Any:
    """The plan as an array of JAX that is computed later."""
    from . import _jax_values

    named = {**given.kwargs, **given.arrays}
    shape = _size(named["C1"]), _size(named["C2"])
    return _jax_values.plan(_later(solve, given), given.arrays, given.dtype, shape)


def _size(structure: Any) -> int:
    """The nodes of a structure in any form."""
    if hasattr(structure, "shape"):
        return int(structure.shape[0])
    if is_graph(structure):
        from .graph import as_graph

        return int(as_graph(structure).n_nodes)
    return len(structure)


def _later(solve: Callable[..., Answer], given: Given) -> Callable[[dict[str, Any]], Answer]:
    def solve_arrays(arrays: dict[str, Any]) -> Answer:
        plain = {name: _plain(name, array, "jax") for name, array in arrays.items()}
        return solve(**given.kwargs, **plain)

    return solve_arrays


def _plain(name: str, value: Any, library: str | None) -> Any:
    """An array of the library as one of NumPy, or a number where one is expected."""
    array = _to_numpy(value, library)
    return float(np.asarray(array).reshape(())) if name == "alpha" else array


def _to_numpy(array: Any, library: str | None) -> Any:
    if library == "torch":
        from .torch import _values

        return _values.to_numpy(array)
    return np.asarray(array)


def slopes(answer: Answer) -> dict[str, Any]:
    """Derivatives of the value with the plan held fixed, by the names of arguments."""
    task, T = answer.task, answer.solution.plan
    if task.constraints.share != 1 or task.constraints.relations:
        raise NotImplementedError(_NO_SLOPES)
    problem = (task.source, task.p, task.target, task.cost, task.alpha, task.kl)
    C1, C2, M, alpha = _srgw.derivatives(*problem, T)
    found = {"C1": C1, "C2": C2, "M": M if task.cost is not None else None, "alpha": alpha}
    if task.entropy > 0:
        return found  # the value leaves the entropy out, and so has no such derivatives in weights
    # The multipliers of the constraints, which are known up to a constant.
    G = _srgw.gradient(task.source, task.p, task.target, task.q, task.cost, task.alpha, task.kl, T)
    if task.q is not None:
        _, _, u, v = _srgw.transport(G, task.p, task.q)
        return {**found, "p": u - u.mean(), "q": v - v.mean()}
    with np.errstate(invalid="ignore"):
        u = np.where(task.p > 0, (T * G).sum(axis=1) / task.p, G.min(axis=1))
    return {**found, "p": u - u.mean()}
