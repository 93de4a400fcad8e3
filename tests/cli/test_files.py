"""srgw info, check, convert, generate, score and estimate."""

import json
import pathlib

import numpy as np
import pytest
import scipy.sparse
from program import BAD_INPUT, CLUBS, KARATE, RESOURCE, USAGE, run, run_json, shared


def test_info_has_the_promised_keys() -> None:
    answer = run_json("info", KARATE)
    expected = {
        "nodes": 34,
        "edges": 78,
        "directed": False,
        "weighted": False,
        "components": 1,
        "isolated": 0,
    }
    assert expected.items() <= answer.items()
    assert "nodes" in run("info", KARATE).stdout


def test_info_of_arcs() -> None:
    answer = run_json("info", KARATE, "--directed")
    assert answer["directed"] and answer["edges"] == 78
    assert run_json("info", KARATE, "--directed", "--symmetrize")["symmetrized"]


@pytest.mark.parametrize(
    ("name", "nodes", "edges", "isolated"),
    [
        ("wikipedia", 1998, 2700, 699),
        ("eu-email", 1005, 16706, 0),
        ("amazon", 1501, 4626, 0),
        ("village", 1991, 8423, 98),
    ],
)
def test_info_of_real_graphs(name: str, nodes: int, edges: int, isolated: int) -> None:
    folder = shared(f"partition/{name}")
    answer = run_json("info", folder / "edges.tsv", "--node-file", folder / "labels.tsv")
    assert (answer["nodes"], answer["edges"], answer["isolated"]) == (nodes, edges, isolated)


def test_info_and_convert_of_a_dataset(tmp_path: pathlib.Path) -> None:
    folder = shared("tud/MUTAG")
    answer = run_json("info", folder)
    assert (answer["graphs"], answer["classes"]) == (188, 2)
    packed = tmp_path / "mutag.npz"
    run("convert", folder, packed)
    assert run_json("info", packed) == answer


def test_check_lists_every_wrong_line(tmp_path: pathlib.Path) -> None:
    graph = tmp_path / "g.txt"
    graph.write_text("1 2\n3\n4 5\n6 7 x 8\n1 1\n")
    answer = run_json("check", graph, expect=BAD_INPUT)
    assert not answer["ok"]
    assert [problem.split(":")[1] for problem in answer["problems"]] == ["2", "4"]
    assert f"{graph}:2:" in run("check", graph, expect=BAD_INPUT).stdout


def test_check_remarks_on_what_is_legal(tmp_path: pathlib.Path) -> None:
    graph = tmp_path / "g.txt"
    graph.write_text("1 2\n3 3\n")
    answer = run_json("check", graph)
    assert answer["ok"] and any("self-loop" in remark for remark in answer["remarks"])
    assert "fine" in run("check", KARATE).stdout


FORMATS = ["txt", "csv", "mtx", "graph", "graphml", "gml", "npy", "npz"]


@pytest.mark.parametrize("ending", [*FORMATS, *(f"{name}.gz" for name in FORMATS)])
def test_convert_goes_round(tmp_path: pathlib.Path, ending: str) -> None:
    """Matrices have no names, so the graph starts as one."""
    first, there, back = tmp_path / "a.npz", tmp_path / f"b.{ending}", tmp_path / "c.npz"
    run("convert", KARATE, first, "--nodes", 34, "--index-base", 1)
    answer = run_json("convert", first, there)
    assert (answer["nodes"], answer["edges"], answer["file"]) == (34, 78, str(there))
    run("convert", there, back)
    difference = scipy.sparse.load_npz(first) != scipy.sparse.load_npz(back)
    assert difference.nnz == 0


def test_convert_keeps_names_and_adds_communities(tmp_path: pathlib.Path) -> None:
    out, back = tmp_path / "g.graphml", tmp_path / "g.txt"
    run("convert", KARATE, out, "--labels", CLUBS)
    assert "officer" in out.read_text() and "community" in out.read_text()
    run("convert", out, back)
    lines = [line for line in back.read_text().splitlines() if not line.startswith("#")]
    assert len(lines) == 78 and lines[0].split() == ["1", "2"]


def test_convert_by_name_and_to_standard_output() -> None:
    answer = run("convert", KARATE, "-", "--to", "graphml")
    assert "<graphml" in answer.stdout
    run("convert", KARATE, "out", "--to", "nonsense", expect=USAGE)


def test_generate_is_seeded(tmp_path: pathlib.Path) -> None:
    files = [tmp_path / name for name in ("a.txt", "b.txt", "c.txt")]
    for file, seed in zip(files, (1, 1, 2), strict=True):
        run("generate", "planted", "-n", 200, "-b", 4, "--seed", seed, "-o", file)
    texts = [file.read_text() for file in files]
    assert texts[0] == texts[1] != texts[2]


@pytest.mark.parametrize(
    "model",
    [
        ["sbm", "--p-in", 0.3, "--p-out", 0.01],
        ["sbm", "--p-in", 0.3, "--p-out", 0.01, "--directed"],
        ["planted", "--degree", 12, "--inside", 0.9],
        ["degree-corrected", "--exponent", 2.2],
    ],
)
def test_generate_writes_blocks_that_partition_finds(
    tmp_path: pathlib.Path, model: list[object]
) -> None:
    graph, blocks = tmp_path / "g.mtx", tmp_path / "blocks.tsv"
    name, *options = model
    out = ["-o", graph, "--labels", blocks]
    answer = run_json("generate", name, "--nodes", 300, "--blocks", 3, *options, *out)
    assert answer["nodes"] == 300
    found = run_json("partition", graph, "-k", 3, "--truth", blocks)
    assert found["ami"] > 0.7


def test_generate_writes_datasets(tmp_path: pathlib.Path) -> None:
    out = tmp_path / "many.npz"
    run("generate", "sbm", "-n", 20, "-b", "2,4", "--graphs", 6, "--p-in", 0.9, "-o", out)
    answer = run_json("info", out)
    assert (answer["graphs"], answer["nodes"], answer["classes"]) == (6, 120, 2)
    assert answer["node_labels"]


def test_generate_prints_an_edge_list() -> None:
    answer = run("generate", "planted", "-n", 50, "-b", 2)
    first = next(line for line in answer.stdout.splitlines() if not line.startswith("#"))
    assert len(first.split()) == 2


def test_generate_refuses_numbers_of_another_model() -> None:
    assert "--p-in" in run("generate", "planted", "--p-in", 0.5, expect=USAGE).stderr
    run("generate", "sbm", "--degree", 3, expect=USAGE)
    run("generate", "sbm", "--exponent", 3, expect=USAGE)
    run("generate", "sbm", "-n", 3, "-b", 4, expect=USAGE)


def test_score_of_all_kinds(tmp_path: pathlib.Path) -> None:
    answer = run_json("score", CLUBS, CLUBS, "--graph", KARATE)
    assert [answer[key] for key in ("ri", "ari", "ami", "nmi")] == [1, 1, 1, 1]
    assert answer["modularity"] == pytest.approx(0.3582, abs=1e-3)
    plain, text = tmp_path / "a.npy", tmp_path / "b.json"
    np.save(plain, [0, 0, 1, 1])
    text.write_text(json.dumps({"x": 5, "y": 5, "z": 7, "u": 9}))
    for pair in ((plain, text), (text, plain)):
        assert 0 < run_json("score", *pair)["ari"] < 1
    assert run_json("score", plain, plain)["modularity"] is None
    assert "ami" in run("score", plain, plain).stdout


def test_score_wants_the_same_nodes(tmp_path: pathlib.Path) -> None:
    few, many = tmp_path / "few.tsv", tmp_path / "many.tsv"
    few.write_text("a\t1\nb\t2\n")
    many.write_text("a\t1\nb\t2\nc\t2\n")
    run("score", few, many, expect=BAD_INPUT)
    run("score", many, few, expect=BAD_INPUT)


def test_estimate_tells_bytes_without_running() -> None:
    answer = run_json("estimate", "partition", KARATE, "-k", 4)
    assert answer["bytes"] > 0 and answer["seconds"] >= 0
    assert run_json("estimate", "solve", KARATE, "identity:4")["m"] == 4
    assert "memory" in run("estimate", "partition", KARATE, "-k", 4).stdout


def test_max_memory_refuses_with_the_estimate_and_a_remedy() -> None:
    command = ["partition", KARATE, "-k", 4]
    run(*command, "--max-memory", "1G")
    answer = run(*command, "--max-memory", "1k", "--json", expect=RESOURCE)
    assert "are needed" in answer.stderr and "--max-memory" in answer.stderr
    assert json.loads(answer.stdout)["error"]["kind"] == "resource"
    run(*command, "--max-memory", "lots", expect=USAGE)
