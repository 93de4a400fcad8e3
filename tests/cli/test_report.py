"""Reports: one page that needs nothing from elsewhere."""

import json
import re
from html.parser import HTMLParser

import pytest
from program import BAD_INPUT, CLUBS, KARATE, USAGE, run, run_json, shared

VOID = {"meta", "link", "br", "input", "hr", "img"}


class Page(HTMLParser):
    """Checks that elements are closed, and collects what a test may ask for."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.addresses: list[str] = []
        self.scripts: list[str] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.ids += [values["id"]] if values.get("id") else []
        self.addresses += [v for k, v in attrs if k in ("src", "href") and v]
        if tag not in VOID:
            self.open.append(tag)
        if tag == "script":
            self.scripts.append("")

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] == "script":
            self.scripts[-1] += data
        else:
            self.words.append(data)

    def text(self) -> str:
        return " ".join(" ".join(self.words).split())

    def says(self, text: str) -> bool:
        return text in self.text()


def page(path) -> Page:
    return Page(path.read_text(encoding="utf-8"))


def data(found: Page) -> dict:
    if not found.scripts:
        pytest.skip("built without the scripts of the page")
    return json.loads(found.scripts[0])


def test_partition_report_says_all(tmp_path):
    report = tmp_path / "karate.html"
    command = ["partition", KARATE, "-k", 4, "--truth", CLUBS, "--seed", 7, "--report", report]
    run(*command)
    found = page(report)
    for section in (
        "result",
        "certificate",
        "graph",
        "sizes",
        "blocks",
        "members",
        "input",
        "reproduce",
    ):
        assert section in found.ids
    assert found.says("Partition of karate.txt")
    assert found.says("Converged after")
    assert found.says("srgw partition")
    assert found.says("SHA-256")
    assert found.says("ami")


def test_nothing_comes_from_elsewhere(tmp_path):
    report = tmp_path / "karate.html"
    run("partition", KARATE, "-k", 2, "--report", report)
    found = page(report)
    assert all(address.startswith(("#", "data:")) for address in found.addresses)
    assert "default-src 'none'" in report.read_text()


def test_names_are_text_in_page_and_data(tmp_path):
    graph, report = tmp_path / "names.csv", tmp_path / "names.html"
    graph.write_text(
        'source,target\n</script><script>alert(1)</script>,"a ""b"" & c"\n"a ""b"" & c",d\nd,e\n'
    )
    run("partition", graph, "-k", 2, "--report", report)
    text = report.read_text()
    assert "<script>alert(1)" not in text
    found = page(report)
    assert found.says("</script><script>alert(1)</script>")
    graphs = [s["graph"] for s in data(found)["sections"] if "graph" in s]
    assert "</script><script>alert(1)</script>" in graphs[0]["names"]


def test_data_of_the_graph_is_whole(tmp_path):
    report = tmp_path / "karate.html"
    run("partition", KARATE, "-k", 2, "--report", report)
    graph = next(s["graph"] for s in data(page(report))["sections"] if "graph" in s)
    assert {len(graph[key]) for key in ("x", "y", "cluster", "degree", "size")} == {34}
    assert len(graph["edges"]) == 2 * 78
    assert sum(graph["degree"]) == 2 * 78
    assert max(graph["x"] + graph["y"]) <= 10000


def test_other_commands_have_reports_too(tmp_path):
    dataset = shared("tud/MUTAG")
    model = tmp_path / "model.npz"
    run(
        "solve",
        KARATE,
        "identity:3",
        "--structure",
        "modularity",
        "--report",
        tmp_path / "solve.html",
    )
    assert "matching" in page(tmp_path / "solve.html").ids
    run("learn", dataset, "-m", 6, "--epochs", 1, "-o", model, "--report", tmp_path / "learn.html")
    assert {"atom", "embedding", "graphs"} <= set(page(tmp_path / "learn.html").ids)
    run("embed", model, dataset, "-o", tmp_path / "rows.npy", "--report", tmp_path / "embed.html")
    assert "embedding" in page(tmp_path / "embed.html").ids


def test_other_partitions_are_shown_beside(tmp_path):
    report, other = tmp_path / "karate.html", tmp_path / "other.tsv"
    run("partition", KARATE, "-k", 2, "-o", other)
    command = ["partition", KARATE, "-k", 4, "--truth", CLUBS, "--report", report]
    found = run_json(*command, "--compare", f"halves={other}", "--compare", CLUBS)
    names = [one["name"] for one in found["compared"]]
    assert names == ["halves", str(CLUBS)]
    assert found["compared"][1]["ami"] == pytest.approx(1)
    assert found["compared"][1]["ami_with_result"] == pytest.approx(found["ami"])
    assert found["compared"][0]["clusters"] == 2
    assert "compared" in page(report).ids
    assert page(report).says("halves")
    answer = run("partition", KARATE, "-k", 2, "--compare", "x=none.tsv", expect=BAD_INPUT)
    assert "none.tsv" in answer.stderr


def test_large_graphs_are_sampled_with_a_note(tmp_path):
    graph, report = tmp_path / "large.txt", tmp_path / "large.html"
    run("generate", "planted", "--nodes", 60000, "--blocks", 8, "--degree", 10, "-o", graph)
    run("partition", graph, "-k", 8, "--report", report)
    found = page(report)
    shown = re.search(r"(\d+) of \d+ nodes are shown: those with most neighbours", found.text())
    assert shown and 19_900 <= int(shown[1]) <= 20_000  # a share for each cluster, rounded down
    assert report.stat().st_size < 10 << 20


def test_wrong_names_are_refused_before_work(tmp_path):
    answer = run("partition", KARATE, "-k", 2, "--report", tmp_path / "a.pdf", expect=USAGE)
    assert "a.pdf, expected a file that ends in .html" in answer.stderr
    run("partition", KARATE, "-k", 2, "--report", tmp_path / "no" / "a.html", expect=BAD_INPUT)
    assert list(tmp_path.iterdir()) == []


def test_a_plain_build_says_so(tmp_path):
    report = tmp_path / "karate.html"
    answer = run("partition", KARATE, "-k", 2, "--report", report)
    scripts = page(report).scripts
    assert bool(scripts) != bool(re.search("has no interactive parts", answer.stderr))
