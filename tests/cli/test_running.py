"""Options that all commands share: threads, limits, Ctrl-C, --config, --save."""

import hashlib
import json
import pathlib
import signal
import subprocess

import numpy as np
import pytest
import scipy.sparse
from program import (
    BAD_INPUT,
    INTERRUPTED,
    KARATE,
    PROGRAM,
    USAGE,
    labels_of,
    run,
    run_json,
)

# Runs until it is stopped.
ENDLESS = ["solve", KARATE, "identity:4", "--epsilon", 10, "--start", "random", "--tolerance", 0]
ENDLESS += ["--max-iterations", 1000000000]


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    file = tmp_path_factory.mktemp("planted") / "graph.txt"
    run("generate", "planted", "-n", 3000, "-b", 6, "-o", file)
    return file


def without_times(answer: dict) -> dict:
    return {key: value for key, value in answer.items() if not key.startswith("seconds")}


@pytest.mark.parametrize("structure", ["modularity", "adjacency", "heat:3"])
def test_threads_do_not_change_the_result(planted: pathlib.Path, structure: str) -> None:
    command = ["partition", planted, "-k", 6, "--structure", structure, "--max-iterations", 50]
    one, two = (run_json(*command, "-j", threads) for threads in (1, 2))
    assert without_times(one) == without_times(two)


def test_seeds_change_the_start() -> None:
    values = [
        run_json("solve", KARATE, "identity:5", "--start", "random", "--seed", seed)["start_values"]
        for seed in (0, 0, 1)
    ]
    assert values[0] == values[1] != values[2]


def test_time_limit_returns_the_best_so_far() -> None:
    answer = run_json(*ENDLESS, "--time-limit", 0.3)
    assert answer["status"] == "time_limit" and not answer["converged"]
    assert answer["seconds"] < 30


def test_interrupt_saves_the_best_so_far(tmp_path: pathlib.Path) -> None:
    plan, save = tmp_path / "plan.npy", tmp_path / "result.npz"
    command = [PROGRAM, *ENDLESS, "--progress", "always", "--json", "--plan", plan, "--save", save]
    with subprocess.Popen(
        [str(word) for word in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr.readline().startswith("[")  # it is at work
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
    assert process.returncode == INTERRUPTED
    assert json.loads(out)["status"] == "interrupted"
    assert np.load(plan).sum() == pytest.approx(1)
    assert json.loads(np.load(save)["srgw_header"].item())["status"] == "interrupted"


def test_progress_is_for_terminals() -> None:
    command = ["solve", KARATE, "identity:4", "--start", "random"]
    assert run(*command).stderr == ""
    assert "iteration" in run(*command, "--progress", "always").stderr
    assert run(*command, "--progress", "always", "-q").stderr == ""


def test_save_has_a_manifest_and_the_result(tmp_path: pathlib.Path) -> None:
    save, out, plan = tmp_path / "result.npz", tmp_path / "found.tsv", tmp_path / "plan.npy"
    answer = run_json(
        "partition", KARATE, "-k", 3, "--seed", 7, "--save", save, "-o", out, "--plan", plan
    )
    data = np.load(save)
    assert data["srgw_kind"].item() == b"result"
    manifest = json.loads(data["srgw_header"].item())
    assert manifest["seed"] == 7 and manifest["status"] == answer["status"]
    assert manifest["command"].startswith(f"srgw partition {KARATE} -k 3 --seed 7")
    assert manifest["srgw"] == run("--version").stdout.split()[1]
    assert manifest["inputs"] == [
        {"file": str(KARATE), "sha256": hashlib.sha256(KARATE.read_bytes()).hexdigest()}
    ]
    assert {"read", "solve"} <= set(manifest["seconds"])
    assert manifest["result"]["value"] == answer["value"]
    assert data["labels"].tolist() == list(labels_of(out).values())
    assert data["names"].tolist() == list(range(1, 35))
    parts = (data["plan_data"], data["plan_indices"], data["plan_indptr"])
    rows = scipy.sparse.csr_array(parts, shape=data["plan_shape"])
    np.testing.assert_array_equal(rows.toarray(), np.load(plan))
    np.testing.assert_array_equal(data["target_weights"], answer["target_weights"])


@pytest.mark.parametrize("size", [0, 1, 55, 56, 63, 64, 65, 1 << 20, (1 << 20) + 1])
def test_hashes_are_those_of_sha256sum(tmp_path: pathlib.Path, size: int) -> None:
    graph, save = tmp_path / "g.txt", tmp_path / "result.npz"
    graph.write_text("1 2\n2 3\n" + "#" * size)
    run("solve", graph, "identity:2", "--save", save)
    manifest = json.loads(np.load(save)["srgw_header"].item())
    assert manifest["inputs"][0]["sha256"] == hashlib.sha256(graph.read_bytes()).hexdigest()


def test_config_sets_options_and_the_command_line_wins(tmp_path: pathlib.Path) -> None:
    config = tmp_path / "run.toml"
    config.write_text(
        'seed = 3\nstart = "random"\n[partition]\nclusters = 3\nstarts = 5\n[solve]\nstarts = 2\n'
    )
    answer = run_json("partition", KARATE, "--config", config)
    assert (answer["m"], answer["starts"]) == (3, 5)
    assert run_json("partition", KARATE, "--config", config, "-k", 4)["m"] == 4
    assert run_json("solve", KARATE, "identity:2", "--config", config)["starts"] == 2


def test_config_refuses_what_it_does_not_know(tmp_path: pathlib.Path) -> None:
    config = tmp_path / "run.toml"
    for text, message in (
        ("clusterz = 3", "2: 'clusterz' is not an option of partition, did you mean 'clusters'?"),
        ("[learn]\nepoch = 3", "3: 'epoch' is not an option of learn, did you mean 'epochs'?"),
        ("[partitoin]\nclusters = 3", " [partitoin] is not a command, did you mean [partition]?"),
    ):
        config.write_text(f"# one\n{text}\n")
        answer = run("partition", KARATE, "-k", 2, "--config", config, expect=USAGE)
        assert answer.stderr == f"srgw: --config: {config}:{message}\n"
    run("partition", KARATE, "-k", 2, "--config", tmp_path / "none.toml", expect=BAD_INPUT)
    for text in ("clusters = [", "clusters", 'start = "random', "= 3"):
        config.write_text(f"# one\n{text}\n")
        answer = run("partition", KARATE, "-k", 2, "--config", config, expect=USAGE)
        assert "line 2" in answer.stderr


def test_a_failed_run_leaves_the_former_file(tmp_path: pathlib.Path) -> None:
    out = tmp_path / "found.tsv"
    out.write_text("former\n")
    run("partition", tmp_path / "absent.txt", "-k", 2, "-o", out, expect=BAD_INPUT)
    assert out.read_text() == "former\n"
    assert [path.name for path in tmp_path.iterdir()] == ["found.tsv"]
