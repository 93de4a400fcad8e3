"""The conventions of scikit-learn, without depending on it."""

from __future__ import annotations

import copy
import functools
import html
import inspect
import sys
from collections.abc import Callable
from typing import Any, ClassVar, Concatenate, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from . import _srgw
from .exceptions import NotFittedError

Self = TypeVar("Self", bound="Estimator")
P = ParamSpec("P")
_CONTAINERS = (None, "default", "pandas", "polars")


class Estimator:
    """Parameters are the arguments of ``__init__``, which only stores them."""

    _left_out: ClassVar[tuple[str, ...]] = ("callback",)  # of pickles
    _kind: ClassVar[str | None] = None  # estimator_type of scikit-learn

    @classmethod
    def _parameter_names(cls) -> list[str]:
        signature = inspect.signature(cls.__init__)
        return sorted(name for name in signature.parameters if name != "self")

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters as a dictionary.

        Parameters
        ----------
        deep : bool
            Whether to add those of estimators among them, as ``embedder__n_nodes``.
        """
        params = {name: getattr(self, name) for name in self._parameter_names()}
        if deep:
            for name, value in list(params.items()):
                if hasattr(value, "get_params") and not isinstance(value, type):
                    inner = value.get_params(deep=True)
                    params |= {f"{name}__{key}": part for key, part in inner.items()}
        return params

    def set_params(self: Self, **params: Any) -> Self:
        """Changes parameters, also those of estimators among them, as ``embedder__n_nodes``."""
        known = self._parameter_names()
        inner: dict[str, dict[str, Any]] = {}
        for key, value in params.items():
            name, nested, rest = key.partition("__")
            if name not in known or (nested and not rest):
                raise ValueError(
                    f"Invalid parameter {name!r} for estimator {self}. "
                    f"Valid parameters are: {known}."
                )
            if nested:
                inner.setdefault(name, {})[rest] = value
            else:
                setattr(self, name, value)
        for name, parts in inner.items():
            estimator = getattr(self, name)
            if not hasattr(estimator, "set_params"):
                raise ValueError(
                    f"Invalid parameter {name + '__' + next(iter(parts))!r} for estimator {self}: "
                    f"{name} is {estimator!r}, expected an estimator"
                )
            estimator.set_params(**parts)
        return self

    def set_output(self: Self, *, transform: str | None = None) -> Self:
        """Chooses what ``transform`` and ``fit_transform`` return.

        Parameters
        ----------
        transform : {'default', 'pandas', 'polars'}, optional
            ``default``: an array. A table has :meth:`get_feature_names_out` as columns. None
            changes nothing.
        """
        if transform not in _CONTAINERS:
            known = ", ".join(repr(name) for name in _CONTAINERS[1:])
            raise ValueError(f"transform is {transform!r}, expected one of {known}")
        if transform is not None:
            self._sklearn_output_config = {"transform": transform}  # clone() copies this name
        return self

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self).__init__).parameters
        changed = [
            f"{name}={getattr(self, name)!r}"
            for name in defaults
            if name != "self" and not _same(getattr(self, name), defaults[name].default)
        ]
        return f"{type(self).__name__}({', '.join(changed)})"

    def _repr_html_(self) -> str:
        """For notebooks: as scikit-learn shows estimators, if it is in use."""
        if sys.modules.get("sklearn"):
            from sklearn.utils import estimator_html_repr

            return str(estimator_html_repr(self))
        return f"<pre>{html.escape(repr(self))}</pre>"

    def __getstate__(self) -> dict[str, Any]:
        """For pickles and copies, which cannot hold everything."""
        return {name: value for name, value in vars(self).items() if name not in self._left_out}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update({"callback": None, **state} if "callback" in self._left_out else state)

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import InputTags, Tags, TargetTags, TransformerTags

        return Tags(
            estimator_type=self._kind,
            target_tags=TargetTags(required=False),
            transformer_tags=TransformerTags() if hasattr(self, "transform") else None,
            input_tags=InputTags(two_d_array=False, one_d_array=True),  # a sequence of graphs
        )

    def __sklearn_is_fitted__(self) -> bool:
        return any(name.endswith("_") and not name.startswith("_") for name in vars(self))

    def _check_fitted(self) -> None:
        if not self.__sklearn_is_fitted__():
            raise _not_fitted_error()(
                f"this {type(self).__name__} is not fitted yet; call fit before this method"
            )

    def _numbered_names(self, count: int) -> NDArray[Any]:
        """Names of columns as scikit-learn makes them of the name of the class."""
        prefix = type(self).__name__.lower()
        return np.array([f"{prefix}{i}" for i in range(count)], dtype=object)

    def _reporter(self, step: str) -> Callable[[_srgw.Progress], Any] | None:
        """The callback; with ``verbose`` it also prints a line for each step."""
        then = getattr(self, "callback", None)
        if not getattr(self, "verbose", False):
            return then
        name = type(self).__name__

        def show(progress: _srgw.Progress) -> Any:
            if progress.iteration > 0:
                print(f"[{name}] {step} {progress.iteration}: value {progress.value:.6g}")
            return then(progress) if then is not None else None

        return show


Model = TypeVar("Model", bound=Estimator)


def as_set(
    transform: Callable[Concatenate[Model, P], NDArray[np.float64]],
) -> Callable[Concatenate[Model, P], Any]:
    """Decorator of methods that return columns: tables where ``set_output`` asks for them."""

    @functools.wraps(transform)
    def method(self: Model, *args: P.args, **kwargs: P.kwargs) -> Any:
        columns = transform(self, *args, **kwargs)
        config = getattr(self, "_sklearn_output_config", {})
        container = config.get("transform")
        if container is None and sys.modules.get("sklearn"):
            container = sys.modules["sklearn"].get_config()["transform_output"]
        if container in (None, "default"):
            return columns
        names = list(self.get_feature_names_out())  # type: ignore[attr-defined]
        if container == "polars":
            import polars

            return polars.DataFrame(columns, schema=names, orient="row")
        import pandas

        X: Any = args[0] if args else kwargs.get("X")
        index = X.index if hasattr(X, "iloc") else None
        return pandas.DataFrame(columns, columns=names, index=index)

    return method  # type: ignore[return-value]


def clone(estimator: Any) -> Any:
    """An unfitted estimator with the same parameters."""
    if sys.modules.get("sklearn") and hasattr(estimator, "get_params"):
        from sklearn.base import clone as theirs

        return theirs(estimator)
    if not hasattr(estimator, "get_params"):
        return copy.deepcopy(estimator)
    params = estimator.get_params(deep=False)
    return type(estimator)(
        **{key: clone(v) if hasattr(v, "get_params") else v for key, v in params.items()}
    )


def is_fitted(estimator: Any) -> bool:
    """As scikit-learn tells it: attributes with an underscore at the end."""
    if hasattr(estimator, "__sklearn_is_fitted__"):
        try:
            return bool(estimator.__sklearn_is_fitted__())
        except (AttributeError, ValueError):  # scikit-learn's NotFittedError is both
            return False
    return any(name.endswith("_") and not name.startswith("_") for name in vars(estimator))


def _not_fitted_error() -> type[NotFittedError]:
    """Where scikit-learn is in use, an error that is one of its own too."""
    theirs = sys.modules.get("sklearn.exceptions")
    if theirs is None:
        return NotFittedError
    return type("NotFittedError", (NotFittedError, theirs.NotFittedError), {})


def _same(a: Any, b: Any) -> bool:
    return a is b or (type(a) is type(b) and isinstance(a, int | float | str) and a == b)
