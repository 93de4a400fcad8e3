"""POT's functions inside ``jax.grad``, ``jax.jit`` and ``jax.vmap``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
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


def common_dtype(traced: Iterable[Any], all_arrays: Iterable[Any]) -> Any:
    """The dtype of results: that of the arrays without numbers and of all real ones."""
    real = [array for array in all_arrays if jnp.issubdtype(array.dtype, jnp.floating)]
    return jnp.result_type(*map(_real, traced), *real)


def value(
    solve: Solve, slopes: Slopes, arrays: dict[str, Any], dtype: Any, refusal: str = ""
) -> Any:
    """The value of an answer, differentiable in the arrays with the plan held fixed.

    Where there is a `refusal`, it is the message of an error if a derivative is asked for.
    """
    names = list(arrays)
    given = [_real(array) for array in arrays.values()]

    def solved(*numbers: Any) -> Answer:
        return solve(_as_given(arrays, numbers))

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
        if refusal:  # here, as errors of a callback lose their type
            raise NotImplementedError(refusal)
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


def plan(solve: Solve, arrays: dict[str, Any], dtype: Any, shape: tuple[int, int]) -> Any:
    """The plan of an answer, which carries no derivatives."""
    given = [jax.lax.stop_gradient(_real(array)) for array in arrays.values()]

    def find(*numbers: Any) -> Any:
        return np.asarray(solve(_as_given(arrays, numbers)).plan, dtype)

    result = jax.ShapeDtypeStruct(shape, dtype)
    return jax.pure_callback(find, result, *given, vmap_method="sequential")


def _real(array: Any) -> Any:
    """Whole numbers have no derivatives in JAX, so that they are converted first."""
    return array if jnp.issubdtype(array.dtype, jnp.floating) else array.astype(float)


def _as_given(arrays: dict[str, Any], numbers: Iterable[Any]) -> dict[str, Any]:
    """Numbers in place of the arrays, whole ones where these are whole."""
    return {
        name: np.asarray(number).astype(array.dtype, copy=False)
        for (name, array), number in zip(arrays.items(), numbers, strict=True)
    }
