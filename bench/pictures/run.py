"""How long pictures and reports take, how large they are, and how long a browser needs.

Usage: bench/pictures/run.py [--large]      writes docs/results/pictures.md
--large adds the graph of a million nodes. The browser is Debian's Chromium with GL in software.
"""

import argparse
import pathlib
import shutil
import statistics
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build" / "release" / "cli" / "srgw"
RUNS = 3


def seconds(*arguments: object, runs: int = RUNS) -> float:
    """The median of some runs of a command."""
    times = []
    for _ in range(runs):
        begin = time.perf_counter()
        subprocess.run(
            [PROGRAM, *map(str, arguments), "--quiet"], check=True, stdout=subprocess.DEVNULL
        )
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def until_interactive(page: pathlib.Path) -> str:
    """Seconds from the start of loading until all charts and the graph answer."""
    browser = shutil.which("chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        browser = None
    if browser is None:
        return "not measured: no chromium, or no playwright"
    arguments = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=browser, args=arguments)
        tab = opened.new_page()
        tab.goto(page.as_uri(), timeout=60_000)
        tab.wait_for_selector("html[data-ready]", state="attached", timeout=60_000)
        ready = int(tab.evaluate("document.documentElement.dataset.ready"))
        opened.close()
    return f"{ready / 1000:.1f} s"


def planted(folder: pathlib.Path, nodes: int, blocks: int, degree: int) -> pathlib.Path:
    graph = folder / f"{nodes}.txt"
    shape = ["--nodes", nodes, "--blocks", blocks, "--degree", degree, "--seed", 1]
    seconds("generate", "planted", *shape, "-o", graph, runs=1)
    return graph


def megabytes(path: pathlib.Path) -> str:
    return f"{path.stat().st_size / 1e6:.2f} MB"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--large", action="store_true")
    large = parser.parse_args().large
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        picture, report, saved = folder / "p.svg", folder / "r.html", folder / "s.npz"
        graph = planted(folder, 2000, 12, 10)
        seconds("partition", graph, "-k", 12, "--save", saved, runs=1)
        drawn = seconds("draw", saved, "-o", picture)
        rows.append(("SVG of 2,000 nodes, 10,000 edges", f"{drawn:.2f} s", megabytes(picture), ""))
        sizes = [(50_000, 20, 10)] + ([(1_000_000, 15, 25)] if large else [])
        for nodes, blocks, degree in sizes:
            graph = planted(folder, nodes, blocks, degree)
            without = seconds("partition", graph, "-k", blocks)
            with_it = seconds("partition", graph, "-k", blocks, "--report", report)
            share = 100 * (with_it / without - 1)
            more = f"{with_it - without:.2f} s ({share:.0f} % of {without:.1f} s)"
            rows.append(
                (f"report of {nodes:,} nodes", more, megabytes(report), until_interactive(report))
            )
    lines = ["# Pictures and reports", "", "Made by `make bench-pictures`.", ""]
    lines += ["| What | Time to write | Size | Until it answers in Chromium |", "|---|---|---|---|"]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    out = ROOT / "docs" / "results" / "pictures.md"
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text("\n".join(lines) + "\n")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
