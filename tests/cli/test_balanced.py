"""solve with gw and fgw, and barycenter."""

import pathlib

import numpy as np
import pytest
from program import BAD_INPUT, KARATE, run, run_json


def write_target(path: pathlib.Path, size: int = 6) -> pathlib.Path:
    path.write_text("".join(f"{i} {(i + 1) % size}\n" for i in range(size)))
    return path


def test_gw_has_uniform_target_weights(tmp_path: pathlib.Path) -> None:
    target = write_target(tmp_path / "ring.txt")
    answer = run_json("solve", KARATE, target, "--divergence", "gw")
    assert answer["target_weights"] == pytest.approx([1 / 6] * 6)
    relaxed = run_json("solve", KARATE, target, "--starts", 5, "--start", "random")
    assert relaxed["value"] <= answer["value"] + 1e-9


def test_gw_takes_target_weights_from_a_file(tmp_path: pathlib.Path) -> None:
    weights = tmp_path / "weights.npy"
    np.save(weights, [1.0, 2.0, 5.0])
    answer = run_json(
        "solve", KARATE, "identity:3", "--divergence", "gw", "--target-weights", weights
    )
    assert answer["target_weights"] == pytest.approx([0.125, 0.25, 0.625])


def test_gw_of_a_graph_with_itself_from_its_own_plan_is_zero(tmp_path: pathlib.Path) -> None:
    plan = tmp_path / "plan.npy"
    np.save(plan, np.eye(34) / 34)
    answer = run_json("solve", KARATE, KARATE, "--divergence", "gw", "--start", f"plan:{plan}")
    assert answer["value"] == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("mode", ["proximal", "entropic"])
def test_epsilon_makes_soft_plans_between_given_weights(tmp_path: pathlib.Path, mode: str) -> None:
    target = write_target(tmp_path / "ring.txt")
    answer = run_json(
        *["solve", KARATE, target, "--divergence", "gw"],
        *["--epsilon", 0.5, "--entropic-mode", mode],
    )
    assert answer["target_weights"] == pytest.approx([1 / 6] * 6)


def test_fgw_weighs_features(tmp_path: pathlib.Path) -> None:
    features, target = tmp_path / "features.npy", tmp_path / "target.npy"
    np.save(features, np.arange(34.0)[:, None] % 2)
    np.save(target, [[0.0], [1.0]])
    files = ["--features", features, "--target-features", target]
    answer = run_json("solve", KARATE, "identity:2", "--divergence", "fgw", *files, "--alpha", 0)
    assert answer["value"] == pytest.approx(0, abs=1e-12)


def write_dataset(folder: pathlib.Path) -> pathlib.Path:
    folder.mkdir()
    for size in (5, 6, 7):
        write_target(folder / f"ring{size}.txt", size)
    return folder


@pytest.mark.parametrize("divergence", ["srgw", "gw"])
def test_barycenter_writes_a_symmetric_structure(tmp_path: pathlib.Path, divergence: str) -> None:
    dataset, mean = write_dataset(tmp_path / "rings"), tmp_path / "mean.npy"
    answer = run_json("barycenter", dataset, "-m", 4, "--divergence", divergence, "-o", mean)
    structure = np.load(mean)
    assert structure.shape == (4, 4)
    np.testing.assert_allclose(structure, structure.T, atol=1e-12)
    assert answer["value"] >= 0
    assert answer["samples"] == 3
    again = tmp_path / "again.npz"
    run("barycenter", dataset, "-m", 4, "--divergence", divergence, "-o", again)
    with np.load(again) as archive:
        np.testing.assert_array_equal(archive["structure"], structure)
        np.testing.assert_allclose(archive["target_weights"].sum(axis=1), 1)


def test_barycenter_of_graphs_without_features_refuses_fgw(tmp_path: pathlib.Path) -> None:
    dataset = write_dataset(tmp_path / "rings")
    options = ["-m", 4, "--divergence", "fgw", "-o", tmp_path / "mean.npy"]
    answer = run("barycenter", dataset, *options, expect=BAD_INPUT)
    assert "no node features" in answer.stderr
