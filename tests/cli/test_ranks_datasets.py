"""learn, embed and cluster on MPI ranks: the bytes of one process, whatever happens."""

import itertools
import json
import os
import pathlib
import signal
import time

import numpy as np
import pytest
from program import BAD_INPUT, USAGE, run, run_json, start, stop_when_there
from ranks import needs_mpi, ranks_of, run_ranks, run_ranks_json, start_ranks

RANKS_AND_THREADS = list(itertools.product((1, 2, 3, 4), (1, 2)))
GRAPHS = 37


@pytest.fixture(scope="module", autouse=True)
def _mpi() -> None:
    needs_mpi()


def write_tud(folder: pathlib.Path, graphs: int, labels: bool, attributes: bool) -> None:
    """Rings with chords, of 4 to 14 nodes; some of them several times."""
    rng = np.random.default_rng(3)
    folder.mkdir()
    edges, graph_of, node_labels, node_attributes = [], [], [], []
    for g in range(graphs):
        if g % 5 == 4:
            rng = np.random.default_rng(3)  # the first graph once more
        nodes = int(rng.integers(4, 15))
        first = len(graph_of)
        pairs = {(i, (i + 1) % nodes) for i in range(nodes)}
        pairs |= {tuple(map(int, rng.integers(0, nodes, 2))) for _ in range(nodes // 2)}
        for a, b in sorted(pairs):
            if a != b:
                edges += [(first + a + 1, first + b + 1), (first + b + 1, first + a + 1)]
        graph_of += [g + 1] * nodes
        node_labels += list(rng.integers(0, 3, nodes))
        node_attributes += list(rng.normal(size=(nodes, 2)))

    def write(what: str, rows: list) -> None:
        text = "\n".join(", ".join(map(str, np.atleast_1d(row))) for row in rows)
        (folder / f"{folder.name}_{what}.txt").write_text(text + "\n")

    write("A", sorted(set(edges)))
    write("graph_indicator", graph_of)
    write("graph_labels", [g % 2 for g in range(graphs)])
    if labels:
        write("node_labels", node_labels)
    if attributes:
        write("node_attributes", node_attributes)


@pytest.fixture(scope="module")
def datasets(tmp_path_factory: pytest.TempPathFactory) -> dict[str, pathlib.Path]:
    """Graphs without features, with labels, and with attributes, in three formats."""
    place = tmp_path_factory.mktemp("datasets")
    write_tud(place / "PLAIN", GRAPHS, False, False)
    write_tud(place / "LABELS", GRAPHS, True, False)
    write_tud(place / "NUMBERS", GRAPHS, False, True)
    run("convert", place / "PLAIN", place / "plain.npz")
    run("convert", place / "NUMBERS", place / "numbers", "--to", "folder")
    return {
        "plain": place / "plain.npz",
        "labels": place / "LABELS",
        "numbers": place / "numbers",
    }


LEARNERS = {
    "plain": ["--epochs", 3, "--batch", 8],
    "labels": ["--learner", "adam", "--epochs", 6, "--batch", 8, "--atom-start", "both"],
    "numbers": ["--epochs", 2, "--batch", 10, "--standardise", "graphs", "--atoms", 2],
}


@pytest.mark.parametrize("name", LEARNERS)
def test_models_and_embeddings_are_those_of_one_process(
    datasets: dict[str, pathlib.Path], tmp_path: pathlib.Path, name: str
) -> None:
    data, model = datasets[name], tmp_path / "model.npz"

    def outputs(start, *threads: object) -> list[bytes]:
        files = [tmp_path / word for word in ("own.csv", "rows.npy", "rows.tsv")]
        learned = start(
            *("learn", data, "-m", 7, "-o", model, "--embedding", files[0], "--seed", 5),
            *(*LEARNERS[name], *threads, "--json"),
        )
        start("embed", model, data, "-o", files[1], "--coordinates", "sqrt,value", *threads)
        embedded = start("embed", model, data, "-o", files[2], "--random-starts", 2, *threads)
        said = json.loads(learned.stdout)
        del said["seconds"]
        mean = embedded.stdout.splitlines()[0]
        found = [file.read_bytes() for file in (model, *files)]
        assert sorted(tmp_path.iterdir()) == sorted([model, *files])  # nothing is left behind
        for file in (model, *files):
            file.unlink()
        return [*found, json.dumps(said).encode(), mean.encode()]

    alone = outputs(run)
    for ranks, threads in RANKS_AND_THREADS:
        spread = outputs(lambda *words, ranks=ranks: run_ranks(ranks, *words), "-j", threads)
        assert spread == alone, (ranks, threads)


def test_clusters_are_those_of_one_process(
    datasets: dict[str, pathlib.Path], tmp_path: pathlib.Path
) -> None:
    labels = tmp_path / "labels.tsv"
    command = ["cluster", datasets["labels"], "-k", 2, "-m", 5, "--epochs", 2, "-o", labels]
    command += ["--truth", "auto", "--coordinates", "sqrt,value"]
    alone = run_json(*command)
    assert alone["points"]["alpha"] != 0.5  # balanced, as all graphs tell
    expected = labels.read_bytes()
    for ranks in (2, 3):
        labels.unlink()
        spread = run_ranks_json(ranks, *command)
        assert labels.read_bytes() == expected
        assert spread.keys() == alone.keys()
        assert all(spread[key] == alone[key] for key in alone if key != "seconds")


def test_a_drowned_term_is_told_once(
    datasets: dict[str, pathlib.Path], tmp_path: pathlib.Path
) -> None:
    command = ["learn", datasets["numbers"], "-m", 2, "--epochs", 1, "-o", tmp_path / "m.npz"]
    drowned = [*command, "--alpha", 0.01]
    alone = run(*drowned).stderr
    assert alone.count("which hardly matters then; alpha 0.") == 1
    assert run_ranks(2, *drowned).stderr.count(alone) == 1
    assert "hardly" not in run(*command, "--alpha", 1).stderr


def test_more_ranks_than_graphs(tmp_path: pathlib.Path) -> None:
    write_tud(tmp_path / "TWO", 2, True, False)
    run("convert", tmp_path / "TWO", tmp_path / "two.npz")
    found = []
    for data in (tmp_path / "TWO", tmp_path / "two.npz"):
        model, rows = tmp_path / "model.npz", tmp_path / "rows.npy"
        learn = ["learn", data, "-m", 3, "-o", model, "--epochs", 2]
        run(*learn)
        run("embed", model, data, "-o", rows)
        found.append((model.read_bytes(), rows.read_bytes()))
        run_ranks(4, *learn)
        run_ranks(4, "embed", model, data, "-o", rows)
        found.append((model.read_bytes(), rows.read_bytes()))
    assert all(one == found[0] for one in found)


@pytest.mark.parametrize("learner", ["closed-form", "adam"])
def test_checkpoints_resume_on_another_number_of_ranks(
    datasets: dict[str, pathlib.Path], tmp_path: pathlib.Path, learner: str
) -> None:
    whole, rest, point = (tmp_path / f"{name}.npz" for name in ("whole", "rest", "point"))
    command = ["learn", datasets["labels"], "-m", 5, "--epochs", 4, "--batch", 8]
    command += ["--learner", learner]
    run(*command, "-o", whole)
    stop = ["--checkpoint", point, "--checkpoint-every", 0]
    with start_ranks(3, *command, "-o", rest, *stop) as process:
        stop_when_there(point, process)
    run_ranks(2, *command, "-o", rest, "--resume", point)
    assert rest.read_bytes() == whole.read_bytes()
    run(*command, "-o", rest, "--resume", point)
    assert rest.read_bytes() == whole.read_bytes()
    point.unlink()
    with start(*command, "-o", rest, *stop) as process:
        stop_when_there(point, process)
    run_ranks(4, *command, "-o", rest, "--resume", point)
    assert rest.read_bytes() == whole.read_bytes()


def test_a_broken_graph_of_one_rank_is_named_once(
    datasets: dict[str, pathlib.Path], tmp_path: pathlib.Path
) -> None:
    model, rows = tmp_path / "model.npz", tmp_path / "rows.npy"
    run("learn", datasets["numbers"], "-m", 3, "--epochs", 1, "-o", model)
    folder = tmp_path / "graphs"
    folder.mkdir()
    files = sorted(datasets["numbers"].glob("*.graphml"))
    for file in files:
        (folder / file.name).write_text(file.read_text())
    (folder / files[-2].name).write_text("<graphml><graph>")
    expected = run("embed", model, folder, "-o", rows, expect=BAD_INPUT).stderr
    assert files[-2].name in expected
    for command in (
        ["embed", model, folder, "-o", rows],
        ["learn", folder, "-m", 3, "-o", tmp_path / "other.npz"],
        ["cluster", folder, "-m", 3, "-k", 2],
    ):
        answer = run_ranks(3, *command, expect=BAD_INPUT)
        assert answer.stderr.count(expected.strip()) == 1
        assert answer.stderr.count("srgw:") == 1
        assert not rows.exists()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["graphs", "model.npz"]


def test_what_does_not_spread_says_so(
    datasets: dict[str, pathlib.Path], tmp_path: pathlib.Path
) -> None:
    model = tmp_path / "model.npz"
    learn = ["learn", datasets["plain"], "-m", 4, "-o", model]
    cluster = ["cluster", datasets["plain"], "-m", 4, "-k", 2]
    for word, *command in (
        ["--model gdl", *learn, "--model", "gdl", "--atoms", 2],
        ["--for-completion", *learn, "--for-completion", 0.2],
        ["--report", *learn, "--report", tmp_path / "page.html"],
        ["--picture", *learn, "--picture", tmp_path / "atom.svg"],
        ["--method gw-kmeans", *cluster, "--method", "gw-kmeans"],
    ):
        answer = run_ranks(2, *command, expect=USAGE)
        assert f"srgw: {word} does not work on 2 ranks" in answer.stderr
        assert answer.stderr.count("srgw:") == 1
    assert not model.exists()


def test_baselines_are_embedded_on_ranks(
    datasets: dict[str, pathlib.Path], tmp_path: pathlib.Path
) -> None:
    model, rows = tmp_path / "model.npz", tmp_path / "rows.npy"
    data = datasets["plain"]
    run("learn", data, "--model", "gdl", "--atoms", 2, "-m", 5, "--epochs", 2, "-o", model)
    run("embed", model, data, "-o", rows)
    alone = rows.read_bytes()
    run_ranks(3, "embed", model, data, "-o", rows)
    assert rows.read_bytes() == alone


def test_a_lost_rank_ends_the_job_and_leaves_a_whole_checkpoint(tmp_path: pathlib.Path) -> None:
    times = 20 if os.environ.get("SRGW_TEST_FULL") else 2
    write_tud(tmp_path / "MANY", 150, True, False)
    data, point = tmp_path / "many.npz", tmp_path / "point.npz"
    run("convert", tmp_path / "MANY", data)
    command = ["learn", data, "-m", 8, "--epochs", 6, "--batch", 8]
    whole, rest = tmp_path / "whole.npz", tmp_path / "rest.npz"
    run(*command, "-o", whole)
    rng = np.random.default_rng(1)
    for attempt in range(times):
        point.unlink(missing_ok=True)
        rest.unlink(missing_ok=True)
        process = start_ranks(
            4, *command, "-o", rest, "--checkpoint", point, "--checkpoint-every", 0, "-j", 1
        )
        with process:
            while not point.exists():
                assert process.poll() is None, process.communicate()
                time.sleep(0.01)
            time.sleep(float(rng.uniform(0, 0.3)))
            ranks = ranks_of(process)
            assert len(ranks) == 4
            os.kill(ranks[attempt % 4], signal.SIGKILL)
            killed = time.monotonic()
            _, errors = process.communicate(timeout=60)
        assert time.monotonic() - killed < 10
        assert process.returncode != 0
        assert "signal 9" in errors
        assert not rest.exists()
        with np.load(point) as arrays:
            assert all(arrays[name].size >= 0 for name in arrays.files)
        run_ranks(1 + attempt % 3, *command, "-o", rest, "--resume", point, "-j", 1)
        assert rest.read_bytes() == whole.read_bytes(), attempt
