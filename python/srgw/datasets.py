"""Sets of graphs: the class, files of them, and a few for examples.

>>> import srgw
>>> club = srgw.datasets.karate()
>>> club, club.attributes["club"][0]
(Graph(n_nodes=34, n_edges=78), 'Mr. Hi')
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from . import _arguments as arguments
from . import _srgw
from .graph import Graph, Path, as_graph

__all__ = ["Dataset", "families", "karate", "molecules", "read_dataset"]


@dataclass
class Dataset:
    """Many graphs with their labels; lists are empty if there are none.

    ``labels`` are the classes of the graphs, and ``classes`` their names if the file has names.
    An index or iteration gives a :class:`srgw.Graph` with its node labels and features; a slice, a
    mask or an array of indices gives a Dataset with those of its graphs, so that
    ``train_test_split`` and ``cross_val_score`` of scikit-learn take a Dataset as ``X``.

    Examples
    --------
    >>> import numpy as np
    >>> dataset = families(9)
    >>> dataset[0], len(dataset[:4]), len(dataset[dataset.labels == 1])
    (Graph(n_nodes=10, n_edges=10), 4, 3)
    """

    name: str
    graphs: list[Graph] = field(repr=False)
    names: list[str] = field(default_factory=list, repr=False)
    labels: NDArray[Any] | None = field(default=None, repr=False)
    node_labels: list[NDArray[np.int64]] = field(default_factory=list, repr=False)
    classes: list[str] = field(default_factory=list, repr=False)

    def __post_init__(self) -> None:
        self.graphs = [as_graph(graph) for graph in self.graphs]
        for name in ("names", "labels", "node_labels"):
            given = getattr(self, name)
            if given is None or (len(given) == 0 and self.graphs):  # absent
                setattr(self, name, None if name == "labels" else [])
            elif len(given) != len(self.graphs):
                raise ValueError(
                    f"{name} has {len(given)} entries, expected {len(self.graphs)}, one for a graph"
                )
        if self.labels is not None:
            self.labels = np.asarray(self.labels)
        if len(self.node_labels):
            pairs = zip(self.graphs, self.node_labels, strict=True)
            self.graphs = [as_graph(graph, node_labels=labels) for graph, labels in pairs]
        self.node_labels = [g.node_labels for g in self.graphs if g.node_labels is not None]
        if len(self.node_labels) < len(self.graphs):
            self.node_labels = []

    def __len__(self) -> int:
        return len(self.graphs)

    @property
    def shape(self) -> tuple[int]:
        """``(len(self),)``: scikit-learn indexes what has a shape by arrays."""
        return (len(self.graphs),)

    @overload
    def __getitem__(self, key: int | np.integer[Any]) -> Graph: ...

    @overload
    def __getitem__(self, key: Any) -> Dataset: ...

    def __getitem__(self, key: Any) -> Graph | Dataset:
        if isinstance(key, tuple) and len(key) == 2 and key[1] is Ellipsis:
            key = key[0]  # as scikit-learn writes it
        if isinstance(key, int | np.integer) and not isinstance(key, bool):
            return self.graphs[key]
        chosen = self._positions(key)
        return Dataset(
            self.name,
            [self.graphs[i] for i in chosen],
            [self.names[i] for i in chosen] if self.names else [],
            None if self.labels is None else self.labels[chosen],
            [],  # the graphs have them
            self.classes,
        )

    def _positions(self, key: Any) -> list[int]:
        count = len(self.graphs)
        if isinstance(key, slice):
            return list(range(*key.indices(count)))
        given = np.asarray(key)
        if given.size == 0:
            return []
        if given.ndim != 1 or given.dtype.kind not in "iub":
            raise TypeError(
                f"a Dataset is indexed by {given.dtype} of shape {given.shape}, expected a number, "
                "a slice, a mask, or a vector of whole numbers"
            )
        if given.dtype.kind == "b":
            if len(given) != count:
                raise IndexError(f"the mask has {len(given)} entries, expected {count}")
            given = np.flatnonzero(given)
        elif given.min() < -count or given.max() >= count:
            raise IndexError(
                f"indices are from {given.min()} to {given.max()}, the Dataset has {count} graphs"
            )
        chosen: list[int] = (given % count).tolist()
        return chosen

    def __iter__(self) -> Iterator[Graph]:
        return iter(self.graphs)


def read_dataset(path: Path, *, time_limit: float | None = None) -> Dataset:
    """Reads many graphs: a TUDataset folder, a folder of graph files, or a packed ``.npz``.

    Parameters
    ----------
    path : str or path
    time_limit : float, optional
        Seconds, after which ``TimeoutError`` is raised.

    Returns
    -------
    Dataset
        Graphs with their features, names and classes, and node labels.
    """
    with _srgw.TimeLimit(time_limit):
        found = _srgw.read_dataset(os.fspath(path))
    features = found["node_features"] or [None] * len(found["graphs"])
    graphs = [Graph._of(g, None, x) for g, x in zip(found["graphs"], features, strict=True)]
    names, labels, kinds, classes = (
        found[key] for key in ("names", "labels", "node_labels", "classes")
    )
    return Dataset(found["name"], graphs, names, labels, kinds, classes)


def karate() -> Graph:
    """Friendships of a karate club that split in two (Zachary, 1977).

    Returns
    -------
    Graph
        34 members; the attribute ``club`` says whom each followed: ``Mr. Hi`` or ``Officer``.

    Examples
    --------
    >>> graph = karate()
    >>> graph, graph.attributes["club"].count("Officer")
    (Graph(n_nodes=34, n_edges=78), 17)
    """
    ends = [(i, j) for i, later in enumerate(_KARATE) for j in later]
    graph = Graph(34, np.array(ends).T)
    graph.attributes["club"] = ["Officer" if i in _OFFICER else "Mr. Hi" for i in range(34)]
    return graph


# For each member the friends with a larger number, and those who followed the officer.
_KARATE: tuple[tuple[int, ...], ...] = (
    (1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 17, 19, 21, 31),
    (2, 3, 7, 13, 17, 19, 21, 30),
    (3, 7, 8, 9, 13, 27, 28, 32),
    (7, 12, 13),
    (6, 10),
    (6, 10, 16),
    (16,),
    (),
    (30, 32, 33),
    (33,),
    *[()] * 3,
    (33,),
    *[(32, 33)] * 2,
    *[()] * 2,
    (32, 33),
    (33,),
    (32, 33),
    (),
    (32, 33),
    (25, 27, 29, 32, 33),
    (25, 27, 31),
    (31,),
    (29, 33),
    (33,),
    (31, 33),
    (32, 33),
    (32, 33),
    (32, 33),
    (33,),
    (),
)
_OFFICER = frozenset({9, 14, 15, 18, 20, *range(22, 34)})


def families(n_graphs: int = 60, *, random_state: Any = 0) -> Dataset:
    """Graphs of three kinds, for examples of clustering and classification of graphs.

    Cycles, stars, and pairs of communities, of 10 to 20 nodes, one after the other.

    Parameters
    ----------
    n_graphs : int
    random_state : int, None or Generator

    Returns
    -------
    Dataset
        ``labels`` are the kinds, ``classes`` their names.

    Examples
    --------
    >>> dataset = families(30)
    >>> len(dataset), dataset.classes
    (30, ['cycle', 'star', 'communities'])
    """
    makers: dict[str, Callable[[int, np.random.Generator], Graph]] = {
        "cycle": lambda n, rng: Graph(n, [np.arange(n), (np.arange(n) + 1) % n]),
        "star": lambda n, rng: Graph(n, [np.zeros(n - 1, np.int64), np.arange(1, n)]),
        "communities": _two_communities,
    }
    rng = np.random.default_rng(arguments.seed(random_state))
    count = arguments.positive_int(n_graphs, "n_graphs")
    graphs, labels = [], []
    for i in range(count):
        kind = i % len(makers)
        nodes = 10 + (i // len(makers)) % 11
        graphs.append(list(makers.values())[kind](nodes, rng))
        labels.append(kind)
    return Dataset("families", graphs, labels=np.array(labels), classes=list(makers))


def _two_communities(nodes: int, rng: np.random.Generator) -> Graph:
    side = np.arange(nodes) < nodes // 2
    likely = np.where(side[:, None] == side, 0.8, 0.1)
    return Graph(nodes, np.argwhere(np.triu(rng.random((nodes, nodes)) < likely, 1)).T)


def molecules(n_graphs: int = 60, *, random_state: Any = 0) -> Dataset:
    """Random chains and rings with node labels and attributes, shaped like small molecules.

    The class of a graph is whether it has a ring; some nodes carry another label, with a leaf.

    Parameters
    ----------
    n_graphs : int
    random_state : int, None or Generator

    Returns
    -------
    Dataset
        With ``node_labels`` (0, 1, 2), one node feature, and ``labels``.

    Examples
    --------
    >>> dataset = molecules(10)
    >>> dataset[0].node_labels.shape == (dataset[0].n_nodes,), dataset[0].features.shape[1]
    (True, 1)
    """
    rng = np.random.default_rng(arguments.seed(random_state))
    graphs, labels = [], []
    for i in range(arguments.positive_int(n_graphs, "n_graphs")):
        core, ring = int(rng.integers(6, 13)), i % 2
        edges = [(j, j + 1) for j in range(core - 1)] + ([(0, 5)] if ring else [])
        leaves = np.flatnonzero(rng.random(core) < 0.3)
        edges += [(int(j), core + k) for k, j in enumerate(leaves)]
        kinds = np.zeros(core + len(leaves), np.int64)
        kinds[leaves], kinds[core:] = 1, 2
        charges = kinds[:, None] - 0.5 + 0.1 * rng.normal(size=(len(kinds), 1))
        graphs.append(Graph(len(kinds), np.array(edges).T, features=charges, node_labels=kinds))
        labels.append(ring)
    return Dataset("molecules", graphs, labels=np.array(labels), classes=["chain", "ring"])
