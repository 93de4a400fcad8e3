"""Exceptions and warnings."""

__all__ = ["ConvergenceWarning", "NotFittedError", "PlanError"]


class ConvergenceWarning(UserWarning):
    """A solver stopped before its stopping criterion was met; the result is the best so far."""


class PlanError(ValueError, AssertionError):
    """A starting plan that is no plan of the problem.

    It is an ``AssertionError`` too, since that is what POT raises.
    """


class NotFittedError(ValueError, AttributeError):
    """A method that needs ``fit`` first."""
