"""Pictures with matplotlib, pages and notebooks."""

import pickle
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
import srgw


@pytest.fixture
def planted():
    return srgw.generate.planted(60, 3, mean_degree=8)


@pytest.fixture
def pyplot():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    yield pyplot
    pyplot.close("all")


def test_layout_is_one_place_for_each_node(planted):
    graph, blocks = planted
    points = srgw.plot.layout(graph)
    assert points.shape == (60, 2)
    assert np.isfinite(points).all()
    np.testing.assert_array_equal(points, srgw.plot.layout(graph))
    assert not np.array_equal(points, srgw.plot.layout(graph, blocks))


def test_partition_draws_nodes_and_entries(planted, pyplot):
    graph, blocks = planted
    left, right = srgw.plot.partition(graph, blocks)
    assert len(left.collections[1].get_offsets()) == 60
    assert len(right.lines[0].get_xdata()) == 2 * graph.n_edges
    with pytest.raises(ValueError, match="labels has shape"):
        srgw.plot.partition(graph, blocks[:5])


def test_matching_draws_an_arc_for_each_entry(planted, pyplot):
    graph, blocks = planted
    plan = np.eye(3)[blocks] / 60
    ax = srgw.plot.matching(graph, np.ones((3, 3)) - np.eye(3), plan)
    assert len(ax.lines) == 60
    with pytest.raises(ValueError, match="plan has shape"):
        srgw.plot.matching(graph, np.ones((2, 2)), plan)


def test_atom_embedding_and_curves_draw(pyplot):
    assert len(srgw.plot.atom(np.ones((4, 4))).collections[0].get_offsets()) == 4
    ax = srgw.plot.embedding(np.random.default_rng(0).random((20, 5)), [0, 1] * 10)
    assert len(ax.lines) == 2
    ax = srgw.plot.curves({"value": [3, 2, 1], "gap": [1, 0.1, 0.01]}, log=True)
    assert ax.get_yscale() == "log"
    _, own = pyplot.subplots()
    assert srgw.plot.curves({"value": [1, 2]}, ax=own) is own


def test_completion_and_bars_draw(pyplot):
    graphs = [np.kron(np.eye(2), np.ones((n, n)) - np.eye(n)) for n in range(3, 8)]
    model = srgw.SRGWDictionary(2).fit(graphs)
    found = model.complete(graphs[0], 8, method="alternate")
    left, right = srgw.plot.completion(graphs[0], found)
    assert len(left.collections[1].get_offsets()) == 6
    assert len(right.collections[1].get_offsets()) == 8
    assert len(right.lines) == (found.graph.sum() - graphs[0].sum()) / 2
    ax = srgw.plot.bars(["a", "b"], {"ours": [1, 2], "theirs": [np.nan, 3]})
    assert len(ax.patches) == 4
    with pytest.raises(ValueError, match="expected a number for each of the 2 groups"):
        srgw.plot.bars(["a", "b"], {"ours": [1]})


def test_report_and_notebook_show_the_result(planted, tmp_path):
    graph, _ = planted
    model = srgw.SRGWPartition(3)
    assert "<svg" not in model._repr_html_()
    with pytest.raises(srgw.NotFittedError):
        model.report(tmp_path / "page.html")
    model.fit(graph)
    model.report(tmp_path / "page.html", name="<planted>")
    text = (tmp_path / "page.html").read_text()
    assert "Partition of &lt;planted&gt;" in text
    assert "SRGWPartition(n_clusters=3).fit(graph)" in text
    shown = model._repr_html_()
    picture = ElementTree.fromstring(shown[shown.index("<svg") :])
    assert sum(1 for node in picture.iter() if node.tag.endswith("circle")) == 60
    with pytest.raises(ValueError, match="ends in .html"):
        model.report(tmp_path / "page.txt")


def test_pickles_leave_the_graph_out(planted, tmp_path):
    model = pickle.loads(pickle.dumps(srgw.SRGWPartition(3).fit(planted[0])))
    assert "<svg" not in model._repr_html_()
    with pytest.raises(ValueError, match="fit again"):
        model.report(tmp_path / "page.html")
