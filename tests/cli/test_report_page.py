"""The page in a real browser: Debian's Chromium, without a network, with GL in software."""

import os
import pathlib
import shutil

import pytest
from program import KARATE, run

api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

CHROMIUM = os.environ.get("SRGW_CHROMIUM") or shutil.which("chromium")
if CHROMIUM is None:
    pytest.skip("chromium is not installed", allow_module_level=True)

TIMEOUT = 60_000  # milliseconds; how long a page takes is for the benchmark
ARGUMENTS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist",
]


@pytest.fixture(scope="module")
def browser():
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


class Opened:
    """A page opened from disk, with all that it complained about and asked for."""

    def __init__(self, browser, path: pathlib.Path, **options) -> None:
        self.context = browser.new_context(**options)
        self.page = self.context.new_page()
        self.page.set_default_timeout(TIMEOUT)
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(path.as_uri(), timeout=TIMEOUT)
        if self.page.locator("#data").count() == 0:
            pytest.skip("built without the scripts of the page")
        self.page.wait_for_selector("html[data-ready]", state="attached")

    def _heard(self, message) -> None:
        # The driver of GL in software tells about its own speed.
        if message.type in ("error", "warning") and "GL Driver Message" not in message.text:
            self.complaints.append(message.text)

    def check_quiet(self) -> None:
        assert self.complaints == []
        outside = [url for url in self.requests if not url.startswith(("file:", "data:", "blob:"))]
        assert outside == []

    def details(self) -> str:
        return self.page.locator("#graph .details").inner_text()


@pytest.fixture
def opened(browser):
    pages = []

    def open_page(path, **options) -> Opened:
        pages.append(Opened(browser, path, **options))
        return pages[-1]

    yield open_page
    for one in pages:
        one.context.close()


@pytest.fixture(scope="module")
def karate(tmp_path_factory):
    report = tmp_path_factory.mktemp("page") / "karate.html"
    run("partition", KARATE, "-k", 4, "--starts", 3, "--report", report)
    return report


def test_it_opens_without_complaints_or_network(opened, karate):
    one = opened(karate)
    assert one.page.title() == "Partition of karate.txt"
    assert one.page.locator("#graph canvas").count() > 0
    assert one.page.locator("#sizes canvas").count() > 0
    assert one.page.locator("#members tbody tr").count() == 34
    one.check_quiet()


def test_search_finds_a_node_in_the_graph(opened, karate):
    one = opened(karate)
    one.page.get_by_label("Search for a node in the graph").fill("33")
    one.page.wait_for_function(
        "document.querySelector('#graph .details').textContent.startsWith('33:')"
    )
    assert "cluster" in one.details()
    one.page.get_by_label("Search for a node in the graph").fill("nobody")
    assert "No node has" in one.details()
    one.check_quiet()


def test_hover_tells_about_a_node(opened, karate):
    one = opened(karate, viewport={"width": 1200, "height": 900})
    canvas = one.page.locator("#graph .canvas")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    for step in range(2500):  # a grid over the drawing; some point of it is on a node
        x = box["x"] + box["width"] * (step % 50 + 0.5) / 50
        y = box["y"] + box["height"] * (step // 50 + 0.5) / 50
        one.page.mouse.move(x, y)
        if "edges in the drawing" in one.details():
            break
    assert "edges in the drawing" in one.details()
    one.check_quiet()


def test_clusters_are_picked(opened, karate):
    one = opened(karate)
    one.page.get_by_label("Show one cluster").select_option("0")
    assert one.details().startswith("cluster 1:")
    one.page.get_by_label("Show one group").first.select_option("0")
    rows = one.page.locator("#members tbody tr")
    cells = rows.locator("td:nth-child(2)").all_inner_texts()
    assert set(cells) == {"cluster 1"}
    one.page.locator("#members").get_by_label("Search in the table").fill("no such node")
    assert rows.count() == 0
    one.check_quiet()


def test_light_and_dark(opened, karate):
    dark = opened(karate, color_scheme="dark")
    shade = "getComputedStyle(document.body).backgroundColor"
    assert dark.page.evaluate(shade) == "rgb(21, 24, 28)"
    dark.page.locator("#theme").click()
    assert dark.page.evaluate(shade) == "rgb(255, 255, 255)"
    dark.check_quiet()
    light = opened(karate, color_scheme="light")
    assert light.page.evaluate(shade) == "rgb(255, 255, 255)"


def test_a_phone_needs_no_sideways_scrolling(opened, karate):
    one = opened(karate, viewport={"width": 375, "height": 700}, has_touch=True)
    assert one.page.evaluate("document.documentElement.scrollWidth") <= 375
    one.check_quiet()


def test_the_keyboard_is_enough(opened, karate):
    one = opened(karate)
    one.page.keyboard.press("Tab")
    assert one.page.evaluate("document.activeElement.className") == "skip"
    one.page.locator("#graph .canvas").focus()
    for key in ("ArrowLeft", "ArrowUp", "+", "-", "0"):
        one.page.keyboard.press(key)
    one.check_quiet()


def test_names_are_shown_as_text(opened, tmp_path):
    graph, report = tmp_path / "names.csv", tmp_path / "names.html"
    graph.write_text(
        'source,target\n<script>alert(1)</script>,"<img src=x onerror=alert(2)>"\n'
        '"<img src=x onerror=alert(2)>","it\'s ""q"""\n"it\'s ""q""",d\n'
    )
    run("partition", graph, "-k", 2, "--report", report)
    one = opened(report)
    cells = one.page.locator("#members td:first-child").all_inner_texts()
    assert "<script>alert(1)</script>" in cells
    assert "<img src=x onerror=alert(2)>" in cells
    assert one.page.locator("img").count() == 0
    one.page.get_by_label("Search for a node in the graph").fill("<script>")
    assert one.details().startswith("<script>alert(1)</script>:")
    one.check_quiet()


@pytest.mark.parametrize("nodes", [10, 1000, 50_000])
def test_graphs_of_all_sizes_open(opened, tmp_path, nodes):
    graph, report = tmp_path / "graph.txt", tmp_path / "graph.html"
    blocks = 2 if nodes < 100 else 10
    run(
        "generate",
        "planted",
        "--nodes",
        nodes,
        "--blocks",
        blocks,
        "--degree",
        5,
        "--seed",
        3,
        "-o",
        graph,
    )
    run("partition", graph, "-k", blocks, "--report", report)
    one = opened(report)
    assert one.page.locator("#graph canvas").count() > 0
    one.check_quiet()


@pytest.fixture(scope="module")
def levels(tmp_path_factory):
    """The page of 24 cliques of six nodes, in a ring of six groups of four."""
    folder = tmp_path_factory.mktemp("levels")
    lines = []
    for c in range(24):
        nodes = range(6 * c, 6 * c + 6)
        lines += [f"{a} {b}" for a in nodes for b in nodes if a < b]
        group = 4 * (c // 4)
        lines += [f"{6 * c + i} {6 * (group + (c + i + 1) % 4) + i}" for i in range(3)]
    lines += [f"{24 * g} {24 * ((g + 1) % 6) + 7}" for g in range(6)]
    (folder / "cliques.txt").write_text("\n".join(lines) + "\n")
    report = folder / "levels.html"
    run("partition", folder / "cliques.txt", "--levels", "--cuts", "--report", report)
    return report


@pytest.mark.parametrize("width", [390, 1280])
def test_a_click_shows_one_cluster_of_the_hierarchy(opened, levels, width):
    one = opened(levels, viewport={"width": width, "height": 900}, color_scheme="dark")
    boxes = one.page.locator("#levels .cluster")
    everything = one.page.locator("#levels button", has_text="Show all")
    count = boxes.count()
    assert count > 20 and not everything.is_visible()
    boxes.first.click()  # of the coarsest level
    assert one.page.locator("#levels .details").inner_text().startswith("Level ")
    assert boxes.count() < count
    everything.click()
    assert boxes.count() == count
    assert one.page.evaluate("document.documentElement.scrollWidth") <= width
    one.check_quiet()
