"""Other libraries: how each gets the graph, and how each finds clusters.

Libraries are imported while the graph is prepared, which is not timed; a missing one is a failed
cell and no more.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from graphs import Graph, Labels, Place

TRIES = 14  # resolutions of a search for a number of clusters


@dataclass(frozen=True)
class Tool:
    title: str
    prepare: Callable[[Place, Graph], Any]  # not timed
    solve: Callable[[Any, int, int], Any]  # prepared graph, clusters, seed -> labels
    knows_clusters: bool = False  # is told how many there are
    seeded: bool = True
    directed: bool = False  # works with directions
    undirected: bool = True  # has its place in comparisons on undirected graphs


def to_igraph(place: Place, graph: Graph) -> Any:
    import igraph

    return igraph.Graph(n=graph.nodes, edges=graph.edges, directed=graph.directed)


def to_leidenalg(place: Place, graph: Graph) -> Any:
    import leidenalg  # noqa: F401

    return to_igraph(place, graph)


def to_networkx(place: Place, graph: Graph) -> Any:
    import networkx

    made = networkx.Graph()
    made.add_nodes_from(range(graph.nodes))
    made.add_edges_from(graph.edges.tolist())
    return made


def to_networkit(place: Place, graph: Graph) -> Any:
    """From the file: NetworKit's PLM crashes on graphs that are made from arrays."""
    import networkit

    reader = networkit.graphio.EdgeListReader("\t", 0, continuous=True)
    made = reader.read(str(place.edges))
    made.addNodes(graph.nodes - made.numberOfNodes())
    return made


def to_matrix(place: Place, graph: Graph) -> Any:
    import scipy.sparse
    import sklearn.cluster  # noqa: F401

    rows, columns = graph.edges.T
    ones = np.ones(len(rows))
    matrix = scipy.sparse.coo_array((ones, (rows, columns)), shape=(graph.nodes, graph.nodes))
    if not graph.directed:
        matrix = matrix + matrix.T
        matrix.data[:] = 1
    made = scipy.sparse.csr_matrix(matrix.tocsr())
    made.indices, made.indptr = made.indices.astype(np.int32), made.indptr.astype(np.int32)
    return made  # scikit-learn wants 32-bit indices


def louvain(graph: Any, clusters: int, seed: int) -> Any:
    random.seed(seed)  # igraph draws from Python's generator
    return graph.community_multilevel().membership


def igraph_leiden(graph: Any, seed: int, objective: str, resolution: float) -> Any:
    random.seed(seed)
    found = graph.community_leiden(
        objective_function=objective, resolution=resolution, n_iterations=10
    )
    return found.membership


def leiden(graph: Any, clusters: int, seed: int) -> Any:
    return igraph_leiden(graph, seed, "modularity", 1.0)


def leiden_tuned(graph: Any, clusters: int, seed: int) -> Any:
    return tuned(
        lambda resolution: igraph_leiden(graph, seed, "modularity", resolution),
        clusters,
        connected(graph),
        (0.05, 50),
    )


def leiden_cpm_tuned(graph: Any, clusters: int, seed: int) -> Any:
    return tuned(
        lambda resolution: igraph_leiden(graph, seed, "CPM", resolution),
        clusters,
        connected(graph),
        (graph.density() / 100, 1),
    )


def leidenalg_modularity(graph: Any, clusters: int, seed: int) -> Any:
    import leidenalg

    kind = leidenalg.ModularityVertexPartition
    return leidenalg.find_partition(graph, kind, n_iterations=10, seed=seed).membership


def leidenalg_tuned(graph: Any, clusters: int, seed: int) -> Any:
    import leidenalg

    def solve(resolution: float) -> Any:
        return leidenalg.find_partition(
            graph,
            leidenalg.RBConfigurationVertexPartition,
            n_iterations=10,
            seed=seed,
            resolution_parameter=resolution,
        ).membership

    return tuned(solve, clusters, connected(graph), (0.05, 50))


def connected(graph: Any) -> Any:
    return np.array(graph.degree(loops=False)) > 0


def tuned(
    solve: Callable[[float], Any],
    clusters: int,
    counted: Any,
    interval: tuple[float, float],
) -> Labels:
    """Bisects for the resolution with so many clusters of counted nodes; else the nearest."""
    low, high = interval
    best, distance = None, np.inf
    for _ in range(TRIES):
        middle = float(np.sqrt(low * high))
        labels = np.asarray(solve(middle))
        found = len(np.unique(labels[counted]))
        if abs(found - clusters) < distance:
            best, distance = labels, abs(found - clusters)
        if distance == 0:
            break
        low, high = (low, middle) if found > clusters else (middle, high)
    assert best is not None
    return best


def to_infomap(place: Place, graph: Graph, two_level: bool = False) -> Any:
    from infomap import Infomap

    mapper = Infomap(silent=True, two_level=two_level, directed=graph.directed)
    mapper.add_nodes(range(graph.nodes))
    mapper.add_links(graph.edges.tolist())
    return mapper


def to_infomap_of_two_levels(place: Place, graph: Graph) -> Any:
    return to_infomap(place, graph, two_level=True)


def infomap(mapper: Any, clusters: int, seed: int) -> Any:
    """The modules of the uppermost level."""
    modules = mapper.run(seed=seed + 1).modules()
    return [modules[node] for node in range(len(modules))]


def greedy(graph: Any, clusters: int, seed: int) -> Any:
    from networkx.algorithms.community import greedy_modularity_communities

    labels = np.zeros(graph.number_of_nodes(), dtype=np.int64)
    for label, members in enumerate(greedy_modularity_communities(graph)):
        labels[list(members)] = label
    return labels


def plm(graph: Any, clusters: int, seed: int) -> Any:
    import networkit

    networkit.setSeed(seed, False)
    return networkit.community.PLM(graph, refine=True).run().getPartition().getVector()


def parallel_leiden(graph: Any, clusters: int, seed: int) -> Any:
    import networkit

    networkit.setSeed(seed, False)
    return networkit.community.ParallelLeiden(graph).run().getPartition().getVector()


def spectral(matrix: Any, clusters: int, seed: int) -> Any:
    from sklearn.cluster import SpectralClustering

    method = SpectralClustering(n_clusters=clusters, affinity="precomputed", random_state=seed)
    return method.fit_predict(matrix)


def kmeans(matrix: Any, clusters: int, seed: int) -> Any:
    from sklearn.cluster import KMeans

    return KMeans(n_clusters=clusters, n_init=3, random_state=seed).fit_predict(matrix)


TOOLS: dict[str, Tool] = {
    "louvain": Tool("Louvain (igraph)", to_igraph, louvain),
    "leiden": Tool("Leiden (igraph)", to_igraph, leiden),
    "leiden-k": Tool("Leiden tuned to k (igraph)", to_igraph, leiden_tuned, knows_clusters=True),
    "leiden-cpm-k": Tool(
        "Leiden CPM tuned to k (igraph)", to_igraph, leiden_cpm_tuned, knows_clusters=True
    ),
    "leidenalg": Tool("Leiden (leidenalg)", to_leidenalg, leidenalg_modularity, directed=True),
    "leidenalg-k": Tool(
        "Leiden RB tuned to k (leidenalg)",
        to_leidenalg,
        leidenalg_tuned,
        knows_clusters=True,
        directed=True,
        undirected=False,
    ),
    "infomap": Tool("Infomap, top modules", to_infomap, infomap, directed=True),
    "infomap-two": Tool("Infomap, two levels", to_infomap_of_two_levels, infomap, directed=True),
    "greedy": Tool("greedy modularity (networkx)", to_networkx, greedy, seeded=False),
    "plm": Tool("PLM, refined (NetworKit)", to_networkit, plm),
    "parallel-leiden": Tool("ParallelLeiden (NetworKit)", to_networkit, parallel_leiden),
    "spectral": Tool("spectral (scikit-learn)", to_matrix, spectral, knows_clusters=True),
    "kmeans": Tool(
        "k-means of rows (scikit-learn)", to_matrix, kmeans, knows_clusters=True, directed=True
    ),
}
