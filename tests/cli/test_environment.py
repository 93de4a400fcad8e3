"""Unusual surroundings: where results go, limits of the shell, names of files."""

import json
import os
import pathlib
import resource
import signal
import subprocess
import threading

import pytest
from program import BAD_INPUT, FINE, INTERRUPTED, KARATE, PROGRAM, USAGE, run


def test_the_file_of_standard_output_is_not_replaced(tmp_path: pathlib.Path) -> None:
    out = tmp_path / "out.txt"
    out.write_text("before\n")
    with out.open("a") as stream:
        command = [PROGRAM, "convert", KARATE, "/dev/stdout", "--to", "edges"]
        subprocess.run(command, check=True, stdout=stream)
    assert out.read_text() == "before\n" + run("convert", KARATE, "-", "--to", "edges").stdout


def test_labels_and_json_do_not_share_standard_output() -> None:
    told = run("partition", KARATE, "-o", "/dev/stdout", "--json", expect=USAGE)
    assert "-o - with --json" in told.stderr
    assert "error" in json.loads(told.stdout)


def test_a_pipe_takes_labels(tmp_path: pathlib.Path) -> None:
    pipe = tmp_path / "labels.tsv"
    os.mkfifo(pipe)
    got = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()))
    reader.start()
    run("partition", KARATE, "-o", pipe)
    reader.join()
    assert len(got[0].splitlines()) == 34
    assert pipe.is_fifo()


def test_a_link_to_a_new_file_is_written_through(tmp_path: pathlib.Path) -> None:
    (tmp_path / "folder").mkdir()
    link = tmp_path / "link.tsv"
    link.symlink_to("folder/new.tsv")
    run("partition", KARATE, "-o", link)
    assert link.is_symlink()
    assert len((tmp_path / "folder" / "new.tsv").read_text().splitlines()) == 34


@pytest.mark.parametrize(
    "name",
    ["a b.tsv", "a\nb.tsv", "ünï.tsv", '"q".tsv', "%s%n.tsv", "{}.tsv", "x" * 251 + ".tsv"],
    ids=["space", "line", "umlaut", "quotes", "percent", "braces", "long"],
)
def test_names_of_files_may_be_any(name: str, tmp_path: pathlib.Path) -> None:
    out = tmp_path / name
    answer = json.loads(run("partition", KARATE, "-o", out, "--json").stdout)
    assert answer["labels_file"] == str(out)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert name in json.loads(run("info", out.with_suffix(".gml"), "--json", expect=3).stdout)[
        "error"
    ]["message"].replace(".gml", ".tsv")


def limited(words: list, kind: int, limit: int) -> subprocess.CompletedProcess[str]:
    """Runs a command under a limit of the system."""
    hard = resource.getrlimit(kind)[1]
    return subprocess.run(
        [str(PROGRAM), *map(str, words)],
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
        preexec_fn=lambda: resource.setrlimit(kind, (limit, hard)),
    )


@pytest.mark.parametrize("parts", [[], ["--max-memory", "1"]])
def test_a_file_that_is_too_large_is_an_error(parts: list, tmp_path: pathlib.Path) -> None:
    graph, out = tmp_path / "graph.txt", tmp_path / "out.txt"
    edges = [(i, j) for i in range(300) for j in range(0, i, 5)]
    graph.write_text("".join(f"{i} {j}\n" for i, j in edges))
    told = limited(["convert", graph, out, *parts], resource.RLIMIT_FSIZE, 20_000)
    assert told.returncode == BAD_INPUT, told.stderr
    assert "File too large" in told.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["graph.txt"]


def test_the_limit_of_processor_time_stops_with_the_best_so_far(tmp_path: pathlib.Path) -> None:
    graph, out = tmp_path / "graph.txt", tmp_path / "labels.tsv"
    run("generate", "planted", "-n", 3000, "-b", 6, "-o", graph)
    words = ["partition", graph, "-k", 40, "--start", "random", "--starts", 100_000]
    words += ["--structure", "adjacency", "-o", out]
    told = limited(words, resource.RLIMIT_CPU, 2)
    assert told.returncode == INTERRUPTED, told.stderr
    assert signal.SIGXCPU.name in told.stderr
    assert len(out.read_text().splitlines()) == 3000


@pytest.mark.parametrize("files", [6, 8, 12])
def test_few_open_files_are_enough(files: int, tmp_path: pathlib.Path) -> None:
    words = ["partition", KARATE, "-o", tmp_path / "a.tsv", "--save", tmp_path / "b.npz"]
    words += ["--picture", tmp_path / "c.svg", "--report", tmp_path / "d.html"]
    assert limited(words, resource.RLIMIT_NOFILE, files).returncode == FINE
    assert len(list(tmp_path.iterdir())) == 4


@pytest.mark.parametrize("megabytes", [16, 24, 32, 48, 64])
def test_little_memory_is_told(megabytes: int, tmp_path: pathlib.Path) -> None:
    graph = tmp_path / "graph.txt"
    graph.write_text("".join(f"{i} {i * 7919 % 100003}\n" for i in range(100_000)))
    words = ["partition", graph, "-o", tmp_path / "out.tsv", "--time-limit", "5"]
    told = limited(words, resource.RLIMIT_AS, megabytes << 20)
    if told.returncode == 127:
        pytest.skip("the program itself does not fit")
    assert told.returncode in (FINE, 5), (told.returncode, told.stderr)
    assert (tmp_path / "out.tsv").exists() == (told.returncode == FINE)
    assert told.returncode == FINE or "memory" in told.stderr or "time limit" in told.stderr


def test_the_environment_does_not_matter() -> None:
    expected = json.loads(run("partition", KARATE, "--json").stdout)
    for environment in ({}, {"LC_ALL": "de_DE.UTF-8"}, {"LC_ALL": "absent"}, {"TERM": ""}):
        told = subprocess.run(
            [PROGRAM, "partition", KARATE, "--json"], check=True, capture_output=True,
            env=environment,
        )  # fmt: skip
        answer = json.loads(told.stdout)
        assert answer["modularity"] == expected["modularity"]
        assert answer["sizes"] == expected["sizes"]


@pytest.mark.parametrize("path", ["a" * 300, "/".join(["a"] * 3000)])
def test_names_that_are_too_long_are_said_to_be(path: str) -> None:
    told = run("partition", path, expect=BAD_INPUT).stderr
    assert told.strip() == f"srgw: {path}: File name too long"
