"""`srgw graphon`: files, numbers, messages, and the same as Python."""

import pathlib

import numpy as np
import pytest
import srgw
from program import BAD_INPUT, USAGE, run, run_json


@pytest.fixture(scope="module")
def graphs(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    file = tmp_path_factory.mktemp("graphon") / "graphs.npz"
    words = ["--graphs", 12, "-n", 30, "-b", 2, 3, "--degree", 8, "-o", file]
    run("generate", "planted", *words)
    return file


def test_writes_what_python_has(graphs: pathlib.Path, tmp_path: pathlib.Path) -> None:
    files = {name: tmp_path / name for name in ("a.npz", "b.npy", "c.npy", "d.txt", "e.svg")}
    words = ["-o", "a.npz", "--values", "b.npy", "--labels", "c.npy", "--sample", "d.txt"]
    words += ["--sample-nodes", "50", "--picture", "e.svg"]
    found = run_json("graphon", graphs, "-k", 4, *(files.get(w, w) for w in words))
    model = srgw.Graphon(4).fit(graphs)
    assert found["value"] == model.objective_
    assert found["sample_values"] == model.sample_objectives_.tolist()
    assert found["widths"] == model.widths_.tolist()
    assert (np.load(files["b.npy"]) == model.values_).all()
    assert (srgw.Graphon.load(files["a.npz"]).values_ == model.values_).all()
    rows = np.load(files["c.npy"]).astype(int)
    assert len(rows) == found["nodes"]
    for graph, node, step in rows:
        assert model.labels_[graph][node] == step
    assert srgw.read(files["d.txt"]).n_edges == model.sample(50, random_state=0).n_edges
    assert "graphon of 12 graphs" in files["e.svg"].read_text()
    assert run_json("info", files["a.npz"])["kind"] == "graphon"


def test_no_number_of_steps_is_half_the_root_of_the_nodes(graphs: pathlib.Path) -> None:
    found = run_json("graphon", graphs)
    assert 2 <= found["steps"] <= 3
    again = run_json("graphon", graphs, "-k", "auto")
    assert again["sample_values"] == found["sample_values"]


@pytest.mark.parametrize(
    "words, message, code",
    [
        ("-k 0", "--steps 0", USAGE),
        ("-k many", "--steps many", USAGE),
        ("-k 31", "31 steps of graphs of up to 30 nodes", BAD_INPUT),
        ("-o a.txt", "--output a.txt", USAGE),
        ("--values a.txt", "--values a.txt", USAGE),
        ("--labels a.tsv", "--labels a.tsv", USAGE),
        ("--sample-nodes 5", "--sample-nodes without --sample", USAGE),
        ("--sample - --json", "--sample - with --json", USAGE),
        ("--picture a.png", "a.png", USAGE),
    ],
)
def test_bad_arguments(graphs: pathlib.Path, words: str, message: str, code: int) -> None:
    assert message in run("graphon", graphs, *words.split(), expect=code).stderr


def test_what_cannot_be_sampled_leaves_no_files(tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "graphs"
    folder.mkdir()
    for name in "ab":
        (folder / f"{name}.txt").write_text("a b 5\nb c 5\na c 5\n")
    words = ["-k", 1, "-o", tmp_path / "a.npz", "--values", tmp_path / "b.npy"]
    words += ["--labels", tmp_path / "c.npy", "--sample", tmp_path / "d.txt"]
    answer = run("graphon", folder, *words, expect=BAD_INPUT)
    assert "expected probabilities: at most 1" in answer.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["graphs"]


def test_needs_a_dataset(tmp_path: pathlib.Path) -> None:
    (tmp_path / "g.txt").write_text("a b\n")
    answer = run("graphon", tmp_path / "g.txt", expect=BAD_INPUT)
    assert "expected a dataset" in answer.stderr
