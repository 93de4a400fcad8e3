"""srgw info, check, convert, generate, score and estimate."""

import json
import pathlib
import re
import sys
from collections import Counter

import numpy as np
import pytest
import scipy.sparse
from program import (
    BAD_INPUT,
    CLUBS,
    KARATE,
    PROGRAM,
    RESOURCE,
    ROOT,
    USAGE,
    labels_of,
    peak_bytes,
    run,
    run_json,
    shared,
)

sys.path.insert(0, str(ROOT / "scripts"))
import cli_docs  # noqa: E402


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
    ("name", "nodes", "arcs", "edges", "isolated", "components"),
    [
        ("wikipedia", 1998, 3621, 2700, 699, 798),
        ("eu-email", 1005, 25571, 16706, 0, 20),
        ("amazon", 1501, None, 4626, 0, 8),
        ("village", 1991, None, 8423, 98, 110),
    ],
)
def test_partition_graphs_have_their_counts(
    name: str, nodes: int, arcs: int | None, edges: int, isolated: int, components: int
) -> None:
    folder = shared(f"partition/{name}")
    command = [folder / "edges.tsv", "--node-file", folder / "labels.tsv"]
    answer = run_json("info", *command)
    assert (answer["nodes"], answer["edges"], answer["directed"]) == (nodes, edges, False)
    assert (answer["isolated"], answer["components"]) == (isolated, components)
    if arcs is not None:
        directed = run_json("info", *command, "--directed")
        assert (directed["edges"], directed["directed"]) == (arcs, True)
    assert run_json("check", folder / "edges.tsv", "--labels", folder / "labels.tsv")["ok"]


@pytest.mark.parametrize(
    ("name", "nodes", "edges", "loops"),
    [
        ("lastfm-asia", 7624, 27806, 0),
        ("facebook-pages", 22470, 171002, 179),
        ("github-social", 37700, 289003, 0),
        ("com-dblp", 317080, 1049866, 0),
    ],
)
def test_large_graphs_have_their_counts(name: str, nodes: int, edges: int, loops: int) -> None:
    folder = shared(f"large/{name}")
    file = folder / ("edges.tsv.gz" if name == "com-dblp" else "edges.tsv")
    answer = run_json("info", file)
    assert (answer["nodes"], answer["edges"], answer["self_loops"]) == (nodes, edges, loops)
    assert answer["components"] == 1
    assert run_json("check", file)["ok"]


@pytest.mark.parametrize(
    ("name", "graphs", "classes", "nodes", "edges", "features"),
    [
        ("IMDB-BINARY", 1000, 2, 19773, 96531, 0),
        ("IMDB-MULTI", 1500, 3, 19502, 98903, 0),
        ("MUTAG", 188, 2, 3371, 3721, 0),
        ("PTC_MR", 344, 2, 4915, 5054, 0),
        ("BZR", 405, 2, 14479, 15535, 3),
        ("COX2", 467, 2, 19252, 20289, 3),
        ("PROTEINS_full", 1113, 2, 43471, 81044, 29),
        ("ENZYMES", 600, 6, 19580, 37282, 18),
    ],
)
def test_datasets_have_their_counts(
    name: str, graphs: int, classes: int, nodes: int, edges: int, features: int
) -> None:
    folder = shared(f"tud/{name}")
    answer = run_json("info", folder)
    assert (answer["graphs"], answer["classes"]) == (graphs, classes)
    assert (answer["nodes"], answer["edges"], answer["features"]) == (nodes, edges, features)
    assert run_json("check", folder)["ok"]


def test_convert_of_a_dataset_keeps_its_facts(tmp_path: pathlib.Path) -> None:
    folder = shared("tud/MUTAG")
    packed = tmp_path / "mutag.npz"
    run("convert", folder, packed)
    assert run_json("info", packed) == run_json("info", folder)


def test_check_lists_every_wrong_line(tmp_path: pathlib.Path) -> None:
    graph = tmp_path / "g.txt"
    graph.write_text("1 2\n3\n4 5\n6 7 x 8\n1 1\n")
    answer = run_json("check", graph, expect=BAD_INPUT)
    assert not answer["ok"]
    assert [problem.split(":")[1] for problem in answer["problems"]] == ["2", "4"]
    assert f"{graph}:2:" in run("check", graph, expect=BAD_INPUT).stdout


BANNER = "%%MatrixMarket matrix coordinate real general\n"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("3 3 4\n1 9 1\n1 2 1\n2 x 1\n2 3\n", [3, 5, 6]),
        ("3 3 4\n1 2 1\n", [2]),
        ("3 -3 4\n1 9 1\n", [2]),
    ],
)
def test_check_lists_every_wrong_line_of_a_matrix(
    tmp_path: pathlib.Path, text: str, lines: list[int]
) -> None:
    graph = tmp_path / "g.mtx"
    graph.write_text(BANNER + text)
    problems = run_json("check", graph, expect=BAD_INPUT)["problems"]
    assert [int(problem.split(":")[1]) for problem in problems] == lines


def test_check_looks_at_labels_and_features_too(tmp_path: pathlib.Path) -> None:
    labels, features = tmp_path / "labels.tsv", tmp_path / "features.csv"
    labels.write_text("".join(f"{i}\t{i % 2}\n" for i in range(1, 35)))
    features.write_text("node,x\n" + "".join(f"{i},{i}\n" for i in range(1, 35)))
    command = ["check", KARATE, "--labels", labels, "--features", features]
    assert run_json(*command)["ok"]
    with labels.open("a") as file:
        file.write("5\t1\n6\n")
    features.write_text(features.read_text().replace("7,7\n", "7,x\n").replace("9,9\n", "z,9\n"))
    problems = run_json(*command, expect=BAD_INPUT)["problems"]
    assert [problem.split(": ")[0] for problem in problems] == [
        f"{labels}:35",
        f"{labels}:36",
        f"{features}:8",
        f"{features}:10",
    ]
    labels.write_text("1\t0\n")
    problems = run_json("check", KARATE, "--labels", labels, expect=BAD_INPUT)["problems"]
    assert len(problems) == 1 and "no label" in problems[0]


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
    run("convert", KARATE, first, "--renumber")
    answer = run_json("convert", first, there)
    assert (answer["nodes"], answer["edges"], answer["file"]) == (34, 78, str(there))
    run("convert", there, back)
    difference = scipy.sparse.load_npz(first) != scipy.sparse.load_npz(back)
    assert difference.nnz == 0


def test_convert_keeps_names_and_adds_communities(tmp_path: pathlib.Path) -> None:
    out, back = tmp_path / "g.graphml", tmp_path / "g.txt"
    run("convert", KARATE, out, "--labels", CLUBS)
    assert "officer" in out.read_text() and "community" in out.read_text()
    refused = run("convert", out, back, expect=BAD_INPUT).stderr
    assert "'community' of the nodes would be lost" in refused and "--lossy" in refused
    assert not back.exists()
    run("convert", out, back, "--lossy")
    lines = [line for line in back.read_text().splitlines() if not line.startswith("#")]
    assert len(lines) == 78 and lines[0].split() == ["1", "2"]


def test_convert_to_an_edge_list_keeps_nodes_without_edges(tmp_path: pathlib.Path) -> None:
    graph, out, back = tmp_path / "g.gml", tmp_path / "g.csv", tmp_path / "b.gml"
    nodes = "".join(f'node [ id {i} label "n{i}" ]\n' for i in range(300))
    graph.write_text(f"graph [ directed 1\n{nodes}edge [ source 0 target 1 ]\n]\n")
    run("convert", graph, out)
    assert run_json("info", out)["nodes"] == 300
    run("convert", out, back)
    for file in (out, back):
        answer = run_json("info", file)
        assert (answer["nodes"], answer["isolated"], answer["directed"]) == (300, 298, True)


@pytest.mark.parametrize("how", ["same", "dots", "symlink", "hardlink"])
def test_no_command_writes_over_its_input(tmp_path: pathlib.Path, how: str) -> None:
    graph = tmp_path / "g.txt"
    graph.write_text(KARATE.read_text())
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a.txt").write_text("0 1\n")
    (folder / "labels.csv").write_text("graph,label\na.txt,1\n")
    out = tmp_path / "out.txt"
    if how == "symlink":
        out.symlink_to(graph)
    elif how == "hardlink":
        out.hardlink_to(graph)
    else:
        out = graph if how == "same" else f"{tmp_path}/./folder/../g.txt"
    before = graph.read_text()
    for command in (
        ["convert", graph, out],
        ["partition", graph, "-k", 2, "-o", out],
        ["partition", graph, "-k", 2, "--plan", out],
        ["solve", graph, "identity:2", "--save", out],
        ["generate", "planted", "-o", out, "--labels", out],
        ["cluster", folder, "-k", 1, "-m", 1, "-o", folder / "labels.csv"],
    ):
        refused = run(*command, expect=USAGE).stderr
        assert "would replace the input" in refused or "are one file" in refused
        assert graph.read_text() == before
    assert (folder / "labels.csv").read_text() == "graph,label\na.txt,1\n"


# Options whose files are read.
INPUTS = {
    *("--features", "--target-features", "--forbidden", "--anchors", "--previous", "--fixed"),
    *("--truth", "--labels", "--node-file", "--graph", "--mask", "--resume", "--embeddings"),
    *("--truth-labels", "--truth-features", "--config"),
}


def test_every_option_that_writes_a_file_refuses_its_input(tmp_path: pathlib.Path) -> None:
    graph = tmp_path / "g.npz"
    graph.write_text(KARATE.read_text())
    needed = {"--size": "2", "--nodes": "40", "--clusters": "2"}
    for command in cli_docs.commands(str(PROGRAM)):
        known = cli_docs.options(str(PROGRAM), command)
        files = {option.name for option in known if option.type.startswith("FILE")} - INPUTS
        files |= {"--labels"} if command in ("generate", "graphon") else set()
        places = run(command, "--help-all").stdout.partition("Arguments:")[2].partition("\n\n")[0]
        count = len(re.findall(r"^  [A-Z]\w* ", places, re.MULTILINE))
        for name in files:
            words = [graph] * count + [name, graph]
            names = {option.name for option in known}
            words += [word for o, value in needed.items() if o in names for word in (o, value)]
            if "--output" in files and name != "--output":
                words += ["-o", tmp_path / "out.npz"]
            told = run(command, *words, expect=USAGE).stderr
            fits = "would replace the input" in told or "are one file" in told
            assert fits or command == "generate", (command, name, told)


@pytest.mark.parametrize(
    "words",
    ["solve - -", "partition - -", "solve - identity:2 --forbidden -", "score - - --graph x"],
)
def test_stdin_is_read_once(words: str) -> None:
    told = run(*words.split(), stdin="0 1\n1 2\n", expect=USAGE).stderr
    assert "are both stdin" in told


def test_outputs_have_names_of_their_own(tmp_path: pathlib.Path) -> None:
    command = ["partition", KARATE, "-k", 2]
    file = tmp_path / "a.npz"
    same = [*command, "-o", file, "--save", tmp_path / "." / "a.npz"]
    assert "are one file" in run(*same, expect=USAGE).stderr
    assert "--output is empty" in run(*command, "-o", "", expect=USAGE).stderr
    assert not file.exists()


def test_one_object_is_printed_or_a_graph(tmp_path: pathlib.Path) -> None:
    for command in (["convert", KARATE, "-"], ["generate", "planted", "-n", 200, "-b", 2]):
        answer = run_json(*command, expect=USAGE)
        assert "stdout" in answer["error"]["message"]
    answer = run_json("generate", "planted", "-n", 200, "-b", 2, "-o", tmp_path / "a.txt")
    assert answer["nodes"] == 200


def test_info_describes_models_and_results(tmp_path: pathlib.Path) -> None:
    data, model, result = (tmp_path / name for name in ("d.npz", "m.npz", "r.npz"))
    run("generate", "sbm", "-n", 10, "-b", 2, "--graphs", 4, "-o", data)
    checkpoint = tmp_path / "c.npz"
    run("learn", data, "-m", 2, "--epochs", 2, "-o", model, "--checkpoint", checkpoint)
    run("partition", KARATE, "-k", 2, "--save", result)
    assert run_json("info", result)["kind"] == "result"
    assert run_json("info", model)["arrays"]
    assert "kind" in run("info", model).stdout


def test_text_classes_of_a_folder_are_numbered(tmp_path: pathlib.Path) -> None:
    for name in "abc":
        (tmp_path / f"{name}.txt").write_text("0 1\n1 2\n")
    (tmp_path / "labels.csv").write_text("graph,label\na.txt,cat\nb.txt,dog\nc.txt,cat\n")
    answer = run_json("info", tmp_path)
    assert (answer["classes"], answer["class_names"]) == (2, ["cat", "dog"])


def test_convert_to_a_matrix_wants_nodes_without_names(tmp_path: pathlib.Path) -> None:
    answer = run("convert", KARATE, tmp_path / "g.mtx", expect=BAD_INPUT)
    assert "renumber" in answer.stderr


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


def test_generate_draws_sizes_of_blocks(tmp_path: pathlib.Path) -> None:
    graph, blocks = tmp_path / "g.txt", tmp_path / "blocks.tsv"
    out = ["-o", graph, "--labels", blocks]
    run("generate", "lfr", "-n", 600, "--inside", 0.85, "--smallest-block", 30, *out)
    sizes = Counter(labels_of(blocks).values())
    assert min(sizes.values()) >= 30 and len(set(sizes.values())) > 1
    assert run_json("partition", graph, "-k", "auto", "--truth", blocks)["ami"] > 0.9
    run("generate", "planted", "--size-exponent", 2, expect=USAGE)


@pytest.mark.parametrize(
    "words", [["challenge", "--overlap", "high", "--size-variation", "high"], ["abcd"]]
)
def test_generated_benchmarks_have_blocks_that_partition_finds(
    words: list[str], tmp_path: pathlib.Path
) -> None:
    graph, blocks = tmp_path / "graph.txt", tmp_path / "blocks.tsv"
    run("generate", *words, "-n", 1000, "-o", graph, "--labels", blocks)
    assert run_json("partition", graph, "--truth", blocks)["ami"] > 0.9
    first = graph.read_bytes()
    run("generate", *words, "-n", 1000, "-o", graph)
    assert graph.read_bytes() == first
    run("generate", *words, "-n", 1000, "--seed", 1, "-o", graph)
    assert graph.read_bytes() != first


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
    assert "--noise" in run("generate", "lfr", "--noise", 0.5, expect=USAGE).stderr
    assert "--overlap" in run("generate", "abcd", "--overlap", "low", expect=USAGE).stderr
    assert "--degree" in run("generate", "challenge", "--degree", 3, expect=USAGE).stderr
    assert "--blocks" in run("generate", "challenge", "-b", 3, expect=USAGE).stderr
    assert "to 4294967295" in run("generate", "abcd", "-n", 10**13, expect=USAGE).stderr
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


@pytest.mark.parametrize(
    "options",
    [
        ["--structure", "adjacency", "--start", "random", "--starts", 1],
        ["--structure", "adjacency", "--start", "random", "--starts", 1, "--epsilon", 1],
        ["--structure", "modularity", "--start", "spectral", "-j", 2],
    ],
)
def test_estimate_is_near_the_peak(tmp_path: pathlib.Path, options: list[object]) -> None:
    graph = tmp_path / "g.txt"
    run("generate", "planted", "-n", 20000, "-b", 10, "-o", graph)
    command = ["partition", graph, "-k", 50, *options]
    program = peak_bytes("info", graph)
    peak = peak_bytes(*command, "--max-iterations", 2) - program
    estimate = run_json("estimate", *command)
    assert 0.4 < (estimate["bytes"] - estimate["bytes_graph"]) / peak < 2.5


def test_max_memory_refuses_with_the_estimate_and_a_remedy() -> None:
    command = ["partition", KARATE, "-k", 4]
    run(*command, "--max-memory", "1G")
    answer = run(*command, "--max-memory", "1k", "--json", expect=RESOURCE)
    assert "are needed" in answer.stderr and "--max-memory" in answer.stderr
    assert json.loads(answer.stdout)["error"]["kind"] == "resource"
    run(*command, "--max-memory", "lots", expect=USAGE)
