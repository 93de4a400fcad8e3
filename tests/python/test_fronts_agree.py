"""The command line and Python give the same results; partitions also those of C++."""

import json
import pathlib
import subprocess
import warnings
from typing import Any, NamedTuple

import numpy as np
import pytest
import scipy.sparse
import srgw
from place import program

EPSILON: dict[str, Any] = {"epsilon": 0.1, "tolerance": 1e-5}
GRAPH, BLOCKS = srgw.generate.planted(60, 3, mean_degree=8, inside=0.8)


class Row(NamedTuple):
    """One combination, as the fields of PartitionOptions have it."""

    name: str
    request: dict[str, Any]


ROWS = [
    Row("default", {}),
    Row("four", {"clusters": 4}),
    Row("automatic", {"clusters": 3, "structure": "auto", "weights": "auto", "target": "auto"}),
    *(
        Row(f"structure {structure}", {"clusters": 3, "structure": structure})
        for structure in (
            "adjacency modularity stability:2 heat:3 normalized-adjacency laplacian "
            "normalized-laplacian shortest-path:9"
        ).split()
    ),
    *(
        Row(f"weights {weights}", {"clusters": 3, "structure": "adjacency", "weights": weights})
        for weights in ("uniform", "degree", "power:0.5")
    ),
    Row("degree weights search", {"clusters": 3, "weights": "degree"}),
    *(
        Row(f"target {target}", {"clusters": 3, "target": target})
        for target in ("identity", "scaled-identity:0.5", "learned")
    ),
    *(
        Row(f"start {start}", {"clusters": 3, "start": start})
        for start in "product random random-labels kmeans spectral fluid split-merge".split()
    ),
    Row("start labels", {"clusters": 3, "start": [i % 3 for i in range(60)]}),
    Row("one start of the search", {"clusters": 4, "starts": 1}),
    Row("five starts of the search", {"clusters": 4, "starts": 5}),
    Row("one start", {"clusters": 3, "structure": "adjacency", "starts": 1}),
    Row("five starts", {"clusters": 3, "structure": "adjacency", "starts": 5}),
    Row("epsilon", {"clusters": 3, **EPSILON}),
    Row("epsilon and a free number", EPSILON),
    Row("entropy", {"clusters": 3, "entropy": 0.1, **EPSILON}),
    Row("sparsity", {"clusters": 5, "sparsity": 0.5}),
    Row("sparsity and a free number", {"sparsity": 0.5}),
    Row("loss", {"clusters": 3, "structure": "adjacency", "loss": "kl"}),
    Row("features", {"clusters": 3, "features": np.eye(3)[BLOCKS].tolist()}),
    Row(
        "features and a structure",
        {"clusters": 3, "structure": "adjacency", "features": np.eye(3)[BLOCKS].tolist()},
    ),
    Row("select", {"clusters": 3, "structure": "heat", "select": True}),
    Row("select with epsilon", {"clusters": 3, "structure": "heat:2", "select": True, **EPSILON}),
    Row("criterion", {"criterion": "modularity"}),
    Row("quick", {"effort": "quick"}),
    Row("quick with a number", {"clusters": 4, "effort": "quick"}),
    Row("quick by description", {"effort": "quick", "criterion": "description-length"}),
    Row("thorough", {"effort": "thorough"}),
    Row("gwl", {"clusters": 3, "problem": "gwl"}),
    Row("specgwl", {"clusters": 3, "problem": "specgwl"}),
    Row("specgwl at a time", {"clusters": 3, "problem": "specgwl", "structure": "heat:5"}),
]
# Options that resolve() refuses, and how the message of each front begins.
REFUSED = [
    Row("structure without a number", {"structure": "heat:3"}),
    Row("learned without a number", {"target": "learned"}),
    Row("start without a number", {"start": "spectral"}),
    Row("weights without a number", {"structure": "adjacency", "weights": "uniform"}),
    Row("gwl without a number", {"problem": "gwl"}),
    Row("weights of modularity", {"clusters": 3, "weights": "uniform"}),
    Row("a kernel without a time", {"clusters": 3, "structure": "heat"}),
    Row("nothing to select", {"clusters": 3, "structure": "modularity", "select": True}),
    Row("criterion of a given number", {"clusters": 3, "criterion": "modularity"}),
    Row("effort of a solve", {"clusters": 3, "structure": "adjacency", "effort": "quick"}),
    Row("target of gwl", {"clusters": 3, "problem": "gwl", "target": "identity"}),
    Row("structure of specgwl", {"clusters": 3, "problem": "specgwl", "structure": "adjacency"}),
    Row("starts from labels", {"clusters": 3, "start": [0, 1, 2] * 20, "starts": 2}),
]
OPTIONS = {"clusters": "-k", "problem": "--method", "entropy": "--entropic-mode"}
VALUES = {"entropy": "entropic", "select": "modularity"}
KEYWORDS = {"clusters": "n_clusters", "problem": "method", "start": "init", "starts": "n_init"}
KEYWORDS |= {"tolerance": "tol", "entropy": "entropic_mode"}


@pytest.fixture(scope="module", name="place")
def made_place(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A folder with the graph, and with what the C++ library finds."""
    place = tmp_path_factory.mktemp("fronts")
    scipy.sparse.save_npz(place / "graph.npz", scipy.sparse.csr_matrix(GRAPH.to_scipy()))
    (place / "requests.json").write_text(json.dumps([row.request for row in ROWS + REFUSED]))
    command = [program("tests/srgw_partition_probe"), place / "graph.npz", place / "requests.json"]
    answers = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    (place / "answers.json").write_text(answers)
    return place


def library(place: pathlib.Path, row: Row) -> dict[str, Any]:
    return json.loads((place / "answers.json").read_text())[(ROWS + REFUSED).index(row)]


def command_line(place: pathlib.Path, row: Row) -> dict[str, Any]:
    words: list[object] = []
    for key, value in row.request.items():
        if isinstance(value, list):
            np.save(place / f"{key}.npy", np.array(value))
            value = place / f"{key}.npy" if key == "features" else f"labels:{place / key}.npy"
        words += [
            OPTIONS.get(key, f"--{key}"),
            value if value == "none" else VALUES.get(key, value),
        ]
    command = [program("cli/srgw"), "partition", place / "graph.npz", "--json", *words]
    command += ["-o", place / "labels.npy"]
    done = subprocess.run(list(map(str, command)), check=False, capture_output=True, text=True)
    answer = json.loads(done.stdout)
    if done.returncode:
        return {"error": answer["error"]["message"]}
    return {"labels": np.load(place / "labels.npy").tolist(), "value": answer["value"]}


def package(row: Row) -> dict[str, Any]:
    options = {
        KEYWORDS.get(key, key): value if value == "none" else VALUES.get(key, value)
        for key, value in row.request.items()
    }
    features = options.pop("features", None)
    model = srgw.SRGWPartition(**options)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", srgw.ConvergenceWarning)
            model.fit(GRAPH, features=features)
    except ValueError as error:
        return {"error": str(error)}
    return {"labels": model.labels_.tolist(), "value": model.objective_}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_all_fronts_find_the_same_clusters(place: pathlib.Path, row: Row) -> None:
    expected = library(place, row)
    assert "labels" in expected, expected
    assert command_line(place, row) == expected
    assert package(row) == expected


@pytest.mark.parametrize("row", REFUSED, ids=lambda row: row.name)
def test_all_fronts_refuse_with_the_same_words(place: pathlib.Path, row: Row) -> None:
    message = library(place, row)["error"]
    assert command_line(place, row)["error"] == f"--{message}"
    assert package(row)["error"] == message


@pytest.mark.parametrize("clusters", ["auto", 4])
def test_a_default_that_help_prints_can_be_typed(place: pathlib.Path, clusters: object) -> None:
    options = {"clusters": clusters}
    plain = command_line(place, Row("", options))
    for option in "structure weights target start starts criterion".split():
        assert command_line(place, Row("", {**options, option: "auto"})) == plain
    typed = dict.fromkeys("structure weights target start starts".split(), "auto")
    typed |= {"method": "srgw", "select": "none", "loss": "square", "epsilon": 0, "sparsity": 0}
    assert command_line(place, Row("", {**options, **typed})) == plain
    words = srgw.SRGWPartition(clusters, n_init="auto", init="auto", weights=None).fit(GRAPH)
    assert words.labels_.tolist() == plain["labels"]


@pytest.fixture(scope="module", name="folder")
def made_folder(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """Ten graphs of two kinds, with text classes."""
    folder = tmp_path_factory.mktemp("dataset") / "graphs"
    folder.mkdir()
    classes = ["graph,label"]
    for g in range(10):
        graph, _ = srgw.generate.planted(12 + g, 2 + g % 2, mean_degree=3, random_state=g)
        graph.write(folder / f"g{g}.txt")
        classes.append(f"g{g}.txt,{('one', 'two')[g % 2]}")
    (folder / "labels.csv").write_text("\n".join(classes) + "\n")
    return folder


def run(*words: object) -> None:
    command = [program("cli/srgw"), *words]
    subprocess.run(list(map(str, command)), check=True, capture_output=True)


LEARNING: list[dict[str, Any]] = [
    {},
    {"learner": "adam"},
    {"structure": "normalized-adjacency", "weights": "degree"},
    {"epsilon": 0.1, "tolerance": 1e-5},
    {"sparsity": 0.1},
    {"atoms": 2, "seed": 3},
]
LEARNING_KEYWORDS = {"atoms": "n_atoms", "seed": "random_state", "tolerance": "tol"}


@pytest.mark.parametrize("options", LEARNING, ids=str)
def test_fronts_learn_and_embed_alike(folder: pathlib.Path, options: dict[str, Any]) -> None:
    model, rows = folder.parent / "model.npz", folder.parent / "rows.npy"
    words = [word for key, value in options.items() for word in (f"--{key}", value)]
    run("learn", folder, "-m", 3, "-o", model, "--embedding", rows, *words)
    keywords = {LEARNING_KEYWORDS.get(key, key): value for key, value in options.items()}
    learned = srgw.SRGWDictionary(3, **keywords).fit(folder)
    np.testing.assert_array_equal(np.load(rows), learned.embedding_)
    run("embed", model, folder, "-o", rows)
    np.testing.assert_array_equal(np.load(rows), learned.transform(folder))


def test_fronts_cluster_graphs_alike(folder: pathlib.Path) -> None:
    labels = folder.parent / "labels.npy"
    run("cluster", folder, "-k", 2, "-o", labels)
    assert np.load(labels).tolist() == srgw.GraphClusterer(2).fit(folder).labels_.tolist()


def test_text_classes_have_their_names(folder: pathlib.Path) -> None:
    dataset = srgw.read_dataset(folder)
    assert dataset.labels is not None
    assert dataset.classes == ["one", "two"] and dataset.labels.tolist() == [0, 1] * 5
