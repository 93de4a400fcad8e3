"""Exceptions and warnings."""

from __future__ import annotations

import sys

__all__ = ["ConvergenceWarning", "NotFittedError", "PlanError"]


class ConvergenceWarning(UserWarning):
    """A solver stopped before its stopping criterion was met; the result is the best so far."""


class PlanError(ValueError, AssertionError):
    """A starting plan that is no plan of the problem.

    It is an ``AssertionError`` too, since that is what POT raises.
    """


class NotFittedError(ValueError, AttributeError):
    """A method that needs ``fit`` first."""


def undefined_parameter(message: str) -> ValueError:
    """The error for an argument that another one needs; where POT is in use, also its own."""
    theirs = getattr(sys.modules.get("ot.utils"), "UndefinedParameter", None)
    if theirs is None:
        return ValueError(message)
    made: ValueError = type("UndefinedParameter", (ValueError, theirs), {})(message)
    return made
