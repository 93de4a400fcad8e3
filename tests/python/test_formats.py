"""NetworkX, SciPy and igraph read what we write, and we read what they write."""

import os
import pathlib
import subprocess

import igraph
import networkx as nx
import numpy as np
import pytest
import scipy.io
import scipy.sparse

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROBE = ROOT / os.environ.get("SRGW_BUILD_DIR", "build/dev") / "tests" / "srgw_convert_probe"

KINDS = pytest.mark.parametrize(
    ("directed", "weighted"), [(False, False), (False, True), (True, False), (True, True)]
)
ENDINGS = pytest.mark.parametrize("zipped", ["", ".gz"])


def convert(source: pathlib.Path, target: pathlib.Path, directed: bool = False) -> None:
    command = [str(PROBE), str(source), str(target), "directed" if directed else ""]
    answer = subprocess.run(command, check=False, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr


def draw(directed: bool, weighted: bool, seed: int = 0) -> scipy.sparse.csr_array:
    """A matrix with self-loops and an isolated node at the end."""
    rng = np.random.default_rng([seed, directed, weighted])
    n = 12
    matrix = (rng.random((n, n)) < 0.3) * (rng.normal(size=(n, n)) if weighted else 1.0)
    matrix[-1] = matrix[:, -1] = 0
    if not directed:
        matrix = np.triu(matrix) + np.triu(matrix, 1).T
    return scipy.sparse.csr_array(matrix)


def networkx_graph(matrix: scipy.sparse.csr_array, directed: bool, weighted: bool) -> nx.Graph:
    kind = nx.DiGraph if directed else nx.Graph
    graph = nx.from_scipy_sparse_array(matrix, create_using=kind)
    if not weighted:
        for _, _, data in graph.edges(data=True):
            data.clear()
    return graph


def matrix_of(graph: nx.Graph) -> np.ndarray:
    order = sorted(graph.nodes, key=int)
    return nx.to_numpy_array(graph, nodelist=order, weight="weight")


@KINDS
@ENDINGS
@pytest.mark.parametrize("ending", ["graphml", "gml"])
def test_networkx(
    tmp_path: pathlib.Path, directed: bool, weighted: bool, zipped: str, ending: str
) -> None:
    matrix = draw(directed, weighted)
    theirs, ours = tmp_path / f"theirs.{ending}{zipped}", tmp_path / f"ours.{ending}{zipped}"
    graph = networkx_graph(matrix, directed, weighted)
    nx.set_node_attributes(graph, {node: f"node {node} ü&" for node in graph}, "text")
    {"graphml": nx.write_graphml, "gml": nx.write_gml}[ending](graph, theirs)
    convert(theirs, ours)
    again = {"graphml": nx.read_graphml, "gml": nx.read_gml}[ending](ours)
    assert again.is_directed() == directed
    np.testing.assert_array_equal(matrix_of(again), matrix.toarray())
    assert {int(node): text for node, text in again.nodes(data="text")} == dict(
        graph.nodes(data="text")
    )


@KINDS
@ENDINGS
def test_networkx_edge_list(
    tmp_path: pathlib.Path, directed: bool, weighted: bool, zipped: str
) -> None:
    graph = networkx_graph(draw(directed, weighted), directed, weighted)
    theirs, ours = tmp_path / f"theirs.edgelist{zipped}", tmp_path / f"ours.edgelist{zipped}"
    nx.write_edgelist(graph, theirs, data=["weight"] if weighted else False)
    convert(theirs, ours, directed)
    again = nx.read_edgelist(
        ours,
        delimiter="\t",
        nodetype=int,
        create_using=nx.DiGraph if directed else nx.Graph,
        data=[("weight", float)] if weighted else False,
    )
    graph.remove_nodes_from(list(nx.isolates(graph)))
    np.testing.assert_array_equal(matrix_of(again), matrix_of(graph))


@KINDS
@ENDINGS
def test_scipy_matrix_market(
    tmp_path: pathlib.Path, directed: bool, weighted: bool, zipped: str
) -> None:
    matrix = draw(directed, weighted)
    theirs, ours = tmp_path / "theirs.mtx", tmp_path / f"ours.mtx{zipped}"
    scipy.io.mmwrite(str(theirs), matrix, precision=17)
    convert(theirs, ours)
    np.testing.assert_array_equal(scipy.io.mmread(str(ours)).toarray(), matrix.toarray())


@KINDS
@pytest.mark.parametrize("kind", ["csr", "csc", "coo"])
@pytest.mark.parametrize("compressed", [False, True])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int32, np.bool_])
def test_scipy_npz(
    tmp_path: pathlib.Path,
    directed: bool,
    weighted: bool,
    kind: str,
    compressed: bool,
    dtype: type,
) -> None:
    matrix = draw(directed, weighted).astype(dtype)
    matrix.eliminate_zeros()
    scipy.sparse.save_npz(tmp_path / "theirs.npz", matrix.asformat(kind), compressed=compressed)
    convert(tmp_path / "theirs.npz", tmp_path / "ours.npz")
    again = scipy.sparse.load_npz(tmp_path / "ours.npz")
    np.testing.assert_array_equal(again.toarray(), matrix.toarray().astype(float))


@KINDS
@pytest.mark.parametrize("order", ["C", "F"])
def test_numpy(tmp_path: pathlib.Path, directed: bool, weighted: bool, order: str) -> None:
    matrix = np.asarray(draw(directed, weighted).toarray(), order=order)
    np.save(tmp_path / "theirs.npy", matrix)
    convert(tmp_path / "theirs.npy", tmp_path / "ours.npy")
    np.testing.assert_array_equal(np.load(tmp_path / "ours.npy"), matrix)


@KINDS
@pytest.mark.parametrize("ending", ["graphml", "gml"])
def test_igraph(tmp_path: pathlib.Path, directed: bool, weighted: bool, ending: str) -> None:
    coo = scipy.sparse.coo_array(draw(directed, weighted))
    kept = [k for k in range(coo.nnz) if directed or coo.row[k] <= coo.col[k]]
    edges = [(int(coo.row[k]), int(coo.col[k])) for k in kept]
    graph = igraph.Graph(n=12, edges=edges, directed=directed)
    if weighted:
        graph.es["weight"] = [float(coo.data[k]) for k in kept]
    theirs, ours = tmp_path / f"theirs.{ending}", tmp_path / f"ours.{ending}"
    graph.write(str(theirs), format=ending)
    convert(theirs, ours)
    again = igraph.Graph.Read(str(ours), format=ending)
    assert again.is_directed() == directed
    assert again.vcount() == 12

    def entries(some: igraph.Graph) -> list[tuple]:
        weights = some.es["weight"] if weighted else [1] * some.ecount()
        ends = [e if directed else tuple(sorted(e)) for e in some.get_edgelist()]
        return sorted(zip(ends, weights, strict=True))

    for (mine, mine_weight), (their, their_weight) in zip(
        entries(again), entries(graph), strict=True
    ):
        assert mine == their
        # igraph writes 15 digits into GML.
        assert mine_weight == pytest.approx(their_weight, rel=1e-14)
