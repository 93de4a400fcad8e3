"""Semi-relaxed Gromov-Wasserstein optimal transport on graphs.

Functions with the names of ``ot.gromov`` take its arguments and return what it returns;
:class:`SRGWPartition` finds clusters of nodes; :func:`as_graph` takes whatever holds a graph.

>>> import numpy as np
>>> import srgw
>>> C = np.kron(np.eye(2), np.ones((3, 3)))  # two groups of three nodes
>>> T = srgw.semirelaxed_gromov_wasserstein(C, np.eye(2))
>>> T.shape
(6, 2)
"""

from . import generate, metrics
from ._srgw import Progress, Solution, __version__
from .batch import pairwise, solve_all
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
from .partition import SRGWPartition
from .solvers import GromovResult, solve_gromov

__all__ = [
    "ConvergenceWarning",
    "Dataset",
    "Graph",
    "GromovResult",
    "NotFittedError",
    "PlanError",
    "Progress",
    "SRGWPartition",
    "Solution",
    "__version__",
    "as_graph",
    "derivatives",
    "entropic_semirelaxed_fused_gromov_wasserstein",
    "entropic_semirelaxed_fused_gromov_wasserstein2",
    "entropic_semirelaxed_gromov_wasserstein",
    "entropic_semirelaxed_gromov_wasserstein2",
    "generate",
    "gwggrad",
    "gwloss",
    "init_matrix",
    "init_matrix_semirelaxed",
    "metrics",
    "pairwise",
    "read",
    "read_dataset",
    "semirelaxed_fused_gromov_wasserstein",
    "semirelaxed_fused_gromov_wasserstein2",
    "semirelaxed_gromov_wasserstein",
    "semirelaxed_gromov_wasserstein2",
    "semirelaxed_init_plan",
    "solve_all",
    "solve_gromov",
    "tensor_product",
]
