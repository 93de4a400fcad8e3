"""What can go wrong, as classes."""

from __future__ import annotations


class ConvergenceWarning(UserWarning):
    """A solver stopped before its stopping rule was met; the answer is the best it had."""


class PlanError(ValueError, AssertionError):
    """A starting plan that is no plan of the problem.

    It is an ``AssertionError`` too, since that is what POT raises.
    """


class NotFittedError(ValueError, AttributeError):
    """A method that needs ``fit`` first."""
