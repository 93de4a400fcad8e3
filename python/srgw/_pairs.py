"""POT's pairs of functions: one returns the plan, the other, with the suffix 2, the value."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable
from typing import Any, ParamSpec

from ._array_kinds import convert_arguments, traced_plan, traced_value

P = ParamSpec("P")

_RETURNS = """Returns
-------
value : float
    The squared divergence at the plan, without entropy, as in POT.
log : dict, if ``log``
    As of :func:`{name}`,
    and the plan ``T``{losses}.

Examples"""


def returns_plan(solve: Callable[P, Any]) -> Callable[P, Any]:
    """Decorator for a function that returns an Answer: returns its plan, and the log on request."""

    @functools.wraps(solve)
    def plan_function(*args: P.args, **kwargs: P.kwargs) -> Any:
        given = convert_arguments(solve, args, kwargs)
        if given.traced:
            return traced_plan(solve, given)
        answer = solve(*given.args, **given.kwargs)
        plan = given.plan(answer)
        return plan if answer.log is None else (plan, given.convert(answer.log))

    return plan_function


def value_twin(plan_function: Callable[P, Any], **defaults: Any) -> Callable[P, Any]:
    """The function with the suffix 2: same parameters, but it returns the value, not the plan.

    Its docstring is that of the plan function with another Returns section. `defaults` are those
    that differ, as they do in POT.
    """
    solve, name = inspect.unwrap(plan_function), plan_function.__name__
    signature = inspect.signature(plan_function)
    places = {key: i for i, key in enumerate(signature.parameters) if key in defaults}

    @functools.wraps(plan_function)
    def value_function(*args: P.args, **kwargs: P.kwargs) -> Any:
        for key, place in places.items():
            if place >= len(args):
                kwargs.setdefault(key, defaults[key])
        given = convert_arguments(solve, args, kwargs)
        if given.traced:
            return traced_value(solve, given)
        answer = solve(*given.args, **given.kwargs)
        value = given.value(answer)
        if answer.log is None:
            return value
        return value, given.convert({**answer.log, "T": answer.plan, **answer.losses})

    value_function.__name__ = value_function.__qualname__ = name + "2"
    if defaults:
        value_function.__signature__ = signature.replace(  # type: ignore[attr-defined]
            parameters=[
                p.replace(default=defaults.get(key, p.default))
                for key, p in signature.parameters.items()
            ]
        )
    if plan_function.__doc__ is not None:  # python -OO
        doc = inspect.cleandoc(plan_function.__doc__).replace("Plan of", "Value of", 1)
        losses = ", ``lin_loss`` and ``quad_loss``" if "fused" in name else ""
        returns = _RETURNS.format(name=name, losses=losses)
        value_function.__doc__ = re.sub(r"Returns\n-+\n.*\nExamples", returns, doc, flags=re.DOTALL)
    return value_function
