"""Parameters of a partition, as the library's partition() takes them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _arguments as arguments
from . import _srgw
from ._sources import FIXED_WEIGHTS, WORDS, split_word
from .graph import Graph

Array = NDArray[np.float64]
Word = tuple[str, float | None]  # such as heat and 5

_INITS = (
    "auto",
    "product",
    "random",
    "random-product",
    "random-labels",
    "kmeans",
    "spectral",
    "fluid",
    "split-merge",
    "multilevel",
)
_STRUCTURES = (
    "auto",
    "adjacency",
    "modularity",
    "normalized-adjacency",
    "laplacian",
    "normalized-laplacian",
    "shortest-path",
)
_NUMBERED_STRUCTURES = ("heat", "stability", "shortest-path")


class Words(NamedTuple):
    """What was asked for."""

    structure: Any
    weights: Any
    target: Any
    init: Any
    n_clusters: Any

    def structure_word(self) -> Word:
        """With its number."""
        if not isinstance(self.structure, str):
            raise TypeError(f"structure is {self.structure!r}, expected a word")
        kind, number = split_word(self.structure, "structure")
        if kind not in (_STRUCTURES if number is None else _NUMBERED_STRUCTURES):
            raise ValueError(
                f"structure is {self.structure!r}, expected auto or one of {', '.join(WORDS)}"
            )
        return kind, number

    def seen(self) -> str:
        """The structure that `auto` stands for."""
        if self.structure != "auto":
            return str(self.structure)
        return "adjacency" if self._target_word() == "learned" else "modularity"

    def weights_given(self, nodes: int) -> Word | Array:
        """A word, or a number for each node."""
        if self.weights is None:
            return "auto", None
        word = self.weights if isinstance(self.weights, str) else ""
        structure = self.seen().partition(":")[0]
        if structure in FIXED_WEIGHTS and word != "degree":
            raise ValueError(f"weights with {structure}, which fixes its own: degree")
        if not word:
            return arguments.weights(self.weights, "weights", nodes)[0]
        kind, number = split_word(word, "weights")
        if kind not in (("uniform", "degree") if number is None else ("power",)):
            raise ValueError(f"weights is {word!r}, expected uniform, degree, power:b or an array")
        return kind, number

    def target_given(self) -> _srgw.Structure | Word:
        """A word, or a matrix."""
        if not isinstance(self.target, str):
            return arguments.structure(self.target, "target", None)[0]
        kind, number = split_word(self.target, "target")
        if kind not in (
            ("auto", "identity", "learned") if number is None else ("scaled-identity",)
        ):
            raise ValueError(
                f"target is {self.target!r}, expected auto, identity, scaled-identity:s, learned "
                "or a matrix"
            )
        return "scaled-identity" if kind == "identity" else kind, number

    def clusters(self, target: _srgw.Structure | Word) -> int | None:
        """At most so many, or None: as many as there are."""
        count = None
        if isinstance(self.n_clusters, str) and self.n_clusters != "auto":
            raise ValueError(
                f"n_clusters is {self.n_clusters!r}, expected a whole number above 0 or 'auto'"
            )
        if not isinstance(self.n_clusters, str):
            count = arguments.positive_int(self.n_clusters, "n_clusters")
        if not isinstance(target, _srgw.Structure):
            return count
        if count not in (None, target.size):
            raise ValueError(f"target has {target.size} rows, expected n_clusters, {count}")
        return target.size

    def start(self, graph: Graph, clusters: int | None, sparsity: float) -> Any:
        """None, a name, labels or a plan."""
        if isinstance(self.init, str):
            word = self.init.replace("_", "-")
            if word not in _INITS:
                raise ValueError(f"init is {self.init!r}, expected one of {', '.join(_INITS)}")
            return self._usual_start(graph, clusters, sparsity) if word == "auto" else word
        if clusters is None:
            raise ValueError("init with n_clusters 'auto', expected a number of clusters")
        given, n = np.asarray(self.init), graph.n_nodes
        if given.ndim != 1:
            plan = arguments.cost_matrix(self.init, "init", n, clusters)[0]
            if not plan.min() >= 0:
                raise ValueError(f"init has the entry {plan.min()}, expected numbers >= 0")
            return plan
        if given.shape != (n,) or given.dtype.kind not in "iu":
            raise ValueError(f"init has shape {given.shape}, expected {n} whole numbers")
        if given.min() < 0 or given.max() >= clusters:
            raise ValueError(f"init has labels up to {given.max()}, expected 0 to {clusters - 1}")
        return given.astype(np.uint32)

    def _usual_start(self, graph: Graph, clusters: int | None, sparsity: float) -> str | None:
        """None where partition() knows best; else what the command line takes."""
        target = self._target_word()
        free = self.structure == "auto" and (sparsity == 0 or clusters is None)
        if target == "learned" or (target == "auto" and free) or graph.features is not None:
            return None
        return "spectral"

    def _target_word(self) -> str:
        return self.target if isinstance(self.target, str) else ""
