"""MPI ranks without further options: defaults, messages, long exchanges, stops and estimates."""

import json
import os
import pathlib
import signal
import socket
import subprocess
import time

import numpy as np
import pytest
from program import BAD_INPUT, FINE, INTERRUPTED, KARATE, PROGRAM, USAGE, run, run_json
from ranks import MPI_ENVIRONMENT, needs_mpi, ranks_of, run_ranks, run_ranks_json, start_ranks

TIMES = ("seconds", "seconds_read", "ranks", "labels_file", "reasons")


@pytest.fixture(scope="module", autouse=True)
def _mpi() -> None:
    needs_mpi()


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A graph of eight blocks."""
    graph = tmp_path_factory.mktemp("planted") / "graph.txt"
    run("generate", "planted", "-n", 6000, "-b", 8, "--degree", 12, "-o", graph, "--seed", 2)
    return graph


def without_times(answer: dict) -> dict:
    return {key: value for key, value in answer.items() if key not in TIMES}


@pytest.mark.parametrize("options", [[], ["-k", 5], ["--criterion", "modularity"]])
def test_no_start_is_needed(tmp_path: pathlib.Path, planted: pathlib.Path, options: list) -> None:
    alone_file = tmp_path / "alone.tsv"
    split = ["--start", "split-merge", "-o", alone_file]
    alone = run_json("partition", planted, *options, *split)
    for count in (2, 3, 4):
        file = tmp_path / f"{count}.tsv"
        answer = run_ranks_json(count, "partition", planted, *options, "-o", file)
        assert without_times(answer) == without_times(alone)
        assert file.read_bytes() == alone_file.read_bytes()
        # The route differs from that of one process, and the result says so.
        assert "splitting and merging replaces the search" in answer["reasons"][0]
        assert answer["reasons"][1:] == alone.get("reasons", [])
    assert alone["clusters"] == (5 if "-k" in options else 8)


def test_readme_command_runs(planted: pathlib.Path) -> None:
    told = run_ranks(4, "partition", planted)
    assert told.stdout.count("clusters      8") == 1
    assert told.stderr == ""


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--criterion", "description-length"], "--criterion description-length on several ranks"),
        (["--structure", "adjacency"], "--clusters auto with structure adjacency"),
        (["--sparsity", "0.1"], "--sparsity on several ranks, expected 0"),
        (["--target", "learned", "-k", 3], "--target learned on several ranks"),
        (["--start", "random"], "--clusters auto with start random"),
        (["--levels"], "--levels on several ranks, expected one process"),
        (["--min-cut", "1"], "--min-cut on several ranks, expected one process"),
        (["--max-size", "9"], "--max-size on several ranks, expected one process"),
    ],
)
def test_refusals_name_what_was_given(options: list, message: str) -> None:
    told = run_ranks(2, "partition", KARATE, *options, expect=USAGE).stderr
    assert told.startswith(f"srgw: {message}")
    assert told.count("srgw: ") == 1


def test_a_missing_file_names_rank_and_host(tmp_path: pathlib.Path) -> None:
    told = run_ranks(2, "partition", tmp_path / "none.txt", expect=BAD_INPUT).stderr
    assert told.count("srgw: ") == 1
    line = next(line for line in told.splitlines() if line.startswith("srgw: "))
    assert " of 2 on " in line and socket.gethostname().split(".")[0] in line
    assert "none.txt" in line


@pytest.mark.parametrize("limit", [16, 100, 5000])
def test_long_messages_are_sent_in_pieces(
    tmp_path: pathlib.Path,
    planted: pathlib.Path,
    limit: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    graph = KARATE if limit < 1000 else planted
    options = ["partition", graph, "-k", 4, "--start", "split-merge", "--starts", 1, "-o"]
    run(*options, tmp_path / "alone.tsv")
    monkeypatch.setenv("SRGW_MESSAGE_BYTES", str(limit))
    run_ranks(3, *options, tmp_path / "ranks.tsv")
    assert (tmp_path / "ranks.tsv").read_bytes() == (tmp_path / "alone.tsv").read_bytes()


def test_a_bad_limit_of_messages_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SRGW_MESSAGE_BYTES", "0")
    with start_ranks(2, "partition", KARATE) as process:
        told = process.communicate(timeout=60)[1]
    assert process.returncode != FINE
    assert "SRGW_MESSAGE_BYTES is 0, expected a number of bytes" in told


def graphs_of(folder: pathlib.Path) -> pathlib.Path:
    """Rings with chords, of 5 to 9 nodes, and one graph that occurs twice."""
    rng = np.random.default_rng(8)
    folder.mkdir()
    for g in range(11):
        nodes = 5 + g % 5
        pairs = {(i, (i + 1) % nodes) for i in range(nodes)}
        pairs |= {tuple(sorted(map(int, rng.choice(nodes, 2, replace=False)))) for _ in range(3)}
        lines = sorted({tuple(sorted(pair)) for pair in pairs})
        (folder / f"g{g:02}.txt").write_text("".join(f"{a} {b}\n" for a, b in lines))
    return folder


@pytest.mark.parametrize("ending", ["npy", "csv"])
@pytest.mark.parametrize("other", [False, True])
def test_distances_have_the_bytes_of_one_process(
    tmp_path: pathlib.Path, ending: str, other: bool
) -> None:
    graphs = graphs_of(tmp_path / "graphs")
    targets = [tmp_path / "targets.npz"] if other else []
    if other:
        run("convert", graphs, targets[0], "--to", "packed")
    options = ["distances", graphs, *targets, "--random-starts", 2, "--seed", 4, "-o"]
    alone = run_json(*options, tmp_path / f"alone.{ending}")
    expected = (tmp_path / f"alone.{ending}").read_bytes()
    for count in (2, 4):
        file = tmp_path / f"{count}.{ending}"
        answer = run_ranks_json(count, *options, file, "-j", 1)
        assert file.read_bytes() == expected, count
        assert {**answer, "seconds": 0} == {**alone, "seconds": 0}


def test_distances_of_fewer_graphs_than_ranks(tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "graphs"
    folder.mkdir()
    (folder / "a.txt").write_text("0 1\n1 2\n")
    (folder / "b.txt").write_text("0 1\n1 2\n2 0\n")
    run("distances", folder, "-o", tmp_path / "alone.npy")
    run_ranks(4, "distances", folder, "-o", tmp_path / "ranks.npy")
    assert (tmp_path / "ranks.npy").read_bytes() == (tmp_path / "alone.npy").read_bytes()


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """Enough work for several seconds."""
    graph = tmp_path_factory.mktemp("large") / "graph.txt"
    run("generate", "planted", "-n", 150000, "-b", 12, "--degree", 16, "-o", graph)
    return graph


def test_a_time_limit_saves_the_best_so_far(tmp_path: pathlib.Path, large: pathlib.Path) -> None:
    labels = tmp_path / "labels.npy"
    options = ["partition", large, "--starts", 50, "--time-limit", 3, "-o", labels]
    answer = run_ranks_json(2, *options, "-j", 1)
    assert answer["status"] == "time_limit"
    assert len(np.load(labels)) == 150000
    assert answer["clusters"] >= 1


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_saves_the_best_so_far(
    tmp_path: pathlib.Path, large: pathlib.Path, how: signal.Signals
) -> None:
    labels = tmp_path / "labels.npy"
    options = ["partition", large, "--starts", 50, "-o", labels, "--json", "-j", 1]
    with start_ranks(2, *options) as process:
        time.sleep(4)
        for rank in ranks_of(process):
            os.kill(rank, how)
        out, errors = process.communicate(timeout=60)
    assert process.returncode == INTERRUPTED, errors
    assert json.loads(out)["status"] == "interrupted"
    assert errors.count("the best so far") == 1
    assert len(np.load(labels)) == 150000


def test_estimate_needs_no_graph(planted: pathlib.Path) -> None:
    size = ["--nodes", 6000, "--edges", 36000]
    known = run_json("estimate", "--ranks", 3, *size, "partition", "-k", 8)
    read = run_json("estimate", "--ranks", 3, "partition", planted, "-k", 8)
    assert known.keys() == read.keys()
    assert known["n"] == read["n"] == 6000
    assert known["m"] == 8
    for key in ("bytes", "copies", "entries", "traffic_start", "seconds"):
        assert 0.6 < known[key] / read[key] < 1.7, key
    assert run_json("estimate", "--ranks", 3, *size)["ranks"] == 3  # partition is the default
    assert "seconds" in run("estimate", "--ranks", 3, *size).stdout
    alone = run_json("estimate", *size)
    assert alone["entries"] == 72000 and alone["n"] == 6000
    huge = ["--nodes", 80_000_000, "--edges", 1_000_000_000]
    few, many = (run_json("estimate", "--ranks", r, *huge) for r in (16, 64))
    assert many["bytes"] < few["bytes"] and many["seconds"] < few["seconds"]
    weighted = run_json("estimate", "--ranks", 16, *huge, "--weighted")
    assert weighted["bytes"] > few["bytes"]


def test_estimate_runs_outside_of_mpirun_only_once(planted: pathlib.Path) -> None:
    """On ranks the first one prints the estimate."""
    told = subprocess.run(
        ["mpirun", "-np", "2", str(PROGRAM), "estimate", "partition", str(planted)],
        capture_output=True,
        text=True,
        env=os.environ | MPI_ENVIRONMENT,
        check=True,
    )
    assert told.stdout.count("memory") == 1
