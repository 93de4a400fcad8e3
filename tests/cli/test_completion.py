"""srgw learn --for-completion and srgw complete."""

import itertools
import pathlib
import signal
import subprocess

import numpy as np
import pytest
from program import BAD_INPUT, INTERRUPTED, PROGRAM, USAGE, run, run_json


def two_cliques(first: int, second: int) -> list[tuple[int, int]]:
    """Two cliques that share node 0."""
    a, b = range(first), [0, *range(first, first + second - 1)]
    return [*itertools.combinations(a, 2), *itertools.combinations(b, 2)]


def write(path: pathlib.Path, edges: list[tuple[int, int]]) -> pathlib.Path:
    path.write_text("".join(f"{i} {j}\n" for i, j in edges))
    return path


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A dataset, a model with completion and one without, a whole graph and the seen part."""
    folder = tmp_path_factory.mktemp("completion")
    graphs = folder / "graphs"
    graphs.mkdir()
    for g in range(24):
        write(graphs / f"g{g:02}.txt", two_cliques(4 + g % 5, 5 + g % 3))
    run("learn", graphs, "-m", 4, "-o", folder / "plain.npz")
    run("learn", graphs, "-m", 4, "-o", folder / "model.npz", "--for-completion", 0.2)
    whole = two_cliques(6, 6)
    write(folder / "whole.txt", whole)
    write(folder / "seen.txt", [(i, j) for i, j in whole if not {i, j} & {5, 10}])
    return folder


def test_the_default_gives_a_graph_and_probabilities(place: pathlib.Path) -> None:
    out, p = place / "out.txt", place / "p.npy"
    answer = run_json(
        *["complete", place / "model.npz", place / "seen.txt", "--nodes", 11, "-o", out],
        *["--probabilities", p, "--truth", place / "whole.txt"],
    )
    assert {"edges_added", "value", "iterations"} <= set(answer)
    scores = {"accuracy_raw", "accuracy_aligned", "accuracy_coded", "auc", "brier", "mse"}
    assert scores <= set(answer)
    assert answer["accuracy_aligned"] >= 0.7
    assert answer["rests_on"]["graphs"] == 24
    assert len(answer["rests_on"]["reliability"]) == 10
    edges = {tuple(map(int, line.split()[:2])) for line in out.read_text().splitlines()}
    seen = {tuple(map(int, line.split())) for line in (place / "seen.txt").read_text().splitlines()}
    undirected = {frozenset(edge) for edge in edges}
    assert {frozenset(edge) for edge in seen} <= undirected
    assert len(undirected) == len(seen) + answer["edges_added"]
    probabilities = np.load(p)
    assert probabilities.shape == (11, 11)
    np.testing.assert_array_equal(probabilities, probabilities.T)
    assert ((probabilities >= 0) & (probabilities <= 1)).all()
    assert probabilities[0, 10] > 0.5


@pytest.mark.parametrize("method", ["alternate", "adam"])
@pytest.mark.parametrize("start", ["noise", "degrees", "noisy-degrees", "shaken-degrees"])
def test_the_paper(place: pathlib.Path, method: str, start: str) -> None:
    command = ["complete", place / "plain.npz", place / "seen.txt", "--nodes", 11]
    command += ["-o", place / "out.txt", "--method", method, "--start", start]
    answer = run_json(*command, "--iterations", 40)
    assert answer["method"] == method
    assert answer["value"] == min(answer["values"])
    assert answer["iterations"] == len(answer["values"])


def test_what_was_found_is_shown(place: pathlib.Path) -> None:
    picture, report = place / "whole.svg", place / "whole.html"
    for method, model in (("learned", "model"), ("alternate", "plain")):
        command = ["complete", place / f"{model}.npz", place / "seen.txt", "--nodes", 11]
        command += ["--method", method, "-o", place / "out.txt"]
        found = run_json(*command, "--picture", picture, "--report", report)
        assert f"{found['edges_added']} more edges" in picture.read_text()
        text = report.read_text()
        assert "seen.txt, completed" in text
        assert ("Probabilities rest on 24 graphs" in text) == (method == "learned")


def test_free_pairs_of_seen_nodes(place: pathlib.Path) -> None:
    mask = write(place / "mask.txt", [(1, 2)])
    whole, p = place / "whole.txt", place / "p.npy"
    command = ["complete", place / "model.npz", whole, "--nodes", 11, "--mask", mask]
    answer = run_json(*command, "-o", place / "out.txt", "--probabilities", p, "--truth", whole)
    assert answer["nodes_added"] == 0
    assert answer["edges_added"] == 1
    assert np.load(p)[1, 2] > 0.5


def test_seen_nodes_without_edges(place: pathlib.Path) -> None:
    names = place / "nodes.txt"
    names.write_text("".join(f"{node}\n" for node in range(10)))
    command = ["complete", place / "plain.npz", place / "seen.txt", "--nodes", 12]
    command += ["--node-file", names, "--method", "alternate", "-o", place / "out.txt"]
    assert run_json(*command)["nodes_added"] == 2


def test_seeds_and_threads(place: pathlib.Path) -> None:
    outs = []
    for threads in (1, 2):
        out = place / f"out{threads}.npy"
        command = ["complete", place / "model.npz", place / "seen.txt", "--nodes", 11]
        run(*command, "-o", place / "out.txt", "--probabilities", out, "-j", threads)
        outs.append((out.read_bytes(), (place / "out.txt").read_bytes()))
    assert outs[0] == outs[1]


@pytest.mark.parametrize(
    ("model", "options", "code", "message"),
    [
        ("plain", ["--nodes", 11], BAD_INPUT, "srgw learn --for-completion RATE"),
        ("model", ["--nodes", 5], BAD_INPUT, "--nodes 5, expected at least 9"),
        ("model", [], USAGE, "--nodes"),
        ("model", ["--nodes", 11, "--start", "noise"], USAGE, "--start and --iterations require"),
        ("model", ["--nodes", 11, "--learning-rate", 1], USAGE, "require --method adam"),
        ("model", ["--nodes", 11, "--labels", "x.tsv"], BAD_INPUT, "x.tsv"),
    ],
)
def test_errors(
    place: pathlib.Path, model: str, options: list[object], code: int, message: str
) -> None:
    out = place / "never.txt"
    command = ["complete", place / f"{model}.npz", place / "seen.txt", "-o", out]
    answer = run(*command, *options, expect=code)
    assert message in answer.stderr
    assert not out.exists()


def test_an_empty_observation(place: pathlib.Path) -> None:
    empty = place / "empty.txt"
    empty.write_text("")
    command = ["complete", place / "model.npz", empty, "--nodes", 4, "-o", place / "never.txt"]
    run(*command, expect=BAD_INPUT)
    assert not (place / "never.txt").exists()


def test_completion_needs_adjacency(place: pathlib.Path) -> None:
    command = ["learn", place / "graphs", "-m", 3, "-o", place / "never.npz"]
    command += ["--structure", "shortest-path", "--for-completion", 0.1]
    answer = run(*command, expect=USAGE)
    assert "expected adjacency" in answer.stderr
    assert not (place / "never.npz").exists()


def test_attributes_are_compared_with_those_of_the_truth(tmp_path: pathlib.Path) -> None:
    """Nodes of the first clique have the attribute 1, others 3."""
    folder = tmp_path / "TWO"
    folder.mkdir()
    entries, graphs, attributes, first = [], [], [], 1
    for g in range(24):
        a, b = 4 + g % 5, 5 + g % 3
        for i, j in two_cliques(a, b):
            entries += [f"{first + i}, {first + j}", f"{first + j}, {first + i}"]
        nodes = a + b - 1
        graphs += [str(g + 1)] * nodes
        attributes += ["1.0" if i < a else "3.0" for i in range(nodes)]
        first += nodes
    for name, lines in [("A", entries), ("graph_indicator", graphs)]:
        (folder / f"TWO_{name}.txt").write_text("\n".join(lines) + "\n")
    (folder / "TWO_node_attributes.txt").write_text("\n".join(attributes) + "\n")
    model = tmp_path / "model.npz"
    run("learn", folder, "-m", 4, "-o", model, "--for-completion", 0.2)
    whole = two_cliques(6, 6)
    values = [1.0] * 6 + [3.0] * 5
    seen = write(tmp_path / "seen.txt", [(i, j) for i, j in whole if 10 not in (i, j)])
    truth = write(tmp_path / "whole.txt", whole)
    np.save(tmp_path / "seen.npy", np.array(values[:10])[:, None])
    np.save(tmp_path / "whole.npy", np.array(values)[:, None])
    command = ["complete", model, seen, "--nodes", 11, "-o", tmp_path / "out.txt"]
    command += ["--features", tmp_path / "seen.npy", "--truth", truth]
    answer = run_json(*command, "--truth-features", tmp_path / "whole.npy")
    assert answer["mse"] < 1
    assert "--truth-features FILE" in run(*command, expect=BAD_INPUT).stderr


def test_who_stops_the_training_keeps_the_atom(place: pathlib.Path, tmp_path: pathlib.Path) -> None:
    model, out = tmp_path / "model.npz", tmp_path / "out.txt"
    command = ["learn", place / "graphs", "-m", 4, "-o", model, "--for-completion", 0.2]
    command += ["--progress", "always"]
    with subprocess.Popen(
        [str(word) for word in [PROGRAM, *command]], stderr=subprocess.PIPE, text=True
    ) as process:
        while "tree" not in process.stderr.readline():
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == INTERRUPTED
    assert "cannot complete graphs" in errors
    asked = ["complete", model, place / "seen.txt", "--nodes", 11, "-o", out]
    assert "--for-completion" in run(*asked, expect=BAD_INPUT).stderr
    run(*asked, "--method", "alternate")


def test_a_picture_counts_edges_of_the_mask_as_found(
    place: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    """The edge (0, 1) is in the file, but nobody is to know of it."""
    mask, picture = write(tmp_path / "mask.txt", [(0, 1)]), tmp_path / "whole.svg"
    answer = run_json(
        *["complete", place / "model.npz", place / "seen.txt", "--nodes", 9, "--mask", mask],
        *["-o", tmp_path / "out.txt", "--picture", picture, "--threshold", 0],
    )
    assert answer["edges_added"] == 1
    assert "0 more nodes, 1 more edges" in picture.read_text()


def test_a_report_names_all_that_was_read(place: pathlib.Path, tmp_path: pathlib.Path) -> None:
    mask, page = write(tmp_path / "mask.txt", [(0, 1)]), tmp_path / "page.html"
    run(
        *["complete", place / "model.npz", place / "seen.txt", "--nodes", 11, "--mask", mask],
        *["--truth", place / "whole.txt", "-o", tmp_path / "out.txt", "--report", page],
    )
    for name in ("model.npz", "seen.txt", "mask.txt", "whole.txt"):
        assert f"{name}, SHA-256 " in page.read_text()


def test_models_of_gdl_complete_too(place: pathlib.Path, tmp_path: pathlib.Path) -> None:
    model, out = tmp_path / "gdl.npz", tmp_path / "out.txt"
    run("learn", place / "graphs", "-m", 6, "--model", "gdl", "--epochs", 3, "-o", model)
    command = ["complete", model, place / "seen.txt", "--nodes", 11, "-o", out]
    assert "expected --method alternate or adam" in run(*command, expect=BAD_INPUT).stderr
    closed = run_json(*command, "--method", "alternate")
    assert closed["values"] == sorted(closed["values"], reverse=True)
    run_json(*command, "--method", "adam", "--iterations", 50)
    run("learn", place / "graphs", "-m", 6, "--model", "gwf", "--epochs", 1, "-o", model)
    assert "expected an srgw or GDL model" in run(*command, expect=BAD_INPUT).stderr
