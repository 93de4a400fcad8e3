"""Markdown tables, and what results say in a few characters."""

import statistics
from collections.abc import Iterable, Sequence

from record import Result

NONE = "–"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    lines = [list(header), ["---"] * len(header), *(list(row) for row in rows)]
    return ["| " + " | ".join(cells) + " |" for cells in lines]


def done(results: Iterable[Result]) -> list[Result]:
    return [result for result in results if result["status"] == "done"]


def mean(results: Iterable[Result], field: str) -> float | None:
    values = [result[field] for result in done(results) if field in result]
    return statistics.fmean(values) if values else None


def median(results: Iterable[Result], field: str) -> float | None:
    values = [result[field] for result in done(results) if field in result]
    return statistics.median(values) if values else None


def spread(results: Sequence[Result], field: str, digits: int = 1) -> str:
    """Mean and standard deviation over seeds; or why there is none."""
    values = [result[field] for result in done(results) if field in result]
    if not values:
        return trouble(results)
    text = f"{statistics.fmean(values):.{digits}f}"
    return text + (f" ± {statistics.stdev(values):.{digits}f}" if len(values) > 1 else "")


def trouble(results: Sequence[Result]) -> str:
    stopped = [result["message"] for result in results if result["status"] == "over"]
    if stopped:
        return stopped[0]
    return "failed" if any(result["status"] == "failed" for result in results) else NONE


def number(value: float | None, form: str = ".1f") -> str:
    return NONE if value is None else format(value, form)


def failures(entries: Iterable[dict[str, object]]) -> list[str]:
    """A sentence for each kind of failed cell."""
    kinds: dict[tuple[str, str], list[str]] = {}
    for entry in entries:
        if entry["status"] == "failed":
            cell = entry["cell"]
            assert isinstance(cell, dict)
            kinds.setdefault((cell["method"], str(entry["message"])), []).append(cell["graph"])
    return [
        f"- {method} failed on {', '.join(sorted(set(names)))} ({len(names)} runs): {message}"
        for (method, message), names in sorted(kinds.items())
    ]
