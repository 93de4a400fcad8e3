"""Labels of nodes by the names of the nodes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._estimator import Estimator
from .graph import Graph


class NodeLabels(Estimator):
    """Base of estimators whose ``labels_`` are those of the nodes of one graph."""

    labels_: NDArray[np.int64]
    _names: list[Any] | None

    def to_dict(self) -> dict[Any, int]:
        """The cluster of each node, by its name (its index if the graph has no names).

        For NetworkX: ``nx.set_node_attributes(G, model.to_dict(), "cluster")``.
        """
        self._check_fitted()
        return dict(zip(self._node_names(), self.labels_.tolist(), strict=True))

    def to_series(self, name: str = "cluster") -> Any:
        """The cluster of each node as a pandas Series with the names as its index."""
        self._check_fitted()
        import pandas as pd

        index = pd.Index(self._node_names(), name="node", tupleize_cols=False)
        return pd.Series(self.labels_, index=index, name=name)

    def to_sets(self) -> list[set[Any]]:
        """The names of the nodes in each cluster, in the order of the labels."""
        self._check_fitted()
        clusters: dict[int, set[Any]] = {label: set() for label in np.unique(self.labels_).tolist()}
        for name, label in zip(self._node_names(), self.labels_.tolist(), strict=True):
            clusters[label].add(name)
        return list(clusters.values())

    def to_cdlib(self) -> Any:
        """The clusters as a ``cdlib.NodeClustering``."""
        self._check_fitted()
        from cdlib import NodeClustering

        graph: Graph | None = vars(self).get("_graph")
        return NodeClustering(
            [sorted(cluster, key=str) for cluster in self.to_sets()],
            None if graph is None else graph.to_networkx(),
            "srgw",
            {key: value for key, value in self.get_params().items() if key != "callback"},
        )

    def _node_names(self) -> list[Any]:
        return list(range(len(self.labels_))) if self._names is None else self._names
