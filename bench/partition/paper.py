#!/usr/bin/env python3
"""The paper's partition tables, measured anew beside the printed figures and beside other tools.

Usage: make paper-partition, or bench/partition/paper.py [--quick] [--full] [--anew]
Our program comes from the build that SRGW_BUILD_DIR names (by default build/bench), datasets
from SRGW_DATA_DIR. Finished cells are kept in build/paper-partition and not computed again.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import contest
import drawn
import graphs
import grid
import paper_report
import running
from contest import OURS, Entry
from graphs import Graph, Place
from other_tools import TOOLS
from paper_report import Choice, Measured
from record import Result, Store


@dataclass(frozen=True)
class Plan:
    families: dict[str, grid.Family]
    seeds: tuple[int, ...] = (0, 1, 2, 3, 4)
    full: bool = False
    limit: float = 120  # seconds of a run
    tools: tuple[str, ...] = field(
        default=tuple(name for name in TOOLS if name != "parallel-leiden")
    )


PLANS = {
    "default": Plan(grid.DEFAULT),
    "full": Plan(grid.FULL, full=True, limit=600),
    "quick": Plan(grid.QUICK, seeds=(0, 1), limit=20, tools=("louvain", "leiden-k", "greedy")),
}


def columns() -> Iterator[Graph]:
    """The paper's: directed graphs as they are and by union, undirected ones as they are."""
    for name in ("wikipedia", "eu-email", "amazon", "village"):
        graph = graphs.partition_dataset(name)
        column = name.replace("-", "_")
        if graph.directed:
            yield replace(graph, name=f"{column}_asym")
        yield replace(graphs.union(graph), name=f"{column}_sym")


def quick_columns() -> Iterator[Graph]:
    graph = drawn.planted("planted_sym", 120, 4, 10, 0.8, 1)
    yield replace(graph, name="planted_asym", directed=True)
    yield graph


@dataclass(frozen=True)
class Bench:
    """Everything that a measurement of a column needs."""

    store: Store
    plan: Plan
    place: Place
    graph: Graph

    def ours(self, options: Sequence[str], seeds: Sequence[int]) -> list[Result]:
        entry = Entry(OURS, self.graph.classes, tuple(options))
        return contest.hold_here(self.store, self.place, self.graph, entry, seeds, self.plan.limit)

    def family(self, family: grid.Family) -> grid.Runs:
        return grid.explore(
            family,
            lambda setting, seeds: self.ours(setting.options(), seeds),
            self.plan.seeds,
            self.plan.full,
        )

    def tool(self, name: str) -> list[Result]:
        entry = Entry(name, self.graph.classes)
        return contest.hold(self.store, self.place, entry, self.plan.seeds, self.plan.limit)


def measure(bench: Bench) -> Measured:
    seeds = bench.plan.seeds
    families = {}
    for name, family in bench.plan.families.items():
        running.say(f"{bench.graph.name}: {name}")
        families[name] = Choice(bench.family(family))
    running.say(f"{bench.graph.name}: other tools")
    directed = bench.graph.directed
    tools = {
        name: bench.tool(name)
        for name in bench.plan.tools
        if (TOOLS[name].directed if directed else TOOLS[name].undirected)
    }
    return Measured(
        column=bench.graph.name,
        default=bench.ours([], seeds),
        one_core=bench.ours(["-j", "1"], seeds),
        plain=bench.ours([*grid.Setting(scale=1.0).options(), "-j", "1"], seeds),
        selected={
            "srGW": bench.ours(["--structure", "adjacency", "--select", "modularity"], seeds),
            "srSpecGW": bench.ours(["--structure", "heat", "--select", "modularity"], seeds),
        },
        families=families,
        tools=tools,
    )


def main() -> None:
    arguments = running.arguments(__doc__, full=True)
    plan = PLANS["quick" if arguments.quick else "full" if arguments.full else "default"]
    with running.Workshop(arguments, "paper-partition") as shop:
        found = []
        for graph in quick_columns() if arguments.quick else columns():
            place = graphs.write(graph, shop.graphs)
            found.append(measure(Bench(shop.store, plan, place, graph)))
        running.say(f"{shop.store.computed} cells computed, {len(shop.store.results)} in all")
        text = paper_report.document(found, shop.store, plan.seeds)
        shop.publish("partition", text, paper_report.summary(found))
    sys.stdout.write(text if arguments.quick else "")


if __name__ == "__main__":
    main()
