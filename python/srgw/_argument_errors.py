"""Messages for arguments of a wrong type, asked for by the module _srgw where a call fails."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from types import FrameType
from typing import Any

import numpy as np

_EXPECTED = {
    "int": "a whole number",
    "float": "a number",
    "str": "a string",
    "bool": "True or False",
    "None": "None",
    "dict": "a dict",
    "tuple": "a tuple",
    "list": "a list",
}


def explain(
    function: Any, message: str, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> str | None:
    """The first argument that does not fit, by its public name; None if none can be told."""
    best: tuple[int, str, Any, str] | None = None
    for line in re.findall(r"^ +\d+\. (.*)$", message, re.MULTILINE):
        parameters = _parameters(line)
        given = dict(zip([name for name, _ in parameters], args, strict=False)) | dict(kwargs)
        fitting = 0
        for name, kind in parameters:
            if name in given and not _fits(given[name], kind):
                if best is None or fitting > best[0]:
                    best = (fitting, name, given[name], kind)
                break
            fitting += 1
    if best is None:
        return None
    _, name, value, kind = best
    return f"{_public_name(name, value)} is {_shown(value)}, expected {_expected(kind)}"


def _parameters(signature: str) -> list[tuple[str, str]]:
    """Names and types of the parameters in `name(a: int, b: str = 'x') -> None`."""
    inner = signature[signature.index("(") + 1 : _closing(signature)]
    found = []
    for part in _split(inner, ","):
        name, _, kind = part.partition(":")
        kind = _split(kind, "=")[0] if kind else "object"
        if name.strip().isidentifier():
            found.append((name.strip(), kind.strip()))
    return found


def _closing(text: str) -> int:
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == ")" and depth == 0:
            return at
    return len(text)


def _split(text: str, separator: str) -> list[str]:
    """Parts between separators that are not inside brackets."""
    parts, depth, first = [], 0, 0
    for at, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == separator and depth == 0:
            parts.append(text[first:at])
            first = at + 1
    return [*parts, text[first:]]


def _fits(value: Any, kind: str) -> bool:
    kinds = [part.strip() for part in _split(kind, "|")]
    return any(_fits_one(value, one) for one in kinds)


def _fits_one(value: Any, kind: str) -> bool:
    base = kind.partition("[")[0].rpartition(".")[2]
    if base == "None":
        return value is None
    if base == "int":
        return hasattr(value, "__index__")
    if base == "float":
        return hasattr(value, "__float__") or hasattr(value, "__index__")
    if base == "ndarray":
        return _fits_array(value, kind)
    if base in ("Sequence", "list", "tuple"):
        return isinstance(value, Sequence | np.ndarray) and not isinstance(value, str | bytes)
    if base == "Callable":
        return callable(value)
    if base in ("object", "Any", "Optional", "Union", "handle", "CapsuleType"):
        return True
    return any(one.__name__ == base for one in type(value).__mro__)


def _fits_array(value: Any, kind: str) -> bool:
    dtype = re.search(r"dtype=(\w+)", kind)
    shape = re.search(r"shape=\(([^)]*)\)", kind)
    if not isinstance(value, np.ndarray) or (dtype and str(value.dtype) != dtype[1]):
        return False
    return shape is None or value.ndim == len([part for part in shape[1].split(",") if part])


def _expected(kind: str) -> str:
    words = [_expected_one(part.strip()) for part in _split(kind, "|")]
    return " or ".join(dict.fromkeys(words))


def _expected_one(kind: str) -> str:
    base = kind.partition("[")[0].rpartition(".")[2]
    if base == "ndarray":
        return "an array"
    if base == "Sequence":
        return "a sequence"
    if base == "Callable":
        return "a function"
    return _EXPECTED.get(base, f"a {base}")


def _shown(value: Any) -> str:
    if isinstance(value, str | int | float | complex | bytes) or value is None:
        shown = repr(value)
        return shown if len(shown) <= 60 else f"{shown[:57]}..."
    return f"an object of type {type(value).__name__}"


def _public_name(name: str, value: Any) -> str:
    """The argument of the outermost function of this package that has this value."""
    found = name
    for frame in _frames():
        names = list(_named(frame, value))
        if name in names:
            found = name
        elif len(names) == 1:
            found = names[0]
    return found


def _frames() -> Iterator[FrameType]:
    """Those of this package, the innermost first."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        if module.startswith("srgw.") and module != __name__:
            yield frame
        frame = frame.f_back


def _named(frame: FrameType, value: Any) -> Iterator[str]:
    """Arguments of a function, or parameters of its estimator, that are this object."""
    code = frame.f_code
    for name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]:
        if name != "self" and frame.f_locals.get(name) is value:
            yield name
    owner = frame.f_locals.get("self")
    if owner is not None and hasattr(owner, "get_params"):
        defaults = inspect.signature(type(owner).__init__).parameters
        for name, held in owner.get_params(deep=False).items():
            if held is value and defaults[name].default is not value:
                yield name
