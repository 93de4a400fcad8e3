"""Arguments and inputs that are wrong: exit code, one line of explanation, no result."""

import json
import pathlib

import pytest
from program import BAD_INPUT, KARATE, ROOT, USAGE, run

BAD_FILES = ROOT / "tests" / "data" / "bad"

WRONG_USAGE = [
    [],
    ["nonsense"],
    ["solve"],
    ["solve", KARATE],
    ["solve", KARATE, "identity"],
    ["solve", KARATE, "identity:0"],
    ["solve", KARATE, "identity:x"],
    ["solve", KARATE, "scaled-identity:3"],
    ["solve", KARATE, "scaled-identity:3:0"],
    ["solve", KARATE, "identity:3", "--nonsense"],
    ["solve", KARATE, "identity:3", "--structure", "nonsense"],
    ["solve", KARATE, "identity:3", "--structure", "heat"],
    ["solve", KARATE, "identity:3", "--structure", "heat:x"],
    ["solve", KARATE, "identity:3", "--structure", "heat:-1"],
    ["solve", KARATE, "identity:3", "--structure", "adjacency:2"],
    ["solve", KARATE, "identity:3", "--weights", "nonsense"],
    ["solve", KARATE, "identity:3", "--weights", "power"],
    ["solve", KARATE, "identity:3", "--structure", "modularity", "--weights", "uniform"],
    ["solve", KARATE, "identity:3", "--start", "nonsense"],
    ["solve", KARATE, "identity:3", "--starts", 0],
    ["solve", KARATE, "identity:3", "--start", "labels:x.tsv", "--starts", 2],
    ["solve", KARATE, "identity:3", "--alpha", 0.5],
    ["solve", KARATE, "identity:3", "--divergence", "fgw"],
    ["solve", KARATE, "identity:3", "--divergence", "gw", "--sparsity", 0.1],
    ["solve", KARATE, "identity:3", "--divergence", "gw", "--target-weights", "degree"],
    ["partition", KARATE, "--clusters", 3, "--divergence", "gw"],
    ["barycenter", ".", "-m", 3, "-o", "mean.txt"],
    ["barycenter", ".", "-m", 0, "-o", "mean.npy"],
    ["solve", KARATE, "identity:3", "--divergence", "srfgw"],
    ["solve", KARATE, "identity:3", "--target-weights", "x.npy"],
    ["solve", KARATE, "identity:3", "--features", "x.npy"],
    ["solve", KARATE, "identity:3", "--tolerance", -1],
    ["solve", KARATE, "identity:3", "--tolerance", "small"],
    ["solve", KARATE, "identity:3", "--max-iterations", 0],
    ["solve", KARATE, "identity:3", "--max-iterations", 1.5],
    ["solve", KARATE, "identity:3", "--epsilon", -1],
    ["solve", KARATE, "identity:3", "--entropic-mode", "entropic"],
    ["solve", KARATE, "identity:3", "--sparsity", -1],
    ["solve", KARATE, "identity:3", "--seed", "x"],
    ["solve", KARATE, "identity:3", "--threads", -1],
    ["solve", KARATE, "identity:3", "--time-limit", 0],
    ["draw", "result.npz", "-o", "-", "--json"],
    ["solve", KARATE, "identity:3", "--save", "result.txt"],
    ["solve", KARATE, "identity:3", "--plan", "plan.txt"],
    ["solve", KARATE, "identity:3", "--index-base", 1],
    ["partition", KARATE, "--structure", "heat:3"],
    ["partition", KARATE, "--starts", "some"],
    ["partition", KARATE, "-k", 0],
    ["partition", KARATE, "-k", "many"],
    ["info", KARATE, "--duplicates", "nonsense"],
    ["info", KARATE, "--from", "nonsense"],
    ["generate", "nonsense"],
    ["generate", "sbm", "--graphs", 3],
    ["estimate"],
    ["estimate", "--ranks", 2, "partition", KARATE, "-k", 2, "--start", "spectral"],
    ["estimate", "--ranks", 2],
    ["estimate", "--nodes", 100],
    ["estimate", "--edges", 100],
    ["estimate", "--edges", 100, "partition", KARATE],
    ["estimate", "--nodes", 10, "--edges", 100, "solve", KARATE, "identity:2"],
    ["estimate", "--ranks", 2, "solve", KARATE, "identity:2"],
    ["completions", "tcsh"],
    ["solve", KARATE, "identity:99999999999"],
    ["partition", KARATE, "-k", 2, "--seed", -1],
    ["partition", KARATE, "-k", 2, "-o", "labels.xyz"],
    ["generate", "sbm", "--p-in", 2],
]


@pytest.mark.parametrize("arguments", WRONG_USAGE, ids=lambda words: " ".join(map(str, words[-3:])))
def test_wrong_usage_is_exit_code_2(arguments: list[object]) -> None:
    answer = run(*arguments, expect=USAGE)
    if "--json" in arguments:
        assert json.loads(answer.stdout)["error"]["kind"] == "usage"
    else:
        assert answer.stdout == ""
    assert answer.stderr.startswith("srgw: ") and answer.stderr.count("\n") >= 1


@pytest.mark.parametrize(
    "name",
    [
        "empty.txt",
        "binary_junk.txt",
        "mixed_separators.txt",
        "duplicate_weighted.txt",
        "cut_short.txt.gz",
        "huge_nodes.mtx",
        "index_zero.mtx",
        "asymmetric.graph",
        "huge_edges.graph",
        "entity_bomb.graphml",
        "deep.gml",
        "junk.gml",
        "cut_short.npy",
        "nan.npy",
        "damaged.npz",
        "index_negative.npz",
    ],
)
@pytest.mark.parametrize("command", ["info", "check", "partition"])
def test_bad_files_are_exit_code_3(command: str, name: str) -> None:
    file = BAD_FILES / name
    answer = run(command, file, *(["-k", 2] if command == "partition" else []), expect=BAD_INPUT)
    said = answer.stdout if command == "check" else answer.stderr
    assert str(file) in said and "expected" in said


def test_what_does_not_fit_the_input_is_exit_code_3(tmp_path: pathlib.Path) -> None:
    labels, none = tmp_path / "labels.tsv", tmp_path / "no_edges.txt"
    labels.write_text("1\t0\n2\t1\n")
    none.write_text("1 1\n2 2\n")
    empty = tmp_path / "empty"
    empty.mkdir()
    for arguments in (
        ["info", tmp_path / "absent.txt"],
        ["info", empty],
        ["partition", KARATE, "-k", 2, "--truth", labels],
        ["partition", none, "-k", 2],
        ["solve", KARATE, "identity:3", "--start", f"labels:{labels}"],
        ["solve", KARATE, "identity:3", "--start", f"plan:{tmp_path / 'absent.npy'}"],
        ["solve", KARATE, tmp_path / "absent.txt"],
        ["solve", KARATE, "identity:3", "--weights", tmp_path / "absent.npy"],
        ["partition", KARATE, "-k", 2, "-o", tmp_path / "no" / "folder.tsv"],
        ["partition", KARATE, "-k", 2, "-o", "/dev/full"],
        ["convert", KARATE, tmp_path / "graph.nonsense"],
        ["info", KARATE, "--nodes", 10],
    ):
        answer = run(*arguments, expect=BAD_INPUT)
        assert answer.stderr.startswith("srgw: ")


def test_an_unknown_command_is_named() -> None:
    answer = run("lern", KARATE, expect=USAGE)
    assert "unknown command 'lern'" in answer.stderr and "partition" in answer.stderr


def test_numbers_are_refused_in_short_words() -> None:
    answer = run("partition", KARATE, "-k", 2, "--time-limit", "abc", expect=USAGE)
    assert answer.stderr == "srgw: --time-limit: 'abc', expected a number above 0\n"


def test_json_errors_are_objects(tmp_path: pathlib.Path) -> None:
    answer = run("info", tmp_path / "absent.txt", "--json", expect=BAD_INPUT)
    error = json.loads(answer.stdout)["error"]
    assert error["kind"] == "io" and error["exit_code"] == BAD_INPUT
    assert error["message"] in answer.stderr
    usage = json.loads(run("partition", KARATE, "-k", 0, "--json", expect=USAGE).stdout)
    assert usage["error"]["kind"] == "usage"


def test_a_line_is_named(tmp_path: pathlib.Path) -> None:
    graph = tmp_path / "g.txt"
    graph.write_text("a b 1\nb c x\n")
    answer = run("partition", graph, "-k", 2, expect=BAD_INPUT)
    assert answer.stderr.startswith(f"srgw: {graph}:2: ")
