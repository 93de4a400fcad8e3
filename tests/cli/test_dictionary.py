"""srgw learn, embed, cluster and distances."""

import pathlib

import numpy as np
import pytest
from program import (
    BAD_INPUT,
    DATA,
    KARATE,
    NOT_CONVERGED,
    USAGE,
    run,
    run_json,
    start,
    stop_when_there,
)


@pytest.fixture
def graphs(tmp_path: pathlib.Path) -> pathlib.Path:
    """Twelve graphs of two kinds: stars and rings."""
    folder = tmp_path / "graphs"
    folder.mkdir()
    classes = ["graph,label"]
    for g in range(12):
        nodes = 6 + g // 2
        ring = g % 2
        edges = [(i, (i + 1) % nodes) if ring else (0, i + 1) for i in range(nodes)]
        name = f"g{g:02}"
        (folder / f"{name}.txt").write_text("".join(f"{a} {b}\n" for a, b in edges))
        classes.append(f"{name}.txt,{ring}")
    (folder / "labels.csv").write_text("\n".join(classes) + "\n")
    return folder


def test_tables_name_their_rows_as_the_files(graphs: pathlib.Path) -> None:
    model, table = graphs.parent / "model.npz", graphs.parent / "rows.csv"

    def names() -> list[str]:
        return [line.partition(",")[0] for line in table.read_text().splitlines()[1:]]

    expected = [f"g{g:02}.txt" for g in range(12)]
    run("learn", graphs, "-m", 3, "-o", model, "--embedding", table)
    assert names() == expected
    run("embed", model, graphs, "-o", table)
    assert names() == expected
    run("distances", graphs, "-o", table)
    assert names() == expected


@pytest.mark.parametrize("learner", ["closed-form", "adam"])
def test_learn_and_embed(graphs: pathlib.Path, learner: str) -> None:
    model, points = graphs.parent / "model.npz", graphs.parent / "points.npy"
    command = ["learn", graphs, "-m", 4, "-o", model, "--learner", learner, "--epochs", 10]
    learned = run_json(*command, "--embedding", points)
    assert {"loss_curve", "epochs", "seconds", "graphs", "m"} <= set(learned)
    assert (learned["graphs"], learned["m"]) == (12, 4)
    assert learned["loss"] <= learned["loss_curve"][0]
    np.testing.assert_allclose(np.load(points).sum(1), 1)
    with np.load(model) as arrays:
        assert arrays["atom0_structure"].shape == (4, 4)

    embedded = run_json("embed", model, graphs, "-o", points)
    assert embedded["graphs"] == 12
    assert np.load(points).shape == (12, 4)
    run("embed", model, graphs, "-o", points, "--coordinates", "sqrt,value,log-size")
    assert np.load(points).shape == (12, 6)
    better = run_json("embed", model, graphs, "-o", points, "--random-starts", 10)
    assert better["mean_value"] <= embedded["mean_value"]


def test_threads_do_not_show(graphs: pathlib.Path) -> None:
    answers = []
    for threads in (1, 2):
        model = graphs.parent / f"model{threads}.npz"
        run("learn", graphs, "-m", 3, "-o", model, "-j", threads)
        answers.append(model.read_bytes())
    assert answers[0] == answers[1]


def test_resuming_gives_the_same_model(graphs: pathlib.Path) -> None:
    whole, part, rest = (graphs.parent / f"{name}.npz" for name in ("whole", "part", "rest"))
    checkpoint = graphs.parent / "checkpoint.npz"
    command = ["learn", graphs, "-m", 3, "--batch", 4]
    run(*command, "-o", whole)
    with start(
        *command, "-o", part, "--checkpoint", checkpoint, "--checkpoint-every", 0
    ) as process:
        stop_when_there(checkpoint, process)
    run(*command, "-o", rest, "--resume", checkpoint)
    assert rest.read_bytes() == whole.read_bytes()
    answer = run(*command[:-1], 5, "-o", rest, "--resume", checkpoint, expect=BAD_INPUT)
    assert "the checkpoint is of another run" in answer.stderr


def test_learning_shows_progress_and_may_be_strict(graphs: pathlib.Path) -> None:
    model = graphs.parent / "model.npz"
    command = ["learn", graphs, "-m", 3, "-o", model, "--learner", "adam", "--epochs", 10]
    shown = run(*command, "--progress", "always").stderr
    assert "epoch " in shown and "loss " in shown
    assert "epoch " not in run(*command).stderr
    answer = run(*command, "--strict", expect=NOT_CONVERGED)
    assert "not converged" in answer.stderr and model.exists()


def test_cluster_finds_the_two_kinds(graphs: pathlib.Path) -> None:
    labels = graphs.parent / "labels.tsv"
    answer = run_json("cluster", graphs, "-k", 2, "-m", 5, "--truth", "auto", "-o", labels)
    assert {"ri", "ari", "ami", "inertia", "labels_file", "largest_cluster"} <= set(answer)
    assert len(labels.read_text().splitlines()) == 12
    rows = graphs.parent / "rows.npy"
    np.save(rows, np.arange(12)[:, None] % 2 + 0.0)
    exact = run_json("cluster", graphs, "-k", 2, "--embeddings", rows, "--truth", "auto")
    assert exact["ari"] == pytest.approx(1)
    assert exact["largest_cluster"] == 0.5


def test_cluster_scales_coordinates_unless_told_not_to(graphs: pathlib.Path) -> None:
    command = ["cluster", graphs, "-k", 2, "-m", 3]
    several = [*command, "--atoms", 2, "--coordinates", "value,log-size"]
    # Three blocks of variance 1 each: no clustering of 12 graphs leaves more than all of that.
    found = [run_json(*several, "--scale", word) for word in ("blocks", "quantiles", "none")]
    assert all(one["columns"] == 3 and one["inertia"] > 0 for one in found)
    assert max(one["inertia"] for one in found[:2]) < 3 * 12
    assert len({one["inertia"] for one in found}) == 3
    one = [*command, "--atoms", 1, "--coordinates", "value", "--scale"]
    assert run_json(*one, "blocks")["inertia"] == run_json(*one, "none")["inertia"]
    assert "--scale" in run(*command, "--scale", "all", expect=USAGE).stderr


def test_rows_of_a_file_may_be_clustered_by_quantiles(graphs: pathlib.Path) -> None:
    rows = graphs.parent / "rows.npy"
    np.save(rows, np.array([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 1e9])[:, None])
    command = ["cluster", graphs, "-k", 2, "--embeddings", rows]
    assert run_json(*command)["largest_cluster"] == pytest.approx(11 / 12)
    assert run_json(*command, "--scale", "quantiles")["largest_cluster"] == 0.5


def test_cluster_needs_nothing_but_the_number_of_clusters(graphs: pathlib.Path) -> None:
    command = ["cluster", graphs, "-k", 2]
    answer = run_json(*command)
    points = answer["points"]
    assert answer["columns"] == points["atoms"] * points["size"] == 50
    said = [word for key, value in points.items() for word in ("--" + key.replace("_", "-"), value)]
    same = run_json(*command, *said)
    assert same["points"] == points and same["inertia"] == answer["inertia"]
    other = run_json(*command, "--atoms", 1, "--structure", "heat:1")["points"]
    assert other == {**points, "atoms": 1, "structure": "heat:1"}
    assert "weights of 5 atoms of 10 nodes" in run(*command).stdout
    # Baselines have recipes of their own.
    assert "points" not in run_json(*command, "--method", "gw-kmeans")


def test_distances_are_those_of_solve(graphs: pathlib.Path) -> None:
    out = graphs.parent / "distances.npy"
    answer = run_json("distances", graphs, "-o", out)
    values = np.load(out)
    assert (answer["graphs"], values.shape) == (12, (12, 12))
    one = run_json(
        "solve", graphs / "g03.txt", graphs / "g04.txt", "--structure", "adjacency",
        "--start", "product-literal", "--starts", 1,
    )  # fmt: skip
    assert values[3, 4] == pytest.approx(one["value"], abs=1e-9)


def test_wrong_use_is_named(graphs: pathlib.Path) -> None:
    model = graphs.parent / "model.npz"
    run("learn", graphs, "-m", 0, "-o", model, expect=USAGE)
    run("learn", graphs, "-m", 3, "-o", model, "--learning-rate", 1, expect=USAGE)
    run("learn", graphs, "-m", 3, "-o", "model.txt", expect=USAGE)
    run("cluster", graphs, "-m", 2, expect=USAGE)
    rows = graphs.parent / "few.npy"
    np.save(rows, np.zeros((3, 1)))
    for options in ([], ["--method", "gw-kmeans"], ["--embeddings", rows]):
        answer = run("cluster", graphs, "-k", 13, *options, expect=BAD_INPUT)
        assert "srgw: 13 clusters of " in answer.stderr
    run("learn", graphs, "-m", 3, "-o", model)
    answer = run("embed", graphs / "g00.txt", graphs, "-o", "x.npy", expect=BAD_INPUT)
    assert "g00.txt" in answer.stderr
    answer = run("embed", model, graphs, "-o", "x.npy", "--coordinates", "weight", expect=USAGE)
    assert "weights, sqrt" in answer.stderr


def test_a_model_of_labels_refuses_graphs_without(graphs: pathlib.Path) -> None:
    if not (DATA / "tud/MUTAG").exists():
        pytest.skip("shared data not found")
    model = graphs.parent / "model.npz"
    command = ["learn", DATA / "tud/MUTAG", "-m", 3, "-o", model, "--epochs", 1]
    answer = run_json(*command, "--learner", "adam")
    assert (answer["graphs"], answer["features"]) == (188, 7)
    failed = run("embed", model, graphs, "-o", "x.npy", expect=BAD_INPUT)
    assert "the dataset has no node labels" in failed.stderr


def write_graphs(folder: pathlib.Path, edges: list[list[tuple[int, int]]]) -> pathlib.Path:
    folder.mkdir()
    for number, pairs in enumerate(edges):
        text = "".join(f"{a} {b}\n" for a, b in pairs)
        (folder / f"graph{number:02}.txt").write_text(text)
    return folder


def test_epochs_are_counted_as_they_were_asked_for(graphs: pathlib.Path) -> None:
    model = graphs.parent / "m.npz"
    learn = ["learn", graphs, "-m", 3, "-o", model, "--epochs", 1]
    answer = run_json(*learn)
    assert answer["epochs"] == 1 and answer["starts"] == 2 and answer["jumps"] == 20
    assert answer["passes"] > 2
    text = run(*learn).stdout
    assert f"1 epochs of 12 graphs; {answer['passes']} passes in all, of 2 starts and 20" in text


def test_all_atoms_are_told_of(graphs: pathlib.Path) -> None:
    answer = run_json("learn", graphs, "-m", 3, "-o", graphs.parent / "m.npz", "--atoms", 3)
    losses = [one["loss"] for one in answer["learned"]]
    assert len(losses) == 3 and answer["loss"] == pytest.approx(sum(losses) / 3)


def test_a_checkpoint_that_cannot_be_written_does_not_cost_the_model(
    graphs: pathlib.Path,
) -> None:
    model, folder = graphs.parent / "m.npz", graphs.parent / "c.npz"
    folder.mkdir()
    learn = ["learn", graphs, "-m", 3, "-o", model, "--checkpoint-every", 0]
    answer = run(*learn, "--checkpoint", folder, expect=BAD_INPUT)
    assert "no checkpoint" in answer.stderr and "learning continues" in answer.stderr
    assert model.exists()


def test_a_resume_with_other_options_names_the_one(graphs: pathlib.Path) -> None:
    model, saved = graphs.parent / "m.npz", graphs.parent / "c.npz"
    learn = ["learn", graphs, "-m", 3, "-o", model]
    run(*learn, "--checkpoint", saved, "--checkpoint-every", 0)
    answer = run(*learn, "--resume", saved, "--epochs", 7, expect=BAD_INPUT)
    assert answer.stderr.rstrip().endswith("another run: epochs is 20, expected 7")
    for command in (["embed", saved, graphs, "-o", graphs.parent / "x.npy"],):
        assert "is a checkpoint" in run(*command, expect=BAD_INPUT).stderr


def test_one_graph_is_no_dataset(tmp_path: pathlib.Path) -> None:
    message = run("learn", KARATE, "-m", 3, "-o", tmp_path / "m.npz", expect=BAD_INPUT).stderr
    assert "expected a dataset: a folder of graph files" in message


def test_cluster_uses_or_refuses_what_is_given_with_embeddings(graphs: pathlib.Path) -> None:
    rows = graphs.parent / "rows.npy"
    np.save(rows, np.arange(12)[:, None] % 2 + 0.0)
    cluster = ["cluster", graphs, "-k", 2, "--embeddings", rows]
    refused = run(*cluster, "--atoms", 3, expect=USAGE).stderr
    assert "--atoms has no effect with --embeddings" in refused
    run("cluster", graphs / "missing", "-k", 2, "--embeddings", rows, expect=BAD_INPUT)
    np.save(rows, np.zeros((5, 1)))
    assert "has 5 rows, expected 12" in run(*cluster, expect=BAD_INPUT).stderr


def test_printed_defaults_of_cluster_can_be_typed(graphs: pathlib.Path) -> None:
    cluster = ["cluster", graphs, "-k", 2]
    typed = run_json(
        *cluster,
        "--alpha",
        "balanced",
        "--scale",
        "auto",
        "--atom-start",
        "descriptors",
        "--random-starts",
        3,
        "--size",
        10,
        "--atoms",
        5,
    )
    assert typed["inertia"] == run_json(*cluster)["inertia"]


def test_clusters_of_equal_graphs_are_doubted(tmp_path: pathlib.Path) -> None:
    ring = [(i, (i + 1) % 6) for i in range(6)]
    folder = write_graphs(tmp_path / "rings", [ring] * 30)
    answer = run_json("cluster", folder, "-k", 2)
    assert answer["evidence"]["doubts"]
    same = run("cluster", folder, "-k", 2, "--random-starts", 0).stderr
    assert "the same point" in same or "do not support" in same


def test_clusters_are_written_by_file_name(tmp_path: pathlib.Path) -> None:
    ring = [(i, (i + 1) % 6) for i in range(6)]
    star = [(0, i) for i in range(1, 6)]
    folder = write_graphs(tmp_path / "graphs", [ring, star] * 5)
    labels = tmp_path / "labels.tsv"
    run("cluster", folder, "-k", 2, "-m", 3, "-o", labels)
    assert labels.read_text().splitlines()[-1].startswith("graph09.txt")


def test_barycenter_knows_node_labels(graphs: pathlib.Path) -> None:
    out, mutag = graphs.parent / "mean.npz", DATA / "tud" / "MUTAG"
    if not mutag.exists():
        pytest.skip("shared data not found")
    run("barycenter", mutag, "-m", 3, "--divergence", "srfgw", "--turns", 2, "-o", out)
    assert np.load(out)["features"].shape[0] == 3


def test_unused_edge_labels_are_told(tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "RINGS"
    folder.mkdir()
    edges = [(3 * g + i + 1, 3 * g + (i + 1) % 3 + 1) for g in range(4) for i in range(3)]
    entries = [f"{i}, {j}" for edge in edges for i, j in (edge, edge[::-1])]
    owners = [g + 1 for g in range(4) for _ in range(3)]
    for name, lines in [("A", entries), ("graph_indicator", owners)]:
        (folder / f"RINGS_{name}.txt").write_text("".join(f"{line}\n" for line in lines))
    learn = ["learn", folder, "-m", 2, "--epochs", 2, "-o", tmp_path / "model.npz"]
    assert "edge labels" not in run(*learn).stderr
    (folder / "RINGS_edge_labels.txt").write_text("1\n" * len(entries))
    assert "edge labels are not used" in run(*learn).stderr


def test_labels_and_json_do_not_share_standard_output(tmp_path: pathlib.Path) -> None:
    data = tmp_path / "graphs.npz"
    run("generate", "planted", "--graphs", 8, "-n", 10, "-b", 2, "--degree", 4, "-o", data)
    told = run("cluster", data, "-k", 2, "-m", 3, "-o", "-", "--json", expect=USAGE).stderr
    assert "-o - with --json" in told
    labels = run("cluster", data, "-k", 2, "-o", "-").stdout
    assert "inertia" not in labels
    assert len(labels.splitlines()) in (8, 9)
