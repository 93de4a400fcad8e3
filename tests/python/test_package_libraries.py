"""Graphs go to other libraries and come back, and labels land on the right nodes."""

import json
import pickle
import subprocess
import sys
import types
from typing import Any

import igraph
import networkx as nx
import numpy as np
import pandas as pd
import pytest
import scipy.sparse
import srgw
from hypothesis import given, settings
from hypothesis import strategies as st
from srgw import Graph, SRGWPartition

NAMES = st.text(min_size=1, max_size=6)


@st.composite
def named_graphs(draw: Any) -> Graph:
    """Graphs with string names, weights, self-loops, lone nodes and attributes."""
    names = draw(st.lists(NAMES, min_size=1, max_size=8, unique=True))
    n, directed = len(names), draw(st.booleans())
    pairs = [(i, j) for i in range(n) for j in range(n) if directed or i <= j]
    edges = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=12))
    weights = None
    if draw(st.booleans()) and edges:
        numbers = st.floats(0.125, 8, width=16)
        weights = draw(st.lists(numbers, min_size=len(edges), max_size=len(edges)))
    graph = Graph(n, np.array(edges).reshape(-1, 2).T, weights, directed=directed, names=names)
    graph.attributes["age"] = draw(st.lists(st.integers(0, 99), min_size=n, max_size=n))
    graph.attributes["kind"] = draw(st.lists(st.text(max_size=3), min_size=n, max_size=n))
    return graph


def same(graph: Graph, again: Graph, names: bool = True) -> None:
    """Equal up to the order of nodes."""
    order = [list(again.names).index(name) for name in graph.names] if names else slice(None)
    matrix = again.to_numpy()
    np.testing.assert_array_equal(matrix[order][:, order], graph.to_numpy())
    assert again.directed == graph.directed
    for key, values in graph.attributes.items():
        theirs = list(again.attributes[key])
        assert [theirs[i] for i in (order if names else range(len(theirs)))] == values


@settings(max_examples=60, deadline=None)
@given(named_graphs())
def test_round_trips_keep_names_weights_and_attributes(graph: Graph) -> None:
    same(graph, srgw.as_graph(graph.to_networkx(), directed=graph.directed))
    same(graph, srgw.as_graph(graph.to_igraph()))
    edges, nodes = graph.to_pandas(), graph.nodes_to_pandas()
    same(graph, Graph.from_pandas(edges, nodes=nodes, directed=graph.directed))
    same(graph, pickle.loads(pickle.dumps(graph)))
    np.testing.assert_array_equal(graph.to_scipy().toarray(), graph.to_numpy())


@settings(max_examples=25, deadline=None)
@given(st.permutations(range(12)), st.lists(NAMES, min_size=12, max_size=12, unique=True))
def test_labels_land_on_the_right_nodes(order: list[int], names: list[str]) -> None:
    """Two cliques with a bridge, whose nodes are in any order: the names of each stay together."""
    cliques = nx.relabel_nodes(nx.barbell_graph(6, 0), dict(enumerate(names)))
    shuffled = nx.Graph()
    shuffled.add_nodes_from(names[i] for i in order)
    shuffled.add_edges_from(cliques.edges)
    expected = {frozenset(names[:6]), frozenset(names[6:])}
    model = SRGWPartition(2).fit(shuffled)
    assert set(map(frozenset, model.to_sets())) == expected
    clusters = model.to_dict()
    assert clusters == dict(zip(shuffled, model.labels_, strict=True))
    nx.set_node_attributes(shuffled, clusters, "cluster")
    for one, other in shuffled.edges:
        if {one, other} != {names[5], names[6]}:
            assert shuffled.nodes[one]["cluster"] == shuffled.nodes[other]["cluster"]
    series = model.to_series()
    assert series.loc[names[0]] == clusters[names[0]] and series.name == "cluster"
    assert list(series.index) == list(shuffled)


def test_features_and_labels_round_trip() -> None:
    graph = srgw.datasets.molecules(1)[0]
    for theirs in (graph.to_networkx(), graph.to_igraph()):
        again = srgw.as_graph(theirs, features="features", node_labels="label")
        np.testing.assert_array_equal(again.features, graph.features)
        np.testing.assert_array_equal(again.node_labels, graph.node_labels)
    with pytest.raises(ValueError, match="node_labels names 'kind', expected a node attribute"):
        srgw.as_graph(theirs, node_labels="kind")
    with pytest.raises(ValueError, match="node_labels are not all whole numbers"):
        srgw.as_graph(graph, node_labels=np.full(graph.n_nodes, 0.5))
    with pytest.raises(ValueError, match="features club: could not convert"):
        srgw.as_graph(nx.karate_club_graph(), features="club")


def test_pandas_edge_lists() -> None:
    table = pd.DataFrame({"from": ["a", "b", "b"], "to": ["b", "c", "b"], "w": [1.0, 2.5, 3.0]})
    graph = Graph.from_pandas(table, "from", "to", "w")
    assert graph.names == ["a", "b", "c"] and graph.weighted
    expected = [[0, 1, 0], [1, 3, 2.5], [0, 2.5, 0]]
    np.testing.assert_array_equal(graph.to_numpy(), expected)
    again = srgw.as_graph(graph.to_pandas())
    same(Graph._of(graph._core, graph.names), again)
    square = pd.DataFrame(expected, index=list("abc"), columns=list("abc"))
    assert srgw.as_graph(square).names == ["a", "b", "c"]
    numbered = srgw.as_graph(pd.DataFrame({"source": [0, 1], "target": [3, 0]}))
    assert numbered.n_nodes == 4 and numbered.names is None
    nodes = pd.DataFrame({"age": [3, 4, 5, 6]}, index=list("abcz"))
    wide = Graph.from_pandas(table, "from", "to", None, nodes=nodes)
    assert wide.n_nodes == 4 and wide.attributes["age"] == [3, 4, 5, 6] and not wide.weighted


def test_large_identifiers_in_pandas_are_names() -> None:
    table = pd.DataFrame({"source": [10**12, 7], "target": [7, 5 * 10**11]})
    graph = Graph.from_pandas(table)
    assert graph.n_nodes == 3 and graph.names == [10**12, 7, 5 * 10**11]
    same(graph, srgw.as_graph(graph.to_pandas()))
    sparse = Graph.from_pandas(pd.DataFrame({"source": [0], "target": [999]}))
    assert sparse.n_nodes == 1000 and sparse.names is None


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda t: Graph.from_pandas(t, "nowhere"), "edges has no column 'nowhere', expected one"),
        (lambda t: Graph.from_pandas(t.assign(source=[None, "b"])), "row 0 has no source"),
        (lambda t: Graph.from_pandas(t.assign(target=[np.nan, 1.0])), "row 0 has no target"),
        (lambda t: Graph.from_pandas(t, nodes=["a"]), "nodes does not have"),
        (lambda t: Graph.from_pandas(t, nodes=["a", "b", "c", "a"]), "a name twice"),
        (lambda t: Graph.from_pandas(t.assign(weight="heavy")), "row 0 has the weight 'heavy'"),
        (lambda t: srgw.as_graph(t.drop(columns="source")), "a table without the columns"),
        (
            lambda t: Graph(2, [[0], [1]], names=["a", "a"]).to_networkx(),
            "names has 'a' 2 times, NetworkX needs a name for each node",
        ),
        (
            lambda t: srgw.as_graph(nx.Graph([("a", "b", {"weight": "heavy"})])),
            "edge 'a' - 'b' has the weight 'heavy', expected a number",
        ),
    ],
)
def test_wrong_tables_and_graphs_are_named(make: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        make(pd.DataFrame({"source": ["a", "b"], "target": ["b", "c"]}))


class FakeData(types.SimpleNamespace):
    """Stands for torch_geometric.data.Data where that is not installed."""


def test_pyg_data(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = srgw.datasets.molecules(1)[0]
    try:
        import torch_geometric  # noqa: F401
    except ImportError:
        fake_torch = types.ModuleType("torch")
        fake_torch.from_numpy = lambda array: array  # type: ignore[attr-defined]
        package, data = types.ModuleType("torch_geometric"), types.ModuleType("data")
        data.Data = FakeData  # type: ignore[attr-defined]
        if "torch" not in sys.modules:
            monkeypatch.setitem(sys.modules, "torch", fake_torch)
        monkeypatch.setitem(sys.modules, "torch_geometric", package)
        monkeypatch.setitem(sys.modules, "torch_geometric.data", data)
    data = graph.to_pyg()
    assert data.num_nodes == graph.n_nodes
    assert data.edge_index.shape == (2, 2 * graph.n_edges)
    again = srgw.as_graph(data)
    np.testing.assert_array_equal(again.to_numpy(), graph.to_numpy())
    np.testing.assert_allclose(again.features, graph.features, atol=1e-6)


@settings(max_examples=30, deadline=None)
@given(named_graphs())
def test_round_trips_through_pyg(graph: Graph) -> None:
    pytest.importorskip("torch_geometric")
    features = np.arange(2.0 * graph.n_nodes).reshape(-1, 2)
    given = srgw.as_graph(graph, features=features, node_labels=np.arange(graph.n_nodes)[::-1])
    again = srgw.as_graph(given.to_pyg(), directed=graph.directed)
    same(given, again)
    assert again.names == given.names
    np.testing.assert_array_equal(again.features, features)
    np.testing.assert_array_equal(again.node_labels, given.node_labels)


def test_attributes_with_names_of_pyg_are_refused() -> None:
    pytest.importorskip("torch_geometric")
    graph = srgw.as_graph(nx.Graph([("a", "b")]))
    graph.attributes["x"] = [1, 2]
    with pytest.raises(ValueError, match="node attribute 'x' has the name of something else"):
        graph.to_pyg()


def test_cdlib_clusterings(monkeypatch: pytest.MonkeyPatch) -> None:
    made: dict[str, Any] = {}
    fake = types.ModuleType("cdlib")
    fake.NodeClustering = lambda *parts: made.update(parts=parts) or "made"  # type: ignore
    monkeypatch.setitem(sys.modules, "cdlib", fake)
    club = nx.relabel_nodes(nx.karate_club_graph(), {i: f"m{i}" for i in range(34)})
    model = SRGWPartition(2).fit(club)
    assert model.to_cdlib() == "made"
    communities, graph, name, parameters = made["parts"]
    assert sorted(sum(communities, [])) == sorted(club) and name == "srgw"
    assert set(graph) == set(club) and parameters["n_clusters"] == 2
    pickle.loads(pickle.dumps(model)).to_cdlib()  # which has no graph
    assert made["parts"][1] is None


def test_results_by_name_survive_pickles() -> None:
    model = SRGWPartition().fit(nx.les_miserables_graph())
    again = pickle.loads(pickle.dumps(model))
    assert again.to_dict() == model.to_dict() and "Valjean" in again.to_dict()
    with pytest.raises(srgw.NotFittedError):
        SRGWPartition().to_dict()


KINDS = {
    "srgw": srgw.as_graph,
    "networkx": lambda A: nx.from_numpy_array(A),
    "igraph": lambda A: igraph.Graph.Weighted_Adjacency(A, mode="undirected"),
    "lists": lambda A: A.tolist(),
    "sparse": scipy.sparse.csr_array,
}


@pytest.mark.parametrize("kind", KINDS)
def test_functions_of_pot_take_graphs(kind: str) -> None:
    rng = np.random.default_rng(0)
    matrices = []
    for n in (6, 7, 8):
        upper = np.triu(rng.random((n, n)) < 0.5, 1).astype(float)
        matrices.append(upper + upper.T)
    graphs = [KINDS[kind](A) for A in matrices]
    C2 = np.array([[0.8, 0.1], [0.1, 0.7]])
    np.testing.assert_allclose(
        srgw.semirelaxed_gromov_wasserstein(graphs[0], C2),
        srgw.semirelaxed_gromov_wasserstein(matrices[0], C2),
        atol=1e-12,
    )
    np.testing.assert_allclose(
        srgw.gromov_wasserstein(graphs[0], graphs[1]),
        srgw.gromov_wasserstein(matrices[0], matrices[1]),
        atol=1e-9,
    )
    for targets, dense in ((C2, C2), (graphs[::-1], matrices[::-1])):
        ours = [s.value for s in srgw.solve_all(graphs, targets)]
        theirs = [s.value for s in srgw.solve_all(matrices, dense)]
        np.testing.assert_allclose(ours, theirs, atol=1e-12)
    for average in (srgw.gromov_barycenters, srgw.semirelaxed_gromov_barycenters):
        kwargs: dict[str, Any] = {"random_state": 0, "max_iter": 200, "tol": 1e-5}
        np.testing.assert_allclose(
            average(3, graphs, **kwargs), average(3, matrices, **kwargs), atol=1e-6
        )
    learned = srgw.gromov_wasserstein_dictionary_learning(graphs, 2, 3, epochs=1, random_state=0)
    plain = srgw.gromov_wasserstein_dictionary_learning(matrices, 2, 3, epochs=1, random_state=0)
    np.testing.assert_allclose(learned[0], plain[0], atol=1e-9)


def test_wrong_graphs_of_functions_are_named() -> None:
    directed = nx.DiGraph([(0, 1)])
    with pytest.raises(ValueError, match="C1: the graph is directed"):
        srgw.semirelaxed_gromov_wasserstein(directed, np.eye(2), symmetric=True)
    heavy = nx.Graph([("a", "b", {"weight": "heavy"})])
    with pytest.raises(ValueError, match=r"Cs\[0\]: graph: edge 'a' - 'b' has the weight 'heavy'"):
        srgw.solve_all([heavy], np.eye(2))


def test_explicit_zeros_are_no_edges() -> None:
    path = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0.0]])
    stored = scipy.sparse.csr_array(
        (np.array([1, 0, 1, 1, 0, 1.0]), np.array([1, 2, 0, 2, 0, 1]), np.array([0, 2, 4, 6]))
    )
    assert srgw.as_graph(stored).n_edges == 2
    table = srgw.pairwise([path, stored], structure="shortest-path")
    np.testing.assert_allclose(table, 0, atol=1e-12)


def test_inputs_may_change_after_they_were_given() -> None:
    sparse = scipy.sparse.csr_array(np.kron(np.eye(2), np.ones((4, 4))))
    graph = srgw.as_graph(sparse)
    before = graph.to_numpy()
    sparse.data[:] = np.nan
    sparse.indices[:] = 10**6
    np.testing.assert_array_equal(graph.to_numpy(), before)
    assert SRGWPartition(2).fit(graph).n_clusters_ == 2


LIBRARIES = ("igraph", "jax", "matplotlib", "networkx", "pandas", "scipy", "sklearn", "torch")
IMPORTS = """
import json, sys
import srgw
first = sorted(sys.modules)
srgw.SRGWPartition(2).fit(srgw.datasets.karate()).to_dict()
srgw.SRGWDictionary(2, max_epochs=1).fit_transform([[[0, 1], [1, 0]]])
srgw.semirelaxed_gromov_wasserstein([[0, 1], [1, 0]], [[1]])
repr(srgw.GraphClusterer(2)), srgw.GraphClusterer(2)._repr_html_()
print(json.dumps([first, sorted(sys.modules)]))
"""


def test_nothing_is_imported_unasked() -> None:
    """Importing the package and using it need NumPy alone."""
    run = [sys.executable, "-c", IMPORTS]
    first, used = json.loads(subprocess.run(run, check=True, capture_output=True).stdout)
    assert "numpy" not in first  # not before the first use
    for modules in (first, used):
        assert not {name.partition(".")[0] for name in modules} & set(LIBRARIES)


def test_names_may_be_tuples() -> None:
    grid = nx.relabel_nodes(nx.barbell_graph(6, 0), lambda i: divmod(i, 4))
    model = SRGWPartition(2).fit(grid)
    assert list(model.to_series().index) == list(grid)
    assert list(srgw.as_graph(grid).nodes_to_pandas().index) == list(grid)


def test_attributes_of_igraph_may_be_arrays() -> None:
    graph = igraph.Graph.Ring(3)
    graph.vs["place"] = [np.arange(2)] * 3
    graph.vs["gaps"] = [np.arange(2), None, 1]
    assert list(srgw.as_graph(graph).attributes) == ["place"]


def test_undirected_graphs_as_directed_have_both_arcs() -> None:
    edges = [(0, 1, 2.0), (1, 2, 3.0), (2, 2, 5.0)]
    matrix = np.array([[0, 2, 0], [2, 0, 3], [0, 3, 5]])
    theirs = nx.Graph()
    theirs.add_weighted_edges_from(edges)
    for graph in (theirs, nx.MultiGraph(theirs), igraph.Graph.TupleList(edges, weights=True)):
        made = srgw.as_graph(graph, directed=True)
        assert made.directed
        np.testing.assert_array_equal(made.to_numpy(), matrix)


def test_numbers_that_are_not_whole_are_refused() -> None:
    with pytest.raises(ValueError, match="not all whole numbers"):
        srgw.as_graph(np.ones((2, 2)), node_labels=[0, np.inf])
    with pytest.raises((TypeError, ValueError), match="sizes"):
        srgw.generate.stochastic_block_model([2.7, 3], np.eye(2))
