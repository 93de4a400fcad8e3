"""How often the largest modularity of small graphs is found, where it is proven."""

import hashlib
import json
import pathlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import contest
import exact
import graphs
import running
import small
import tables
from contest import OURS, Entry
from graphs import Graph
from other_tools import TOOLS
from record import Result
from tables import done

OPTIMA = pathlib.Path(__file__).with_name("optima.json")
PROOF = 900.0  # seconds for one graph
ENTRIES = (
    Entry(OURS, "auto", ("--criterion", "modularity", "--test-significance", "no")),
    Entry("leiden"),
    Entry("leidenalg"),
    Entry("louvain"),
    Entry("parallel-leiden"),
    Entry("plm"),
    Entry("greedy"),
)
SEEDS = (0, 1, 2, 3, 4)
LIMIT = 60.0


def hash_of(graph: Graph) -> str:
    edges = graphs.as_set(graph.edges)
    return hashlib.sha256(f"{graph.nodes} {edges.tolist()}".encode()).hexdigest()[:16]


def optima(cases: Sequence[Graph], anew: bool) -> dict[str, dict[str, Any]]:
    """The proven values by name; those that are not in the file are proven now."""
    known = {} if anew or not OPTIMA.exists() else json.loads(OPTIMA.read_text())
    for graph in cases:
        if known.get(graph.name, {}).get("graph") == hash_of(graph):
            continue
        running.say(f"{graph.name}: proving its largest modularity")
        found = exact.solve(graph, PROOF)
        known[graph.name] = {
            "graph": hash_of(graph),
            "modularity": None if found is None else found.modularity,
            "clusters": None if found is None else int(found.labels.max()) + 1,
        }
        lines = [f" {json.dumps(name)}: {json.dumps(row)}" for name, row in known.items()]
        OPTIMA.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    return known


@dataclass(frozen=True)
class Row:
    graph: Graph
    optimum: float
    clusters: int
    results: dict[str, list[Result]]

    @property
    def tolerance(self) -> float:
        return 0.5 * exact.least_step(len(self.graph.edges))

    def lost(self, method: str) -> list[float]:
        """How far each run ends below the optimum; 0 where it is found."""
        values = [found["modularity"] for found in done(self.results[method])]
        return [max(0.0, self.optimum - value) for value in values]

    def found(self, method: str) -> int:
        return sum(lost < self.tolerance for lost in self.lost(method))


def measure(shop: running.Workshop, given: Any) -> list[Row]:
    cases = list(small.all_graphs())
    if given.quick:
        cases = cases[:3]
    proven = optima(cases, anew=bool(given.full and given.anew))
    rows = []
    for graph in cases:
        optimum = proven[graph.name]["modularity"]
        if optimum is None:
            continue
        running.say(graph.name)
        place = graphs.write(graph, shop.graphs)
        results = {
            entry.method: contest.hold_here(shop.store, place, graph, entry, SEEDS, LIMIT)
            for entry in ENTRIES
        }
        rows.append(Row(graph, optimum, proven[graph.name]["clusters"], results))
    return rows


HOW = """\
The largest modularity (resolution 1) is proven by an integer program
(`bench/partition/exact.py`: clique partition, solved by HiGHS); the values are kept in
`bench/partition/optima.json`, and `ARGS='--full --anew'` proves them again. The graphs are seven
well-known ones, the first six with 30 to 60 nodes of three datasets of TUDataset, and 15 random
graphs. A run finds the optimum if it ends less than half of the smallest possible difference, 1 /
(4 m^2), below. Each tool runs with five seeds, srgw with
`-k auto --criterion modularity --test-significance no`; tools without a seed run once.
"""


def title_of(method: str) -> str:
    return "**srgw**" if method == OURS else TOOLS[method].title


def shares(rows: Sequence[Row]) -> list[str]:
    header = ["", "runs that find the optimum", "graphs on which every run does"]
    header += ["graphs on which a run does", "mean loss", "largest loss"]
    lines = []
    for method in rows[0].results if rows else ():
        lost = [value for row in rows for value in row.lost(method)]
        if not lost:
            lines.append([title_of(method), "failed", *[tables.NONE] * 4])
            continue
        hits = sum(row.found(method) for row in rows)
        always = sum(row.found(method) == len(row.results[method]) for row in rows)
        ever = sum(row.found(method) > 0 for row in rows)
        lines.append(
            [
                title_of(method),
                f"{hits} of {len(lost)} ({100 * hits / len(lost):.1f} %)",
                f"{always} of {len(rows)}",
                f"{ever} of {len(rows)}",
                f"{sum(lost) / len(lost):.5f}",
                f"{max(lost):.4f}",
            ]
        )
    return tables.table(header, lines)


def report(rows: Sequence[Row]) -> list[str]:
    methods = list(rows[0].results) if rows else []
    header = ["graph", "nodes", "edges", "clusters", "largest modularity"]
    header += [f"{title_of(method)}: runs" for method in methods]
    lines = [
        [
            row.graph.name,
            str(row.graph.nodes),
            str(len(row.graph.edges)),
            str(row.clusters),
            f"{row.optimum:.6f}",
            *(f"{row.found(method)}/{len(row.results[method])}" for method in methods),
        ]
        for row in rows
    ]
    return ["", HOW, *shares(rows), "", "## Graphs", "", *tables.table(header, lines), ""]


def publish(shop: running.Workshop, given: Any) -> str:
    rows = measure(shop, given)
    summary = [
        {
            "graph": row.graph.name,
            "optimum": row.optimum,
            "found": {
                method: [row.found(method), len(results)] for method, results in row.results.items()
            },
        }
        for row in rows
    ]
    title = f"Partitioning: the largest modularity of {len(rows)} small graphs"
    return shop.page("optimal", title, report(rows), summary)
