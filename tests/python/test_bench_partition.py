"""The benchmarks of partitioning run, in small, and go on where they stopped."""

import dataclasses
import json
import pathlib
import subprocess
import sys
from typing import Any

import battery
import cases
import contest
import drawn
import graphs
import grid
import isolated
import networkx
import numpy as np
import other_tools
import paper
import paper_literal
import pytest
import record
import scores
import tables

FRONT = pathlib.Path(battery.__file__).with_name("run.py")


def run_quick(program: pathlib.Path, parts: tuple[str, ...], folder: pathlib.Path) -> str:
    command = [sys.executable, str(program), "--quick", *parts]
    command += ["--store", str(folder / "store"), "--output", str(folder / "results")]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def test_generated_edge_lists_with_lonely_nodes_are_read(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "edges.tsv"
    file.write_text("# nodes without edges: 4 5\n0\t1\n1\t2\n# 7\n")
    assert graphs.read_columns(file).tolist() == [[0, 1], [1, 2]]


def cells(folder: pathlib.Path) -> list[dict[str, Any]]:
    (file,) = (folder / "store").rglob("cells.jsonl")
    return [json.loads(line) for line in file.read_text().splitlines()]


@pytest.mark.parametrize(
    ("program", "parts", "titles"),
    [
        (pathlib.Path(paper.__file__), (), {"partition": "## AMI"}),
        (FRONT, ("--only", "battery"), {"battery": "## "}),
        (FRONT, ("--only", "challenge"), {"challenge": "# Partitioning: Graph Challenge"}),
        (FRONT, ("--only", "abcd"), {"abcd": "# Partitioning: ABCD graphs"}),
    ],
)
def test_quick_run_writes_its_documents_and_is_resumed(
    program: pathlib.Path, parts: tuple[str, ...], titles: dict[str, str], tmp_path: pathlib.Path
) -> None:
    text = run_quick(program, parts, tmp_path)
    documents = [(tmp_path / "results" / f"{name}.md").read_text() for name in titles]
    assert text == "\n".join(documents)
    for (name, title), document in zip(titles.items(), documents, strict=True):
        assert title in document
        assert json.loads((tmp_path / "results" / f"{name}.json").read_text())
    first = cells(tmp_path)
    assert any(entry["result"]["status"] == "done" for entry in first)
    run_quick(program, parts, tmp_path)
    again = cells(tmp_path)[len(first) :]
    assert all(entry["result"]["status"] == "failed" for entry in again)


def test_store_survives_a_torn_line(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "cells.jsonl"
    store = record.Store(path)
    store.put({"graph": "a"}, {"status": "done", "ami": 1.0})
    store.put({"graph": "b"}, record.failed("no"))
    path.write_text(path.read_text() + '{"cell": {"gra')
    again = record.Store(path)
    assert again.finished({"graph": "a"})
    assert not again.finished({"graph": "b"})
    assert not record.Store(path, anew=True).finished({"graph": "a"})


@pytest.mark.parametrize("directed", [False, True])
def test_modularity_is_that_of_networkx(directed: bool) -> None:
    rng = np.random.default_rng(1)
    edges = graphs.as_set(rng.integers(30, size=(80, 2)))
    labels = rng.integers(4, size=30)
    graph = networkx.DiGraph() if directed else networkx.Graph()
    graph.add_nodes_from(range(30))
    graph.add_edges_from(edges.tolist())
    groups = [set(np.flatnonzero(labels == label).tolist()) for label in range(4)]
    expected = networkx.community.modularity(graph, groups, resolution=0.7)
    assert scores.modularity(edges, labels, directed, 0.7) == pytest.approx(expected)


def test_large_labelings_are_scored_like_small_ones() -> None:
    rng = np.random.default_rng(2)
    truth, labels = rng.integers(5, size=200), rng.integers(3, size=200)
    labels[:100] = truth[:100]
    assert scores.agreement_of_many(truth, labels) == pytest.approx(scores.agreement(truth, labels))


def test_resolution_is_tuned_to_the_number_of_clusters() -> None:
    def solve(resolution: float) -> list[int]:
        return [node % int(1 + 2 * resolution) for node in range(100)]

    labels = other_tools.tuned(solve, 7, np.ones(100, dtype=bool), (0.05, 50))
    assert len(np.unique(labels)) == 7


@pytest.mark.parametrize("name", list(other_tools.TOOLS))
def test_tools_find_planted_blocks(name: str, tmp_path: pathlib.Path) -> None:
    tool = other_tools.TOOLS[name]
    if name.startswith("infomap"):
        pytest.importorskip("infomap")
    if name.startswith("leidenalg"):
        pytest.importorskip("leidenalg")
    graph = drawn.planted("planted", 120, 3, 16, 0.9, 1)
    place = graphs.write(graph, tmp_path)
    labels = np.asarray(tool.solve(tool.prepare(place, graph), 3, 1))
    assert graph.truth is not None
    assert scores.agreement(graph.truth, labels)[0] > 90


def test_slow_tool_is_stopped(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contest, "GRACE", 0.0)
    place = graphs.write(drawn.random_graph("random", 100, 8, 1), tmp_path)
    found = contest.run(place, contest.Entry("greedy"), [0, 1], limit=0.01)
    assert [one["message"] for one in found] == ["over 0.01 s"] * 2


def test_what_a_stopped_tool_finished_is_kept() -> None:
    lines = '{"status": "done", "ami": 1}\n{"status": "do'
    found = contest.completed(lines, [1, 2, 3], record.over(5))
    assert [one["status"] for one in found] == ["done", "over", "over"]
    assert found[1]["message"] == "over 5 s"


@pytest.mark.parametrize(
    "graph",
    [
        drawn.lfr("lfr", 300, 0.3, 1),
        drawn.blocks("blocks", (40, 20, 10), 8, 0.8, 1),
        drawn.configuration("configuration", 200, 6, 1),
        drawn.random_graph("random", 100, 8, 1),
    ],
    ids=lambda graph: graph.name,
)
def test_drawn_graphs_are_simple(graph: graphs.Graph) -> None:
    assert (graph.edges[:, 0] < graph.edges[:, 1]).all()
    assert len(np.unique(graph.edges, axis=0)) == len(graph.edges)
    assert graph.edges.max() < graph.nodes


def test_failed_runs_call_nothing_structureless() -> None:
    case = cases.Case("random", drawn.random_graph("random", 50, 6, 1))
    said = {"status": "done", "significant": False}
    assert battery.Row(case, [said], [said], {}).called_structureless
    assert not battery.Row(case, [said], [record.failed("no")], {}).called_structureless


def test_settings_are_chosen_by_either_judge() -> None:
    def run(setting: grid.Setting, seeds: Any) -> list[record.Result]:
        near = setting.scale == 0.1
        one = {"status": "done", "modularity": 1 - near, "ami": near + setting.exponent}
        return [one for _ in seeds]

    family = grid.Family(scales=(1.0, 0.1), ladder=(0.0, 0.5, 1.0))
    runs = grid.explore(family, run, (0, 1), full=False)
    chosen, oracle = (grid.best(runs, judge) for judge in grid.JUDGES)
    assert chosen is not None and chosen.scale == 1.0
    assert oracle == grid.Setting(scale=0.1, exponent=1.0, raced=grid.RACED)
    assert all(len(results) == 2 for results in runs.values())


def two_rings() -> graphs.Graph:
    """Two complete graphs of eight nodes with one edge between them, and a node without edges."""
    pairs = [(8 * g + i, 8 * g + j) for g in range(2) for i in range(8) for j in range(i)]
    edges = graphs.as_set(np.array([*pairs, (0, 8)]))
    return graphs.Graph("two", 17, edges, truth=np.repeat([0, 1], [8, 9]))


def test_the_literal_protocol_solves_all_nodes() -> None:
    column = paper_literal.Column(two_rings(), record.Store(None))
    found = column.run(paper_literal.Setting(), 0)
    assert found["ami"] > 80 and found["modularity"] > 0.45
    # The node without edges is on one of the two target nodes, unless it is left out.
    apart = column.run(paper_literal.Setting(connected=True), 0)
    assert apart["modularity"] == found["modularity"] and apart["ami"] != found["ami"]
    heat = column.matrix(paper_literal.Setting(time=1.0))
    np.testing.assert_allclose(heat, heat.T, atol=1e-12)
    assert np.linalg.eigvalsh(heat).min() > 0


def test_intervals_are_split_around_their_best_value() -> None:
    tried: list[float] = []

    def judge(setting: paper_literal.Setting) -> float:
        tried.append(setting.time or setting.epsilon)
        place = setting.time if setting.time is not None else 10 * np.log10(setting.epsilon) + 40
        return 1 - ((float(place) - 37.0) / 100) ** 2

    best = paper_literal.split(judge, paper_literal.Setting(time=1.0), "time", 1.0, 100.0)
    assert best.time == pytest.approx(37, abs=5)
    assert tried[:5] == [1.0, 25.75, 50.5, 75.25, 100.0] and min(tried) >= 1 and max(tried) <= 100
    best = paper_literal.split(judge, paper_literal.Setting(epsilon=1.0), "epsilon", -3.0, 1.0)
    assert np.log10(best.epsilon) == pytest.approx(-0.3, abs=0.6)


def test_agreement_depends_on_the_clusters_of_nodes_without_edges() -> None:
    truth = np.array([0, 0, 1, 1, 0, 1])
    graph = graphs.Graph("one", 6, np.array([(0, 1), (2, 3)]), truth=truth)
    found = {name: (float(ami), float(ari)) for name, ami, ari in isolated.rows(graph, truth)}
    assert found["left out"] == (100, 100)
    assert found["a cluster each"][1] > found["one more cluster"][1]


def test_gwl_has_given_target_weights() -> None:
    weights = paper_literal.interpolated(np.array([0.1, 0.4, 0.2, 0.2, 0.1]), 3)
    np.testing.assert_allclose(weights, np.array([0.4, 0.2, 0.1]) / 0.7)
    column = paper_literal.Column(two_rings(), record.Store(None))
    results = column.all(paper_literal.Setting(balanced=True))
    assert len(results) == paper_literal.SEEDS and max(r["ami"] for r in results) > 60


def test_mirror_descent_moves_from_the_start_by_kmeans(monkeypatch: pytest.MonkeyPatch) -> None:
    column = paper_literal.Column(two_rings(), record.Store(None))
    wrong = np.arange(17) % 2
    monkeypatch.setattr(column, "start", lambda *_: wrong)
    found = column.run(paper_literal.Setting(epsilon=0.01), 0)
    assert found["ami"] > 10 + column.score(wrong, 0.0)["ami"]


def test_the_literal_document_has_printed_and_measured_figures(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = record.Store(tmp_path / "cells.jsonl")
    monkeypatch.setattr(paper_literal, "METHODS", ("srGW", "srSpecGW"))
    found = paper_literal.measure([paper_literal.Column(two_rings(), store)], (0.0, 1.0))
    by_ami = found[0].by("srSpecGW", "ami")
    assert by_ami is not None and by_ami.time is not None
    text = paper_literal.document(found, (0.0, 1.0))
    row = next(line for line in text.splitlines() if "srGW, by modularity" in line)
    assert tables.NONE not in row and "Louvain, by AMI" in text
    village = dataclasses.replace(two_rings(), name="village_sym")
    one = paper_literal.Measured(paper_literal.Column(village, record.Store(None)))
    assert paper_literal.ablation(one, "srGW", "deg", (1.0,)).endswith("(*62.0*)")
    kept = paper_literal.compact(record.Store(tmp_path / "cells.jsonl"))
    assert len(next(iter(kept["cells"]["two"].values()))) == len(kept["fields"])


def test_cells_that_are_not_finished_at_the_deadline_are_dashes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(paper_literal, "METHODS", ("srGW",))
    graph = dataclasses.replace(two_rings(), name="village_sym")
    column = paper_literal.Column(graph, record.Store(None), deadline=0.0)
    found = paper_literal.measure([column], (0.0, 1.0))
    assert found[0].tried == {} and found[0].by("srGW", "ami") is None
    rows = paper_literal.document(found, (0.0, 1.0)).splitlines()
    assert f"| srGW, by AMI | {tables.NONE} |" in rows
    assert not any("Changes" in row for row in rows)  # sections without results are left out
