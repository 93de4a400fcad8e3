"""Writes the .pyi files of modules whose functions return more with ``log=True``.

    .venv/bin/python scripts/python_stubs.py [--check]

Type checkers need an overload for each case, which a decorated function cannot express.
"""

from __future__ import annotations

import importlib
import inspect
import pathlib
import subprocess
import sys
from typing import Any

PACKAGE = pathlib.Path(__file__).resolve().parents[1] / "python" / "srgw"
MODULES = ("balanced", "bapg", "barycenters", "gromov", "partial")
HEAD = '''"""Written by scripts/python_stubs.py from the signatures of {name}.py."""

from collections.abc import {abstract}
from typing import Any, Literal, overload

from numpy.typing import NDArray

from ._srgw import Progress

Array = NDArray[Any]
Callback = Callable[[Progress], Any]
Log = dict[str, Any]

__all__ = {names}
'''


def result_of(name: str) -> tuple[str, str]:
    """The result without and with the log."""
    if name.endswith("2"):
        return "float", "tuple[float, Log]"
    if "fgw_" in name or "fused_gromov_barycenters" in name:
        return "tuple[Array, Array]", "tuple[Array, Array, Log]"
    return "Array", "tuple[Array, Log]"


def text_of(parameter: inspect.Parameter) -> str:
    """A parameter of a stub."""
    stars = {parameter.VAR_KEYWORD: "**", parameter.VAR_POSITIONAL: "*"}.get(parameter.kind, "")
    default = "" if parameter.default is parameter.empty else " = ..."
    return f"{stars}{parameter.name}: {parameter.annotation}{default}"


def definition(name: str, parameters: list[str], result: str, overloaded: bool) -> str:
    """One signature."""
    mark = "@overload\n" if overloaded else ""
    return f"{mark}def {name}(\n    {', '.join(parameters)}\n) -> {result}: ...\n"


def overloads(name: str, signature: inspect.Signature) -> str:
    """Without the log, with it by keyword, and with it by position or by a variable."""
    parameters = list(signature.parameters.values())
    at = next(i for i, p in enumerate(parameters) if p.name == "log")
    star = _first_keyword(parameters)

    def signature_with(kind: str, keyword: bool) -> list[str]:
        texts = [text_of(p) for p in parameters]
        texts[at] = f"log: {kind}"
        if keyword:
            return [*texts[:at], "*", *texts[at:]]
        return texts if star is None else [*texts[:star], "*", *texts[star:]]

    plain, logged = result_of(name)
    return "\n".join(
        definition(name, signature_with(kind, keyword), result, True)
        for kind, keyword, result in (
            ("Literal[False] = ...", False, plain),
            ("Literal[True]", True, logged),
            ("bool = ...", False, f"{plain} | {logged}"),
        )
    )


def _first_keyword(parameters: list[inspect.Parameter]) -> int | None:
    return next((i for i, p in enumerate(parameters) if p.kind is p.KEYWORD_ONLY), None)


def stub(module: str) -> str:
    """The text of a .pyi file."""
    loaded: Any = importlib.import_module(f"srgw.{module}")
    parts = []
    for name in loaded.__all__:
        signature = inspect.signature(getattr(loaded, name))
        if "log" in signature.parameters:
            parts.append(overloads(name, signature))
        else:
            parameters = list(signature.parameters.values())
            star = _first_keyword(parameters)
            texts = [text_of(p) for p in parameters]
            texts = texts if star is None else [*texts[:star], "*", *texts[star:]]
            parts.append(definition(name, texts, str(signature.return_annotation), False))
    run = ["ruff", "format", "-q", "--line-length", "100", "--stdin-filename", "stub.pyi", "-"]
    ruff = pathlib.Path(sys.executable).with_name(run[0])
    body = "\n".join(parts)
    abstract = "Callable, Sequence" if "Sequence" in body else "Callable"
    text = HEAD.format(name=module, abstract=abstract, names=list(loaded.__all__)) + body
    formatted = subprocess.run([ruff, *run[1:]], input=text, text=True, capture_output=True)
    formatted.check_returncode()
    return formatted.stdout


def main() -> int:
    different = []
    for module in MODULES:
        path, text = PACKAGE / f"{module}.pyi", stub(module)
        if not path.exists() or path.read_text() != text:
            different.append(path.name)
            if "--check" not in sys.argv:
                path.write_text(text)
    if different and "--check" in sys.argv:
        print(f"not up to date: {', '.join(different)}; run scripts/python_stubs.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
