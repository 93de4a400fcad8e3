"""Graphs of the IEEE HPEC Graph Challenge (stochastic block partition): what is found of their
blocks. No tool is given the number of blocks."""

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import contest
import drawn
import graphs
import running
import tables
from contest import OURS, Entry
from graphs import Place
from other_tools import TOOLS
from record import Result
from tables import done, mean, number

CATEGORIES = tuple((overlap, sizes) for overlap in ("low", "high") for sizes in ("low", "high"))
SMALL = 20_000  # nodes up to which tools run in this process
TOOL_NAMES = ("leiden", "parallel-leiden")


@dataclass(frozen=True)
class Plan:
    nodes: tuple[int, ...] = (1000, 5000, 20_000, 50_000, 200_000)
    draws: int = 3  # graphs of each kind
    few: int = 20_000  # nodes from which one graph is drawn
    limit: float = 300


DEFAULT = Plan()
FULL = replace(DEFAULT, few=1_000_000)
QUICK = Plan(nodes=(300,), draws=1, limit=20)


@dataclass(frozen=True)
class Row:
    nodes: int
    overlap: str
    sizes: str
    blocks: float
    edges: float
    results: dict[str, list[Result]]


def draw(place: Place, nodes: int, overlap: str, sizes: str, seed: int) -> None:
    """The union of both directions, so that all get the same graph."""
    words = ["challenge", "-n", nodes, "--overlap", overlap, "--size-variation", sizes]
    made = drawn.drawn(place.name, words, seed)
    graphs.write(graphs.union(made), place.folder.parent)


def measure(shop: running.Workshop, plan: Plan) -> list[Row]:
    entries = [Entry(OURS, "auto"), *(Entry(name) for name in TOOL_NAMES)]
    rows = []
    for nodes in plan.nodes:
        for overlap, sizes in CATEGORIES:
            results: dict[str, list[Result]] = {entry.method: [] for entry in entries}
            for seed in range(plan.draws if nodes < plan.few else 1):
                place = Place(shop.graphs / f"challenge-{nodes}-{overlap}-{sizes}-{seed}")
                running.say(place.name)
                if contest.missing(shop.store, place, [(entry, (0,)) for entry in entries]):
                    draw(place, nodes, overlap, sizes, seed)
                    graph = place.read()
                    for entry in entries:
                        if nodes <= SMALL:
                            contest.hold_here(shop.store, place, graph, entry, (0,), plan.limit)
                        else:
                            contest.hold(shop.store, place, entry, (0,), plan.limit)
                for entry in entries:
                    results[entry.method].append(shop.store.get(entry.cell(place.name, 0)))
                shutil.rmtree(place.folder, ignore_errors=True)
            found = [one for several in results.values() for one in several]
            blocks, edges = mean(found, "classes"), mean(found, "edges")
            rows.append(Row(nodes, overlap, sizes, blocks or 0, edges or 0, results))
    return rows


def cells_of(results: Sequence[Result]) -> list[str]:
    """AMI and clusters."""
    if not done(results):
        return [tables.trouble(results), tables.NONE]
    return [number(mean(results, "ami"), ".2f"), number(mean(results, "clusters"), ".1f")]


def report(rows: Sequence[Row]) -> list[str]:
    header = ["nodes", "edges", "overlap", "sizes", "blocks", "", "AMI", "clusters"]
    lines = []
    for row in rows:
        about = [f"{row.nodes:,}", f"{row.edges:,.0f}", row.overlap, row.sizes]
        for name, results in row.results.items():
            title = "**srgw**" if name == OURS else TOOLS[name].title
            lines.append([*about, number(row.blocks, ".1f"), title, *cells_of(results)])
    return ["", HOW, *tables.table(header, lines), "", *remarks(rows)]


def remarks(rows: Sequence[Row]) -> Iterator[str]:
    """Where another tool is better."""
    behind = []
    for row in rows:
        ours = mean(row.results[OURS], "ami")
        for name in TOOL_NAMES:
            theirs = mean(row.results[name], "ami")
            if ours is not None and theirs is not None and theirs > ours + 0.05:
                kind = f"{row.nodes:,} nodes, overlap {row.overlap}, sizes {row.sizes}"
                behind.append(f"- {kind}: {TOOLS[name].title} {theirs:.2f}, srgw {ours:.2f}")
    if behind:
        yield "srgw has a lower AMI than another tool on:"
        yield ""
        yield from behind
    else:
        yield "No other tool has an AMI above that of srgw by more than 0.05 points."


HOW = """\
`srgw generate challenge` draws degree-corrected block graphs by the recipe of the challenge, with
`--overlap low|high` (edges between blocks) and `--size-variation low|high`. All tools get the union
of both directions and choose the number of clusters: srgw with `-k auto`, the others by modularity
at resolution 1. AMI in percent, and clusters, are means over the graphs drawn. Seconds are measured
by `make bench-partition ARGS=--times`, which needs an idle machine.
"""


def publish(shop: running.Workshop, given: Any) -> str:
    rows = measure(shop, QUICK if given.quick else FULL if given.full else DEFAULT)
    fields = ("ami", "clusters", "modularity")
    summary = [
        {
            "nodes": row.nodes,
            "overlap": row.overlap,
            "sizes": row.sizes,
            "method": name,
            "runs": len(done(results)),
            **{field: mean(results, field) for field in fields},
        }
        for row in rows
        for name, results in row.results.items()
    ]
    return shop.page("challenge", "Partitioning: Graph Challenge graphs", report(rows), summary)
