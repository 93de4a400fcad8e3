"""docs/results/partition.md and .json from what paper.py measured."""

import json
import pathlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import grid
import tables
from common import PACKAGES, machine, seconds_text
from other_tools import TOOLS
from record import Result, Store
from tables import NONE, mean, median, spread

PRINTED = json.loads(pathlib.Path(__file__).with_name("printed.json").read_text())
PRINTED_NAMES = {"louvain": "Louvain", "infomap": "InfoMap", "greedy": "FastGreedy"}
PRINTED_NAMES |= {"kmeans": "k-means"}
JUDGES = {"modularity": "by modularity", "ami": "oracle"}

INTRODUCTION = """\
# The paper's partition tables

Written by `make paper-partition`; not by hand. {machine}

{seeds} seeds, mean ± standard deviation; AMI (arithmetic) and ARI in percent. `_asym`: the directed
graph; `_sym`: the union of both directions. All get the true number of clusters, except tools that
choose it themselves.

- *default* is `srgw partition GRAPH -k K`, which makes directed graphs undirected.
- *by modularity*: t, b, c and ε are those with the highest modularity, without labels.
  *oracle*: those with the highest AMI, which needs labels; the paper's figures are *printed*.
- The search goes in three steps: t, c, ε and the start with uniform weights and the first seed; b
  at the best of these (with `--full` at all of them); the best for each kind of weights with all
  seeds. ε is relative to the gradient.
- c is the scale of the target c I, which is 1 in the paper.
- A run keeps the lowest value of three starts: k-means of the rows, as in the paper, or spectral.
  On adjacency matrices the choice between these two matters more than b, c or ε.
- GWL and SpecGWL are too good here. The files are sorted by class, and transport breaks ties by the
  order of nodes; [in random order](partition-literal.md) GWL is close to the printed figures. The
  default of `srgw partition` does not change when the nodes are shuffled.
- Seconds are those of one run without reading the file, for ours on all cores unless the row says
  otherwise, for other tools with the graph in memory; the tuning of a resolution counts.

![AMI of the methods](partition-ami.svg)
"""


@dataclass(frozen=True)
class Choice:
    """The settings of a method that were run with all seeds."""

    runs: grid.Runs

    def by(self, judge: str, weights: str | None = None) -> tuple[str, list[Result]]:
        """Setting and results; the first setting where all failed."""
        group = {s: r for s, r in self.runs.items() if weights in (None, s.weights)}
        if not group:
            return NONE, []
        setting = grid.best(group, judge) or next(iter(group))
        return setting.text(), group[setting]


@dataclass(frozen=True)
class Measured:
    """A column."""

    column: str
    default: list[Result]
    one_core: list[Result]
    plain: list[Result]  # srGW on the adjacency onto I, uniform weights, one core
    selected: dict[str, list[Result]]  # by the program's own --select
    families: dict[str, Choice]
    tools: dict[str, list[Result]]


@dataclass(frozen=True)
class Line:
    """A row of the tables: a name and the results in each column."""

    title: str
    results: dict[str, list[Result]]
    printed: str | None = None  # the paper's name


def lines(found: Sequence[Measured]) -> Iterator[Line]:
    yield Line("**default**", {one.column: one.default for one in found})
    for name in found[0].families:
        for judge, word in JUDGES.items():
            results = {one.column: one.families[name].by(judge)[1] for one in found}
            yield Line(f"{name}, {word}", results, name)
    for name in found[0].selected:
        results = {one.column: one.selected[name] for one in found}
        yield Line(f"{name}, `--select modularity`", results)
    for name in TOOLS:
        results = {one.column: one.tools[name] for one in found if name in one.tools}
        if results:
            yield Line(TOOLS[name].title, results, PRINTED_NAMES.get(name))


def printed(table: str, name: str, column: str) -> Any:
    return PRINTED[table].get(name, {}).get(column)


def figures(
    found: Sequence[Measured], text: Callable[[list[Result]], str], table: str | None
) -> list[str]:
    """A table of all lines, with a row of printed figures before those that the paper has."""
    names = [one.column for one in found]
    rows, seen = [], set()
    for line in lines(found):
        if table and line.printed and line.printed not in seen:
            seen.add(line.printed)
            values = [printed(table, line.printed, name) for name in names]
            rows.append([f"*{line.printed}, printed*", *(number_or_none(v) for v in values)])
        rows.append([line.title, *(text(line.results.get(name, [])) for name in names)])
    return tables.table(["", *names], rows)


def number_or_none(value: float | None) -> str:
    return NONE if value is None else f"*{value:.2f}*"


def time_text(results: list[Result]) -> str:
    value = median(results, "seconds")
    return tables.trouble(results) if value is None else seconds_text(value)


def ablation(found: Sequence[Measured]) -> list[str]:
    rows = []
    for name in found[0].families:
        for kind in ("unif", "deg", "inter"):
            values = [(printed("ablation", name, one.column) or {}).get(kind) for one in found]
            rows.append([f"*{name}, {kind}, printed*", *(number_or_none(v) for v in values)])
            for judge, word in JUDGES.items():
                results = [one.families[name].by(judge, kind)[1] for one in found]
                rows.append([f"{name}, {kind}, {word}", *(spread(r, "ami") for r in results)])
    return tables.table(["", *(one.column for one in found)], rows)


def settings(found: Sequence[Measured]) -> list[str]:
    rows = []
    for name in found[0].families:
        for judge, word in JUDGES.items():
            texts = [one.families[name].by(judge)[0] for one in found]
            rows.append([f"{name}, {word}", *texts])
    return tables.table(["", *(one.column for one in found)], rows)


def highlights(found: Sequence[Measured]) -> Iterator[list[str]]:
    """Rows: experiment, result of srgw, printed value."""
    for one in found:
        ami = mean(one.default, "ami")
        if ami is not None:
            best = [printed("ami", name, one.column) for name in one.families]
            known = [value for value in best if value is not None]
            theirs = f"{max(known):g} (best method)" if known else tables.NONE
            yield [f"default, {one.column}: AMI", f"{ami:.2f}", theirs]
    for one in found:
        yield from times_of(one)
    for one in found:
        yield from methods_of(one)


def times_of(one: Measured) -> Iterator[list[str]]:
    seconds = median(one.one_core, "seconds")
    if seconds is not None:
        yield [f"default, {one.column}, one core: time", seconds_text(seconds), tables.NONE]
    seconds, theirs = median(one.plain, "seconds"), printed("seconds", "srGW", one.column)
    if seconds is not None and theirs is not None:
        work = f"one run of plain srGW, {one.column}, one core: time"
        yield [work, seconds_text(seconds), f"{theirs:g} s ({theirs / seconds:.0f}x)"]


def methods_of(one: Measured) -> Iterator[list[str]]:
    for name, choice in one.families.items():
        theirs = printed("ami", name, one.column)
        ours = [mean(choice.by(judge)[1], "ami") for judge in JUDGES]
        if theirs is None:
            continue
        work = f"{name}, {one.column}: AMI by modularity (oracle)"
        yield [work, "{} ({})".format(*(tables.number(value) for value in ours)), f"{theirs:g}"]


def document(found: Sequence[Measured], store: Store, seeds: Sequence[int]) -> str:
    parts = [INTRODUCTION.format(machine=machine(*PACKAGES), seeds=len(seeds))]

    def section(title: str, body: list[str], remark: str = "") -> None:
        parts.append("\n".join([f"## {title}", "", *([remark, ""] if remark else []), *body, ""]))

    section("Summary", tables.table(["", "srgw", "printed"], highlights(found)))
    section("AMI", figures(found, lambda results: spread(results, "ami"), "ami"))
    remark = "On nodes that have an edge to another node."
    connected = figures(found, lambda results: spread(results, "ami_connected"), None)
    section("AMI without isolated nodes", connected, remark)
    section("ARI", figures(found, lambda results: spread(results, "ari"), "ari"))
    section("Clusters", figures(found, lambda results: spread(results, "clusters"), None))
    section("Seconds", figures(found, time_text, "seconds"), "Medians.")
    section("Ablation of the exponent b of the weights (AMI)", ablation(found))
    section("Settings that were chosen", settings(found))
    notes = [f"- {x['method']}, {x['column']}: {x['note']}" for x in PRINTED["doubtful"]]
    section("Printed figures in doubt", notes)
    troubles = tables.failures(store.entries())
    if troubles:
        section("Failed cells", troubles)
    return "\n".join(parts)


def summary(found: Sequence[Measured]) -> list[dict[str, Any]]:
    """A row for each line and column."""
    fields = ("ami", "ami_grouped", "ami_connected", "ari", "modularity", "clusters")
    rows: list[dict[str, Any]] = []
    for line in lines(found):
        for column, results in line.results.items():
            row: dict[str, Any] = {"method": line.title.strip("*"), "column": column}
            row |= {name: mean(results, name) for name in fields}
            row |= {name: median(results, name) for name in ("seconds", "wall")}
            rows.append(row | {"runs": len(tables.done(results))})
    return rows
