"""srgw solve."""

import pathlib

import numpy as np
import pytest
from program import BAD_INPUT, CLUBS, KARATE, NOT_CONVERGED, USAGE, run, run_json

KEYS = """value value_quad value_linear gap iterations status converged target_weights seconds n m
starts""".split()


def test_has_the_promised_keys() -> None:
    answer = run_json("solve", KARATE, "identity:4", "--structure", "modularity")
    assert set(KEYS) <= set(answer)
    assert (answer["n"], answer["m"], answer["converged"]) == (34, 4, True)
    assert sum(answer["target_weights"]) == pytest.approx(1)
    assert answer["gap"] <= 1e-5


def test_text_names_the_value(tmp_path: pathlib.Path) -> None:
    answer = run("solve", KARATE, "scaled-identity:4:0.1")
    assert answer.stdout.startswith("value")
    assert answer.stderr == ""


def test_a_graph_matches_itself_from_the_identity(tmp_path: pathlib.Path) -> None:
    labels = tmp_path / "labels.npy"
    np.save(labels, np.arange(34))
    answer = run_json("solve", KARATE, KARATE, "--start", f"labels:{labels}")
    assert answer["value"] == pytest.approx(0, abs=1e-12)
    assert answer["status"] == "converged"


def test_plan_is_written_and_starts_the_next_run(tmp_path: pathlib.Path) -> None:
    plan = tmp_path / "plan.npy"
    first = run_json("solve", KARATE, "identity:3", "--start", "random", "--plan", plan)
    rows = np.load(plan)
    assert rows.shape == (34, 3)
    np.testing.assert_allclose(rows.sum(1), 1 / 34)
    np.testing.assert_allclose(rows.sum(0), first["target_weights"])
    second = run_json("solve", KARATE, "identity:3", "--start", f"plan:{plan}")
    assert second["value"] <= first["value"] + 1e-9


@pytest.mark.parametrize("ending", ["csv", "tsv"])
def test_plan_as_text_is_the_plan(tmp_path: pathlib.Path, ending: str) -> None:
    array, text = tmp_path / "plan.npy", tmp_path / f"plan.{ending}"
    command = ["solve", KARATE, "identity:3", "--start", "random"]
    run(*command, "--plan", array)
    run(*command, "--plan", text)
    separator = "," if ending == "csv" else "\t"
    rows = np.loadtxt(text, delimiter=separator, skiprows=1)
    assert text.read_text().splitlines()[0] == separator.join(["node", "0", "1", "2"])
    np.testing.assert_array_equal(rows[:, 0], np.arange(1, 35))
    np.testing.assert_array_equal(rows[:, 1:], np.load(array))
    starts = [run_json(*command[:3], "--start", f"plan:{file}") for file in (array, text)]
    assert starts[0]["value"] == starts[1]["value"]


@pytest.mark.parametrize(
    "structure",
    [
        "adjacency",
        "modularity",
        "stability:2",
        "heat:5",
        "normalized-adjacency",
        "laplacian",
        "normalized-laplacian",
        "shortest-path",
    ],
)
def test_every_structure_word_is_understood(structure: str) -> None:
    answer = run_json(
        "solve", KARATE, "identity:3", "--structure", structure, "--start", "random-labels"
    )
    assert np.isfinite(answer["value"])


@pytest.mark.parametrize("weights", ["uniform", "degree", "power:0.5", "file"])
def test_every_weights_word_is_understood(tmp_path: pathlib.Path, weights: str) -> None:
    if weights == "file":
        weights = str(tmp_path / "weights.npy")
        np.save(weights, np.arange(1.0, 35))
    answer = run_json("solve", KARATE, "identity:3", "--weights", weights)
    assert sum(answer["target_weights"]) == pytest.approx(1)


@pytest.mark.parametrize(
    "start",
    [
        "product",
        "product-literal",
        "random",
        "random-product",
        "random-labels",
        "kmeans",
        "spectral",
        "fluid",
        "kmeans-aligned",
        "spectral-aligned",
        "fluid-aligned",
        "split-merge",
        "multilevel",
        "kmeans-soft",
        "spectral-soft",
        "fluid-soft",
    ],
)
def test_every_start_is_understood(start: str) -> None:
    answer = run_json("solve", KARATE, "identity:3", "--start", start, "--starts", 2)
    assert len(answer["start_values"]) in ({1} if start.startswith("product") else {1, 2})
    assert answer["value"] == min(answer["start_values"])


def test_labels_of_any_kind_start_a_run() -> None:
    answer = run_json("solve", KARATE, "identity:2", "--start", f"labels:{CLUBS}")
    assert answer["starts"] == 1


def test_epsilon_chooses_mirror_descent() -> None:
    soft = run_json("solve", KARATE, "identity:3", "--epsilon", 0.05, "--start", "random")
    assert soft["value_entropy"] == 0
    mode = ["--entropic-mode", "entropic"]
    entropic = run_json(
        "solve", KARATE, "identity:3", "--epsilon", 0.05, *mode, "--start", "random"
    )
    assert entropic["value_entropy"] < 0


def test_a_hard_start_of_mirror_descent_is_softened_and_said() -> None:
    command = ["solve", KARATE, "identity:3", "--epsilon", 0.1, "--start", "spectral"]
    assert run_json(*command)["softened_start"]
    assert "softened" in run(*command, "-v").stderr


@pytest.mark.parametrize(
    ("epsilon", "flag", "value"),
    [
        (0, "--relative", "yes"),
        (0, "--anneal-from", 1),
        (0.1, "--polish-sweeps", 3),
        (0.1, "--stopping", "change"),
    ],
)
def test_a_flag_that_the_method_lacks_is_a_usage_error(
    epsilon: float, flag: str, value: object
) -> None:
    command = ["solve", KARATE, "identity:3", "--epsilon", epsilon, flag, value]
    answer = run(*command, expect=USAGE)
    assert f"{flag} is not an option of" in answer.stderr
    assert answer.stdout == ""


def test_features_make_the_fused_divergence(tmp_path: pathlib.Path) -> None:
    features, target = tmp_path / "features.csv", tmp_path / "target.npy"
    lines = [f"{i + 1},{int(i % 2 == 0)}" for i in range(34)]
    features.write_text("node,x\n" + "\n".join(lines) + "\n")
    np.save(target, [[0.0], [1.0]])
    files = ["--features", features, "--target-features", target]
    answer = run_json("solve", KARATE, "identity:2", *files, "--alpha", 0, "--start", "random")
    assert answer["value"] == pytest.approx(0, abs=1e-12)
    assert answer["target_weights"] == pytest.approx([0.5, 0.5])
    assert run_json("solve", KARATE, "identity:2", *files)["value_quad"] > 0


def test_sparsity_uses_fewer_target_nodes() -> None:
    command = ["solve", KARATE, "identity:10", "--structure", "modularity", "--start", "spectral"]
    plain, sparse = run_json(*command), run_json(*command, "--sparsity", 2)
    used = [sum(q > 1e-9 for q in answer["target_weights"]) for answer in (plain, sparse)]
    assert used[1] < used[0]
    assert sparse["value_penalty"] > 0


def test_strict_is_exit_code_4_without_convergence() -> None:
    command = ["solve", KARATE, "identity:4", "--max-iterations", 1, "--polish-sweeps", 0]
    command += ["--tolerance", 0, "--start", "random"]
    answer = run(*command)
    assert "iteration_limit" in answer.stdout and "not converged" in answer.stderr
    strict = run_json(*command, "--strict", expect=NOT_CONVERGED)
    assert not strict["converged"]


def test_symmetric_yes_refuses_a_directed_source() -> None:
    command = ["solve", KARATE, "identity:2", "--symmetric", "yes"]
    run(*command)
    assert "not symmetric" in run(*command, "--directed", expect=BAD_INPUT).stderr


def test_reads_an_edge_list_from_standard_input() -> None:
    answer = run("solve", "-", "identity:2", "--json", stdin=KARATE.read_text())
    assert '"n": 34' in answer.stdout
