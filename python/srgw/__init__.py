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

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import generate, metrics, plot
    from ._srgw import VERSION as __version__
    from ._srgw import Progress, Solution
    from .balanced import (
        entropic_fused_gromov_wasserstein,
        entropic_fused_gromov_wasserstein2,
        entropic_gromov_wasserstein,
        entropic_gromov_wasserstein2,
        fused_gromov_wasserstein,
        fused_gromov_wasserstein2,
        gromov_wasserstein,
        gromov_wasserstein2,
    )
    from .bapg import (
        BAPG_fused_gromov_wasserstein,
        BAPG_fused_gromov_wasserstein2,
        BAPG_gromov_wasserstein,
        BAPG_gromov_wasserstein2,
    )
    from .barycenters import (
        entropic_fused_gromov_barycenters,
        entropic_gromov_barycenters,
        fgw_barycenters,
        gromov_barycenters,
        semirelaxed_fgw_barycenters,
        semirelaxed_gromov_barycenters,
        update_barycenter_feature,
        update_barycenter_structure,
    )
    from .batch import pairwise, solve_all
    from .clusterer import GraphClusterer
    from .dictionary import SRGWDictionary
    from .exceptions import ConvergenceWarning, NotFittedError, PlanError
    from .graph import Dataset, Graph, as_graph, read, read_dataset
    from .gromov import (
        derivatives,
        entropic_semirelaxed_fused_gromov_wasserstein,
        entropic_semirelaxed_fused_gromov_wasserstein2,
        entropic_semirelaxed_gromov_wasserstein,
        entropic_semirelaxed_gromov_wasserstein2,
        gwggrad,
        gwloss,
        init_matrix,
        init_matrix_semirelaxed,
        semirelaxed_fused_gromov_wasserstein,
        semirelaxed_fused_gromov_wasserstein2,
        semirelaxed_gromov_wasserstein,
        semirelaxed_gromov_wasserstein2,
        semirelaxed_init_plan,
        tensor_product,
    )
    from .linear_dictionaries import (
        fused_gromov_wasserstein_dictionary_learning,
        fused_gromov_wasserstein_linear_unmixing,
        gromov_wasserstein_dictionary_learning,
        gromov_wasserstein_linear_unmixing,
    )
    from .partition import SRGWPartition
    from .baselines import GDL, GWF, GWKMeans
    from .solvers import GromovResult, solve_gromov

__all__ = [
    "BAPG_fused_gromov_wasserstein",
    "BAPG_fused_gromov_wasserstein2",
    "BAPG_gromov_wasserstein",
    "BAPG_gromov_wasserstein2",
    "ConvergenceWarning",
    "Dataset",
    "GDL",
    "GWF",
    "GWKMeans",
    "Graph",
    "GraphClusterer",
    "GromovResult",
    "NotFittedError",
    "PlanError",
    "Progress",
    "SRGWDictionary",
    "SRGWPartition",
    "Solution",
    "__version__",
    "as_graph",
    "derivatives",
    "entropic_fused_gromov_barycenters",
    "entropic_fused_gromov_wasserstein",
    "entropic_fused_gromov_wasserstein2",
    "entropic_gromov_barycenters",
    "entropic_gromov_wasserstein",
    "entropic_gromov_wasserstein2",
    "entropic_semirelaxed_fused_gromov_wasserstein",
    "entropic_semirelaxed_fused_gromov_wasserstein2",
    "entropic_semirelaxed_gromov_wasserstein",
    "entropic_semirelaxed_gromov_wasserstein2",
    "fgw_barycenters",
    "fused_gromov_wasserstein",
    "fused_gromov_wasserstein2",
    "fused_gromov_wasserstein_dictionary_learning",
    "fused_gromov_wasserstein_linear_unmixing",
    "generate",
    "gromov_barycenters",
    "gromov_wasserstein",
    "gromov_wasserstein2",
    "gromov_wasserstein_dictionary_learning",
    "gromov_wasserstein_linear_unmixing",
    "gwggrad",
    "gwloss",
    "init_matrix",
    "init_matrix_semirelaxed",
    "metrics",
    "pairwise",
    "plot",
    "read",
    "read_dataset",
    "semirelaxed_fgw_barycenters",
    "semirelaxed_fused_gromov_wasserstein",
    "semirelaxed_fused_gromov_wasserstein2",
    "semirelaxed_gromov_barycenters",
    "semirelaxed_gromov_wasserstein",
    "semirelaxed_gromov_wasserstein2",
    "semirelaxed_init_plan",
    "solve_all",
    "solve_gromov",
    "tensor_product",
    "update_barycenter_feature",
    "update_barycenter_structure",
]

# Where a name lives: modules are imported when one of their names is first asked for.
_HOMES = {
    "BAPG_fused_gromov_wasserstein": "bapg",
    "BAPG_fused_gromov_wasserstein2": "bapg",
    "BAPG_gromov_wasserstein": "bapg",
    "BAPG_gromov_wasserstein2": "bapg",
    "entropic_fused_gromov_barycenters": "barycenters",
    "entropic_gromov_barycenters": "barycenters",
    "fgw_barycenters": "barycenters",
    "gromov_barycenters": "barycenters",
    "semirelaxed_fgw_barycenters": "barycenters",
    "semirelaxed_gromov_barycenters": "barycenters",
    "update_barycenter_feature": "barycenters",
    "update_barycenter_structure": "barycenters",
    "entropic_fused_gromov_wasserstein": "balanced",
    "entropic_fused_gromov_wasserstein2": "balanced",
    "entropic_gromov_wasserstein": "balanced",
    "entropic_gromov_wasserstein2": "balanced",
    "fused_gromov_wasserstein": "balanced",
    "fused_gromov_wasserstein2": "balanced",
    "gromov_wasserstein": "balanced",
    "gromov_wasserstein2": "balanced",
    "Progress": "_srgw",
    "Solution": "_srgw",
    "pairwise": "batch",
    "solve_all": "batch",
    "GraphClusterer": "clusterer",
    "SRGWDictionary": "dictionary",
    "ConvergenceWarning": "exceptions",
    "NotFittedError": "exceptions",
    "PlanError": "exceptions",
    "Dataset": "graph",
    "Graph": "graph",
    "as_graph": "graph",
    "read": "graph",
    "read_dataset": "graph",
    "derivatives": "gromov",
    "entropic_semirelaxed_fused_gromov_wasserstein": "gromov",
    "entropic_semirelaxed_fused_gromov_wasserstein2": "gromov",
    "entropic_semirelaxed_gromov_wasserstein": "gromov",
    "entropic_semirelaxed_gromov_wasserstein2": "gromov",
    "gwggrad": "gromov",
    "gwloss": "gromov",
    "init_matrix": "gromov",
    "init_matrix_semirelaxed": "gromov",
    "semirelaxed_fused_gromov_wasserstein": "gromov",
    "semirelaxed_fused_gromov_wasserstein2": "gromov",
    "semirelaxed_gromov_wasserstein": "gromov",
    "semirelaxed_gromov_wasserstein2": "gromov",
    "semirelaxed_init_plan": "gromov",
    "tensor_product": "gromov",
    **dict.fromkeys(
        (
            "fused_gromov_wasserstein_dictionary_learning",
            "fused_gromov_wasserstein_linear_unmixing",
            "gromov_wasserstein_dictionary_learning",
            "gromov_wasserstein_linear_unmixing",
        ),
        "linear_dictionaries",
    ),
    "SRGWPartition": "partition",
    "GDL": "baselines",
    "GWF": "baselines",
    "GWKMeans": "baselines",
    "GromovResult": "solvers",
    "solve_gromov": "solvers",
}
_MODULES = ("generate", "gromov", "metrics", "plot")


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f".{name}", __name__)
    if name == "__version__":
        return importlib.import_module("._srgw", __name__).VERSION
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
