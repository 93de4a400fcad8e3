"""srgw partition with --previous, --keep, --fixed, --min-size and --max-size."""

import collections
import json

import pytest
from program import BAD_INPUT, KARATE, USAGE, peak_bytes, run, run_json


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


def test_labels_of_other_nodes_are_no_previous_labels(graph, tmp_path):
    other = tmp_path / "other.tsv"
    other.write_text("somebody\t1\n")
    told = run("partition", graph, "--previous", other, expect=BAD_INPUT).stderr
    assert "previous has no label" in told


@pytest.mark.parametrize(
    "option", ["--levels", "--cuts", "--min-cut 1", "--split-disconnected no", "--effort thorough"]
)
@pytest.mark.parametrize("constraint", ["--previous LABELS", "--fixed LABELS", "--min-size 2"])
def test_options_without_an_effect_are_refused(option, constraint, tmp_path):
    labels = tmp_path / "labels.tsv"
    run("partition", KARATE, "-o", labels)
    words = f"{option} {constraint}".replace("LABELS", str(labels)).split()
    told = run("partition", KARATE, *words, expect=USAGE).stderr
    assert option.split()[0][2:] in told and constraint.split()[0][2:] in told


def test_clusters_of_a_complete_graph_are_not_significant(tmp_path):
    graph, labels = tmp_path / "graph.txt", tmp_path / "labels.tsv"
    graph.write_text("".join(f"{i} {j}\n" for i in range(12) for j in range(i)))
    labels.write_text("".join(f"{i}\t{i % 3}\n" for i in range(12)))
    for option in ("--previous", "--fixed"):
        told = run("partition", graph, option, labels, "--json")
        answer = json.loads(told.stdout)
        assert not (answer["significant"] and answer["modularity"] <= 0), option
        assert answer["significant"] or "the graph has no communities" in told.stderr


def test_the_sentence_on_the_number_tells_what_the_search_found():
    answer = run_json("partition", KARATE, "--max-size", 1)
    assert answer["clusters"] == 34
    number = next(text for text in answer["reasons"] if "was free" in text)
    assert "free: 34" not in number and "made it 34" in number


@pytest.mark.parametrize("option", ["--previous", "--fixed"])
def test_labels_out_of_range_are_refused_with_their_line(tmp_path, option):
    labels = tmp_path / "labels.tsv"
    for label in (-5, 2**53 + 1):
        labels.write_text(f"0\t1\n1\t{label}\n")
        told = run("partition", KARATE, option, labels, expect=BAD_INPUT).stderr
        assert f"{labels}:2: label {label}" in told


def test_any_limits_are_compared_without_overflow():
    largest = 10**9 - 1
    for words in (["--max-size", largest], ["--max-size", largest, "--min-size", 2]):
        assert run_json("partition", KARATE, *words)["clusters"] == 4


def test_scattered_previous_labels_of_a_star_end_in_sensible_clusters(tmp_path):
    graph, labels = tmp_path / "star.txt", tmp_path / "labels.tsv"
    graph.write_text("".join(f"0 {i}\n" for i in range(1, 3000)))
    labels.write_text("".join(f"{i}\t{i % 60}\n" for i in range(3000)))
    answer = run_json("partition", graph, "--previous", labels)
    assert answer["modularity"] >= 0


def test_many_clusters_of_one_node_take_little_memory(tmp_path):
    graph = tmp_path / "star.txt"
    graph.write_text("".join(f"0 {i}\n" for i in range(1, 12000)))
    assert peak_bytes("partition", graph, "--max-size", 50) < 200e6
