"""partition on MPI ranks: the bytes of one process, files read and written in parts."""

import itertools
import pathlib

import numpy as np
import pytest
from program import BAD_INPUT, CLUBS, KARATE, RESOURCE, ROOT, USAGE, run, run_json
from ranks import needs_mpi, run_ranks, run_ranks_json

RANKS_AND_THREADS = list(itertools.product((1, 2, 3, 4), (1, 2)))
BAD = ROOT / "tests" / "data" / "bad"
# Keys that differ from run to run, or are about the ranks themselves.
TIMES = ("seconds", "seconds_read", "ranks", "labels_file")


@pytest.fixture(scope="module", autouse=True)
def _mpi() -> None:
    needs_mpi()


@pytest.fixture(scope="module")
def graphs(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """Planted blocks: with nodes in no order, weighted, with gaps and loose ends, and packed."""
    folder = tmp_path_factory.mktemp("graphs")
    rng = np.random.default_rng(5)
    nodes, blocks = 6000, 6
    block = rng.integers(0, blocks, nodes)
    members = [np.flatnonzero(block == b) for b in range(blocks)]
    inside = [rng.choice(members[b], (5000, 2)) for b in range(blocks)]
    edges = np.vstack([*inside, rng.integers(0, nodes, (8000, 2))])
    rng.shuffle(edges)
    np.savetxt(folder / "plain.txt", edges, fmt="%d")
    weighted = {(min(a, b), max(a, b)): 1 + (a + b) % 4 / 2 for a, b in map(tuple, edges)}
    lines = [f"{7 * a} {7 * b} {w}\n" for (a, b), w in weighted.items()]
    lines += ["70000001 70000002 1\n", "70000003 70000003 2\n", "99 99 0.5\n"]
    (folder / "weighted.txt").write_text("# ids are far apart\n" + "".join(lines))
    run("convert", folder / "weighted.txt", folder / "packed.npz", "--to", "packed")
    (folder / "truth.tsv").write_text("".join(f"{v}\tb{block[v]}\n" for v in range(nodes)))
    start = rng.integers(0, 8, nodes)
    (folder / "start.csv").write_text(
        "node,label\n" + "".join(f"{v},{start[v]}\n" for v in rng.permutation(nodes))
    )
    np.save(folder / "start.npy", start)
    return folder


def without_times(answer: dict) -> dict:
    return {key: value for key, value in answer.items() if key not in TIMES}


def check_same(tmp_path: pathlib.Path, arguments: list, ending: str = "tsv") -> dict:
    """The labels file and what --json says, on all numbers of ranks and threads."""
    alone_file = tmp_path / f"alone.{ending}"
    alone = run_json("partition", *arguments, "-o", alone_file, "-j", 1)
    for ranks, threads in RANKS_AND_THREADS:
        file = tmp_path / f"{ranks}_{threads}.{ending}"
        answer = run_ranks_json(ranks, "partition", *arguments, "-o", file, "-j", threads)
        assert file.read_bytes() == alone_file.read_bytes(), (ranks, threads)
        assert without_times(answer) == without_times(alone), (ranks, threads)
        assert ("ranks" in answer) == (ranks > 1)
        if ranks > 1:
            assert answer["ranks"]["count"] == ranks
            assert answer["ranks"]["memory"] > 0
    return alone


def test_split_merge_has_the_bytes_of_one_process(
    tmp_path: pathlib.Path, graphs: pathlib.Path
) -> None:
    answer = check_same(
        tmp_path,
        [graphs / "plain.txt", "-k", 6, "--start", "split-merge", "--truth", graphs / "truth.tsv"],
    )
    assert answer["ami"] > 0.8
    assert answer["n"] == 6000


def test_weights_and_gaps_have_the_bytes_of_one_process(
    tmp_path: pathlib.Path, graphs: pathlib.Path
) -> None:
    options = ["-k", 9, "--start", "split-merge", "--structure", "modularity", "--seed", 3]
    answer = check_same(tmp_path, [graphs / "weighted.txt", *options], "csv")
    packed = run_ranks_json(3, "partition", graphs / "packed.npz", *options)
    assert without_times(packed) == without_times(answer)


@pytest.mark.parametrize(
    "start", ["labels:start.csv", "labels:start.npy", "random", "random-labels"]
)
def test_starts_have_the_bytes_of_one_process(
    tmp_path: pathlib.Path, graphs: pathlib.Path, start: str
) -> None:
    kind, _, file = start.partition(":")
    word = f"labels:{graphs / file}" if file else kind
    for structure, ranks in (("modularity", 3), ("adjacency", 2)):
        options = [graphs / "plain.txt", "-k", 8, "--start", word, "--structure", structure]
        options += ["--max-iterations", 30]
        files = [tmp_path / f"{structure}{r}.npy" for r in (0, 1)]
        alone = run_json("partition", *options, "-o", files[0])
        answer = run_ranks_json(ranks, "partition", *options, "-o", files[1])
        assert without_times(answer) == without_times(alone)
        assert files[0].read_bytes() == files[1].read_bytes()


def test_small_graphs_leave_ranks_idle(tmp_path: pathlib.Path) -> None:
    check_same(tmp_path, [KARATE, "-k", 2, "--start", "split-merge", "--truth", CLUBS], "json")


def test_arcs_are_united(tmp_path: pathlib.Path, graphs: pathlib.Path) -> None:
    options = [graphs / "plain.txt", "-k", 6, "--start", "split-merge", "--directed"]
    alone = run_json("partition", *options)
    answer = run_ranks_json(2, "partition", *options)
    assert answer["symmetrized"]
    assert without_times(answer) == without_times(alone)
    refused = run_ranks(2, "partition", *options, "--structure", "adjacency", expect=BAD_INPUT)
    assert "symmetrize" in refused.stderr


def test_labels_go_to_standard_output(graphs: pathlib.Path) -> None:
    options = [graphs / "plain.txt", "-k", 6, "--start", "split-merge", "-o", "-"]
    assert run_ranks(3, "partition", *options).stdout == run("partition", *options).stdout


def test_summary_tells_about_ranks(graphs: pathlib.Path) -> None:
    options = [graphs / "plain.txt", "-k", 6, "--start", "split-merge"]
    lines = run_ranks(2, "partition", *options).stdout.splitlines()
    alone = run("partition", *options).stdout.splitlines()
    assert [line for line in lines if not line.startswith(("seconds", "ranks", "traffic"))] == [
        line for line in alone if not line.startswith("seconds")
    ]
    assert any(line.startswith("ranks         2, at most") for line in lines)
    assert any(line.startswith("traffic") for line in lines)


@pytest.mark.parametrize("name", ["one_field.txt", "duplicate_weighted.txt", "only_comments.txt"])
def test_a_bad_file_is_told_once(name: str) -> None:
    options = ["partition", BAD / name, "-k", 2, "--start", "split-merge"]
    alone = run(*options, expect=BAD_INPUT).stderr
    told = run_ranks(3, *options, expect=BAD_INPUT).stderr
    assert told.count("srgw: ") == 1
    assert alone.strip() in told


def test_what_cannot_be_read_in_parts_is_refused(tmp_path: pathlib.Path) -> None:
    names = tmp_path / "names.txt"
    names.write_text("anna berta\nberta carla\ncarla anna\n")
    options = ["-k", 2, "--start", "split-merge"]
    refused = run_ranks(2, "partition", names, *options, expect=BAD_INPUT).stderr
    assert "names.txt:1: node 'anna' is no whole number, which 2 ranks" in refused
    assert f"`srgw convert {names} graph.npz --to packed`" in refused
    # The remedy helps.
    packed = tmp_path / "graph.npz"
    run("convert", names, packed, "--to", "packed")
    files = [tmp_path / f"{r}.tsv" for r in (0, 1)]
    run("partition", packed, *options, "-o", files[0])
    run_ranks(2, "partition", packed, *options, "-o", files[1])
    assert files[0].read_text() == files[1].read_text()
    assert "anna" in files[1].read_text()
    zipped = tmp_path / "karate.graphml"
    run("convert", KARATE, zipped)
    assert "convert" in run_ranks(2, "partition", zipped, *options, expect=BAD_INPUT).stderr


def test_max_memory_refuses_with_a_remedy(graphs: pathlib.Path) -> None:
    options = [graphs / "plain.txt", "-k", 6, "--start", "split-merge", "--max-memory"]
    refused = run_ranks(2, "partition", *options, "20M", expect=RESOURCE).stderr
    assert "the largest of 2 ranks needs" in refused
    assert "more ranks" in refused
    run_ranks(2, "partition", *options, "100M")


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["--structure", "stability:1"], "--structure stability:1"),
        (["--start", "spectral"], "--start spectral"),
        (["--start", "split-merge", "--structure", "heat:2"], "--structure heat:2"),
        (["--start", "split-merge", "--epsilon", "0.1"], "--epsilon"),
        (["--start", "split-merge", "--sparsity", "0.1"], "--sparsity"),
        (["--start", "split-merge", "--loss", "kl"], "--loss kl"),
        (["--start", "split-merge", "--target", "learned"], "--target learned"),
        (["--start", "split-merge", "--picture", "p.svg"], "--picture"),
        (["--start", "split-merge", "--report", "p.html"], "--report"),
        (["--start", "split-merge", "--plan", "p.npy"], "--plan"),
        (["--start", "split-merge", "--save", "p.npz"], "--save"),
        (["--start", "split-merge", "--compare", CLUBS], "--compare"),
        (["--method", "gwl"], "--method gwl"),
    ],
)
def test_what_ranks_cannot_do_is_a_usage_error(options: list, named: str) -> None:
    refused = run_ranks(2, "partition", KARATE, "-k", 2, *options, expect=USAGE).stderr
    assert named in refused
    assert refused.count("srgw: ") == 1


def modelled(step: dict, copies: int, estimate: dict) -> float:
    """Bytes of an iteration: labels with a position, or all without where that is less."""
    each = estimate["traffic_changed_label"]
    labels = step["labels"]
    return estimate["traffic_iteration"] + min(labels * each, max(labels, copies) * (each - 4))


@pytest.mark.parametrize(("start", "ranks"), [("split-merge", 2), ("random-labels", 4)])
def test_memory_and_traffic_are_what_the_estimate_says(
    tmp_path: pathlib.Path, start: str, ranks: int
) -> None:
    graph = tmp_path / "graph.txt"
    run("generate", "planted", "-n", 100000, "-b", 12, "--degree", 16, "-o", graph, "--seed", 4)
    options = ["partition", graph, "-k", 12, "--start", start, "--starts", 1]
    options += ["--max-iterations", 40]
    estimate = run_json("estimate", "--ranks", ranks, *options)
    answer = run_ranks_json(ranks, *options, "-j", 1)["ranks"]
    assert answer["copies"] == estimate["copies"]
    assert 0.5 < estimate["bytes"] / answer["memory"] < 2
    sent = sum(step["bytes"] for step in answer["iterations"])
    assert 0.8 < estimate["traffic_start"] / (answer["bytes"] - sent) < 1.2
    if start == "random-labels":
        assert len(answer["iterations"]) > 5
        model = sum(modelled(step, answer["copies"], estimate) for step in answer["iterations"])
        assert 0.8 < model / sent < 1.2
    assert answer["bytes_reading"] < 1.2 * estimate["traffic_reading"]
