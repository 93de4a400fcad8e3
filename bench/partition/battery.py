"""The battery: what each contestant finds on graphs whose classes are known."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import cases as battery_cases
import contest
import graphs
import record
import running
import tables
from cases import Case
from common import ROOT, keep
from contest import OURS, Entry
from other_tools import TOOLS
from record import Result
from tables import NONE, done, mean, number, spread

SCORE = "ami_grouped"
CLOSE = 1.0  # points of AMI
SMALL = 200_000  # edges up to which srgw needs no process of ours around it
RECORD = ROOT / "docs" / "results" / "battery.json"


@dataclass(frozen=True)
class Plan:
    tools: tuple[str, ...]
    seeds: tuple[int, ...] = (0, 1, 2)
    limit: float = 60


DEFAULT = Plan(
    tuple(name for name, one in TOOLS.items() if one.undirected and name != "kmeans"),
)
QUICK = Plan(("leiden-k",), seeds=(0,), limit=20)


@dataclass(frozen=True)
class Row:
    case: Case
    told: list[Result]  # ours with -k
    free: list[Result]  # ours with -k auto
    tools: dict[str, list[Result]]

    def best_tool(self, knows: bool | None = None) -> tuple[str, float] | None:
        """The best tool among those that get the number of clusters, those that do not, or all."""
        scored = [
            (name, mean(results, SCORE))
            for name, results in self.tools.items()
            if knows in (None, TOOLS[name].knows_clusters)
        ]
        known = [(name, value) for name, value in scored if value is not None]
        return max(known, key=lambda pair: pair[1]) if known else None

    def points_behind(self, own: list[Result], knows: bool | None) -> float | None:
        """Points of AMI by which ours is behind the best of such other tools."""
        ours, best = mean(own, SCORE), self.best_tool(knows)
        return None if ours is None or best is None else best[1] - ours

    @property
    def behind(self) -> float | None:
        """Told k, behind the best other tool of all: those that choose k may take more clusters."""
        return self.points_behind(self.told, None)

    @property
    def told_behind(self) -> float | None:
        """Behind the best tool that is told k, too."""
        return self.points_behind(self.told, True)

    @property
    def free_behind(self) -> float | None:
        """Not told k, behind the best other tool that is not either."""
        return self.points_behind(self.free, False)

    @property
    def called_structureless(self) -> bool:
        """By every run; one that failed has said nothing."""
        return all(one.get("significant") is False for one in [*self.told, *self.free])


ToolResults = dict[str, list[Result]]  # by name


def tools_of(recorded: Iterable[dict[str, Any]]) -> dict[str, ToolResults]:
    """Results of each graph as means over runs, read from the file of summary()."""

    def result(means: dict[str, float | None]) -> Result:
        known = {field: mean for field, mean in means.items() if mean is not None}
        return {"status": "done", **known} if known else record.over(DEFAULT.limit)

    return {
        row["graph"]: {
            name: [result(means)] for name, means in row["methods"].items() if name in TOOLS
        }
        for row in recorded
    }


def measure(
    shop: running.Workshop, cases: Iterable[Case], plan: Plan, recorded: dict[str, ToolResults]
) -> list[Row]:
    """`recorded` results of other tools on a graph are not run again."""
    rows = []
    for case in cases:
        running.say(case.graph.name)
        place = graphs.write(case.graph, shop.graphs)

        def hold(
            entry: Entry, place: graphs.Place = place, graph: graphs.Graph = case.graph
        ) -> list[Result]:
            if entry.method == OURS and len(graph.edges) <= SMALL:
                return contest.hold_here(shop.store, place, graph, entry, plan.seeds, plan.limit)
            return contest.hold(shop.store, place, entry, plan.seeds, plan.limit)

        rows.append(
            Row(
                case,
                told=hold(Entry(OURS, case.clusters)),
                free=hold(Entry(OURS, "auto")),
                tools=recorded.get(case.graph.name)
                or {name: hold(Entry(name, case.clusters)) for name in plan.tools},
            )
        )
    return rows


def structured(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row.case.structured]


COMPARISONS = (
    ("-k auto, beside tools that choose k", "free_behind"),
    ("told k, beside tools that are told k", "told_behind"),
    ("told k, beside all other tools", "behind"),
)


def shares(rows: Sequence[Row]) -> list[str]:
    """How often ours is first or nearly so, and its largest loss."""
    known = structured(rows)
    lines = []
    for title, field in COMPARISONS:
        behind = {row.case.graph.name: getattr(row, field) for row in known}
        measured = {name: value for name, value in behind.items() if value is not None}
        first = sum(value <= 0 for value in measured.values())
        near = sum(value <= CLOSE for value in measured.values())
        worst = max(measured, key=lambda name: measured[name], default="")
        loss = f"{measured[worst]:.1f} on {worst}" if worst and measured[worst] > 0 else NONE
        lines.append(
            [title, part(first, len(behind)), part(near, len(behind)), loss],
        )
    header = ["srgw", "first", "first or within 1 point of AMI", "largest loss, in points"]
    others = [row for row in rows if not row.case.structured]
    called = sum(row.called_structureless for row in others)
    said = f"Graphs without structure that srgw calls so: {called} of {len(others)}."
    return [*tables.table(header, lines), "", said]


def part(count: int, total: int) -> str:
    return f"{count} of {total} ({count / max(1, total):.0%})"


def best_text(best: tuple[str, float] | None) -> str:
    return NONE if best is None else f"{best[1]:.1f} {TOOLS[best[0]].title}"


def place_text(behind: float | None) -> str:
    if behind is None:
        return NONE
    if behind <= 0:
        return "first"
    return "within 1" if behind <= CLOSE else f"**{behind:.1f} behind**"


def objective_text(row: Row) -> str:
    """Only where there is something to explain."""
    if row.behind is None or row.behind <= CLOSE:
        return ""
    values = [mean(row.told, name) for name in ("objective", "objective_of_truth")]
    return " / ".join(number(value, ".4f") for value in values)


def about(row: Row) -> list[str]:
    graph = row.case.graph
    return [graph.name, row.case.kind, f"{graph.nodes:,}", f"{len(graph.edges):,}"]


def free_overview(rows: Sequence[Row]) -> list[str]:
    header = ["graph", "kind", "nodes", "edges", "classes", "srgw -k auto", "clusters"]
    header += ["best other tool that chooses k", "srgw is"]
    return tables.table(
        header,
        (
            [
                *about(row),
                str(row.case.graph.classes),
                spread(row.free, SCORE),
                number(mean(row.free, "clusters"), ".0f"),
                best_text(row.best_tool(knows=False)),
                place_text(row.free_behind),
            ]
            for row in structured(rows)
        ),
    )


def losses(rows: Sequence[Row]) -> Iterator[str]:
    """Sentences on the graphs where -k auto is behind, the largest loss first."""
    behind = [row for row in structured(rows) if (row.free_behind or 0) > CLOSE]
    behind.sort(key=lambda row: -(row.free_behind or 0))
    for row in behind:
        best = row.best_tool(knows=False)
        assert best is not None
        clusters = number(mean(row.tools[best[0]], "clusters"), ".0f")
        yield (
            f"- {row.case.graph.name}: {row.free_behind:.1f} points behind {TOOLS[best[0]].title} "
            f"({number(mean(row.free, 'clusters'), '.0f')} clusters, {TOOLS[best[0]].title} "
            f"{clusters}, classes {row.case.graph.classes})"
        )


def told_overview(rows: Sequence[Row]) -> list[str]:
    header = ["graph", "kind", "nodes", "edges", "k", "srgw, told k", "best that is told k"]
    header += ["best of all", "srgw is, beside all", "objective srgw / truth"]
    return tables.table(
        header,
        (
            [
                *about(row),
                str(row.case.graph.classes),
                spread(row.told, SCORE),
                best_text(row.best_tool(knows=True)),
                best_text(row.best_tool()),
                place_text(row.behind),
                objective_text(row),
            ]
            for row in structured(rows)
        ),
    )


def details(rows: Sequence[Row], field: str, digits: int) -> list[str]:
    """One figure of every contestant."""
    names = list(rows[0].tools) if rows else []
    header = ["graph", "srgw, told k", "srgw, -k auto", *(TOOLS[name].title for name in names)]
    lines = []
    for row in rows:
        results = [row.told, row.free, *(row.tools[name] for name in names)]
        lines.append([row.case.graph.name, *(spread(found, field, digits) for found in results)])
    return tables.table(header, lines)


def verdicts(rows: Sequence[Row]) -> list[str]:
    lines = []
    for row in rows:
        words = [
            {True: "communities", False: "none", None: NONE}[said]
            for said in (
                done(found)[0].get("significant") if done(found) else None
                for found in (row.told, row.free)
            )
        ]
        lines.append([row.case.graph.name, *words])
    return tables.table(["graph", "srgw, told k", "srgw, -k auto"], lines)


HOW = """\
AMI (arithmetic) in percent, mean ± standard deviation over seeds; nodes without an edge to
another node are one cluster for every tool. *told k*: the number of classes is given (srgw
may return fewer where the components are the answer). The objective is modularity at the
resolution that srgw chose, without self-loops; it is listed where srgw is behind.
"""
RECORDED = """\
Figures of other tools are means over three seeds that an earlier run has recorded, with the same
versions (`docs/results/battery.json`); `ARGS=--full` runs them again.
"""


def report(rows: Sequence[Row], recorded: bool) -> list[str]:
    others = [row for row in rows if not row.case.structured]
    parts = ["", *shares(rows), "", *([RECORDED] if recorded else []), HOW]
    parts += ["## The number of clusters is free", "", *free_overview(rows), ""]
    lost = list(losses(rows))
    if lost:
        parts += ["srgw with `-k auto` is more than one point behind on:", "", *lost, ""]
    parts += ["## The number of clusters is given", "", *told_overview(rows), ""]
    parts += ["## AMI of all", "", *details(structured(rows), SCORE, 1), ""]
    parts += ["## Modularity of all", "", *details(rows, "modularity", 4), ""]
    parts += ["## Graphs without structure", "", "Verdicts of srgw:", "", *verdicts(others), ""]
    return [*parts, "Clusters that are found:", "", *details(others, "clusters", 1), ""]


def publish(shop: running.Workshop, given: Any) -> str:
    quick = (battery_cases.quick, QUICK)
    graphs_of, plan = quick if shop.quick else (battery_cases.battery, DEFAULT)
    reads = not given.full and not given.quick and RECORD.exists()
    known = json.loads(RECORD.read_text()) if reads else []
    rows = measure(shop, graphs_of(), plan, tools_of(known))
    title = f"Partitioning: a battery of {len(rows)} graphs"
    text = shop.page("battery", title, report(rows, reads), summary(rows))
    if shop.output == ROOT / "docs" / "results":
        keep(ROOT / "docs" / "benchmarks.md", "partition", "\n".join(shares(rows)))
    return text


def summary(rows: Sequence[Row]) -> list[dict[str, Any]]:
    fields = (SCORE, "ami", "ami_connected", "ari", "modularity", "clusters", "seconds")
    return [
        {
            "graph": row.case.graph.name,
            "kind": row.case.kind,
            "classes": row.case.graph.classes,
            "behind": row.behind,
            "methods": {
                name: {field: mean(found, field) for field in fields}
                for name, found in {
                    "ours, told k": row.told,
                    "ours, auto": row.free,
                    **row.tools,
                }.items()
            },
        }
        for row in rows
    ]
