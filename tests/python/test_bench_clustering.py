"""The benchmark of graph clustering: its points, its choices and its documents."""

import json
import pathlib
import subprocess
import sys
from typing import Any

import choice
import clustering
import coordinates
import generated
import learners
import literal
import literal_report
import numpy as np
import pytest
import recipes
from common import data_folder


@pytest.mark.parametrize("name", ["grid", "full", "quick"])
def test_grids_are_read_and_name_features_only_where_there_are_some(name: str) -> None:
    grid = recipes.read(clustering.GRIDS[name])
    assert len(grid.datasets) == (1 if name == "quick" else 8)
    for dataset in grid.datasets:
        for family in grid.families:
            found = grid.family(family, dataset).recipes
            assert found
            for recipe in found:
                if recipe.learn:  # else nothing is said
                    taken = recipe.learn[recipe.learn.index("--features") + 1]
                    assert taken in ("none", dataset.features)


def test_blocks_of_an_embedding_are_found_again() -> None:
    size, atoms, graphs = 3, 2, 4
    rows = np.arange(graphs * (atoms * (2 * size + 12) + 1), dtype=float).reshape(graphs, -1)
    found = coordinates.blocks(rows, size, atoms)
    assert [block.shape[1] for block in found["quantiles"]] == [10, 10]
    assert found["log-size"][0][0, 0] == rows[0, -1]
    np.testing.assert_array_equal(found["weights"][1][:, 0], rows[:, 2 * size + 12])
    points = coordinates.joined(found, "weights+value")
    assert points.shape == (graphs, atoms * (size + 1))
    assert (points**2).sum(axis=1).mean() == pytest.approx(2 * atoms)
    with pytest.raises(ValueError, match="columns of an embedding"):
        coordinates.blocks(rows[:, :-1], size, atoms)


def result(ri: float, labels: str, largest: float = 60.0, value: float = 1.0) -> dict[str, Any]:
    run = {"ri": ri, "ari": ri - 50, "ami": ri - 50, "largest": largest, "silhouette": 0.5}
    return {"status": "done", "value": value, "by": {"weights": {**run, "labels": labels}}}


def recipe(size: int) -> recipes.Recipe:
    return recipes.Recipe("srGW", ("--features", "none"), size)


def test_a_collapsed_setting_is_never_chosen_and_consensus_needs_no_labels() -> None:
    runs = {
        recipe(1): [result(90, "000001", largest=96.0)] * 2,
        recipe(2): [result(70, "010101"), result(60, "010101")],
        recipe(3): [result(55, "000111")] * 2,
        recipe(4): [result(50, "000111")],
    }
    chosen = choice.Chosen.of(runs, seeds=2)
    assert chosen.by["ri"].recipe == recipe(2)
    assert chosen.by["ri"].mean("ri") == 65
    assert chosen.by["consensus"].recipe == recipe(3)


def test_agreements_are_those_of_scikit_learn() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    labelings = ["001122", "010101", "001120", "000000"]
    table = choice.agreements(labelings)
    for i, first in enumerate(labelings):
        for j, second in enumerate(labelings):
            expected = metrics.adjusted_rand_score(list(first), list(second))
            assert table[i, j] == pytest.approx(expected)


def test_the_best_after_one_seed_are_run_with_all() -> None:
    made: list[tuple[int, int]] = []

    def run(one: recipes.Recipe, seed: int) -> dict[str, Any]:
        assert one.size is not None
        made.append((one.size, seed))
        return result(50 + one.size, "000111" if one.size < 3 else "010101", value=one.size)

    family = recipes.Family("srGW", tuple(recipe(size) for size in (1, 2, 3, 4)), 1, ())
    runs = choice.explore(family, run, seeds=3, late=lambda recipe, seed: False)
    assert len(runs[recipe(4)]) == 3  # by RI
    assert len(runs[recipe(1)]) == 3  # by value
    assert len(runs[recipe(2)]) == 1
    assert len(made) == len(set(made))
    made.clear()
    family = recipes.Family("srGW", family.recipes, 1, ("ri",))
    runs = choice.explore(family, run, seeds=3, late=lambda recipe, seed: False)
    assert [len(runs[one]) for one in family.recipes] == [1, 1, 1, 3]


def test_quick_run_writes_its_documents_and_is_resumed(tmp_path: pathlib.Path) -> None:
    if not (data_folder() / "tud" / "MUTAG").exists():
        pytest.skip("shared data not found: tud/MUTAG")
    command = [sys.executable, clustering.__file__, "--quick"]
    command += ["--store", str(tmp_path / "store"), "--output", str(tmp_path / "results")]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert "## RI" in text and "srGW, printed" in text
    assert json.loads((tmp_path / "results" / "clustering.json").read_text())
    cells = (tmp_path / "store" / "cells.jsonl").read_text().splitlines()
    assert all(json.loads(cell)["result"]["status"] == "done" for cell in cells)
    subprocess.run(command, check=True, capture_output=True)
    assert (tmp_path / "store" / "cells.jsonl").read_text().splitlines() == cells


@pytest.mark.parametrize("classes", generated.DATASETS, ids=lambda classes: classes.name)
def test_generated_datasets_are_undirected_and_have_their_classes(
    classes: generated.Classes, tmp_path: pathlib.Path
) -> None:
    graphs, labels = generated.generate(classes, 16)
    assert set(labels) == set(range(len(classes.makers)))
    for graph in graphs:
        A = graph.adjacency
        assert (A == A.T).all() and not A.diagonal().any()
        assert (graph.attributes is not None) == classes.attributes
    generated.write(tmp_path / "SET", graphs, labels)
    rows = {file.name: len(file.read_text().splitlines()) for file in (tmp_path / "SET").iterdir()}
    nodes = sum(len(graph.adjacency) for graph in graphs)
    expected = {"SET_A.txt": sum(int(graph.adjacency.sum()) for graph in graphs)}
    expected |= {"SET_graph_indicator.txt": nodes, "SET_graph_labels.txt": len(graphs)}
    expected |= {"SET_node_attributes.txt": nodes} if classes.attributes else {}
    assert rows == expected


def truth(classes: int = 2) -> learners.Truth:
    here = pathlib.Path()
    return learners.Truth(here, here, classes, np.zeros(4, dtype=np.int64), median=17)


def test_the_literal_grid_is_that_of_the_paper() -> None:
    grid = {one.name: one for one in recipes.read(clustering.GRIDS["full"]).datasets}
    sizes = {
        (method.name, name): len(literal.settings(method, grid[name], truth()))
        for method in literal.METHODS
        for name in ("MUTAG", "IMDB-B")
    }
    assert len(set(literal.ALPHAS)) == 15
    np.testing.assert_allclose(np.add(literal.ALPHAS, literal.ALPHAS[::-1]), 1)
    assert sizes["srGW", "MUTAG"] == 5 * 15 * 2 * 2
    assert sizes["srGW", "IMDB-B"] == 5 * 2 * 2  # graphs without features have no alpha
    assert sizes["srGW_e+g", "MUTAG"] == 16 * sizes["srGW", "MUTAG"]
    assert sizes["GDL_reg", "IMDB-B"] == 4 * 4 * 2 * 2
    assert sizes["GW-k", "IMDB-B"] == 1


def imdb(path: pathlib.Path, method: str) -> literal.Cell:
    dataset = next(d for d in recipes.read(clustering.GRIDS["full"]).datasets if d.name == "IMDB-B")
    bench = literal.Bench(literal.Protocol(dataset, truth()), literal.Kept(path))
    return literal.Cell(bench, next(one for one in literal.METHODS if one.name == method))


def run_of(score: float, stable: float) -> list[float]:
    """A run with an RI, and a mean RI over seeds of k-means."""
    return [score, 1.0, 2.0, stable, 1.5, 2.5, 0.2, 60.0, 0.1, 3.0]


def test_finished_runs_are_kept_and_reported(tmp_path: pathlib.Path) -> None:
    cell = imdb(tmp_path / "IMDB-B.jsonl", "srGW")
    kept = cell.bench.kept
    one, two = cell.grid[:2]
    for seed in range(literal.SEEDS):
        kept.add("srGW", one, seed, run_of(51.5 + seed % 2, 51.0))
    kept.add("srGW", two, 0, run_of(70.0, 58.0))  # one seed of five: no mean
    again = literal.Kept(tmp_path / "IMDB-B.jsonl")
    assert again.rows == kept.rows and again.find("srGW", two, 1) is None
    found = literal.report_of(cell.bench).methods["srGW"]
    assert (found.runs, found.wanted, found.seconds) == (6, 100, 18.0)
    assert found.readings("ri")[0] == pytest.approx((51.9, 0.5477), rel=1e-3)
    assert found.readings("ri")[1] == (58.0, 0.2) and found.readings("ami")[1] == (2.5, None)
    text = literal_report.document([literal.report_of(cell.bench)])
    assert "51.9 ± 0.5" in text and "58.0 ± 0.2" in text


def test_the_best_tenth_gets_all_seeds(tmp_path: pathlib.Path) -> None:
    cell = imdb(tmp_path / "IMDB-B.jsonl", "srGW_e")
    assert len(cell.grid) == 80
    order = []
    for setting, seed in cell.wanted():  # the later in the grid, the better
        if cell.bench.kept.find("srGW_e", setting, seed) is None:
            order.append((setting, seed))
            score = 50.0 + cell.grid.index(setting) / 10
            cell.bench.kept.add("srGW_e", setting, seed, run_of(score, score))
    assert [seed for _, seed in order[:5]] == [0, 1, 2, 3, 4]
    assert {setting for setting, _ in order[:5]} == {cell.grid[0]}
    repeated = {setting for setting, seed in order if seed == 4}
    assert set(cell.grid[-8:]) <= repeated and len(order) == len(set(order))


def measured(method: literal.Method, setting: literal.Setting, seed: int) -> list[float]:
    """In place of a run: half of them fail."""
    if method.name == "GDL":
        raise RuntimeError("no")
    return run_of(50.0, 50.0)


def test_time_is_shared_by_the_cells_and_failures_end_one_of_them(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(literal.Protocol, "measure", property(lambda self: measured))
    monkeypatch.setattr(literal, "SIZES", (10,))
    cells = [imdb(tmp_path / f"{name}.jsonl", name) for name in ("srGW", "GDL", "GW-k")]
    literal.work(cells, jobs=2, deadline=None)
    assert [len(cell.runs) for cell in cells] == [20, 0, 5]
    assert "IMDB-B, GDL: no" in capsys.readouterr().err
