"""srgw partition with --previous, --keep, --fixed, --min-size and --max-size."""

import collections
import json

import pytest
from program import BAD_INPUT, run


@pytest.fixture
def graph(tmp_path):
    file = tmp_path / "graph.txt"
    run("generate", "planted", "--nodes", "200", "--blocks", "4", "-o", str(file))
    return file


def labels_of(file):
    return dict(line.split("\t") for line in file.read_text().splitlines())


def test_ids_of_an_earlier_run_are_kept_under_their_names(graph, tmp_path):
    first, renamed, second = (tmp_path / name for name in ("a.tsv", "b.tsv", "c.tsv"))
    run("partition", str(graph), "-o", str(first))
    before = {node: f"group-{label}" for node, label in labels_of(first).items()}
    lines = [f"{node}\t{label}" for node, label in before.items()] + ["gone\tgroup-0"]
    renamed.write_text("\n".join(lines) + "\n")
    done = run(
        "partition",
        str(graph),
        "--previous",
        str(renamed),
        "--keep",
        "1",
        "-o",
        str(second),
        "--json",
    )
    assert labels_of(second) == before
    update = json.loads(done.stdout)["update"]
    assert (update["moved"], update["vanished"], update["ami"]) == (0, 1, 1)
    assert update["new_clusters"] == update["vanished_clusters"] == []


def test_new_and_vanished_clusters_are_named(graph, tmp_path):
    first, renamed = tmp_path / "first.tsv", tmp_path / "renamed.tsv"
    run("partition", str(graph), "-o", str(first))
    before = labels_of(first)
    # Half of cluster 0 was apart, and clusters 1 and 2 were one.
    old = {"1": "both", "2": "both"}
    lines = []
    for number, (node, label) in enumerate(before.items()):
        name = "apart" if label == "0" and number % 4 == 0 else old.get(label, f"old-{label}")
        lines.append(f"{node}\t{name}")
    renamed.write_text("\n".join(lines) + "\n")
    done = run("partition", str(graph), "--previous", str(renamed), "--json")
    answer = json.loads(done.stdout)
    assert answer["update"]["vanished_clusters"] == ["apart"]
    assert set(answer["update"]["new_clusters"]) <= set(answer["ids"])


def test_sizes_and_fixed_labels_hold(graph, tmp_path):
    fixed, found = tmp_path / "fixed.tsv", tmp_path / "found.tsv"
    nodes = sorted({node for line in graph.read_text().splitlines() for node in line.split()[:2]})
    fixed.write_text(f"{nodes[0]}\t7\n{nodes[1]}\t9\n")
    options = ["--fixed", str(fixed), "--min-size", "10", "--max-size", "30"]
    done = run("partition", str(graph), *options, "-o", str(found), "--json")
    labels = labels_of(found)
    assert (labels[nodes[0]], labels[nodes[1]]) == ("7", "9")
    sizes = collections.Counter(labels.values())
    assert 10 <= min(sizes.values()) <= max(sizes.values()) <= 30
    costs = {cost["constraint"]: cost["cost"] for cost in json.loads(done.stdout)["costs"]}
    assert list(costs) == ["fixed", "max-size", "min-size"]
    assert costs["max-size"] > 0


def test_unknown_fixed_nodes_are_named_with_their_line(graph, tmp_path):
    fixed = tmp_path / "fixed.tsv"
    fixed.write_text("# a comment\nnobody\t1\n")
    done = run("partition", graph, "--fixed", fixed, expect=BAD_INPUT)
    assert "fixed.tsv:2: node 'nobody' is not in the graph" in done.stderr
