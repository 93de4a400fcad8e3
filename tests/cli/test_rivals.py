"""srgw learn --model gdl|gwf and cluster --method gw-kmeans."""

import pathlib

import numpy as np
import pytest
from program import NOT_CONVERGED, USAGE, run, run_json
from test_dictionary import graphs  # noqa: F401  (a fixture)

GDL = ["--model", "gdl", "--atoms", 3, "-m", 6, "--epochs", 3]
GWF = ["--model", "gwf", "--atoms", 3, "--epochs", 2]


@pytest.mark.parametrize("options", [GDL, [*GDL, "--regularisation", 0.1], GWF, [*GWF, "-m", 6]])
def test_learn_and_embed(graphs: pathlib.Path, options: list) -> None:  # noqa: F811
    model, points = graphs.parent / "model.npz", graphs.parent / "points.npy"
    learned = run_json("learn", graphs, *options, "-o", model, "--embedding", points)
    assert {"loss", "loss_curve", "epochs", "seconds", "graphs", "m"} <= set(learned)
    shares = np.load(points)
    assert shares.shape == (12, 3)
    np.testing.assert_allclose(shares.sum(1), 1)
    embedded = run_json("embed", model, graphs, "-o", points)
    assert embedded["graphs"] == 12
    np.testing.assert_array_equal(np.load(points), shares)
    assert embedded["mean_value"] == pytest.approx(learned["loss"])


def test_metric_coordinates_are_those_of_mixtures_only(graphs: pathlib.Path) -> None:  # noqa: F811
    model, points = graphs.parent / "model.npz", graphs.parent / "points.npy"
    run("learn", graphs, *GDL, "-o", model)
    run("embed", model, graphs, "-o", points, "--coordinates", "metric")
    assert np.load(points).shape == (12, 3)
    answer = run("embed", model, graphs, "-o", points, "--coordinates", "sqrt", expect=USAGE)
    assert "expected weights or metric" in answer.stderr


def test_threads_do_not_show(graphs: pathlib.Path) -> None:  # noqa: F811
    for options in (GDL, GWF):
        answers = []
        for threads in (1, 2):
            model = graphs.parent / f"model{threads}.npz"
            run("learn", graphs, *options, "-o", model, "-j", threads)
            answers.append(model.read_bytes())
        assert answers[0] == answers[1]


@pytest.mark.parametrize(
    "options",
    [GDL, GWF, ["--method", "gw-kmeans"], ["--method", "gw-kmeans", "-m", 5]],
)
def test_cluster(graphs: pathlib.Path, options: list) -> None:  # noqa: F811
    found = run_json("cluster", graphs, "-k", 2, *options, "--truth", "auto")
    assert {"ri", "ari", "ami", "inertia", "largest_cluster"} <= set(found)
    assert found["graphs"] == 12


def test_stars_are_told_from_rings_by_k_means_on_graphs(graphs: pathlib.Path) -> None:  # noqa: F811
    answers = [
        run_json(
            "cluster", graphs, "-k", 2, "--method", "gw-kmeans", "--truth", "auto", "--seed", s
        )
        for s in range(3)
    ]
    assert max(answer["ari"] for answer in answers) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--model", "gdl", "--atoms", 2], "--size is required"),
        ([*GDL, "--sparsity", 0.1], "--sparsity is an option of srgw dictionaries"),
        ([*GDL, "--learner", "adam"], "--learner is an option of srgw dictionaries"),
        ([*GDL, "--max-iterations", 3], "--max-iterations is an option of srgw dictionaries"),
        ([*GWF, "--regularisation", 1], "--regularisation is an option of gdl"),
        (["-m", 3, "--regularisation", 1], "--regularisation requires --model gdl"),
    ],
)
def test_options_of_another_model_are_refused(
    graphs: pathlib.Path,  # noqa: F811
    options: list,
    message: str,
) -> None:
    model = graphs.parent / "model.npz"
    answer = run("learn", graphs, *options, "-o", model, expect=USAGE)
    assert message in answer.stderr
    assert not model.exists()


@pytest.mark.parametrize("options", [GDL, GWF])
def test_epochs_are_shown_and_strict_asks_for_convergence(
    graphs: pathlib.Path,  # noqa: F811
    options: list,
) -> None:
    command = ["learn", graphs, *options, "-o", graphs.parent / "model.npz", "--strict"]
    answer = run(*command, "--progress", "always", expect=NOT_CONVERGED)
    assert "epoch" in answer.stderr
    assert "not converged (iteration_limit)" in answer.stderr
