"""Graphs of the Artificial Benchmark for Community Detection (Kaminski, Pralat and Theberge 2021)
with growing noise."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import contest
import drawn
import graphs
import running
import tables
from contest import OURS, Entry
from other_tools import TOOLS
from record import Result
from tables import mean, number, spread

ENTRIES = {
    "srgw": Entry(OURS, "auto"),
    "srgw, modularity": Entry(OURS, "auto", ("--criterion", "modularity")),
    "leiden": Entry("leiden"),
    "infomap-two": Entry("infomap-two"),
}


@dataclass(frozen=True)
class Plan:
    nodes: tuple[int, ...] = (1000, 10_000)
    noise: tuple[float, ...] = (0.2, 0.3, 0.4, 0.5, 0.6)
    draws: int = 3
    limit: float = 120


DEFAULT = Plan()
FULL = Plan(nodes=(1000, 10_000, 100_000), draws=5, limit=600)
QUICK = Plan(nodes=(300,), noise=(0.3,), draws=1, limit=20)


@dataclass(frozen=True)
class Row:
    nodes: int
    noise: float
    results: dict[str, list[Result]]


def measure(shop: running.Workshop, plan: Plan) -> list[Row]:
    rows = []
    for nodes in plan.nodes:
        for noise in plan.noise:
            results: dict[str, list[Result]] = {name: [] for name in ENTRIES}
            for seed in range(plan.draws):
                name = f"abcd-{nodes}-{noise:g}-{seed}"
                running.say(name)
                place = graphs.Place(shop.graphs / name)
                if contest.missing(shop.store, place, [(one, (0,)) for one in ENTRIES.values()]):
                    drawn.generate(place, ["abcd", "-n", nodes, "--noise", noise], seed)
                    graph = place.read()
                    for entry in ENTRIES.values():
                        contest.hold_here(shop.store, place, graph, entry, (0,), plan.limit)
                for title, entry in ENTRIES.items():
                    results[title].append(shop.store.get(entry.cell(name, 0)))
            rows.append(Row(nodes, noise, results))
    return rows


HOW = """\
`srgw generate abcd --noise X`: degrees 5 to 30 (exponent 2.5), communities of 20 to 250 nodes
(exponent 1.5); the noise is the share of the edge ends that ignore the communities. No tool is
given the number of clusters. AMI in percent, mean ± standard deviation over the graphs drawn; the
number of clusters is in parentheses.
"""


def title_of(name: str) -> str:
    return TOOLS[name].title if name in TOOLS else name


def report(rows: Sequence[Row]) -> list[str]:
    header = ["nodes", "noise", "communities", *map(title_of, ENTRIES)]
    lines = []
    for row in rows:
        found = [one for several in row.results.values() for one in several]
        line = [f"{row.nodes:,}", f"{row.noise:g}", number(mean(found, "classes"), ".1f")]
        for results in row.results.values():
            clusters = number(mean(results, "clusters"), ".1f")
            line.append(f"{spread(results, 'ami')} ({clusters})")
        lines.append(line)
    return ["", HOW, *tables.table(header, lines), "", *remarks(rows)]


def remarks(rows: Sequence[Row]) -> Iterator[str]:
    """Where another tool is better."""
    behind = []
    for row in rows:
        ours = mean(row.results["srgw"], "ami")
        for name, results in row.results.items():
            theirs = mean(results, "ami")
            if name != "srgw" and ours is not None and theirs is not None and theirs > ours + 1:
                kind = f"{row.nodes:,} nodes, noise {row.noise:g}"
                behind.append(f"- {kind}: {title_of(name)} {theirs:.1f}, srgw {ours:.1f}")
    if behind:
        yield "srgw with its default criterion is more than one point below another column on:"
        yield ""
        yield from behind
    else:
        yield "The default is nowhere more than one point of AMI below another column."


def publish(shop: running.Workshop, given: Any) -> str:
    rows = measure(shop, QUICK if given.quick else FULL if given.full else DEFAULT)
    summary = [
        {
            "nodes": row.nodes,
            "noise": row.noise,
            "methods": {
                name: {field: mean(results, field) for field in ("ami", "clusters", "modularity")}
                for name, results in row.results.items()
            },
        }
        for row in rows
    ]
    return shop.page("abcd", "Partitioning: ABCD graphs", report(rows), summary)
