"""Forbidden pairs, anchors, shares and relations of srgw solve."""

import pathlib

import numpy as np
import pytest
from program import BAD_INPUT, KARATE, RESOURCE, USAGE, run, run_json

SOLVE = ["solve", KARATE, "identity:4", "--structure", "modularity"]


@pytest.fixture
def files(tmp_path: pathlib.Path) -> pathlib.Path:
    """Two small graphs with names, and pairs of their nodes."""
    (tmp_path / "source.txt").write_text("a b\nb c\na c\nc d\nd e\ne f\nd f\n")
    (tmp_path / "target.txt").write_text("x y\ny z\n")
    (tmp_path / "other.txt").write_text("a d\nb e\nc f\n")
    (tmp_path / "other_target.txt").write_text("x z\ny y\n")
    (tmp_path / "forbidden.txt").write_text("# comment\na x\nb\tz\nf y\n")
    (tmp_path / "anchors.csv").write_text("c,z\nd,x\n")
    return tmp_path


@pytest.mark.parametrize(
    "method",
    [
        [],
        ["--method", "conditional-gradient", "--start", "random", "--starts", "3"],
        ["--start", "kmeans"],
        ["--epsilon", "0.1"],
    ],
)
def test_plans_keep_pairs_by_name(files: pathlib.Path, method: list[str]) -> None:
    plan = files / "plan.npy"
    answer = run_json(
        *("solve", files / "source.txt", files / "target.txt", *method, "--plan", plan),
        *("--forbidden", files / "forbidden.txt", "--anchors", files / "anchors.csv"),
    )
    T = np.load(plan)
    a, b, c, d, f = 0, 1, 2, 3, 5
    x, y, z = 0, 1, 2
    assert T[a, x] == T[b, z] == T[f, y] == 0
    assert T[c, z] == pytest.approx(1 / 6) and T[d, x] == pytest.approx(1 / 6)
    assert T.sum() == pytest.approx(1) and answer["gap"] >= 0


def test_all_anchors_give_a_gap_of_zero(files: pathlib.Path) -> None:
    (files / "all.txt").write_text("".join(f"{n} {'xyz'[k % 3]}\n" for k, n in enumerate("abcdef")))
    answer = run_json(
        *("solve", files / "source.txt", files / "target.txt", "--anchors", files / "all.txt")
    )
    assert (answer["gap"], answer["status"]) == (0, "converged")
    assert answer["target_weights"] == pytest.approx([1 / 3] * 3)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("--forbidden", "a x\na y\na z\n", "row a has no column left: all 3 are forbidden for it"),
        ("--forbidden", "a x\nq y\n", "pairs.txt:2: node 'q' is not in the source graph"),
        ("--forbidden", "a q\n", "pairs.txt:1: node 'q' is not in the target graph"),
        ("--forbidden", "a\n", "pairs.txt:1: 1 fields, expected a source node and a target node"),
        ("--anchors", "a x\na y\n", "row a is anchored on columns x and y"),
        ("--anchors", "a b c\n", "pairs.txt:1: 3 fields"),
    ],
)
def test_bad_pairs_are_named(files: pathlib.Path, name: str, text: str, message: str) -> None:
    (files / "pairs.txt").write_text(text)
    failed = run(
        *("solve", files / "source.txt", files / "target.txt", name, files / "pairs.txt"),
        expect=BAD_INPUT,
    )
    assert message in failed.stderr


def test_a_forbidden_anchor_is_named(files: pathlib.Path) -> None:
    (files / "bad.txt").write_text("a x\n")
    failed = run(
        *("solve", files / "source.txt", files / "target.txt"),
        *("--forbidden", files / "forbidden.txt", "--anchors", files / "bad.txt"),
        expect=BAD_INPUT,
    )
    assert "row a is anchored on column x, which is forbidden for it" in failed.stderr


def test_a_share_is_matched(tmp_path: pathlib.Path) -> None:
    plan = tmp_path / "plan.npy"
    answer = run_json(*SOLVE, "--share", "0.5", "--start", "random", "--plan", plan)
    T = np.load(plan)
    assert T.sum() == pytest.approx(0.5, abs=1e-12) and sum(answer["target_weights"]) == (
        pytest.approx(0.5)
    )


def test_relations_add_up(files: pathlib.Path) -> None:
    pair = (files / "source.txt", files / "target.txt")
    once = run_json("solve", *pair, "--method", "conditional-gradient", "--start", "random")
    twice = run_json(
        *("solve", *pair, "--method", "conditional-gradient", "--start", "random"),
        *("--relation", *pair, "--relation-weight", "2"),
    )
    assert twice["value"] == pytest.approx(3 * once["value"], rel=0.2)
    other = run_json("solve", *pair, "--relation", files / "other.txt", files / "other_target.txt")
    assert other["value"] > 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--share", "0"], "--share 0, expected a number above 0 and at most 1"),
        (["--share", "1.5"], "--share"),
        (["--share", "0.5", "--divergence", "gw"], "--share with gw"),
        (["--relation", "a"], "--relation"),
        (["--relation-weight", "1"], "--relation-weight has 1 numbers for 0 relations"),
    ],
)
def test_options_that_fit_nothing_are_refused(options: list[str], message: str) -> None:
    assert message in run(*SOLVE, *options, expect=USAGE).stderr


def test_relations_may_stand_before_the_graphs(files: pathlib.Path) -> None:
    pair = (files / "source.txt", files / "target.txt")
    other = (files / "other.txt", files / "other_target.txt")
    start = ("--start", "random")
    after = run_json("solve", *pair, "--relation", *other, "--relation-weight", "0.5", *start)
    before = run_json("solve", *start, "--relation", *other, "--relation-weight", "0.5", *pair)
    assert before["value"] == after["value"]
    relations = ("--relation", *other, "--relation", *pair)
    weights = ("--relation-weight", "0.5", "--relation-weight", "2")
    twice = run_json("solve", *relations, *weights, *pair, *start)
    assert twice["value"] > after["value"]
    assert twice["value"] == run_json("solve", *pair, *start, *relations, *weights)["value"]


def test_shares_and_relations_count_in_the_memory(tmp_path: pathlib.Path) -> None:
    graph = tmp_path / "graph.txt"
    graph.write_text("".join(f"{i} {i + 1}\n" for i in range(19999)))
    command = ["solve", graph, "identity:100", "--structure", "modularity"]
    command += ["--start", "spectral", "--max-memory", "100M"]
    array = 8 * 20000 * 100
    plain = run_json("estimate", *command)
    for option in (["--share", "0.5"], ["--relation", graph, "identity:100"]):
        estimate = run_json("estimate", *command, *option)
        assert estimate["bytes"] > plain["bytes"] + 6 * array
        failed = run(*command, *option, expect=RESOURCE)
        assert "--share and --relation need n x m arrays" in failed.stderr


@pytest.mark.parametrize("command", ["partition", "distances"])
@pytest.mark.parametrize("option", ["--forbidden", "--anchors", "--share", "--relation"])
def test_commands_without_a_given_target_refuse_them(command: str, option: str) -> None:
    output = ("-o", "z.npy") if command == "distances" else ()
    failed = run(command, "x", *output, option, "y", expect=USAGE)
    assert f"not expected: {option}" in failed.stderr


def test_relations_of_other_sizes_are_named(files: pathlib.Path) -> None:
    (files / "large.txt").write_text("a b\nb g\n")
    failed = run(
        *("solve", files / "source.txt", files / "target.txt"),
        *("--relation", files / "large.txt", files / "target.txt"),
        expect=BAD_INPUT,
    )
    assert "large.txt: 7 nodes, expected the 6 nodes of the first graph" in failed.stderr


def test_alpha_balanced_is_reported(files: pathlib.Path) -> None:
    (files / "x.csv").write_text("node,f\n" + "".join(f"{n},{k}\n" for k, n in enumerate("abcdef")))
    (files / "y.csv").write_text("node,f\nx,0\ny,2\nz,5\n")
    command = ["solve", files / "source.txt", files / "target.txt"]
    command += ["--features", files / "x.csv", "--target-features", files / "y.csv", "--alpha"]
    answer = run_json(*command, "balanced")
    C = np.zeros((6, 6))
    for i, j in ((0, 1), (1, 2), (0, 2), (2, 3), (3, 4), (4, 5), (3, 5)):
        C[i, j] = C[j, i] = 1
    M = (np.arange(6)[:, None] - np.array([0, 2, 5])) ** 2
    structure, features = np.mean(C**2) - np.mean(C) ** 2, M.mean(axis=0).min()
    assert answer["alpha"] == pytest.approx(features / (structure + features))
    number = run_json(*command, answer["alpha"])
    assert number["value"] == pytest.approx(answer["value"])
    assert "balanced" in run(*command, "auto", expect=USAGE).stderr
