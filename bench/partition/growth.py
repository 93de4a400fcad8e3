"""Time, memory and quality as graphs grow, and on large datasets."""

import functools
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import contest
import drawn
import graphs
import running
import tables
from common import ROOT, growth_exponent, keep, seconds_text
from contest import OURS, Entry
from graphs import Graph, Place
from other_tools import TOOLS
from record import Result
from tables import NONE, done, median

DEGREE, INSIDE = 25, 0.8
PLANTED_BLOCKS, COMMUNITY = 15, 1000  # blocks of planted graphs; nodes of a corrected community
ROUNDING = 1e-9  # of modularity
OPPONENTS = ("leiden", "plm")  # those of the summary
FREE = "-k auto --criterion modularity"  # on datasets, as all other tools there
DATASETS = ("lastfm-asia", "facebook-pages", "github-social", "com-dblp")


@dataclass(frozen=True)
class Sizes:
    nodes: tuple[int, ...] = (1000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
    fit_from: int = 10_000
    graphs: int = 10  # different ones of the largest planted size
    seeds: tuple[int, ...] = (0, 1, 2)
    dataset_seeds: tuple[int, ...] = (0, 1, 2, 3, 4)
    many: int = 100_000  # nodes from which other tools run once
    limit: float = 600
    kinds: tuple[str, ...] = ("planted", "degree-corrected")
    tools: tuple[str, ...] = ("leiden", "plm", "parallel-leiden")
    datasets: tuple[Callable[[], Graph], ...] = field(
        default=tuple(functools.partial(graphs.large_dataset, name) for name in DATASETS)
    )


FULL = Sizes()
DEFAULT = Sizes(nodes=(1000, 10_000, 30_000, 100_000), graphs=3)
QUICK = Sizes(
    nodes=(600, 1200),
    fit_from=600,
    graphs=2,
    seeds=(0,),
    dataset_seeds=(0, 1),
    limit=20,
    kinds=("planted",),
    tools=("leiden",),
    datasets=(lambda: drawn.planted("planted-200", 200, 4, 10, 0.8, 1),),
)


@dataclass(frozen=True)
class Race:
    family: str
    name: str
    nodes: int
    clusters: int | str
    results: dict[str, list[Result]]
    limit: float

    @property
    def has_tools(self) -> bool:
        """Not so with further graphs of the largest size."""
        return len(self.results) > 1

    def seconds(self, name: str) -> float | None:
        """The median; of a contestant that was stopped, the limit."""
        results = self.results.get(name, [])
        if any(result["status"] == "over" for result in results):
            return self.limit
        return median(results, "seconds")

    def times_faster(self, name: str) -> float | None:
        ours, theirs = self.seconds(OURS), self.seconds(name)
        return None if ours is None or theirs is None else theirs / ours


def measure(shop: running.Workshop, sizes: Sizes) -> list[Race]:
    races = []
    for nodes in sizes.nodes:
        for kind in sizes.kinds:
            races.append(run(shop, sizes, kind, nodes, 1, sizes.tools))
    for seed in range(2, sizes.graphs + 1):
        races.append(run(shop, sizes, "planted", sizes.nodes[-1], seed, ()))
    for make in sizes.datasets:
        races.append(run_dataset(shop, sizes, make))
    return races


def blocks_of(kind: str, nodes: int) -> int:
    return PLANTED_BLOCKS if kind == "planted" else max(5, nodes // COMMUNITY)


def run(
    shop: running.Workshop,
    sizes: Sizes,
    kind: str,
    nodes: int,
    graph_seed: int,
    tools: Sequence[str],
) -> Race:
    """Ours is told the number of blocks. Large graphs are made when needed, and removed."""
    blocks = blocks_of(kind, nodes)
    place = Place(shop.graphs / f"{kind}-{nodes}-{graph_seed}")
    running.say(place.name)
    tool_seeds = sizes.seeds[:1] if nodes >= sizes.many else sizes.seeds
    wanted = [(Entry(OURS, blocks), sizes.seeds if graph_seed == 1 else sizes.seeds[:1])]
    wanted += [(Entry(name, blocks), tool_seeds) for name in tools]
    if contest.missing(shop.store, place, wanted):
        drawn.generate(place, drawn.model(kind, nodes, blocks, DEGREE, INSIDE), graph_seed)
    results = {
        entry.method: contest.hold(shop.store, place, entry, seeds, sizes.limit)
        for entry, seeds in wanted
    }
    shutil.rmtree(place.folder, ignore_errors=True)
    return Race(kind, place.name, nodes, blocks, results, sizes.limit)


def run_dataset(shop: running.Workshop, sizes: Sizes, make: Callable[[], Graph]) -> Race:
    """All choose the number of clusters."""
    graph = make()
    running.say(graph.name)
    place = graphs.write(graph, shop.graphs)
    results = {}
    for name in (OURS, *sizes.tools):
        entry = Entry(name)
        if name == OURS:
            entry = Entry(OURS, "auto", ("--criterion", "modularity"))
        results[name] = contest.hold(shop.store, place, entry, sizes.dataset_seeds, sizes.limit)
    return Race("dataset", graph.name, graph.nodes, "auto", results, sizes.limit)


def exponent(races: Sequence[Race], smallest: int) -> float | None:
    """Exponent of the growth of our time with the number of nodes."""
    points = [(race.nodes, race.seconds(OURS)) for race in races if race.nodes >= smallest]
    known = [(nodes, seconds) for nodes, seconds in points if seconds]
    return growth_exponent(known) if len(known) > 1 else None


def highlights(races: Sequence[Race], sizes: Sizes) -> Iterator[list[str]]:
    largest = sizes.nodes[-1]
    for kind in sizes.kinds:
        family = [race for race in races if race.family == kind]
        top = [race for race in family if race.nodes == largest]
        yield from highlights_of_largest(f"{kind}, {largest:,} nodes", top)
        power = exponent([race for race in family if race.has_tools], sizes.fit_from)
        if power is not None:
            work = f"{kind}, {sizes.fit_from:,} to {largest:,} nodes: exponent of the time"
            yield [work, f"{power:.2f}"]
    for race in races:
        if race.family == "dataset":
            yield from highlights_of_dataset(race)


def highlights_of_largest(work: str, races: Sequence[Race]) -> Iterator[list[str]]:
    """Over all graphs of that size; the first also has other tools."""
    results = [result for race in races for result in race.results[OURS]]
    found = done(results)
    if not found:
        return
    lowest = min(result["ami"] for result in found)
    count = f"graphs: {len(races)}, runs: {len(found)} of {len(results)}"
    yield [f"{work}: lowest AMI ({count})", f"{lowest:.3f}"]
    for name in OPPONENTS:
        ratio = races[0].times_faster(name)
        if ratio is not None:
            yield [f"{work}: time of {TOOLS[name].title} / time of srgw", f"{ratio:.1f}"]
    peak = max(result["peak_bytes"] for result in found) / 1e9
    yield [f"{work}: peak memory", f"{peak:.2f} GB"]


def highlights_of_dataset(race: Race) -> Iterator[list[str]]:
    ours, theirs = (median(race.results[name], "modularity") for name in (OURS, "leiden"))
    if ours is not None and theirs is not None:
        work = f"`{FREE}`, {race.name}: median modularity"
        yield [work, f"{ours:.5f} (Leiden of igraph {theirs:.5f})"]
    ratio = race.times_faster("leiden")
    if ratio is not None:
        yield [f"`{FREE}`, {race.name}: median time", f"{1 / ratio:.2f} of that of Leiden (igraph)"]


def text_of(race: Race, name: str) -> list[str]:
    """Seconds, gigabytes, AMI, modularity, clusters."""
    results = race.results.get(name, [])
    found = done(results)
    if not found:
        return [tables.trouble(results), *[NONE] * 4]
    seconds = median(found, "seconds")
    assert seconds is not None
    peak = max(result["peak_bytes"] for result in found) / 1e9
    return [
        seconds_text(seconds),
        f"{peak:.2f}",
        tables.number(median(found, "ami"), ".2f"),
        tables.number(median(found, "modularity"), ".5f"),
        tables.number(median(found, "clusters"), ".0f"),
    ]


HOW = f"""\
Medians over seeds. Planted graphs have {PLANTED_BLOCKS} blocks, degree-corrected ones a community
for each {COMMUNITY:,} nodes (at least 5); mean degree {DEGREE}, {INSIDE:.0%} of the edges inside.
There srgw is told the number of blocks; on datasets all maximise modularity (srgw with
`{FREE}`). Seconds are for solving alone:
without reading for srgw, with the graph in memory for other tools; all cores each. GB is the peak
of the whole process: for srgw reading included, for other tools Python and their graph. igraph's
Leiden makes 10 iterations.
"""


def report(races: Sequence[Race]) -> list[str]:
    header = ["graph", "nodes", "k", "", "seconds", "GB", "AMI", "modularity", "clusters"]
    rows = []
    for race in races:
        for name in race.results:
            title = "**srgw**" if name == OURS else TOOLS[name].title
            about = [race.name, f"{race.nodes:,}", str(race.clusters)]
            rows.append([*about, title, *text_of(race, name)])
    return ["## Graphs", "", HOW, *tables.table(header, rows), ""]


def publish(shop: running.Workshop, given: Any) -> str:
    sizes = QUICK if given.quick else FULL if given.full else DEFAULT
    races = measure(shop, sizes)
    top = tables.table(["", "result"], highlights(races, sizes))
    title = "Partitioning: time as graphs grow, and large datasets"
    text = shop.page("growth", title, ["", *top, "", *report(races)], summary(races))
    if shop.output == ROOT / "docs" / "results":
        keep(ROOT / "docs" / "benchmarks.md", "scaling", "\n".join(top))
    return text


def summary(races: Sequence[Race]) -> list[dict[str, Any]]:
    fields = ("seconds", "peak_bytes", "ami", "modularity", "clusters")
    return [
        {
            "graph": race.name,
            "nodes": race.nodes,
            "clusters": race.clusters,
            "method": name,
            "runs": len(done(results)),
            **{field: median(results, field) for field in fields},
        }
        for race in races
        for name, results in race.results.items()
    ]
