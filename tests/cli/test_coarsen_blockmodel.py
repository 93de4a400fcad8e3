"""`srgw coarsen` and `srgw blockmodel`: files, numbers, messages, and the same as Python."""

import json
import pathlib
import subprocess

import numpy as np
import pytest
import srgw
from place import program


def run(*words: object) -> tuple[int, str, str]:
    done = subprocess.run(
        [program("cli/srgw"), *map(str, words)], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    folder = tmp_path_factory.mktemp("planted")
    code, _, error = run(
        "generate",
        "planted",
        "-n",
        120,
        "-b",
        3,
        "--degree",
        14,
        "-o",
        folder / "graph.txt",
        "--labels",
        folder / "truth.tsv",
    )
    assert code == 0, error
    return folder


def test_coarsen_writes_what_python_has(planted: pathlib.Path, tmp_path: pathlib.Path) -> None:
    np.save(tmp_path / "x.npy", np.arange(240.0).reshape(120, 2))
    code, out, error = run(
        "coarsen",
        planted / "graph.txt",
        "-m",
        20,
        "-o",
        tmp_path / "coarse.npz",
        "--assignment",
        tmp_path / "nodes.npy",
        "--means",
        tmp_path / "means.npz",
        "--features",
        tmp_path / "x.npy",
        "--coarse-features",
        tmp_path / "y.npy",
        "--picture",
        tmp_path / "a.svg",
        "--json",
    )
    assert code == 0, error
    json_ = json.loads(out)
    graph = srgw.read(planted / "graph.txt")
    model = srgw.GraphCoarsener(20).fit(graph, features=np.load(tmp_path / "x.npy"))
    assert json_["coarse_nodes"] == 20
    assert json_["value"] == model.objective_
    assert json_["spectral_error"] == model.spectral_error_
    assert (np.load(tmp_path / "nodes.npy") == model.labels_).all()
    assert np.load(tmp_path / "y.npy") == pytest.approx(model.coarse_graph_.features)
    coarse = srgw.read(tmp_path / "coarse.npz")
    assert coarse.to_numpy() == pytest.approx(model.coarse_graph_.to_numpy())
    means = srgw.read(tmp_path / "means.npz")
    assert means.to_numpy() == pytest.approx(model.means_.to_numpy())
    assert (tmp_path / "a.svg").read_text().startswith("<svg")


def test_blockmodel_writes_what_python_has(planted: pathlib.Path, tmp_path: pathlib.Path) -> None:
    code, out, error = run(
        "blockmodel",
        planted / "graph.txt",
        "--truth",
        planted / "truth.tsv",
        "-o",
        tmp_path / "blocks.npy",
        "--probabilities",
        tmp_path / "p.npy",
        "--held-out",
        0.1,
        "--sample",
        tmp_path / "drawn.txt",
        "--picture",
        tmp_path / "b.svg",
        "--json",
    )
    assert code == 0, error
    json_ = json.loads(out)
    model = srgw.BlockModel(held_out=0.1).fit(srgw.read(planted / "graph.txt"))
    assert json_["blocks"] == model.n_blocks_ == 3
    assert json_["ami"] > 0.98
    assert json_["description_length"] == model.description_length_
    assert json_["held_out_log_likelihood"] == model.log_likelihood_
    assert (np.load(tmp_path / "blocks.npy") == model.labels_).all()
    assert np.load(tmp_path / "p.npy") == pytest.approx(model.probabilities_)
    drawn = srgw.read(tmp_path / "drawn.txt")
    assert drawn.n_edges == model.sample(random_state=0).n_edges
    assert "±" in (tmp_path / "b.svg").read_text()


@pytest.mark.parametrize(
    "words, message, code",
    [
        ("coarsen G -m 5 --ratio 0.2", "-m with --ratio", 2),
        ("coarsen G -m 0", "--nodes-coarse", 2),
        ("coarsen G -m 500", "500 coarse nodes of a graph of", 3),
        ("coarsen G --ratio 0", "ratio is 0", 3),
        ("coarsen G --ratio 2", "--ratio", 2),
        ("coarsen G --structure heat:3", "--structure", 2),
        ("coarsen G --weights nonsense", "--weights nonsense", 2),
        ("coarsen G --coarse-features a.npy", "without --features", 2),
        ("coarsen G --means a.txt", "--means a.txt", 2),
        ("coarsen G --directed", "directed", 3),
        ("coarsen G -o - --json", "-o - with --json", 2),
        ("blockmodel G -k 0", "--blocks 0", 2),
        ("blockmodel G -k many", "--blocks many", 2),
        ("blockmodel G -k 500", "500 blocks of a graph of", 3),
        ("blockmodel G --held-out 1", "--held-out", 2),
        ("blockmodel G --probabilities p.txt", "--probabilities p.txt", 2),
        ("blockmodel G -o - --json", "-o - with --json", 2),
    ],
)
def test_bad_arguments(planted: pathlib.Path, words: str, message: str, code: int) -> None:
    graph = str(planted / "graph.txt")
    found, _, error = run(*(graph if word == "G" else word for word in words.split()))
    assert found == code, error
    assert message in error


@pytest.mark.parametrize(
    "words, message",
    [
        ("coarsen G -o - --assignment -", "-o - and --assignment - are both stdout"),
        ("coarsen G --assignment - --json", "--assignment - with --json"),
        ("coarsen G --features X --coarse-features -", "--coarse-features -, expected a file"),
        ("blockmodel G -o - --sample -", "-o - and --sample - are both stdout"),
        ("blockmodel G --sample - --json", "--sample - with --json"),
    ],
)
def test_stdout_has_one_thing(
    planted: pathlib.Path, tmp_path: pathlib.Path, words: str, message: str
) -> None:
    np.save(tmp_path / "x.npy", np.ones((120, 2)))
    files = {"G": planted / "graph.txt", "X": tmp_path / "x.npy"}
    code, out, error = run(*(files.get(word, word) for word in words.split()))
    assert code == 2, error
    assert message in error
    assert out == "" or "error" in json.loads(out)


def test_files_on_stdout_come_without_text(planted: pathlib.Path, tmp_path: pathlib.Path) -> None:
    graph = planted / "graph.txt"
    code, out, error = run("coarsen", graph, "-m", 9, "--assignment", "-")
    assert code == 0, error
    assert len(out.splitlines()) in (120, 121)
    code, out, error = run("blockmodel", graph, "--sample", "-")
    assert code == 0, error
    (tmp_path / "drawn.txt").write_text(out)
    model = srgw.BlockModel().fit(srgw.read(graph))
    drawn = srgw.read(tmp_path / "drawn.txt")
    assert drawn.n_edges == model.sample(random_state=0).n_edges


def test_models_that_cannot_be_sampled_leave_no_files(tmp_path: pathlib.Path) -> None:
    rows = [f"n{i} n{i + 1} 1\n" for i in range(60_000)]
    (tmp_path / "g.txt").write_text("n0 n1 10000000000\n" + "".join(rows[1:]))
    words = ["-k", 1, "-o", tmp_path / "blocks.tsv", "--sample", tmp_path / "drawn.txt"]
    code, _, error = run("blockmodel", tmp_path / "g.txt", *words)
    assert code == 3, error
    assert "a sample of this block model has about" in error
    assert not (tmp_path / "blocks.tsv").exists()


def test_weights_of_block_models_are_counts(tmp_path: pathlib.Path) -> None:
    (tmp_path / "g.txt").write_text("a b 0.5\nb c 2\n")
    code, _, error = run("blockmodel", tmp_path / "g.txt")
    assert code == 3
    assert "the edge 0 1 has the weight 0.5, expected a whole number" in error
