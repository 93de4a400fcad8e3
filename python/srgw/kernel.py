"""A kernel between graphs, from their divergences."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _arguments as arguments
from . import _srgw
from ._docs import inherit_parameters
from ._estimator import as_set
from ._graph_sets import GraphEstimator, GraphSet, feature_map, graph_set
from .batch import divergences, pairwise, solve_method

__all__ = ["GraphKernel"]

Array = NDArray[np.float64]
_SYMMETRIES = ("mean", "max", "min")


@inherit_parameters(pairwise, GraphEstimator)
@dataclass(eq=False, repr=False)
class GraphKernel(GraphEstimator):
    """Kernel ``exp(-gamma d)`` of the divergences ``d`` between graphs.

    Semi-relaxed divergences depend on the direction: both are computed, and ``symmetry`` says how
    they become one. ``transform`` gives the kernel between graphs and those of ``fit``, which
    ``SVC(kernel="precomputed")`` takes in a pipeline. The kernel need not be positive
    semi-definite; ``clip`` makes that of the fitted graphs so.

    Parameters
    ----------
    gamma : float or 'median'
        ``median``: 1 over the median divergence of different graphs of ``fit``.
    symmetry : {'mean', 'max', 'min'}
    clip : bool
        Whether :meth:`fit_transform` sets negative eigenvalues to 0.
    start, n_init
        As for :func:`srgw.pairwise`.

    Attributes
    ----------
    gamma_ : float
    divergences_ : array, shape (graphs, graphs)
        Divergences of the fitted graphs; row i projects graph i on the others.

    Examples
    --------
    >>> import srgw
    >>> dataset = srgw.datasets.families(12)
    >>> kernel = srgw.GraphKernel().fit_transform(dataset)
    >>> kernel.shape, bool((kernel.diagonal() > 0.99).all())
    ((12, 12), True)

    With scikit-learn: ``make_pipeline(srgw.GraphKernel(), SVC(kernel="precomputed"))``.
    """

    _left_out = ("callback", "_features")
    _step = "iteration"

    gamma: float | str = "median"
    _: KW_ONLY
    symmetry: str = "mean"
    clip: bool = False
    start: str = "auto"
    n_init: int = 1
    max_iter: float = 1e4
    tol: float = 1e-9

    def fit(self, X: Any, y: Any = None) -> GraphKernel:
        """Keeps graphs and computes their divergences.

        Parameters
        ----------
        X : sequence of anything that :func:`srgw.as_graph` takes, a Dataset, or the path of one
        y : ignored

        Returns
        -------
        self
        """
        if self.symmetry not in _SYMMETRIES:
            known = ", ".join(_SYMMETRIES)
            raise ValueError(f"symmetry is {self.symmetry!r}, expected one of {known}")
        width = self._width()
        graphs = graph_set(X)
        features = feature_map(graphs, self.features, self.standardise)
        self.divergences_ = self._divergences(graphs, None, features)
        self._graphs, self._features = graphs, features
        if width is None:
            apart = self._symmetric(self.divergences_, self.divergences_)
            apart = apart[np.triu_indices(len(apart), 1)]
            apart = apart[apart > 0]
            self.gamma_ = 1 / float(np.median(apart)) if len(apart) else 1.0
        else:
            self.gamma_ = width
        return self

    @as_set
    def fit_transform(self, X: Any, y: Any = None) -> Array:
        """The kernel between the graphs, shape (graphs, graphs)."""
        self.fit(X, y)
        kernel = self._kernel(self.divergences_, self.divergences_)
        if not self.clip:
            return kernel
        values, vectors = np.linalg.eigh(kernel)
        clipped: Array = (vectors * np.maximum(values, 0)) @ vectors.T
        return clipped

    @as_set
    def transform(self, X: Any) -> Array:
        """The kernel between graphs and those of ``fit``, shape (graphs, graphs of fit)."""
        self._check_fitted()
        graphs = graph_set(X)
        there = self._divergences(graphs, self._graphs, self._features)
        back = self._divergences(self._graphs, graphs, self._features)
        return self._kernel(there, back)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Names of the columns of :meth:`transform`: the name of the class and a number.

        Parameters
        ----------
        input_features : ignored
        """
        self._check_fitted()
        return self._numbered_names(len(self.divergences_))

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        if "_graphs" in state:  # what is fitted is fitted again: the library's maps have no pickles
            self._features = feature_map(self._graphs, self.features, self.standardise)

    def _kernel(self, there: Array, back: Array) -> Array:
        kernel: Array = np.exp(-self.gamma_ * np.maximum(self._symmetric(there, back), 0))
        return kernel

    def _symmetric(self, there: Array, back: Array) -> Array:
        if self.symmetry == "mean":
            return (there + back.T) / 2
        return (np.maximum if self.symmetry == "max" else np.minimum)(there, back.T)

    def _width(self) -> float | None:
        if self.gamma == "median":
            return None
        try:
            number = float(self.gamma)
        except (TypeError, ValueError):
            number = 0.0
        if not 0 < number < np.inf:
            raise ValueError(f"gamma is {self.gamma!r}, expected a number above 0 or 'median'")
        return number

    def _divergences(
        self, graphs: GraphSet, targets: GraphSet | None, features: _srgw.FeatureMap
    ) -> Array:
        return divergences(
            graphs,
            targets,
            features,
            (self.structure, self.weights),
            arguments.number(self.alpha, "alpha"),
            solve_method("auto", 0.0, self.max_iter, self.tol),
            (self.start, self.n_init),
            self._run(),
        )
