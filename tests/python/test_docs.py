"""The pages of docs/: their links lead somewhere, their examples run, and so do the tutorials."""

import doctest
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
SITE = ROOT / "build" / "site" / "html"
BUILD = ROOT / os.environ.get("SRGW_BUILD_DIR", "build/dev")
PAGES = sorted(DOCS.rglob("*.md"))
TUTORIALS = sorted((DOCS / "tutorials").glob("plot_*.py"))
FAST = {"plot_1_communities", "plot_3_two_graphs", "plot_8_mean_graph"}


def anchor(heading: str) -> str:
    """The anchor of a heading, as GitHub and MyST make it."""
    text = re.sub(r"[`*]", "", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def prose(page: Path) -> str:
    return re.sub(
        r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
    )


def anchors(page: Path) -> set[str]:
    return {anchor(found) for found in re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)}


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.md"], ids=lambda page: page.name)
def test_links_of_pages(page: Path) -> None:
    text = re.sub(r"`[^`\n]*`", "", prose(page))
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"https?:", link):
            continue
        file, _, name = link.partition("#")
        target = (page.parent / file).resolve() if file else page
        assert target.exists(), link
        if name and target.suffix == ".md":
            assert name in anchors(target), link
    for link in re.findall(r"\{doc\}`[^<`]*<([^>]+)>`", text):
        tutorial = link.removeprefix("auto_tutorials/")
        assert (
            tutorial == "index"
            or link.startswith("reference/")
            or (DOCS / "tutorials" / f"{tutorial}.py").exists()
        ), link


def test_every_page_is_in_the_menu() -> None:
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^(?:.*<)?([\w/-]+)>?$", index, re.MULTILINE))
    pages = {str(page.relative_to(DOCS).with_suffix("")) for page in PAGES} - {"index"}
    assert pages <= listed


@pytest.mark.parametrize("page", ["quickstart.md", "howto.md"])
def test_python_examples(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    result = doctest.testfile(str(DOCS / page), module_relative=False, encoding="utf-8")
    assert result.attempted > 2 and result.failed == 0


def test_shell_examples_of_the_quickstart(tmp_path: Path) -> None:
    text = (DOCS / "quickstart.md").read_text(encoding="utf-8")
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    path = f"{BUILD / 'cli'}{os.pathsep}{os.environ['PATH']}"
    shown = 0
    for block in re.findall(r"^```console\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, wanted = example.partition("\n")
            answer = subprocess.run(
                ["bash", "-c", command], check=True, capture_output=True, text=True, cwd=tmp_path,
                env={**os.environ, "PATH": path},
            )  # fmt: skip
            checker = doctest.OutputChecker()
            assert checker.check_output(wanted, answer.stdout, doctest.ELLIPSIS), answer.stdout
            shown += 1
    assert shown == 3


@pytest.mark.parametrize("script", TUTORIALS, ids=lambda script: script.stem)
def test_tutorials_run(script: Path) -> None:
    if script.stem not in FAST and not os.environ.get("SRGW_TEST_FULL"):
        pytest.skip("long: make docs-test")
    program = {"SRGW_PROGRAM": str(BUILD / "cli" / "srgw"), "MPLBACKEND": "Agg"}
    answer = subprocess.run(
        [sys.executable, "-W", "ignore:.*non-interactive", str(script)],
        check=False, capture_output=True, text=True, cwd=script.parent,
        env={**os.environ, **program}, timeout=300,
    )  # fmt: skip
    assert answer.returncode == 0, answer.stderr
    assert answer.stderr == ""
    assert answer.stdout


class Links(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.targets: set[str] = set()
        self.names: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for key, value in attrs:
            if key in ("id", "name") and value:
                self.names.add(value)
            if value and ((tag, key) == ("a", "href") or key == "src"):
                self.targets.add(value)


@pytest.mark.skipif(not SITE.exists(), reason="the site is not built: make site")
def test_links_of_the_site() -> None:
    pages = {page: Links(page.read_text(encoding="utf-8")) for page in SITE.rglob("*.html")}
    assert len(pages) > 50
    broken = []
    for page, links in pages.items():
        for link in links.targets:
            if re.match(r"(https?|mailto|data|javascript):", link):
                continue
            file, _, name = link.partition("#")
            target = (page.parent / file.partition("?")[0]).resolve() if file else page
            found = pages.get(target)
            if not target.exists() or (name and found and name not in found.names):
                broken.append(f"{page.relative_to(SITE)}: {link}")
    assert not broken, "\n".join(broken[:40])


@pytest.mark.skipif(not SITE.exists(), reason="the site is not built: make site")
def test_the_site_needs_no_network() -> None:
    for page in SITE.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        loaded = re.findall(r"<(?:script|img|iframe)[^>]* src=\"(https?:[^\"]+)", text)
        loaded += re.findall(r"<link[^>]* rel=\"stylesheet\"[^>]* href=\"(https?:[^\"]+)", text)
        assert not loaded, (page.name, loaded)


@pytest.mark.skipif(not SITE.exists(), reason="the site is not built: make site")
def test_every_python_name_has_a_page() -> None:
    import srgw

    text = "".join(
        p.read_text(encoding="utf-8") for p in (SITE / "reference/python").glob("*.html")
    )
    for name in srgw.__all__:
        if name not in ("__version__", "datasets", "generate", "metrics", "plot"):
            assert f'id="srgw.{name}"' in text or f'id="srgw._srgw.{name}"' in text, name
