"""Backend of NetworkX: ``nx.community.louvain_communities(G, backend="srgw")``.

NetworkX finds the installed package itself. Functions return what those of NetworkX return, from
the search of :class:`srgw.SRGWPartition` for the best modularity.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

from ._exports import edge_arrays
from ._networkx_info import FUNCTIONS
from .graph import Graph, as_graph
from .metrics import modularity
from .partition import SRGWPartition

__all__ = [
    "can_run",
    "convert_from_nx",
    "convert_to_nx",
    "greedy_modularity_communities",
    "leiden_communities",
    "louvain_communities",
]


def louvain_communities(
    G: Graph,
    weight: str | None = "weight",
    resolution: float = 1,
    threshold: float = 1e-7,
    max_level: int | None = None,
    seed: Any = None,
    *,
    effort: str = "normal",
    n_jobs: int | None = None,
) -> list[set[Any]]:
    """As ``nx.community.louvain_communities``; ``threshold`` has no effect."""
    if max_level is not None:
        raise NotImplementedError(f"max_level is {max_level!r}, expected None with backend='srgw'")
    return _communities(G, weight, resolution, seed, effort, n_jobs)


def leiden_communities(
    G: Graph,
    weight: str | None = "weight",
    resolution: float = 1,
    max_level: int | None = None,
    seed: Any = None,
    *,
    effort: str = "normal",
    n_jobs: int | None = None,
) -> list[set[Any]]:
    """As ``nx.community.leiden_communities``: communities are connected."""
    return louvain_communities(
        G, weight, resolution, max_level=max_level, seed=seed, effort=effort, n_jobs=n_jobs
    )


def greedy_modularity_communities(
    G: Graph,
    weight: str | None = None,
    resolution: float = 1,
    cutoff: int = 1,
    best_n: int | None = None,
    *,
    effort: str = "normal",
    n_jobs: int | None = None,
) -> list[frozenset[Any]]:
    """As ``nx.community.greedy_modularity_communities``: the largest community first."""
    if cutoff != 1 or best_n is not None:
        raise NotImplementedError("cutoff and best_n are not available with backend='srgw'")
    found = _communities(G, weight, resolution, 0, effort, n_jobs)
    return sorted(map(frozenset, found), key=len, reverse=True)


def convert_from_nx(graph: Any, *, edge_attrs: Any = None, **options: Any) -> Graph:
    """A graph of NetworkX as one of this package, with one edge attribute as weight."""
    if isinstance(graph, Graph):
        return graph
    weight = next(iter(edge_attrs), None) if isinstance(edge_attrs, Mapping) else None
    if weight is None and options.get("preserve_edge_attrs"):
        weight = "weight"
    return as_graph(graph, weight=weight)


def convert_to_nx(result: Any, **options: Any) -> Any:
    """Graphs become graphs of NetworkX, other results stay."""
    return result.to_networkx() if isinstance(result, Graph) else result


def can_run(name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool | str:
    """Whether NetworkX may call a function with these arguments, or why not."""
    if name not in FUNCTIONS:
        return f"srgw has no {name}"
    graph = args[0] if args else kwargs.get("G")
    if graph is not None and graph.is_directed():
        return "srgw finds communities of undirected graphs"
    if graph is not None and len(graph) == 0:
        return "srgw takes graphs with nodes"
    if (args[2] if len(args) > 2 else kwargs.get("resolution", 1)) <= 0:
        return "srgw takes resolutions above 0"
    for option, usual in (("max_level", None), ("cutoff", 1), ("best_n", None)):
        if kwargs.get(option, usual) != usual:
            return f"srgw has no {option}"
    return True


def _communities(
    graph: Graph,
    weight: str | None,
    resolution: float,
    seed: Any,
    effort: str,
    n_jobs: int | None,
) -> list[set[Any]]:
    if graph.directed:
        raise NotImplementedError("the graph is directed; backend='srgw' takes undirected graphs")
    names = list(range(graph.n_nodes)) if graph.names is None else list(graph.names)
    ends, weights = edge_arrays(graph)
    if weight is None and weights is not None:
        graph, weights = Graph(graph.n_nodes, ends, names=graph.names), None
    if resolution <= 0 or (weights is not None and bool((weights < 0).any())):
        raise NotImplementedError(
            "backend='srgw' needs a resolution above 0 and no negative weights"
        )
    if bool((ends[0] == ends[1]).all()):
        return [{name} for name in names]
    given: dict[str, Any] = {"n_jobs": n_jobs, "random_state": _seed(seed)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about the certificate, which NetworkX does not show
        model = SRGWPartition(criterion="modularity", effort=effort, **given)
        # A graph without communities is one cluster for the search, not so for NetworkX.
        if resolution != 1 or not model.fit(graph).significant_:
            model = _at_resolution(graph, float(resolution), given)
    clusters = model.to_sets()
    if model.unconnected_:  # the last group: nodes without edges to others
        clusters += [{name} for name in clusters.pop()]
    return clusters


def _at_resolution(graph: Graph, resolution: float, given: dict[str, Any]) -> SRGWPartition:
    """The search is at resolution 1. At others, two starts of the solve are compared.

    Split and merge finds a number of clusters; multilevel moves may use more, or leave some empty.
    """
    given = given | {"structure": "modularity", "target": f"scaled-identity:{resolution!r}"}
    first = SRGWPartition(init="split-merge", n_init=5, **given).fit(graph)
    most = min(graph.n_nodes, 2 * first.n_clusters_ + 8)
    second = SRGWPartition(most, init="multilevel", **given).fit(graph)
    values = (modularity(graph, m.labels_, resolution=resolution) for m in (first, second))
    return second if next(values) < next(values) else first


def _seed(seed: Any) -> Any:
    """NetworkX gives a generator of the standard library, or one of NumPy."""
    if hasattr(seed, "getrandbits"):
        return seed.getrandbits(63)
    return seed.randint(0, 2**31 - 2) if hasattr(seed, "randint") else seed
