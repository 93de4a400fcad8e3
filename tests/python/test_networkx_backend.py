"""NetworkX finds the backend by the entry points of the package, and calls it."""

import os
import pathlib
import subprocess
import sys
import tomllib

import networkx as nx
import numpy as np
import pytest
import srgw
from srgw import networkx_backend
from srgw._networkx_info import FUNCTIONS, get_info

ROOT = pathlib.Path(__file__).resolve().parents[2]

CALLS = """
import networkx as nx, srgw
G = nx.relabel_nodes(nx.barbell_graph(6, 0), {i: f"n{i}" for i in range(12)})
G.add_node("alone")
for name in ("louvain_communities", "leiden_communities", "greedy_modularity_communities"):
    found = getattr(nx.community, name)(G, backend="srgw")
    assert nx.community.is_partition(G, found), found
    assert sorted(map(len, found)) == [1, 6, 6], found
assert nx.community.louvain_communities(srgw.as_graph(G)) == nx.community.louvain_communities(
    G, seed=3, resolution=1.0, backend="srgw"
)
club = nx.karate_club_graph()
for resolution in (0.5, 1, 2.5):
    ours = nx.community.louvain_communities(club, resolution=resolution, seed=1, backend="srgw")
    theirs = nx.community.louvain_communities(club, resolution=resolution, seed=1)
    values = [nx.community.modularity(club, c, resolution=resolution) for c in (ours, theirs)]
    assert values[0] > values[1] - 0.01, (resolution, values)
noise = nx.gnp_random_graph(150, 0.06, seed=1)  # no communities, but a modularity
values = [
    nx.community.modularity(noise, nx.community.louvain_communities(noise, seed=1, **options))
    for options in ({"backend": "srgw"}, {})
]
assert values[0] > values[1] - 0.01, values
unweighted = nx.community.louvain_communities(club, weight=None, backend="srgw")
assert nx.community.modularity(club, unweighted, weight=None) > 0.415
for bad, options in ((club.to_directed(), {}), (club, {"max_level": 1})):
    try:
        nx.community.louvain_communities(bad, backend="srgw", **options)
        raise AssertionError("not refused")
    except NotImplementedError:
        pass
assert nx.community.louvain_communities(nx.empty_graph(3), backend="srgw") == [{0}, {1}, {2}]
"""


def test_networkx_calls_the_backend(tmp_path: pathlib.Path) -> None:
    """In a process of its own, with the entry points of pyproject.toml installed."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    folder = tmp_path / "srgw_points-0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: srgw-points\nVersion: 0\n")
    groups = ("networkx.backends", "networkx.backend_info")
    lines = [
        f"[{group}]\n" + "".join(f"{k} = {v}\n" for k, v in project["entry-points"][group].items())
        for group in groups
    ]
    (folder / "entry_points.txt").write_text("\n".join(lines))
    path = os.pathsep.join(filter(None, (str(tmp_path), os.environ.get("PYTHONPATH"))))
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", CALLS],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr


def test_the_description_has_all_functions() -> None:
    assert set(get_info()["functions"]) == set(FUNCTIONS)
    for name in FUNCTIONS:
        assert callable(getattr(networkx_backend, name))
        assert networkx_backend.can_run(name, (srgw.datasets.karate(),), {}) is True


def test_what_the_backend_does_not_run() -> None:
    club = srgw.datasets.karate()
    assert networkx_backend.can_run("pagerank", (club,), {}) == "srgw has no pagerank"
    assert networkx_backend.can_run("louvain_communities", (club,), {"max_level": 2}) is not True
    directed = srgw.as_graph(nx.DiGraph([(0, 1)]))
    assert "undirected" in str(networkx_backend.can_run("louvain_communities", (directed,), {}))
    with pytest.raises(NotImplementedError, match="directed"):
        networkx_backend.louvain_communities(directed)
    with pytest.raises(NotImplementedError, match="cutoff"):
        networkx_backend.greedy_modularity_communities(club, cutoff=3)
    graph = networkx_backend.convert_to_nx(club)
    assert isinstance(graph, nx.Graph) and networkx_backend.convert_to_nx(7) == 7


@pytest.mark.parametrize("make", [np.random.RandomState, np.random.default_rng])
def test_seeds_of_numpy(make) -> None:
    """NetworkX wraps what NumPy draws from."""
    club = srgw.datasets.karate()
    one, same, plain = (
        networkx_backend.louvain_communities(club, seed=seed)
        for seed in (*(nx.utils.create_py_random_state(make(3)) for _ in range(2)), make(3))
    )
    assert one == same
    for found in (one, plain):
        assert nx.community.is_partition(club.to_networkx(), found)


def test_without_weight_the_weights_of_a_graph_have_no_effect() -> None:
    """The weights tell two groups apart, the edges alone two others."""
    run = networkx_backend.louvain_communities
    cliques = [nx.complete_graph(range(first, first + 6)) for first in (0, 6)]
    plain = nx.compose(*cliques)
    plain.add_edge(0, 6)
    weighted = nx.Graph()
    weighted.add_nodes_from(plain)
    heavy = {frozenset((i, j)) for i in range(12) for j in range(i) if i % 2 == j % 2}
    for i, j in plain.edges:
        weighted.add_edge(i, j, weight=50.0 if frozenset((i, j)) in heavy else 0.1)
    weighted.add_edge(0, 6, weight=50.0)
    graph = srgw.as_graph(weighted)
    assert graph.weighted
    groups = {frozenset(range(6)), frozenset(range(6, 12))}
    assert set(map(frozenset, run(graph, weight=None))) == groups
    assert set(map(frozenset, run(graph))) != groups
    assert set(networkx_backend.greedy_modularity_communities(graph)) == groups
    named = srgw.as_graph(nx.relabel_nodes(weighted, "n{}".format))
    assert {"n0", "n1"} <= run(named, weight=None)[0] | run(named, weight=None)[1]


def test_inputs_on_the_edge() -> None:
    run, can_run = networkx_backend.louvain_communities, networkx_backend.can_run
    club = nx.karate_club_graph()
    assert "nodes" in str(can_run("louvain_communities", (nx.Graph(),), {}))
    assert "above 0" in str(can_run("louvain_communities", (club,), {"resolution": 0}))
    assert "above 0" in str(can_run("louvain_communities", (club, None, 0), {}))
    assert run(srgw.as_graph(nx.Graph([(0, 0), (1, 1)]))) == [{0}, {1}]
    negative = nx.Graph()
    negative.add_weighted_edges_from([(0, 1, -1.0), (1, 2, 2.0)])
    with pytest.raises(NotImplementedError, match="no negative weights"):
        run(srgw.as_graph(negative))
    with pytest.raises(NotImplementedError, match="resolution above 0"):
        run(srgw.as_graph(club), resolution=0)
