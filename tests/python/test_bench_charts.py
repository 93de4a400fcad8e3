"""Pictures of the paper's results, from their JSON."""

import json
from typing import Any

import charts
import pytest


def cell(dataset: str, train: float, **methods: float) -> dict[str, Any]:
    return {
        "cell": {"dataset": dataset, "removed": 0.1, "train": train},
        "status": "done",
        "methods": {name: {"accuracy_raw": value} for name, value in methods.items()},
    }


def test_partition_has_a_bar_for_each_method_and_graph() -> None:
    rows = [
        {"method": "default", "column": "a_sym", "ami": 90.0},
        {"method": "default", "column": "b_sym", "ami": 80.0},
        {"method": "Leiden (igraph)", "column": "b_sym", "ami": 70.0},
    ]
    ((name, chart),) = charts.partition(rows)
    assert name == "ami"
    assert chart["groups"] == ["a sym", "b sym"]
    values = {one["name"]: one["values"] for one in chart["series"]}
    assert values["srgw, default"] == [90.0, 80.0]
    assert values["Leiden"] == [None, 70.0]


def test_clustering_takes_the_choice_by_rand_index() -> None:
    rows = [
        {"dataset": "MUTAG", "family": "ours", "judge": "ri", "ri": 75.0},
        {"dataset": "MUTAG", "family": "ours", "judge": "ari", "ri": 60.0},
        {"dataset": "MUTAG", "family": "scalar", "ri": 76.0},
    ]
    ((_, chart),) = charts.clustering(rows)
    assert chart["series"] == [{"name": "ours", "values": [75.0]}]


def test_completion_has_curves_where_shares_differ() -> None:
    rows = [
        cell("IMDB", 0.9, learned=0.8, degrees=0.6),
        cell("IMDB", 0.9, learned=0.6),
        cell("IMDB", 0.5, learned=0.5),
        {"cell": {"dataset": "IMDB", "removed": 0.1, "train": 0.5}, "status": "failed"},
    ]
    drawn = dict(charts.completion(rows))
    assert list(drawn) == ["accuracy", "imdb-10"]
    values = {one["name"]: one["values"] for one in drawn["accuracy"]["series"]}
    assert values == {"learned": [pytest.approx(70)], "degrees": [pytest.approx(60)]}
    (curve,) = drawn["imdb-10"]["series"]
    assert curve["x"] == [50, 90]
    assert curve["y"] == [pytest.approx(50), pytest.approx(70)]


def test_each_result_that_is_kept_has_its_pictures() -> None:
    for name, make in charts.CHARTS.items():
        rows = json.loads((charts.RESULTS / f"{name}.json").read_text())
        for kind, chart in make(rows):
            assert (charts.RESULTS / f"{name}-{kind}.svg").exists()
            assert chart["series"]
