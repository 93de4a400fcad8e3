"""srgw partition of several graphs on the same nodes."""

import pytest
from program import BAD_INPUT, USAGE, run, run_json


@pytest.fixture
def layers(tmp_path):
    files = []
    for seed in (1, 2):
        file = tmp_path / f"layer{seed}.txt"
        run("generate", "planted", "--nodes", 200, "--blocks", 4, "--seed", seed, "-o", file)
        files.append(file)
    return files


def labels_of(file):
    return dict(line.split("\t") for line in file.read_text().splitlines())


def test_the_result_names_weight_and_modularity_of_each_layer(layers, tmp_path):
    out = tmp_path / "labels.tsv"
    found = run_json("partition", *layers, "--layer-weights", "1,0.5", "-o", out)
    assert [layer["weight"] for layer in found["layers"]] == [1, 0.5]
    mean = sum(layer["weight"] * layer["modularity"] for layer in found["layers"]) / 1.5
    assert found["modularity"] == pytest.approx(mean, abs=1e-12)
    assert found["criterion"] == "modularity"
    assert len(labels_of(out)) == 200
    text = run("partition", *layers).stdout
    assert "layer 2" in text
    assert "weighted mean of the modularities of 2 layers" in text


def test_nodes_are_matched_by_name(layers, tmp_path):
    renamed = tmp_path / "renamed.txt"
    lines = [line.split() for line in layers[1].read_text().splitlines() if line[0] != "#"]
    named = {node: f"person-{node}" for line in lines for node in line[:2]}
    renamed.write_text("".join(f"{named[a]} {named[b]}\n" for a, b, *_ in reversed(lines)))
    first = tmp_path / "first.txt"
    lines = [line.split() for line in layers[0].read_text().splitlines() if line[0] != "#"]
    first.write_text("".join(f"person-{a} person-{b}\n" for a, b, *_ in lines))
    plain, other = tmp_path / "plain.tsv", tmp_path / "other.tsv"
    one = run_json("partition", *layers, "-o", plain)
    two = run_json("partition", first, renamed, "-o", other)
    assert one["modularity"] == pytest.approx(two["modularity"], abs=1e-9)
    groups = {}
    for node, label in labels_of(plain).items():
        groups.setdefault(label, set()).add(labels_of(other)[f"person-{node}"])
    assert all(len(group) == 1 for group in groups.values())


def test_a_layer_may_have_nodes_that_others_lack(layers, tmp_path):
    more = tmp_path / "more.txt"
    more.write_text("0 stranger\n0 1\nstranger 1\n")
    out = tmp_path / "labels.tsv"
    run("partition", layers[0], more, "--layer-weights", "1,0.01", "-o", out)
    labels = labels_of(out)
    assert len(labels) == 201
    assert labels["stranger"] == labels["0"]


def test_a_graph_given_twice_has_the_clusters_of_the_graph(layers, tmp_path):
    once, twice = tmp_path / "once.tsv", tmp_path / "twice.tsv"
    run("partition", layers[0], "--criterion", "modularity", "-o", once)
    run("partition", layers[0], layers[0], "-o", twice)
    assert once.read_text() == twice.read_text()
    run("partition", layers[0], layers[1], "--layer-weights", "1,0", "-o", twice)
    run("partition", layers[0], "-o", once)
    assert once.read_text() == twice.read_text()


def test_files_without_names_need_the_same_number_of_nodes(tmp_path):
    files = []
    for nodes in (40, 50):
        file = tmp_path / f"{nodes}.mtx"
        run("generate", "planted", "--nodes", nodes, "--blocks", 2, "-o", tmp_path / "graph.txt")
        run("convert", tmp_path / "graph.txt", file)
        files.append(file)
    done = run("partition", *files, expect=BAD_INPUT)
    assert f"{files[0]} has 40 nodes and {files[1]} has 50" in done.stderr
    run("partition", files[0], files[0])


def test_levels_constraints_and_pages_work(layers, tmp_path):
    page, picture = tmp_path / "page.html", tmp_path / "picture.svg"
    found = run_json(
        "partition", *layers, "--levels", "--cuts", "--report", page, "--picture", picture
    )
    assert found["hierarchy"]
    assert len(found["cuts"]) == found["clusters"]
    assert "weight 1, modularity" in page.read_text()
    assert picture.read_text().startswith("<svg")
    sizes = run_json("partition", *layers, "--max-size", 30)["sizes"]
    assert max(sizes) <= 30


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--layer-weights 1", "--layer-weights has 1 numbers for 2 graphs"),
        ("--layer-weights 0,0", "--layer-weights are all 0"),
        ("--criterion description-length", "--criterion description-length with several layers"),
        ("-k 3 --sparsity 0.1", "with several layers"),
        ("-k 3 --epsilon 0.1", "--epsilon with several layers"),
        ("-k 3 --structure heat:2", "--structure heat:2 with several layers"),
        ("--save result.npz", "--save with several layers"),
    ],
)
def test_what_does_not_go_with_layers_is_refused(layers, options, message):
    assert message in run("partition", *layers, *options.split(), expect=USAGE).stderr


def test_a_layer_without_edges_is_named(layers, tmp_path):
    named = tmp_path / "named.mtx"
    named.write_text("%%MatrixMarket matrix coordinate pattern symmetric\n200 200 0\n")
    assert "named.mtx: no edges" in run("partition", layers[0], named, expect=BAD_INPUT).stderr


def test_one_graph_takes_no_weights(layers):
    done = run("partition", layers[0], "--layer-weights", "1,2", expect=USAGE)
    assert "2 numbers for 1 graphs" in done.stderr
