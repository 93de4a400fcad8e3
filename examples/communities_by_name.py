"""Communities of a graph of NetworkX, by the names of its nodes."""

from __future__ import annotations

from collections.abc import Hashable

import networkx as nx
import srgw


def find_communities(graph: nx.Graph) -> dict[Hashable, int]:
    """Writes the community of each node into the graph, and returns them."""
    model = srgw.SRGWPartition(cuts=True).fit(graph)
    communities = model.to_dict()
    nx.set_node_attributes(graph, communities, "community")
    for number, (names, cut) in enumerate(zip(model.to_sets(), model.cuts_, strict=True)):
        first = ", ".join(sorted(map(str, names))[:3])
        print(f"{number}: {len(names)} nodes ({first}, ...), {cut['edges']} edges inside")
    return communities


if __name__ == "__main__":
    find_communities(nx.les_miserables_graph())
