"""The conventions of scikit-learn, without depending on it."""

from __future__ import annotations

import inspect
import sys
from typing import Any, ClassVar, TypeVar

from .exceptions import NotFittedError

Self = TypeVar("Self", bound="Estimator")


class Estimator:
    """Parameters are the arguments of ``__init__``, which only stores them."""

    _left_out: ClassVar[tuple[str, ...]] = ("callback",)  # of pickles

    @classmethod
    def _parameter_names(cls) -> list[str]:
        signature = inspect.signature(cls.__init__)
        return sorted(name for name in signature.parameters if name != "self")

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters as a dictionary; ``deep`` has no effect."""
        return {name: getattr(self, name) for name in self._parameter_names()}

    def set_params(self: Self, **params: Any) -> Self:
        """Changes parameters."""
        known = self._parameter_names()
        for name, value in params.items():
            if name not in known:
                raise ValueError(
                    f"Invalid parameter {name!r} for estimator {self}. "
                    f"Valid parameters are: {known}."
                )
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self).__init__).parameters
        changed = [
            f"{name}={getattr(self, name)!r}"
            for name in defaults
            if name != "self" and not _same(getattr(self, name), defaults[name].default)
        ]
        return f"{type(self).__name__}({', '.join(changed)})"

    def __getstate__(self) -> dict[str, Any]:
        """For pickles and copies, which cannot hold everything."""
        return {name: value for name, value in vars(self).items() if name not in self._left_out}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update({"callback": None, **state} if "callback" in self._left_out else state)

    def __sklearn_is_fitted__(self) -> bool:
        return any(name.endswith("_") and not name.startswith("_") for name in vars(self))

    def _check_fitted(self) -> None:
        if not self.__sklearn_is_fitted__():
            raise _not_fitted_error()(
                f"this {type(self).__name__} is not fitted yet; call fit before this method"
            )


def _not_fitted_error() -> type[NotFittedError]:
    """Where scikit-learn is in use, an error that is one of its own too."""
    theirs = sys.modules.get("sklearn.exceptions")
    if theirs is None:
        return NotFittedError
    return type("NotFittedError", (NotFittedError, theirs.NotFittedError), {})


def _same(a: Any, b: Any) -> bool:
    return a is b or (type(a) is type(b) and isinstance(a, int | float | str) and a == b)
