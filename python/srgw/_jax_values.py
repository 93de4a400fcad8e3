"""POT's functions inside ``jax.grad``, ``jax.jit`` and ``jax.vmap``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import jax
import numpy as np
from jax import numpy as jnp

if TYPE_CHECKING:
    from ._semirelaxed import Answer

Solve = Callable[[dict[str, Any]], "Answer"]  # of the arrays by the names of arguments
Slopes = Callable[["Answer"], dict[str, Any]]


def is_traced(array: Any) -> bool:
    """Whether an array has no numbers yet."""
    return isinstance(array, jax.core.Tracer)


def value(solve: Solve, slopes: Slopes, arrays: dict[str, Any]) -> Any:
    """The value of an answer, differentiable in the arrays with the plan held fixed."""
    names = list(arrays)
    given = [_real(array) for array in arrays.values()]
    dtype = jnp.result_type(*given)

    def solved(*numbers: Any) -> Answer:
        return solve({name: np.asarray(n) for name, n in zip(names, numbers, strict=True)})

    def find_value(*numbers: Any) -> Any:
        return np.asarray(solved(*numbers).value, dtype)

    def find_slopes(*numbers: Any) -> Any:
        answer = solved(*numbers)
        known = slopes(answer)
        found = [known.get(name) for name in names]
        return np.asarray(answer.value, dtype), tuple(
            np.zeros(n.shape, n.dtype) if s is None else np.asarray(s, n.dtype).reshape(n.shape)
            for n, s in zip(numbers, found, strict=True)
        )

    number = jax.ShapeDtypeStruct((), dtype)
    like = tuple(jax.ShapeDtypeStruct(array.shape, array.dtype) for array in given)

    @jax.custom_vjp
    def with_slopes(*numbers: Any) -> Any:
        return jax.pure_callback(find_slopes, (number, like), *numbers, vmap_method="sequential")

    def refuse(*_: Any) -> Any:
        raise NotImplementedError(
            "second derivatives of a divergence: the plan is held fixed in the first ones, so they "
            "would be wrong; differentiate once"
        )

    with_slopes.defvjp(lambda *numbers: (with_slopes(*numbers), None), refuse)

    @jax.custom_vjp
    def divergence(*numbers: Any) -> Any:
        return jax.pure_callback(find_value, number, *numbers, vmap_method="sequential")

    def backward(found: Any, factor: Any) -> Any:
        return tuple(factor.astype(slope.dtype) * slope for slope in found)

    divergence.defvjp(with_slopes, backward)
    return divergence(*given)


def plan(solve: Solve, arrays: dict[str, Any], shape: tuple[int, int]) -> Any:
    """The plan of an answer, which carries no derivatives."""
    names = list(arrays)
    given = [jax.lax.stop_gradient(_real(array)) for array in arrays.values()]
    dtype = jnp.result_type(*given)

    def find(*numbers: Any) -> Any:
        arrays = {name: np.asarray(n) for name, n in zip(names, numbers, strict=True)}
        return np.asarray(solve(arrays).plan, dtype)

    result = jax.ShapeDtypeStruct(shape, dtype)
    return jax.pure_callback(find, result, *given, vmap_method="sequential")


def _real(array: Any) -> Any:
    """Whole numbers have no derivatives in JAX, so that they are converted first."""
    return array if jnp.issubdtype(array.dtype, jnp.floating) else array.astype(float)
