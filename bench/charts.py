"""Pictures of the paper's results: docs/results/NAME.json to SVG, drawn by the program.

Usage: bench/charts.py PROGRAM NAME...
"""

import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

RESULTS = pathlib.Path(__file__).resolve().parent.parent / "docs" / "results"

Rows = list[dict[str, Any]]
Chart = dict[str, Any]

PARTITION = {
    "default": "srgw, default",
    "srSpecGW, by modularity": "srSpecGW",
    "srGW_e, by modularity": "srGW_e",
    "GWL, by modularity": "GWL",
    "SpecGWL, by modularity": "SpecGWL",
    "Leiden (igraph)": "Leiden",
    "Infomap, top modules": "Infomap",
}
COMPLETION = ("learned", "alternate", "adam", "logistic regression", "degrees", "density")


def bars(groups: list[str], series: dict[str, list[float | None]], **words: str) -> Chart:
    rows = [{"name": name, "values": values} for name, values in series.items()]
    return {"chart": "bars", "groups": groups, "series": rows, **words}


def partition(rows: Rows) -> Iterator[tuple[str, Chart]]:
    columns = [*dict.fromkeys(row["column"] for row in rows)]
    found = {(row["method"], row["column"]): row["ami"] for row in rows}
    yield (
        "ami",
        bars(
            [column.replace("_", " ") for column in columns],
            {name: [found.get((key, c)) for c in columns] for key, name in PARTITION.items()},
            title="Communities: agreement with the truth",
            subtitle="Mean AMI; parameters by modularity, without labels",
            y_label="AMI in %",
        ),
    )


def clustering(rows: Rows) -> Iterator[tuple[str, Chart]]:
    judged = [row for row in rows if row.get("judge") == "ri"]
    datasets = [*dict.fromkeys(row["dataset"] for row in judged)]
    families = [*dict.fromkeys(row["family"] for row in judged)]
    found = {(row["family"], row["dataset"]): row["ri"] for row in judged}
    yield (
        "ri",
        bars(
            datasets,
            {name: [found.get((name, d)) for d in datasets] for name in families},
            title="Clusters of graphs",
            subtitle="Mean Rand index of the best setting of each method",
            y_label="RI in %",
        ),
    )


def completion(rows: Rows) -> Iterator[tuple[str, Chart]]:
    """Accuracy of each method; also over the share of training graphs where several were run."""
    done = [row for row in rows if row["status"] == "done"]

    def mean(method: str, field: str, **cell: object) -> float | None:
        chosen = [row for row in done if all(row["cell"][k] == v for k, v in cell.items())]
        values = [row["methods"][method] for row in chosen if method in row["methods"]]
        numbers = [value[field] for value in values if field in value]
        return 100 * statistics.fmean(numbers) if numbers else None

    settings = sorted({(row["cell"]["dataset"], row["cell"]["removed"]) for row in done})
    most = max(row["cell"]["train"] for row in done)
    groups = [f"{dataset}, {100 * rate:g} %" for dataset, rate in settings]
    series = {
        name: [mean(name, "accuracy_raw", dataset=d, removed=r, train=most) for d, r in settings]
        for name in COMPLETION
    }
    yield (
        "accuracy",
        bars(
            groups,
            {name: values for name, values in series.items() if any(values)},
            title="Half-seen graphs: free pairs that are right",
            subtitle=f"By the share of hidden nodes; {100 * most:g} % of the graphs for training",
            y_label="accuracy in %",
        ),
    )
    for dataset, rate in settings:
        cells = [row["cell"] for row in done]
        shares = sorted(
            {c["train"] for c in cells if (c["dataset"], c["removed"]) == (dataset, rate)}
        )
        if len(shares) < 2:
            continue
        curves = []
        for name in COMPLETION:
            found = [
                (s, mean(name, "accuracy_raw", dataset=dataset, removed=rate, train=s))
                for s in shares
            ]
            points = [(100 * s, value) for s, value in found if value is not None]
            if len(points) > 1:
                curves.append(
                    {"name": name, "x": [x for x, _ in points], "y": [y for _, y in points]}
                )
        chart = {
            "chart": "curves",
            "series": curves,
            "title": f"{dataset}, {100 * rate:g} % hidden",
            "x_label": "share of the graphs for training in %",
            "y_label": "accuracy in %",
        }
        yield f"{dataset.lower()}-{100 * rate:g}", chart


CHARTS = {"partition": partition, "clustering": clustering, "completion": completion}


def main() -> int:
    program = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        for name in sys.argv[2:]:
            rows = json.loads((RESULTS / f"{name}.json").read_text())
            for kind, chart in CHARTS[name](rows):
                file = pathlib.Path(folder, "chart.json")
                file.write_text(json.dumps(chart))
                picture = RESULTS / f"{name}-{kind}.svg"
                subprocess.run([program, "draw", file, "-o", picture], check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
