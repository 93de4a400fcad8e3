"""Writes the reference pages of the Python package and of the C++ headers before a build.

The names come from `srgw.__all__` and from include/srgw, so that no page can be forgotten.
"""

import importlib
import inspect
import os
import pathlib
import re
from typing import Any

ROOT = pathlib.Path(os.environ["SRGW_ROOT"])
GROUPS = {
    "Cluster nodes and graphs": ["partition", "clusterer"],
    "Embed and complete graphs": ["dictionary", "baselines"],
    "Coarse graphs, block models and graphons": ["blocks", "graphon"],
    "Graphs": ["graph", "datasets", "generate", "metrics", "plot"],
    "Semi-relaxed divergences": ["gromov", "batch", "kernel"],
    "Balanced divergences": ["balanced", "bapg", "solvers"],
    "Partial divergences": ["partial"],
    "Barycenters": ["barycenters"],
    "Linear dictionaries": ["linear_dictionaries"],
    "Results and errors": ["_srgw", "exceptions"],
}
WHOLE = ("datasets", "generate", "metrics", "plot")


def directive(name: str, value: Any) -> str:
    if inspect.isclass(value):
        options = ["   :members:", "   :inherited-members:"]
        if issubclass(value, BaseException):
            options = []
        return "\n".join([f".. autoclass:: {name}", *options]) + "\n"
    return f".. autofunction:: {name}\n"


def public_names(module: str) -> list[str]:
    found = importlib.import_module(f"srgw.{module}")
    if hasattr(found, "__all__"):
        return sorted(found.__all__)
    return sorted(
        name
        for name, value in vars(found).items()
        if inspect.isfunction(value)
        and value.__module__ == found.__name__
        and not name.startswith("_")
    )


def python_pages(folder: pathlib.Path) -> None:
    import srgw

    pages, listed = [], set()
    for title, modules in GROUPS.items():
        lines = [title, "=" * len(title), ""]
        for module in modules:
            if module in WHOLE:
                lines += [f"srgw.{module}", "-" * (len(module) + 5), ""]
                lines += [f".. automodule:: srgw.{module}", "   :no-members:", ""]
                names = [f"srgw.{module}.{name}" for name in public_names(module)]
                listed.add(module)
            else:
                names = [f"srgw.{name}" for name in sorted(srgw._NAMES[module])]
                listed |= set(srgw._NAMES[module])
            for name in names:
                value = srgw
                for part in name.split(".")[1:]:
                    value = getattr(value, part)
                lines += [directive(name, value)]
        page = re.sub(r"\W+", "_", title.lower())
        (folder / f"{page}.rst").write_text("\n".join(lines))
        pages.append(page)
    missing = set(srgw.__all__) - listed - {"__version__"}
    if missing:
        raise ValueError(f"docs/site/api_names.py: no page for {sorted(missing)}")
    toc = "\n".join(f"   {page}" for page in pages)
    title = "Python reference"
    text = "Every public name of the package. :doc:`/python` is the guide."
    (folder / "index.rst").write_text(
        f"{title}\n{'=' * len(title)}\n\n{text}\n\n.. toctree::\n   :maxdepth: 2\n\n{toc}\n"
    )


def cpp_pages(folder: pathlib.Path) -> None:
    headers = sorted((ROOT / "include" / "srgw").glob("*.hpp"))
    rows = []
    for header in headers:
        if header.name in ("srgw.hpp", "version.hpp", "fields.hpp"):
            continue
        title = f"srgw/{header.name}"
        (folder / f"{header.stem}.rst").write_text(
            f"{title}\n{'=' * len(title)}\n\n.. doxygenfile:: {header.name}\n"
            "   :sections: briefdescription detaileddescription innerclass innernamespace enum "
            "func typedef var public-attrib public-func public-static-func\n"
        )
        rows.append(f"   {header.stem}")
    title = "C++ reference"
    text = (
        "One page for each public header. ``#include <srgw/srgw.hpp>`` includes all of them;\n"
        ":doc:`/howto` shows how to link."
    )
    toc = "\n".join(rows)
    (folder / "index.rst").write_text(
        f"{title}\n{'=' * len(title)}\n\n{text}\n\n.. toctree::\n   :maxdepth: 1\n\n{toc}\n"
    )


def write_pages(app: Any) -> None:
    for name, write in (("python", python_pages), ("cpp", cpp_pages)):
        folder = pathlib.Path(app.srcdir) / "reference" / name
        folder.mkdir(parents=True, exist_ok=True)
        write(folder)


def setup(app: Any) -> dict[str, bool]:
    app.connect("builder-inited", write_pages)
    return {"parallel_read_safe": True}
