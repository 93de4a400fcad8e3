"""Seconds alone, for an idle machine: all tools take turns, and nothing is kept from earlier runs.

`--effort` on datasets beside tools that maximise modularity, and Graph Challenge graphs.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import challenge
import contest
import drawn
import graphs
import running
import tables
from common import seconds_text
from contest import OURS, Entry
from graphs import Place
from other_tools import TOOLS
from record import Result
from tables import done, median, number

DATASETS = ("lastfm-asia", "facebook-pages", "github-social", "com-dblp")
EFFORTS = {
    f"srgw --effort {effort}": Entry(
        OURS, "auto", ("--criterion", "modularity", "--effort", effort)
    )
    for effort in ("quick", "normal", "thorough")
}
TOOL_NAMES = ("parallel-leiden", "plm", "leiden")
SIZES = (5000, 20_000, 50_000)
LIMIT = 600.0
LARGE = 830_000  # nodes of a planted graph of 10^7 edges


@dataclass(frozen=True)
class Race:
    graph: str
    nodes: int
    edges: int
    results: dict[str, list[Result]]


def take_turns(
    place: Place, entries: dict[str, Entry], rounds: int, slow: float = 60
) -> dict[str, list[Result]]:
    """Results of each entry; what took longer than `slow` seconds runs once."""
    results: dict[str, list[Result]] = {title: [] for title in entries}
    for seed in range(rounds):
        for title, entry in entries.items():
            if seed > 0 and (median(results[title], "seconds") or slow) >= slow:
                continue
            results[title] += contest.run(place, entry, [seed], LIMIT)
    return results


def tools() -> dict[str, Entry]:
    return {TOOLS[name].title: Entry(name) for name in TOOL_NAMES}


def race(
    shop: running.Workshop, make: Callable[[], Place], entries: dict[str, Entry], rounds: int
) -> Race:
    place = make()
    running.say(place.name)
    about = place.about
    return Race(place.name, about["nodes"], about["edges"], take_turns(place, entries, rounds))


def races(shop: running.Workshop, given: Any) -> Iterator[tuple[str, Race]]:
    rounds = 1 if given.quick else 5
    all_entries = EFFORTS | tools()

    def dataset(name: str) -> Callable[[], Place]:
        return lambda: graphs.write(graphs.large_dataset(name), shop.graphs)

    for name in DATASETS[: 1 if given.quick else None]:
        yield "effort", race(shop, dataset(name), all_entries, rounds)

    def large() -> Place:
        place = Place(shop.graphs / f"planted-{LARGE}")
        return drawn.generate(place, drawn.model("planted", LARGE, 100, 24, 0.8), 1)

    if given.full:
        yield "effort", race(shop, large, all_entries, 3)
    entries = {"srgw -k auto": Entry(OURS, "auto"), **tools()}
    sizes = (300,) if given.quick else (*SIZES, 200_000) if given.full else SIZES
    for nodes in sizes:

        def blocks(nodes: int = nodes) -> Place:
            place = Place(shop.graphs / f"challenge-{nodes}")
            challenge.draw(place, nodes, "low", "low", 0)
            return place

        yield "challenge", race(shop, blocks, entries, rounds)


def rows_of(one: Race, agreement: bool) -> Iterator[list[str]]:
    for title, results in one.results.items():
        seconds = median(results, "seconds")
        found = done(results)
        about = [one.graph, f"{one.nodes:,}", f"{one.edges:,}", title]
        if seconds is None:
            yield [*about, tables.trouble(results), *[tables.NONE] * 3]
            continue
        values = sorted(result["seconds"] for result in found)
        spread = f"{seconds_text(values[0])} to {seconds_text(values[-1])}"
        score = number(median(results, "ami"), ".2f")
        if not agreement:
            score = number(median(results, "modularity"), ".4f")
        yield [*about, seconds_text(seconds), spread, score]


HOW = """\
Medians of {rounds} runs in turn, each in a process of its own, on all cores; seconds are for
solving alone, without reading. Load average before the first run: {load:.1f}.
"""


def publish(shop: running.Workshop, given: Any) -> str:
    load = os.getloadavg()[0]
    if load > 0.5:
        running.say(f"the load average is {load:.1f}: these times are not those of an idle machine")
    found = list(races(shop, given))
    header = ["graph", "nodes", "edges", "", "seconds", "least to most"]
    body = ["", HOW.format(rounds=1 if given.quick else 5, load=load)]
    for part, title, score in (
        ("effort", "Effort: `-k auto --criterion modularity`", "modularity"),
        ("challenge", "Graph Challenge, low overlap, sizes of low variation", "AMI"),
    ):
        rows = [row for kind, one in found if kind == part for row in rows_of(one, score == "AMI")]
        body += [f"## {title}", "", *tables.table([*header, score], rows), ""]
    summary = [
        {"graph": one.graph, "method": title, "seconds": [r["seconds"] for r in done(results)]}
        for _, one in found
        for title, results in one.results.items()
    ]
    return shop.page("partition-times", "Partitioning: seconds", body, summary)
