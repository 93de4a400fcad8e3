"""Part one of the battery: what each contestant finds on graphs whose classes are known."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import contest
import graphs
import record
import running
import tables
from cases import Case
from common import verdict
from contest import OURS, Entry
from other_tools import TOOLS
from record import Result
from tables import NONE, done, mean, number, spread

SCORE = "ami_grouped"
CLOSE, FAR, SHARE = 1.0, 5.0, 0.85  # points of AMI; share of the graphs


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
        """Of those that are told the number of clusters, or are not, or of all."""
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
    def excused(self) -> bool:
        """Our objective prefers what was found to the true classes, for every seed."""
        found = [one for one in done(self.told) if "objective" in one]
        return bool(found) and all(one["objective_of_truth"] < one["objective"] for one in found)

    @property
    def called_structureless(self) -> bool:
        """By every run; one that failed has said nothing."""
        return all(one.get("significant") is False for one in [*self.told, *self.free])


ToolResults = dict[str, list[Result]]  # by name


def tools_of(recorded: Iterable[dict[str, Any]]) -> dict[str, ToolResults]:
    """Of each graph, from what summary() has written: means, as of one run."""

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

        def hold(entry: Entry, place: graphs.Place = place) -> list[Result]:
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


def checks(rows: Sequence[Row]) -> Iterator[list[str]]:
    graphs_with_classes = structured(rows)
    for title, values in (
        ("told k, against all other tools", [row.behind for row in graphs_with_classes]),
        ("told k, against tools that are told", [row.told_behind for row in graphs_with_classes]),
        ("-k auto, against tools that choose k", [row.free_behind for row in graphs_with_classes]),
    ):
        near = sum(value is not None and value <= CLOSE for value in values)
        share = near / max(1, len(values))
        work = f"battery, {title}: first or within {CLOSE:g} point of AMI"
        target = f"≥ {SHARE:.0%}" if title.endswith("all other tools") else ""
        judged = verdict(share >= SHARE) if target else ""
        yield [work, f"{near} of {len(values)} ({share:.0%})", target, judged]
    far = [row for row in graphs_with_classes if row.behind is None or row.behind > FAR]
    bad = [row.case.graph.name for row in far if not row.excused]
    reached = (
        f"{len(far)}, of which {len(bad)} where the true classes score higher in our objective"
    )
    names = f": {', '.join(bad)}" if bad else ""
    work = f"battery: more than {FAR:g} points behind the best other tool"
    yield [work, reached + names, "none of the latter", verdict(not bad)]
    others = [row for row in rows if not row.case.structured]
    called = sum(row.called_structureless for row in others)
    yield [
        "random graphs called structureless",
        f"{called} of {len(others)}",
        "all",
        verdict(called == len(others)),
    ]


def best_text(best: tuple[str, float] | None) -> str:
    return NONE if best is None else f"{best[1]:.1f} {best[0]}"


def place_text(row: Row) -> str:
    if row.behind is None:
        return NONE
    if row.behind <= 0:
        return "first"
    return "within 1" if row.behind <= CLOSE else f"**{row.behind:.1f} behind**"


def objective_text(row: Row) -> str:
    """Only where there is something to explain."""
    if row.behind is None or row.behind <= CLOSE:
        return ""
    values = [mean(row.told, name) for name in ("objective", "objective_of_truth")]
    return " / ".join(number(value, ".4f") for value in values)


def overview(rows: Sequence[Row]) -> list[str]:
    header = ["graph", "kind", "nodes", "edges", "k", "ours, told k", "", "best told k"]
    header += ["best that chooses k", "ours, -k auto", "clusters", "objective ours / truth"]
    lines = []
    for row in structured(rows):
        graph = row.case.graph
        lines.append(
            [
                graph.name,
                row.case.kind,
                f"{graph.nodes:,}",
                f"{len(graph.edges):,}",
                str(graph.classes),
                spread(row.told, SCORE),
                place_text(row),
                best_text(row.best_tool(knows=True)),
                best_text(row.best_tool(knows=False)),
                spread(row.free, SCORE),
                number(mean(row.free, "clusters"), ".0f"),
                objective_text(row),
            ]
        )
    return tables.table(header, lines)


def details(rows: Sequence[Row], field: str, digits: int) -> list[str]:
    """One figure of every contestant."""
    names = list(rows[0].tools) if rows else []
    header = ["graph", "ours, told k", "ours, -k auto", *(TOOLS[name].title for name in names)]
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
    return tables.table(["graph", "ours, told k", "ours, -k auto"], lines)


HOW = """\
AMI (arithmetic) in percent, mean ± standard deviation over seeds; nodes without an edge to
another node are one cluster for every contestant. *told k*: the number of classes is given (to ours
as an upper bound). The objective is modularity at the resolution that ours chose, without
self-loops; it is listed where ours is behind.
"""


def report(rows: Sequence[Row]) -> list[str]:
    others = [row for row in rows if not row.case.structured]
    parts = [f"## Quality on {len(rows)} graphs", "", HOW, *overview(rows), ""]
    parts += ["### AMI of all", "", *details(structured(rows), SCORE, 1), ""]
    parts += ["### Modularity of all", "", *details(rows, "modularity", 4), ""]
    parts += ["### Graphs without structure", "", "What ours says:", "", *verdicts(others), ""]
    return [*parts, "Clusters that are found:", "", *details(others, "clusters", 1), ""]


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
