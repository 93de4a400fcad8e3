"""srgw partition."""

import json
import pathlib
import subprocess
import time

import networkx as nx
import numpy as np
import pytest
from program import (
    BAD_INPUT,
    CLUBS,
    KARATE,
    PROGRAM,
    USAGE,
    labels_of,
    peak_bytes,
    run,
    run_json,
    shared,
)

KEYS = """value gap iterations status converged target_weights seconds n m starts clusters
modularity labels_file unconnected significant symmetrized""".split()
AGREEMENT = "ami ari ri nmi ami_connected ari_connected ri_connected nmi_connected".split()


def test_has_the_promised_keys_and_finds_the_clubs(tmp_path: pathlib.Path) -> None:
    out = tmp_path / "found.tsv"
    answer = run_json("partition", KARATE, "-k", 2, "--truth", CLUBS, "-o", out)
    assert set(KEYS + AGREEMENT) <= set(answer)
    assert answer["clusters"] == 2 and answer["significant"] and not answer["symmetrized"]
    assert answer["labels_file"] == str(out)
    assert answer["ami"] > 0.6 and answer["ami"] == answer["ami_connected"]
    assert answer["sizes"] == sorted(answer["sizes"], reverse=True)


def test_reported_modularity_is_that_of_networkx(tmp_path: pathlib.Path) -> None:
    out = tmp_path / "found.tsv"
    answer = run_json("partition", KARATE, "-k", 4, "-o", out)
    graph = nx.read_edgelist(KARATE)
    labels = labels_of(out)
    groups = [{n for n in labels if labels[n] == k} for k in set(labels.values())]
    assert answer["modularity"] == pytest.approx(nx.community.modularity(graph, groups))
    assert answer["modularity"] > 0.38
    # onto the identity, value = constant - modularity, and a hard plan attains it
    assert set(labels) == {str(i) for i in range(1, 35)}


def test_labels_go_to_standard_output() -> None:
    answer = run("partition", KARATE, "-k", 2, "-o", "-")
    lines = [line.split("\t") for line in answer.stdout.splitlines()]
    assert [name for name, _ in lines] == [str(i) for i in range(1, 35)]
    run("partition", KARATE, "-k", 2, "-o", "-", "--json", expect=USAGE)


@pytest.mark.parametrize("ending", ["tsv", "csv", "npy", "json"])
def test_labels_of_all_kinds_agree(tmp_path: pathlib.Path, ending: str) -> None:
    tsv, other = tmp_path / "found.tsv", tmp_path / f"other.{ending}"
    run("partition", KARATE, "-k", 3, "-o", tsv)
    run("partition", KARATE, "-k", 3, "-o", other)
    labels = labels_of(tsv)
    if ending == "npy":
        assert np.load(other).tolist() == list(labels.values())
    if ending == "json":
        assert json.loads(other.read_text()) == labels
    if ending == "csv":
        assert other.read_text().startswith("node,label\n1,")
    assert run_json("score", tsv, other)["ari"] == 1


def test_unconnected_nodes_are_a_group_of_their_own(tmp_path: pathlib.Path) -> None:
    graph, truth, out = tmp_path / "g.txt", tmp_path / "truth.tsv", tmp_path / "found.tsv"
    cliques = [(u, v) for base in (0, 8) for v in range(base, base + 8) for u in range(base, v)]
    edges = [*cliques, (7, 8), (16, 16), (17, 18)]  # a self-loop, and a pair apart
    graph.write_text("".join(f"{u} {v}\n" for u, v in edges))
    truth.write_text("".join(f"{i}\t{i // 8}\n" for i in range(20)))  # 19 exists here only
    three = run_json("partition", graph, "-k", 3, "--truth", truth, "-o", out)
    assert three["unconnected"] == 2 and three["clusters"] == 3
    labels = labels_of(out)
    assert labels["16"] == labels["19"] == 3 and labels["17"] == labels["18"] == 2
    for most in (2, 1):  # the pair is a component too many
        answer = run_json("partition", graph, "-k", most, "--truth", truth, "-o", out)
        assert answer["unconnected"] == 4 and answer["clusters"] == most
        assert {labels_of(out)[name] for name in ("16", "17", "18", "19")} == {most}


def test_plan_has_empty_rows_for_unconnected_nodes(tmp_path: pathlib.Path) -> None:
    plan = tmp_path / "plan.npy"
    run("partition", KARATE, "-k", 2, "--nodes", 40, "--plan", plan)
    rows = np.load(plan)
    assert rows.shape == (40, 2)
    assert (rows[35:] == 0).all() and rows[0].sum() == 0  # ids 1..34 are indices here
    assert rows.sum() == pytest.approx(1)


def write_edges(path: pathlib.Path, graph: nx.Graph) -> pathlib.Path:
    path.write_text("".join(f"{u} {v}\n" for u, v in graph.edges))
    return path


def test_no_split_of_a_complete_graph_is_better_than_none(tmp_path: pathlib.Path) -> None:
    graph = write_edges(tmp_path / "complete.txt", nx.complete_graph(6))
    free = run_json("partition", graph)
    assert not free["significant"] and free["clusters"] == 1
    assert "no communities" in run("partition", graph).stderr
    three = run_json("partition", graph, "-k", 3)
    assert not three["significant"] and three["clusters"] == 3
    assert "kept because -k was given" in run("partition", graph, "-k", 3).stderr


def test_a_random_graph_keeps_its_clusters_without_the_test(tmp_path: pathlib.Path) -> None:
    graph = write_edges(tmp_path / "random.txt", nx.gnm_random_graph(60, 150, seed=1))
    options = ["--criterion", "modularity"]
    assert run_json("partition", graph, *options)["clusters"] == 1
    free = run_json("partition", graph, *options, "--test-significance", "no")
    assert free["clusters"] > 2 and free["modularity"] > 0.3 and free["significant"]


@pytest.mark.parametrize("start", ["auto", "spectral", "kmeans", "random-labels", "split-merge"])
@pytest.mark.parametrize(
    "graph",
    [nx.star_graph(9), nx.complete_graph(7), nx.complete_bipartite_graph(3, 5), nx.path_graph(12)],
    ids=["star", "complete", "bipartite", "path"],
)
def test_a_split_that_is_worse_than_none_is_never_significant(
    tmp_path: pathlib.Path, graph: nx.Graph, start: str
) -> None:
    answer = run_json(
        "partition", write_edges(tmp_path / "g.txt", graph), "-k", 3, "--start", start
    )
    assert not (answer["significant"] and answer["modularity"] <= 0)


def test_a_given_number_of_clusters_is_kept(tmp_path: pathlib.Path) -> None:
    graphs = {
        "triangles": nx.barbell_graph(3, 0),
        "ring": nx.cycle_graph(20),
        "path": nx.path_graph(20),
        "hub": nx.star_graph(12),
        "tree": nx.balanced_tree(2, 5),
    }
    for name, graph in graphs.items():
        for k in (2, 5) if name != "triangles" else (2,):
            answer = run_json("partition", write_edges(tmp_path / f"{name}.txt", graph), "-k", k)
            assert answer["clusters"] == k, (name, k)


def test_the_estimate_knows_the_memory_of_the_search(tmp_path: pathlib.Path) -> None:
    graph = write_edges(tmp_path / "complete.txt", nx.complete_graph(600))
    options = ["partition", graph, "-k", 3, "-j", 2]
    estimated = run_json("estimate", *options)["bytes"]
    empty = peak_bytes("--version")
    assert 0.5 < estimated / (peak_bytes(*options) - empty) < 2
    assert "--threads" in run(*options, "--max-memory", "10M", expect=5).stderr


def test_the_estimate_knows_that_a_search_needs_no_spectral_start(tmp_path: pathlib.Path) -> None:
    graph = tmp_path / "graph.txt"
    run("generate", "planted", "-n", 20000, "-b", 4, "-o", graph)
    searched = run_json("estimate", "partition", graph, "-k", 60)["seconds"]
    started = run_json("estimate", "partition", graph, "-k", 60, "--start", "spectral")["seconds"]
    assert 0.1 < searched < started


def test_limits_hold_on_every_route(tmp_path: pathlib.Path) -> None:
    graph = tmp_path / "planted.txt"
    run("generate", "planted", "--nodes", 20000, "--blocks", 100, "-o", graph)
    for options in (
        ["-k", 60, "--starts", 500],
        ["-k", 60, "--structure", "adjacency", "--start", "kmeans", "--starts", 300],
        ["-k", 60, "--start", "split-merge", "--starts", 300],
        ["-k", 60, "--structure", "heat", "--select", "modularity"],
    ):
        begin = time.monotonic()
        command = [PROGRAM, "partition", graph, *options, "--time-limit", 0.5, "--json"]
        answer = subprocess.run(
            list(map(str, command)), check=False, capture_output=True, text=True
        )
        assert time.monotonic() - begin < 0.5 + 3, options
        assert answer.returncode in (0, 5), answer.stderr
        if answer.returncode == 0:  # there may be no structure yet
            assert json.loads(answer.stdout)["status"] == "time_limit"


def test_directed_graphs_are_symmetrised_and_that_is_said() -> None:
    answer = run("partition", KARATE, "-k", 2, "--directed")
    assert "made undirected" in answer.stderr
    assert run_json("partition", KARATE, "-k", 2, "--directed")["symmetrized"]
    command = ["partition", KARATE, "-k", 2, "--directed", "--structure"]
    refused = run(*command, "modularity", expect=BAD_INPUT)
    assert "--symmetrize" in refused.stderr
    run(*command, "modularity", "--symmetrize")
    assert not run_json(*command, "adjacency")["symmetrized"]


def test_there_are_at_most_as_many_clusters_as_nodes() -> None:
    assert run_json("partition", KARATE, "-k", 10**9)["clusters"] == 4
    assert run_json("partition", KARATE, "-k", 10**9, "--structure", "modularity")["m"] == 34


def test_resolution_makes_more_clusters() -> None:
    coarse = run_json("partition", KARATE, "-k", 10, "--target", "scaled-identity:0.3")
    fine = run_json("partition", KARATE, "-k", 10, "--target", "scaled-identity:3")
    assert fine["clusters"] > coarse["clusters"]


def test_a_target_file_gives_the_clusters(tmp_path: pathlib.Path) -> None:
    target = tmp_path / "target.npy"
    np.save(target, np.eye(2))
    answer = run_json(
        "partition", KARATE, "--target", target, "--structure", "adjacency", "--start", "kmeans"
    )
    assert answer["m"] == 2
    refused = run("partition", KARATE, "--target", target, "-k", 3, expect=BAD_INPUT)
    assert "target of 2 nodes for 3 clusters" in refused.stderr


def test_features_take_part(tmp_path: pathlib.Path) -> None:
    features = tmp_path / "features.npy"
    side = np.array([line.endswith("hi") for line in CLUBS.read_text().splitlines()])
    np.save(features, side[:, None].astype(float))
    answer = run_json("partition", KARATE, "-k", 2, "--features", features, "--truth", CLUBS)
    assert answer["ami"] == pytest.approx(1)
    assert answer["value_linear"] == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    "structure", ["heat:3", "stability:3", "adjacency", "normalized-adjacency"]
)
def test_other_structures_partition_too(structure: str) -> None:
    answer = run_json("partition", KARATE, "-k", 2, "--structure", structure, "--truth", CLUBS)
    assert answer["clusters"] <= 2


def test_the_number_of_clusters_can_be_free() -> None:
    answer = run_json("partition", KARATE, "-k", "auto")
    assert answer["clusters"] == run_json("partition", KARATE)["clusters"] == 4
    assert answer["modularity"] == pytest.approx(0.4197896, abs=1e-6)  # the known optimum
    assert answer["resolution"] == 1
    refused = run("partition", KARATE, "-k", "auto", "--structure", "heat:3", expect=USAGE)
    assert "only the default search" in refused.stderr


def test_what_was_chosen_is_said_in_words() -> None:
    answer = run_json("partition", KARATE, "-k", 4)
    assert any("resolution" in sentence.lower() for sentence in answer["reasons"])
    assert "why " in run("partition", KARATE, "-k", 4).stdout


def test_a_random_graph_has_no_communities(tmp_path: pathlib.Path) -> None:
    graph = tmp_path / "random.txt"
    edges = nx.gnm_random_graph(400, 2000, seed=1).edges
    graph.write_text("".join(f"{u} {v}\n" for u, v in edges))
    for k, clusters in (("auto", 1), (5, 5)):
        answer = run_json("partition", graph, "-k", k)
        assert not answer["significant"] and answer["clusters"] == clusters


@pytest.mark.parametrize("start", ["split-merge", "multilevel"])
def test_searches_are_starts(start: str) -> None:
    answer = run_json("partition", KARATE, "-k", 4, "--start", start)
    assert answer["modularity"] > 0.4


def test_learned_targets_find_blocks_that_are_sparse_inside(tmp_path: pathlib.Path) -> None:
    graph, truth = tmp_path / "bipartite.txt", tmp_path / "truth.tsv"
    edges = nx.bipartite.random_graph(40, 40, 0.4, seed=1).edges
    graph.write_text("".join(f"{u} {v}\n" for u, v in edges))
    truth.write_text("".join(f"{i}\t{i // 40}\n" for i in range(80)))
    command = ["partition", graph, "-k", 2, "--truth", truth, "--target", "learned"]
    assert run_json(*command, "--starts", 3)["ami"] > 0.9


def test_methods_of_the_paper_partition_too() -> None:
    command = ["partition", KARATE, "-k", 2, "--truth", CLUBS]
    gwl = run_json(*command, "--method", "gwl", "--structure", "adjacency")
    assert gwl["target_weights"] == pytest.approx([0.5, 0.5])  # uniform weights interpolated
    spectral = run_json(*command, "--method", "specgwl")
    assert spectral["selected"]["time"] in (1, 2, 5, 10, 20, 50, 100)
    assert spectral["ami"] > 0.5
    fixed = run_json(*command, "--method", "specgwl", "--structure", "heat:5")
    assert "selected" not in fixed
    refused = run(*command, "--method", "gwl", "--target", "identity", expect=USAGE)
    assert "--target with gwl" in refused.stderr
    run(*command, "--method", "specgwl", "--structure", "adjacency", expect=USAGE)


def test_modularity_selects_what_is_not_given() -> None:
    command = ["partition", KARATE, "-k", 4, "--select", "modularity"]
    heat = run_json(*command, "--structure", "heat")
    assert set(heat["selected"]) == {"time", "scale", "exponent", "epsilon"}
    assert heat["modularity"] > 0.35 and "settings" in heat["reasons"][0]
    plain = run_json(*command, "--structure", "adjacency", "--weights", "uniform")
    assert plain["selected"]["exponent"] == 0 and plain["resolution"] == plain["selected"]["scale"]
    soft = run_json(*command, "--structure", "heat:2", "--epsilon", 0.01)
    assert soft["selected"]["epsilon"] in (0.01, 0.001, 0.0001)
    refused = run(*command, "--structure", "modularity", expect=USAGE)
    assert "nothing to choose" in refused.stderr
    without = run("partition", KARATE, "-k", 4, "--structure", "heat", expect=USAGE)
    assert "heat:5" in without.stderr


def test_a_penalty_with_a_free_number_gives_a_path() -> None:
    answer = run_json("partition", KARATE, "-k", "auto", "--sparsity", 1)
    path = answer["path"]
    assert [point["sparsity"] for point in path] == [2.0 ** (i - 9) for i in range(10)]
    assert path[0]["clusters"] == 4 and path[-1]["clusters"] == answer["clusters"]
    assert "sparsity      " in run("partition", KARATE, "-k", "auto", "--sparsity", 1).stdout


@pytest.mark.parametrize("kind", ["labels", "plan"])
def test_starts_from_files(tmp_path: pathlib.Path, kind: str) -> None:
    clubs = np.array([line.endswith("hi") for line in CLUBS.read_text().splitlines()]).astype(int)
    start = tmp_path / "start.npy"
    np.save(start, clubs if kind == "labels" else np.eye(2)[clubs] + 0.1)
    command = ["partition", KARATE, "-k", 2, "--structure", "modularity", "--truth", CLUBS]
    assert run_json(*command, "--start", f"{kind}:{start}")["ami"] > 0.6
    at_once = [*command, "--start", f"{kind}:{start}", "--tolerance", 1e9, "--polish-sweeps", 0]
    assert run_json(*at_once)["ami"] == 1  # every plan is good enough: the start stays
    np.save(start, np.arange(34) % 5 if kind == "labels" else np.ones((34, 3)))
    refused = run(*command, "--start", f"{kind}:{start}", expect=BAD_INPUT)
    assert str(start) in refused.stderr and "expected" in refused.stderr


def test_what_is_not_there_is_refused_in_words() -> None:
    command = ["partition", KARATE, "-k", 3]
    answer = run(*command, "--start", "nonsense", expect=USAGE)
    assert "expected one of: auto, product" in answer.stderr
    assert "--alternating" in run(*command, "--alternating", "x", expect=USAGE).stderr
    assert "--alternating" not in run("partition", "--help-all").stdout


@pytest.mark.parametrize(
    ("name", "k", "directed", "least"),
    [
        ("wikipedia", 15, True, 0.69),
        ("eu-email", 42, True, 0.66),
        ("amazon", 12, False, 0.969),
        ("village", 12, False, 0.938),
    ],
)
def test_real_graphs(
    tmp_path: pathlib.Path, name: str, k: int, directed: bool, least: float
) -> None:
    folder = shared(f"partition/{name}")
    command = ["partition", folder / "edges.tsv", "-k", k, "--truth", folder / "labels.tsv"]
    out = tmp_path / "found.tsv"
    answer = run_json(*command, "-o", out, *(["--directed"] if directed else []))
    nodes = len((folder / "labels.tsv").read_text().splitlines())
    assert answer["n"] == nodes == len(labels_of(out))
    assert answer["symmetrized"] == directed
    assert answer["ami"] > least
    assert answer["clusters"] <= k
    if name == "village":
        assert answer["unconnected"] >= 98
    score = run_json("score", folder / "labels.tsv", out)
    assert score["ami"] == answer["ami"]


def write_nested(path: pathlib.Path) -> tuple[pathlib.Path, list[int]]:
    """Three superblocks of four blocks of 30 nodes, and the superblocks."""
    rng = np.random.default_rng(4)
    block, upper = np.arange(360) // 30, np.arange(360) // 120
    share = np.where(block[:, None] == block, 0.4, np.where(upper[:, None] == upper, 0.06, 0.004))
    rows, columns = np.nonzero(np.tril(rng.random((360, 360)) < share, -1))
    path.write_text("".join(f"{i} {j}\n" for i, j in zip(rows, columns, strict=True)))
    return path, upper.tolist()


@pytest.mark.parametrize("ending", ["tsv", "csv", "npy", "json"])
def test_levels_are_nested_columns_that_label_readers_accept(
    tmp_path: pathlib.Path, ending: str
) -> None:
    graph, upper = write_nested(tmp_path / "graph.txt")
    out, plain = tmp_path / f"levels.{ending}", tmp_path / f"plain.{ending}"
    answer = run_json("partition", graph, "--nodes", 360, "--levels", "-o", out)
    assert run_json("partition", graph, "--nodes", 360, "-o", plain)["clusters"] == 12
    assert [level["clusters"] for level in answer["hierarchy"]] == [12, 3]
    assert [level["result"] for level in answer["hierarchy"]] == [True, False]
    assert len(answer["hierarchy"][0]["parents"]) == 12
    assert run_json("score", out, plain)["ami"] == 1
    truth = run_json("partition", graph, "--nodes", 360, "--truth", out)
    assert truth["ami"] == 1
    if ending == "npy":
        columns = np.load(out)
        assert columns.shape == (360, 3)
        assert len(set(zip(columns[:, 2].tolist(), upper, strict=True))) == 3
        parents = np.array(answer["hierarchy"][0]["parents"])
        assert (parents[columns[:, 1]] == columns[:, 2]).all()
    if ending == "tsv":
        assert out.read_text().startswith("node\tlabel\tlevel_0\tlevel_1\n")
        lines = out.read_text().splitlines()
        out.write_text("\n".join([*lines[:5], "x\t1", *lines[5:]]) + "\n")
        refused = run("score", out, plain, expect=BAD_INPUT)
        assert f"{out}:6: 2 fields" in refused.stderr


def test_cuts_are_those_of_networkx(tmp_path: pathlib.Path) -> None:
    out = tmp_path / "labels.tsv"
    answer = run_json("partition", KARATE, "--cuts", "-o", out)
    graph = nx.read_edgelist(KARATE)
    labels = labels_of(out)
    for cluster, cut in enumerate(answer["cuts"]):
        part = graph.subgraph([node for node in labels if int(labels[node]) == cluster])
        assert cut["components"] == 1 and cut["exact"]
        assert cut["edges"] == part.number_of_edges()
        assert cut["cut"] == nx.stoer_wagner(part)[0]
        assert cut["relative"] == pytest.approx(cut["cut"] / np.log10(len(part)))


def test_min_cut_splits_and_tells_the_cost() -> None:
    answer = run_json("partition", KARATE, "--min-cut", 1.5)
    assert all(cut["relative"] is None or cut["relative"] >= 1.5 for cut in answer["cuts"])
    assert any("split along the cut" in reason for reason in answer["reasons"])
    assert "cuts" not in run_json("partition", KARATE)


@pytest.mark.parametrize(
    "options",
    [
        ["-k", 4, "--min-cut", 1],
        ["-k", 4, "--structure", "heat:3", "--levels"],
        ["-k", 4, "--structure", "heat:3", "--split-disconnected", "no"],
        ["--min-cut", 1, "--split-disconnected", "no"],
    ],
)
def test_options_of_the_search_are_refused_elsewhere(options: list[object]) -> None:
    assert "expected" in run("partition", KARATE, *options, expect=USAGE).stderr
