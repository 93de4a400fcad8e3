"""Semi-relaxed Gromov-Wasserstein optimal transport on graphs.

Functions named as in ``ot.gromov`` have the same arguments and return values.
:class:`SRGWPartition` clusters the nodes of a graph, :class:`SRGWDictionary` embeds graphs,
:class:`GraphClusterer` clusters graphs, and :func:`as_graph` converts graphs of other libraries.

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
from typing import TYPE_CHECKING, Any

# Public names by module. A module is imported when one of its names is first used.
_NAMES = {
    "balanced": (
        "entropic_fused_gromov_wasserstein",
        "entropic_fused_gromov_wasserstein2",
        "entropic_gromov_wasserstein",
        "entropic_gromov_wasserstein2",
        "fused_gromov_wasserstein",
        "fused_gromov_wasserstein2",
        "gromov_wasserstein",
        "gromov_wasserstein2",
    ),
    "bapg": (
        "BAPG_fused_gromov_wasserstein",
        "BAPG_fused_gromov_wasserstein2",
        "BAPG_gromov_wasserstein",
        "BAPG_gromov_wasserstein2",
    ),
    "barycenters": (
        "entropic_fused_gromov_barycenters",
        "entropic_gromov_barycenters",
        "fgw_barycenters",
        "gromov_barycenters",
        "semirelaxed_fgw_barycenters",
        "semirelaxed_gromov_barycenters",
        "update_barycenter_feature",
        "update_barycenter_structure",
    ),
    "baselines": ("GDL", "GWF", "GWKMeans"),
    "batch": ("pairwise", "solve_all"),
    "blocks": ("BlockModel", "GraphCoarsener"),
    "clusterer": ("GraphClusterer",),
    "dictionary": ("SRGWDictionary",),
    "exceptions": ("ConvergenceWarning", "NotFittedError", "PlanError"),
    "datasets": ("Dataset", "read_dataset"),
    "graph": ("Graph", "as_graph", "read"),
    "graphon": ("Graphon",),
    "kernel": ("GraphKernel",),
    "gromov": (
        "derivatives",
        "entropic_semirelaxed_fused_gromov_wasserstein",
        "entropic_semirelaxed_fused_gromov_wasserstein2",
        "entropic_semirelaxed_gromov_wasserstein",
        "entropic_semirelaxed_gromov_wasserstein2",
        "gwggrad",
        "gwloss",
        "init_matrix",
        "init_matrix_semirelaxed",
        "semirelaxed_fused_gromov_wasserstein",
        "semirelaxed_fused_gromov_wasserstein2",
        "semirelaxed_gromov_wasserstein",
        "semirelaxed_gromov_wasserstein2",
        "semirelaxed_init_plan",
        "tensor_product",
    ),
    "linear_dictionaries": (
        "fused_gromov_wasserstein_dictionary_learning",
        "fused_gromov_wasserstein_linear_unmixing",
        "gromov_wasserstein_dictionary_learning",
        "gromov_wasserstein_linear_unmixing",
    ),
    "partial": (
        "entropic_partial_fused_gromov_wasserstein",
        "entropic_partial_fused_gromov_wasserstein2",
        "entropic_partial_gromov_wasserstein",
        "entropic_partial_gromov_wasserstein2",
        "partial_fused_gromov_wasserstein",
        "partial_fused_gromov_wasserstein2",
        "partial_gromov_wasserstein",
        "partial_gromov_wasserstein2",
        "solve_gromov_linesearch",
        "solve_partial_gromov_linesearch",
        "solve_semirelaxed_gromov_linesearch",
    ),
    "partition": ("SRGWPartition",),
    "solvers": ("GromovResult", "solve_gromov"),
    "_srgw": ("Progress", "Solution"),
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names}
_MODULES = ("datasets", "generate", "metrics", "plot")

if TYPE_CHECKING:
    from . import datasets as datasets
    from . import generate as generate
    from . import gromov as gromov
    from . import metrics as metrics
    from . import plot as plot
    from ._srgw import Progress as Progress
    from ._srgw import Solution as Solution
    from .balanced import *
    from .bapg import *
    from .barycenters import *
    from .baselines import *
    from .batch import *
    from .blocks import *
    from .clusterer import *
    from .datasets import Dataset as Dataset
    from .datasets import read_dataset as read_dataset
    from .dictionary import *
    from .exceptions import *
    from .graph import *
    from .graphon import *
    from .gromov import *
    from .kernel import *
    from .linear_dictionaries import *
    from .partial import *
    from .partition import *
    from .solvers import *

    __version__: str
else:  # type checkers take the names from the modules
    __all__ = sorted([*_HOMES, *_MODULES, "__version__"])


def __getattr__(name: str) -> Any:
    if name in _MODULES or name in _NAMES:
        return importlib.import_module(f".{name}", __name__)
    if name == "__version__":
        return importlib.import_module("._srgw", __name__).VERSION
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES, *_MODULES, "__version__"})
