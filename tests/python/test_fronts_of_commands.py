"""Every command whose work Python can do gives the same result there, bit for bit. A new command
without an entry fails."""

import json
import pathlib
import subprocess
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import srgw
from place import program

Pair = tuple[Any, Any]  # what the program writes, and what Python returns
# The others read, draw, estimate or print.
# barycenter: Python draws its first structure as POT does. distances: pairwise() tries more starts.
NOT_IN_PYTHON = {
    "barycenter",
    "distances",
    "draw",
    "info",
    "check",
    "convert",
    "estimate",
    "completions",
}


def run(place: pathlib.Path, *words: object) -> dict[str, Any]:
    command = [str(program("cli/srgw")), *map(str, words), "--json"]
    done = subprocess.run(command, cwd=place, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


@pytest.fixture(scope="module", name="place")
def made_place(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """Graphs, layers, pairs of nodes, and a dataset."""
    place = tmp_path_factory.mktemp("fronts")
    srgw.generate.planted(60, 3, mean_degree=8)[0].write(place / "a.npz")
    srgw.generate.planted(60, 3, mean_degree=8, random_state=1)[0].write(place / "b.npz")
    srgw.generate.planted(12, 2, mean_degree=4, random_state=2)[0].write(place / "t.npz")
    (place / "forbidden.txt").write_text("3 4\n5 7\n")
    (place / "anchors.txt").write_text("0 2\n9 11\n")
    (place / "graphs").mkdir()
    for g in range(8):
        graph = srgw.generate.planted(12 + g, 2 + g % 2, mean_degree=4, random_state=g)[0]
        graph.write(place / "graphs" / f"g{g}.txt")
    return place


def solve(place: pathlib.Path, *words: object, **options: Any) -> Pair:
    run(place, "solve", "a.npz", "t.npz", *words, "--plan", "out.npy")
    C, D = (srgw.read(place / name) for name in ("a.npz", "t.npz"))
    return np.load(place / "out.npy"), srgw.semirelaxed_gromov_wasserstein(C, D, **options)


def solve_with_pairs(place: pathlib.Path) -> Pair:
    return solve(
        place,
        *("--forbidden", "forbidden.txt", "--anchors", "anchors.txt"),
        *("--method", "conditional-gradient", "--start", "product"),
        forbidden=[(3, 4), (5, 7)],
        anchors={0: 2, 9: 11},
    )


def solve_a_share(place: pathlib.Path) -> Pair:
    words = ("--share", 0.7, "--method", "conditional-gradient", "--start", "product")
    return solve(place, *words, share=0.7)


def solve_relations(place: pathlib.Path) -> Pair:
    other = srgw.read(place / "b.npz").to_numpy()
    target = srgw.read(place / "t.npz").to_numpy()
    return solve(
        place,
        *("--relation", "b.npz", "t.npz", "--relation-weight", 0.5),
        *("--method", "conditional-gradient", "--start", "product"),
        relations=[(other, target, 0.5)],
    )


def partition(place: pathlib.Path) -> Pair:
    run(place, "partition", "a.npz", "-o", "out.npy")
    return np.load(place / "out.npy"), srgw.SRGWPartition().fit(srgw.read(place / "a.npz")).labels_


def partition_layers(place: pathlib.Path) -> Pair:
    run(place, "partition", "a.npz", "b.npz", "--layer-weights", "1,0.5", "-o", "out.npy")
    layers = [srgw.read(place / name) for name in ("a.npz", "b.npz")]
    return np.load(place / "out.npy"), srgw.SRGWPartition(layer_weights=[1, 0.5]).fit(
        layers
    ).labels_


def update(place: pathlib.Path) -> Pair:
    np.save(place / "previous.npy", np.arange(60) % 4)
    run(
        place, "partition", "a.npz", "--previous", "previous.npy", "--max-size", 18, "-o", "out.npy"
    )
    model = srgw.SRGWPartition(previous=np.arange(60) % 4, max_size=18)
    return np.load(place / "out.npy"), model.fit(srgw.read(place / "a.npz")).labels_


def coarsen(place: pathlib.Path) -> Pair:
    found = run(place, "coarsen", "a.npz", "-m", 9, "--assignment", "out.npy", "-o", "out.npz")
    model = srgw.GraphCoarsener(9).fit(srgw.read(place / "a.npz"))
    coarse = srgw.read(place / "out.npz").to_numpy()
    return (
        [np.load(place / "out.npy"), coarse, found["value"], found["spectral_error"]],
        [model.labels_, model.coarse_graph_.to_numpy(), model.objective_, model.spectral_error_],
    )


def blockmodel(place: pathlib.Path) -> Pair:
    words = ("--held-out", 0.1, "-o", "out.npy", "--probabilities", "p.npy")
    found = run(place, "blockmodel", "a.npz", *words)
    model = srgw.BlockModel(held_out=0.1).fit(srgw.read(place / "a.npz"))
    return (
        [np.load(place / "out.npy"), np.load(place / "p.npy"), found["description_length"]],
        [model.labels_, model.probabilities_, model.description_length_],
    )


def graphon(place: pathlib.Path) -> Pair:
    found = run(place, "graphon", "graphs", "--steps", 3, "--values", "out.npy")
    model = srgw.Graphon(3).fit(place / "graphs")
    return [np.load(place / "out.npy"), found["value"]], [model.values_, model.objective_]


def learn(place: pathlib.Path) -> Pair:
    run(place, "learn", "graphs", "-m", 3, "-o", "model.npz", "--embedding", "out.npy")
    return np.load(place / "out.npy"), srgw.SRGWDictionary(3).fit(place / "graphs").embedding_


def learn_gdl(place: pathlib.Path) -> Pair:
    words = ("--model", "gdl", "--atoms", 2, "--epochs", 9, "--early-stopping", 2)
    found = run(place, "learn", "graphs", "-m", 3, *words, "-o", "gdl.npz")
    model = srgw.GDL(2, 3, max_epochs=9, patience=2).fit(place / "graphs")
    return round(found["loss"], 14), round(model.values_.mean(), 14)


def embed(place: pathlib.Path) -> Pair:
    run(place, "learn", "graphs", "-m", 3, "-o", "model.npz")
    run(place, "embed", "model.npz", "graphs", "-o", "out.npy")
    model = srgw.SRGWDictionary(3).fit(place / "graphs")
    return np.load(place / "out.npy"), model.transform(place / "graphs")


def cluster(place: pathlib.Path) -> Pair:
    run(place, "cluster", "graphs", "-k", 2, "-o", "out.npy")
    return np.load(place / "out.npy"), srgw.GraphClusterer(2).fit(place / "graphs").labels_


def complete(place: pathlib.Path) -> Pair:
    run(place, "learn", "graphs", "-m", 3, "-o", "model.npz")
    words = ("--nodes", 14, "--method", "alternate", "-o", "out.txt", "--probabilities", "out.npy")
    run(place, "complete", "model.npz", "t.npz", *words)
    model = srgw.SRGWDictionary(3).fit(place / "graphs")
    found = model.complete(srgw.read(place / "t.npz"), 14, method="alternate")
    return np.load(place / "out.npy"), found.probabilities


def generate(place: pathlib.Path) -> Pair:
    run(place, "generate", "planted", "-n", 50, "-b", 2, "--seed", 3, "-o", "drawn.npz")
    drawn, _ = srgw.generate.planted(50, 2, random_state=3)
    return srgw.read(place / "drawn.npz").to_numpy(), drawn.to_numpy()


def score(place: pathlib.Path) -> Pair:
    a, b = np.arange(60) % 4, np.arange(60) % 3
    np.save(place / "x.npy", a)
    np.save(place / "y.npy", b)
    found = run(place, "score", "x.npy", "y.npy")
    functions = srgw.metrics
    return (
        [found["ami"], found["ari"], found["ri"], found["nmi"]],
        [
            functions.adjusted_mutual_information(a, b),
            functions.adjusted_rand_index(a, b),
            functions.rand_index(a, b),
            functions.normalized_mutual_information(a, b),
        ],
    )


# Words that follow the first are other ways to use a command.
FRONTS: dict[str, Callable[[pathlib.Path], Pair]] = {
    "solve pairs": solve_with_pairs,
    "solve share": solve_a_share,
    "solve relations": solve_relations,
    "partition": partition,
    "partition layers": partition_layers,
    "partition update": update,
    "coarsen": coarsen,
    "blockmodel": blockmodel,
    "graphon": graphon,
    "learn": learn,
    "learn gdl": learn_gdl,
    "embed": embed,
    "cluster": cluster,
    "complete": complete,
    "generate": generate,
    "score": score,
}


def test_every_command_has_an_entry() -> None:
    done = subprocess.run(
        [program("cli/srgw"), "--help"], check=True, capture_output=True, text=True
    )
    lines = done.stdout.partition("Commands:")[2].splitlines()
    listed = {line.split()[0] for line in lines if line.startswith("  ") and line[2] != " "}
    assert listed == {name.split()[0] for name in FRONTS} | NOT_IN_PYTHON


@pytest.mark.parametrize("name", FRONTS)
def test_the_program_and_python_agree(name: str, place: pathlib.Path) -> None:
    written, returned = FRONTS[name](place)
    if not isinstance(written, list):
        written, returned = [written], [returned]
    for one, other in zip(written, returned, strict=True):
        np.testing.assert_array_equal(one, other)
