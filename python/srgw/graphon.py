"""Graphons: what graphs of any sizes were drawn from."""

from __future__ import annotations

import os
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _arguments as arguments
from . import _srgw
from ._estimator import Estimator
from ._graph_sets import file_bytes, from_file_bytes, graph_set
from ._semirelaxed import Callback
from .graph import Graph

__all__ = ["Graphon"]

Array = NDArray[np.float64]
Path = str | os.PathLike[str]


@dataclass(eq=False, repr=False)
class Graphon(Estimator):
    """Step-function graphon of several graphs of any sizes.

    A graphon is a symmetric function on the unit square: each node has a place in [0, 1], and two
    nodes are linked with the probability of their places. The estimate is the semi-relaxed
    Gromov-Wasserstein barycenter of the graphs, whose plans tell the step of each node; what
    ``srgw graphon`` does.

    Parameters
    ----------
    n_steps : int or 'auto'
        Most steps; ``auto``: half the root of the mean number of nodes, rounded up.
    random_state : int, None or Generator
    n_jobs : int, optional
        Threads; all cores by default. The result does not depend on it.
    time_limit : float, optional
        Seconds; the best so far is kept.
    callback : callable, optional
        Called with a :class:`srgw.Progress` after each improvement; returning False stops.
    verbose : bool
        Prints a line for each improvement.

    Attributes
    ----------
    values_ : array, shape (n_steps_, n_steps_)
        Shares of the pairs of nodes with an edge, or mean weights; steps with many edges first.
    widths_ : array, shape (n_steps_,)
        Shares of the nodes in each step, which sum to 1.
    standard_errors_ : array, shape (n_steps_, n_steps_)
    pairs_ : array, shape (n_steps_, n_steps_)
        Pairs of nodes that the values are means of.
    labels_ : list of arrays
        The step of each node, for each graph.
    objective_ : float
        Mean squared difference between the graphs and the steps of their nodes.
    sample_objectives_ : array, shape (n_graphs,)
        Mean squared difference of each graph.
    n_steps_ : int
        Steps that have nodes.
    status_ : str

    Examples
    --------
    >>> import srgw
    >>> p = [[0.9, 0.3], [0.3, 0.1]]
    >>> sizes = [(20, 20), (30, 30), (25, 25)]
    >>> graphs = [
    ...     srgw.generate.stochastic_block_model(size, p, random_state=i)[0]
    ...     for i, size in enumerate(sizes)
    ... ]
    >>> model = Graphon(2).fit(graphs)
    >>> model.values_.round(1).tolist(), model.widths_.round(1).tolist()
    ([[0.9, 0.3], [0.3, 0.1]], [0.5, 0.5])
    >>> model.sample(100, random_state=0).n_nodes
    100
    """

    n_steps: int | str = "auto"
    _: KW_ONLY
    random_state: Any = 0
    n_jobs: int | None = None
    time_limit: float | None = None
    callback: Callback | None = None
    verbose: bool = False

    def fit(self, X: Any, y: Any = None) -> Graphon:
        """Estimates the graphon of graphs.

        Parameters
        ----------
        X : sequence of graphs, Dataset, or the path of one
        y : ignored

        Returns
        -------
        self
        """
        graphs = graph_set(X)
        steps = None
        if self.n_steps != "auto":
            steps = arguments.positive_int(self.n_steps, "n_steps")
        self._keep(
            _srgw.fit_graphon(
                [graph._core for graph in graphs.graphs],
                steps,
                arguments.run(
                    self.n_jobs, self.random_state, self.time_limit, self._reporter("improvement")
                ),
            )
        )
        if self.status_ == "time_limit":
            arguments.warn_of_time_limit("the search stopped", 2)
        return self

    def evaluate(self, x: Any, y: Any) -> Array:
        """Values of the step function at places in [0, 1].

        Parameters
        ----------
        x, y : array-like
            Places; arrays are broadcast.

        Returns
        -------
        array
        """
        self._check_fitted()
        borders = np.cumsum(self.widths_)[:-1]
        places = []
        for name, given in (("x", x), ("y", y)):
            place = np.asarray(given, np.float64)
            if not ((place >= 0) & (place <= 1)).all():
                raise ValueError(f"{name} has a place outside of [0, 1]")
            places.append(np.searchsorted(borders, place, side="right"))
        return np.asarray(self.values_[places[0], places[1]])

    def sample(self, n_nodes: int, random_state: Any = None) -> Graph:
        """A graph drawn from the graphon.

        Parameters
        ----------
        n_nodes : int
        random_state : int, None or Generator

        Returns
        -------
        Graph
        """
        self._check_fitted()
        nodes = arguments.positive_int(n_nodes, "n_nodes")
        return Graph._of(_srgw.sample_graphon(self._found, nodes, arguments.seed(random_state)))

    def save(self, path: Path) -> None:
        """Writes the graphon as .npz, as ``srgw graphon -o`` does.

        Parameters
        ----------
        path : str or path
        """
        self._check_fitted()
        self._found.save(os.fspath(path))

    @classmethod
    def load(cls, path: Path) -> Graphon:
        """Reads a graphon of :meth:`save` or ``srgw graphon -o``."""
        model = cls()
        model._keep(_srgw.FittedGraphon.load(os.fspath(path)))
        return model

    def save_picture(self, path: Path, *, title: str = "") -> None:
        """Draws the step function as an SVG file.

        Parameters
        ----------
        path : str or path
        title : str
        """
        self._check_fitted()
        with open(path, "w", encoding="utf-8") as file:
            file.write(_srgw.graphon_svg(self._found, title, self._summary()))

    def _repr_html_(self) -> str:
        """For notebooks: the parameters and, after fit, the step function."""
        words = super()._repr_html_()
        if "_found" not in vars(self):
            return words
        return words + str(_srgw.graphon_svg(self._found, "", self._summary()))

    def _summary(self) -> str:
        return f"{len(self.labels_)} graphs, {self.n_steps_} steps, value {self.objective_:.6g}"

    def _keep(self, found: _srgw.FittedGraphon) -> None:
        self._found = found
        self.values_, self.widths_ = found.values, found.widths
        self.standard_errors_, self.pairs_ = found.standard_errors, found.pairs
        self.labels_ = list(found.labels)
        self.objective_ = found.value
        self.sample_objectives_ = np.asarray(found.sample_values, np.float64)
        self.n_steps_ = len(self.widths_)
        self.status_ = found.status

    def __getstate__(self) -> dict[str, Any]:
        """The graphon is pickled as the bytes of its file."""
        state = super().__getstate__()
        if "_found" in state:
            state["_found"] = file_bytes(state["_found"])
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        if "_found" in state:
            self._found = from_file_bytes(_srgw.FittedGraphon.load, state["_found"])
