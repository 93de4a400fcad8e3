"""Semi-relaxed Gromov-Wasserstein optimal transport on graphs.

Functions with the names of ``ot.gromov`` take its arguments and return what it returns;
:class:`SRGWPartition` finds clusters of nodes, :class:`SRGWDictionary` makes points of graphs and
:class:`GraphClusterer` clusters of them; :func:`as_graph` takes whatever holds a graph.

>>> import numpy as np
>>> import srgw
>>> C = np.kron(np.eye(2), np.ones((3, 3)))  # two groups of three nodes
>>> T = srgw.semirelaxed_gromov_wasserstein(C, np.eye(2))
>>> T.shape
(6, 2)
"""

# ruff: noqa: F401, F403
from __future__ import annotations

import importlib
from collections.abc import Iterator
from types import ModuleType
from typing import TYPE_CHECKING, Any

# A name is looked for in the `__all__` of these modules, which are imported in this order until it
# is found: the modules that most programs use come first.
_HOMES = (
    "gromov",
    "graph",
    "exceptions",
    "partition",
    "dictionary",
    "clusterer",
    "balanced",
    "solvers",
    "batch",
    "barycenters",
    "bapg",
    "baselines",
    "linear_dictionaries",
)
_OF_LIBRARY = {"Progress": "Progress", "Solution": "Solution", "__version__": "VERSION"}
_MODULES = ("generate", "metrics", "plot")

if TYPE_CHECKING:
    from . import generate as generate
    from . import gromov as gromov
    from . import metrics as metrics
    from . import plot as plot
    from ._srgw import VERSION as __version__
    from ._srgw import Progress as Progress
    from ._srgw import Solution as Solution
    from .balanced import *
    from .bapg import *
    from .barycenters import *
    from .baselines import *
    from .batch import *
    from .clusterer import *
    from .dictionary import *
    from .exceptions import *
    from .graph import *
    from .gromov import *
    from .linear_dictionaries import *
    from .partition import *
    from .solvers import *


def __getattr__(name: str) -> Any:
    if name in (*_MODULES, *_HOMES):
        return importlib.import_module(f".{name}", __name__)
    if name == "__all__":
        names = [name for module in _homes() for name in module.__all__]
        return sorted([*names, *_OF_LIBRARY, *_MODULES])
    if name in _OF_LIBRARY:
        library = importlib.import_module("._srgw", __name__)
        return getattr(library, _OF_LIBRARY[name])
    for module in () if name.startswith("_") else _homes():
        if name in module.__all__:
            globals()[name] = getattr(module, name)
            return globals()[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__getattr__("__all__")})


def _homes() -> Iterator[ModuleType]:
    return (importlib.import_module(f".{name}", __name__) for name in _HOMES)
