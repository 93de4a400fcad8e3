"""Parts that the documents of all benchmarks have in common."""

import os
import pathlib
import platform
from collections.abc import Sequence
from importlib import metadata

import numpy as np


def seconds_text(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e6:.3g} µs"


def growth_exponent(points: Sequence[tuple[float, float]]) -> float:
    """The slope of log(seconds) over log(nodes), by least squares; points are such pairs."""
    nodes, seconds = np.log(np.array(points)).T
    return float(np.polyfit(nodes, seconds, 1)[0])


def version(package: str) -> str:
    try:
        return f"{package} {metadata.version(package)}"
    except metadata.PackageNotFoundError:
        return f"{package} missing"


def machine(*packages: str) -> str:
    """A sentence: cores, Python and the versions of `packages`."""
    cores = len(os.sched_getaffinity(0))
    cpuinfo = pathlib.Path("/proc/cpuinfo").read_text()
    model = next((x.split(":")[1].strip() for x in cpuinfo.splitlines() if "model name" in x), "?")
    parts = [f"{cores} cores ({model})", f"Python {platform.python_version()}"]
    return ", ".join(parts + [version(package) for package in packages]) + "."


def keep(document: pathlib.Path, name: str, result: str) -> None:
    """Puts a result between the marks of that name in a document, in place of the former one."""
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    text = document.read_text()
    head, tail = text[: text.index(begin)], text[text.index(end) :]
    document.write_text(f"{head}{begin}\n{result}\n{tail}")
