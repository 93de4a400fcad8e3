"""srgw.Graph and everything that becomes one."""

import pathlib
import pickle
from types import SimpleNamespace
from typing import Any

import igraph
import networkx as nx
import numpy as np
import pytest
import scipy.sparse
import srgw

KINDS = pytest.mark.parametrize(
    ("directed", "weighted"), [(False, False), (False, True), (True, False), (True, True)]
)


def draw(directed: bool, weighted: bool) -> np.ndarray:
    """An adjacency with self-loops and, last, a node without edges."""
    rng = np.random.default_rng([directed, weighted])
    matrix = (rng.random((9, 9)) < 0.35) * (rng.random((9, 9)) + 0.5 if weighted else 1.0)
    matrix[-1] = matrix[:, -1] = 0
    return matrix if directed else np.triu(matrix) + np.triu(matrix, 1).T


def expect(graph: srgw.Graph, matrix: np.ndarray, directed: bool) -> None:
    np.testing.assert_allclose(graph.to_numpy(), matrix, atol=1e-15)
    assert graph.directed == directed
    assert graph.n_nodes == len(graph) == len(matrix)
    assert graph.n_edges == np.count_nonzero(matrix if directed else np.triu(matrix))


@KINDS
@pytest.mark.parametrize("kind", ["array", "csr", "csc", "coo", "csr_matrix", "float32", "int64"])
def test_matrices(directed: bool, weighted: bool, kind: str) -> None:
    matrix = draw(directed, weighted)
    given: Any = matrix
    if kind in ("csr", "csc", "coo"):
        given = scipy.sparse.csr_array(matrix).asformat(kind)
    elif kind == "csr_matrix":
        given = scipy.sparse.csr_matrix(matrix)
    elif kind == "float32":
        given = matrix = matrix.astype(np.float32)
    elif kind == "int64":
        given = scipy.sparse.csr_array(matrix)
        given.indices, given.indptr = given.indices.astype(np.int64), given.indptr.astype(np.int64)
    expect(srgw.as_graph(given), matrix.astype(float), directed)


@KINDS
def test_networkx_graphs(directed: bool, weighted: bool) -> None:
    matrix = draw(directed, weighted)
    theirs = nx.from_numpy_array(matrix, create_using=nx.DiGraph if directed else nx.Graph)
    if not weighted:
        for *_, data in theirs.edges(data=True):
            data.clear()
    theirs = nx.relabel_nodes(theirs, {i: f"n{i}" for i in range(9)})
    nx.set_node_attributes(theirs, {node: float(i) for i, node in enumerate(theirs)}, "age")
    theirs.nodes["n0"]["only here"] = 1
    graph = srgw.as_graph(theirs, features=["age", "age"])
    expect(graph, matrix, directed)
    assert list(graph.names) == [f"n{i}" for i in range(9)]
    assert graph.attributes == {"age": [float(i) for i in range(9)]}
    assert graph.features.shape == (9, 2)
    with pytest.raises(ValueError, match="features names 'size'"):
        srgw.as_graph(theirs, features="size")
    assert not srgw.as_graph(theirs, weight=None).weighted


def test_networkx_multigraphs_sum_their_edges() -> None:
    theirs = nx.MultiGraph([(0, 1), (0, 1), (1, 2)])
    graph = srgw.as_graph(theirs)
    np.testing.assert_array_equal(graph.to_numpy(), nx.to_numpy_array(theirs))
    assert graph.names is None


@KINDS
def test_igraph_graphs(directed: bool, weighted: bool) -> None:
    matrix = draw(directed, weighted)
    kept = matrix if directed else np.triu(matrix)
    rows, columns = np.nonzero(kept)
    theirs = igraph.Graph(n=9, edges=list(zip(rows, columns, strict=True)), directed=directed)
    theirs.vs["name"] = [f"n{i}" for i in range(9)]
    theirs.vs["age"] = list(range(9))
    if weighted:
        theirs.es["weight"] = kept[rows, columns].tolist()
    graph = srgw.as_graph(theirs)
    expect(graph, matrix, directed)
    assert list(graph.names)[2] == "n2" and graph.attributes["age"][2] == 2


@pytest.mark.parametrize("weighted", [False, True])
def test_data_like_that_of_pyg(weighted: bool) -> None:
    matrix = draw(False, weighted)
    ends = np.array(np.nonzero(matrix))
    data = SimpleNamespace(edge_index=ends, num_nodes=9, x=np.ones((9, 2), np.float32))
    if weighted:
        data.edge_weight = matrix[tuple(ends)]
    graph = srgw.as_graph(data)
    expect(graph, matrix, False)
    assert graph.features.shape == (9, 2)
    data.is_directed = lambda: True
    expect(srgw.as_graph(data), matrix, True)


def test_edge_index() -> None:
    graph = srgw.as_graph(np.array([[0, 1, 1, 5], [1, 0, 2, 5]]))
    assert graph.n_nodes == 6 and graph.n_edges == 3 and not graph.directed
    assert srgw.as_graph(np.array([[0, 1, 1], [1, 0, 2]]), directed=True).n_edges == 3


@KINDS
@pytest.mark.parametrize("ending", ["txt", "mtx", "graphml", "gml", "npz", "npy"])
def test_files(tmp_path: pathlib.Path, directed: bool, weighted: bool, ending: str) -> None:
    matrix = draw(directed, weighted)
    path = tmp_path / f"graph.{ending}"
    srgw.as_graph(matrix).write(path)
    graph = srgw.read(path, directed=directed)
    expect(graph, matrix, directed)
    expect(srgw.as_graph(str(path), directed=directed), matrix, directed)
    expect(srgw.as_graph(path, directed=directed), matrix, directed)


def test_names_and_attributes_go_through_a_file(tmp_path: pathlib.Path) -> None:
    theirs = nx.Graph([("a", "b"), ("b", "c")])
    nx.set_node_attributes(theirs, {"a": 1, "b": 2, "c": 3}, "level")
    srgw.as_graph(theirs).write(tmp_path / "graph.graphml")
    graph = srgw.read(tmp_path / "graph.graphml")
    assert list(graph.names) == ["a", "b", "c"]
    assert list(graph.attributes["level"]) == [1, 2, 3]


def test_errors_of_files_carry_file_and_line(tmp_path: pathlib.Path) -> None:
    (tmp_path / "bad.graph").write_text("3 1\n2\n1\n99\n")
    with pytest.raises(ValueError, match=r"bad\.graph:"):
        srgw.read(tmp_path / "bad.graph")
    with pytest.raises(OSError, match="nowhere"):
        srgw.read(tmp_path / "nowhere.txt")


def test_a_dataset_is_a_list_of_graphs(tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "PAIR"
    folder.mkdir()
    (folder / "PAIR_A.txt").write_text("1, 2\n2, 1\n3, 4\n4, 3\n4, 5\n5, 4\n")
    (folder / "PAIR_graph_indicator.txt").write_text("1\n1\n2\n2\n2\n")
    (folder / "PAIR_graph_labels.txt").write_text("7\n8\n")
    dataset = srgw.read_dataset(folder)
    assert [g.n_nodes for g in dataset] == [2, 3] and len(dataset) == 2
    assert dataset.labels.tolist() == [7, 8]


@pytest.mark.parametrize("given", [3, "no/such.txt", [[1, 2], [3]], np.zeros((2, 3)), None, {}])
def test_what_is_no_graph_is_refused(given: Any) -> None:
    with pytest.raises((TypeError, ValueError, OSError)):
        srgw.as_graph(given)


@pytest.mark.parametrize(
    ("message", "arguments", "options"),
    [
        ("edges", (2, [[0], [2]]), {}),
        ("edges", (2, [[0, -1], [1, 1]]), {}),
        ("edges", (2, [0, 1]), {}),
        ("edges", (2, [[0.5], [1.0]]), {}),
        ("weights", (2, [[0], [1]], [1.0, 2.0]), {}),
        ("finite", (2, [[0], [1]], [np.nan]), {}),
        ("names", (2, [[0], [1]]), {"names": ["a"]}),
        ("features", (2, [[0], [1]]), {"features": np.ones((3, 1))}),
        ("duplicates", (2, [[0], [1]]), {"duplicates": "often"}),
        ("twice", (2, [[0, 0], [1, 1]], [1.0, 2.0]), {}),
        ("rows", (0, []), {}),
    ],
)
def test_misuse_of_the_constructor(message: str, arguments: tuple, options: dict) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        srgw.Graph(*arguments, **options)


def test_a_graph_pickles_and_shares_its_rows() -> None:
    for weighted in (False, True):
        graph = srgw.Graph(3, [[0, 1], [1, 2]], [2.0, 3.0] if weighted else None, names=list("abc"))
        again = pickle.loads(pickle.dumps(graph))
        np.testing.assert_array_equal(again.to_numpy(), graph.to_numpy())
        np.testing.assert_array_equal(again.to_scipy().toarray(), graph.to_numpy())
        assert again.names == graph.names
    indptr, indices, _ = graph.csr()
    assert not indptr.flags.writeable and not indices.flags.writeable
    assert repr(graph) == "Graph(n_nodes=3, n_edges=2, weighted=True)"


def test_arrays_may_change_after_they_were_given() -> None:
    given = draw(False, True)
    matrix = scipy.sparse.csr_array(given)
    features = np.ones((len(given), 1))
    graph = srgw.as_graph(matrix, features=features)
    C2, p, M = np.eye(3), np.full(len(given), 1 / len(given)), np.ones((len(given), 3))
    M[:, 0] = 0
    expected = srgw.semirelaxed_fused_gromov_wasserstein(M, matrix, C2, p)

    def spoil(progress: srgw.Progress) -> None:
        matrix.indices[:] = 2**31 - 1
        matrix.indptr[1:] = 10**6
        for array in (matrix.data, features, C2, p, M):
            array[:] = np.nan

    plan = srgw.semirelaxed_fused_gromov_wasserstein(M, matrix, C2, p, callback=spoil)
    np.testing.assert_array_equal(plan, expected)
    assert np.isnan(matrix.data).all()
    np.testing.assert_array_equal(graph.to_numpy(), given)
    assert graph.features is not None and (graph.features == 1).all()
    kept = graph.csr()[2]
    del graph
    assert kept is not None and np.isfinite(kept).all()  # kept alive by whoever looks at it


def test_stored_zeros_of_a_sparse_matrix_are_no_edges() -> None:
    path = scipy.sparse.csr_array(np.diag(np.ones(3), 1) + np.diag(np.ones(3), -1))
    closed = path.copy()
    closed[0, 3] = closed[3, 0] = 1.0
    closed[0, 3] = closed[3, 0] = 0.0
    assert closed.nnz == path.nnz + 2
    for given in (closed, closed.astype(np.int64)):
        assert srgw.as_graph(given).n_edges == 3
        options = {"structure": "shortest-path", "init": "random-labels"}
        found = [srgw.SRGWPartition(2, **options).fit(C).objective_ for C in (path, given)]
        assert found[0] == found[1]
    assert closed.nnz == path.nnz + 2  # the caller's matrix is as it was


def test_one_node_and_no_edges() -> None:
    assert srgw.as_graph(np.zeros((1, 1))).n_edges == 0
    assert srgw.Graph(5, []).degrees().tolist() == [0.0] * 5
    arrow = srgw.Graph(2, [[0], [1]], directed=True)
    assert repr(arrow.undirected()) == "Graph(n_nodes=2, n_edges=1)"
