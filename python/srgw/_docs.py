"""Docstrings in which the text about a parameter is written only once."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any, TypeVar

Documented = TypeVar("Documented", bound=Callable[..., Any])

_HEADING = "Parameters\n----------\n"


def inherit_parameters(*sources: Any) -> Callable[[Documented], Documented]:
    """Decorator that adds the parameters a docstring leaves out, as `sources` describe them.

    Parameters are listed in the order of the signature. The first source that describes a parameter
    counts, and the docstring itself before all sources.
    """

    def complete(item: Documented) -> Documented:
        if item.__doc__ is None:  # python -OO
            return item
        before, _, after = _split(item.__doc__)
        described: dict[str, str] = {}
        for source in (*reversed(sources), item):
            described |= _descriptions(source.__doc__ or "")
        entries: list[tuple[list[str], str]] = []
        for parameter in inspect.signature(item).parameters.values():
            if parameter.name in described:
                stars = "**" if parameter.kind is parameter.VAR_KEYWORD else ""
                text = described[parameter.name]
                if not entries or entries[-1][1] != text:  # neighbours may share a description
                    entries.append(([], text))
                entries[-1][0].append(stars + parameter.name)
        section = "\n".join(", ".join(names) + text for names, text in entries)
        item.__doc__ = f"{before}{_HEADING}{section}\n\n{after}"
        return item

    return complete


def _split(doc: str) -> tuple[str, str, str]:
    """The text before the parameters, the parameters, and the sections after them."""
    doc = inspect.cleandoc(doc)
    before, heading, rest = doc.partition(_HEADING)
    if heading:
        section, _, after = rest.partition("\n\n")
        return before, section, after
    first = re.search(r"^\w+\n-+$", doc, re.MULTILINE)
    cut = first.start() if first else len(doc)
    return doc[:cut].rstrip() + "\n\n", "", doc[cut:]


def _descriptions(doc: str) -> dict[str, str]:
    """The description of each parameter in a docstring: its type, and the lines below."""
    found: dict[str, str] = {}
    for entry in filter(None, re.split(r"\n(?=\S)", _split(doc)[1])):
        match = re.match(r"[\w*]+(?:, [\w*]+)*", entry)
        if match:
            found |= dict.fromkeys(match[0].replace("*", "").split(", "), entry[match.end() :])
    return found
