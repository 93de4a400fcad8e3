#!/usr/bin/env python3
"""Measures us against POT and against the memory of this machine; prints and keeps the table.

Usage: make bench-peers, or bench/peers/run.py [--quick] [--only WORDS]
Both sides start at the same plan and stop by POT's rule. Our programs come from the build that
SRGW_BUILD_DIR names (by default build/bench), datasets from SRGW_DATA_DIR.
"""

import argparse
import pathlib
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import inputs
import large
import package
import reading
from comparison import Comparison, Projected, Rule, Steps, compare, compare_transport
from place import ROOT
from report import growth_exponent, keep, machine, seconds_text

DOCUMENT = ROOT / "docs" / "benchmarks.md"

STRICT = Rule(1e-9, 1e-9)
LOOSE = Rule(1e-5, 1e-15)  # as in dictionary learning: the relative change decides
ALL_THREADS = None


@dataclass(frozen=True)
class Sizes:
    planted: tuple[int, ...] = (2000, 4000)
    dense: int = 2000
    entropic: int = 1000
    kernel: int = 1_000_000
    graphs: int | None = None  # of a dataset; None: all
    large: int = 1_000_000
    columns: tuple[int, int] = (15, 1000)
    growth: tuple[int, ...] = (10_000, 30_000, 100_000, 300_000)  # and then `large`
    transport: tuple[tuple[int, int], ...] = ((500, 500), (1000, 1000), (2000, 15))
    balanced: tuple[int, ...] = (100, 200, 500)
    balanced_entropic: int = 500
    read: int = 1_000_000  # nodes; there are 12.5 lines for each
    batch: int = 1000  # graphs in one call from Python
    partition: int = 1_000_000  # nodes of a SciPy matrix
    rounds: int = 3
    planted_rounds: int = 1  # POT takes minutes for each
    repeats: int = 5


QUICK = Sizes(
    planted=(200,),
    dense=150,
    entropic=100,
    kernel=20_000,
    graphs=20,
    large=20_000,
    columns=(15, 100),
    growth=(5_000, 10_000),
    transport=((50, 50), (60, 60), (80, 10)),
    balanced=(20, 30, 40),
    balanced_entropic=30,
    read=2_000,
    batch=20,
    partition=3_000,
    rounds=1,
    repeats=1,
)


@dataclass(frozen=True)
class Row:
    work: str
    ours: str
    peer: str
    result: str
    remark: str

    def markdown(self) -> str:
        cells = [self.work, self.ours, self.peer, self.result, self.remark]
        return "| " + " | ".join(cells) + " |"


HEADER = ["| work | srgw | peer | result | remark |", "|---|---|---|---|---|"]


def peer_row(work: str, result: Comparison, tolerance: float, remark: str) -> Row:
    """A remark says where the values of POT are better."""
    if not result.as_good(tolerance):
        remark = f"POT ends lower; {remark}"
    return Row(
        work=work,
        ours=seconds_text(result.our_seconds),
        peer=seconds_text(result.pot_seconds),
        result=f"{result.ratio:.0f}x" if result.ratio >= 10 else f"{result.ratio:.1f}x",
        remark=remark,
    )


def value_remark(result: Comparison) -> str:
    return (
        f"value {result.our_values[0]:.9g} in {result.our_iterations} iterations, "
        f"POT {result.pot_values[0]:.9g} in {result.pot_iterations}"
    )


def mean_remark(result: Comparison) -> str:
    return (
        f"mean value {result.our_values.mean():.7g}, POT {result.pot_values.mean():.7g}; "
        f"above POT on {result.graphs_above} of {len(result.our_values)} graphs"
    )


def planted_rows(sizes: Sizes) -> Iterator[Row]:
    for nodes in sizes.planted:
        problem = inputs.planted_problem(nodes)
        result = compare([problem], STRICT, [ALL_THREADS], sizes.planted_rounds, sizes.repeats)
        work = f"planted graph, n = {nodes:,}, m = 15, adjacency onto identity, random labels"
        yield peer_row(work, result, 1e-6, value_remark(result))


def dataset_row(name: str, size: int, alpha: float, sizes: Sizes) -> Row:
    graphs = inputs.read_tud(name)[: sizes.graphs]
    atom = inputs.learn_atom(graphs, size, alpha)
    problems = [inputs.onto_atom(graph, atom, alpha) for graph in graphs]
    result = compare(problems, LOOSE, [1, ALL_THREADS], sizes.rounds, sizes.repeats)
    kind = "" if alpha == 1 else f" fused, alpha {alpha:g},"
    work = f"{len(graphs):,} graphs of {name}{kind} onto a {size}-node atom, product start"
    return peer_row(work, result, 1e-4, mean_remark(result))


def dataset_rows(sizes: Sizes) -> Iterator[Row]:
    yield dataset_row("IMDB-BINARY", 30, 1.0, sizes)
    yield dataset_row("MUTAG", 20, 0.5, sizes)


def dense_rows(sizes: Sizes) -> Iterator[Row]:
    for identity in (False, True):
        problem = inputs.kernel_problem(sizes.dense, identity)
        result = compare([problem], STRICT, [ALL_THREADS], sizes.rounds, sizes.repeats)
        onto = "the identity" if identity else "a dense symmetric target"
        work = f"dense symmetric matrix, n = {sizes.dense:,}, m = 15, onto {onto}"
        yield peer_row(work, result, 1e-6, value_remark(result))


def entropic_rows(sizes: Sizes) -> Iterator[Row]:
    problem = inputs.soft_planted_problem(sizes.entropic)
    result = compare([problem], Steps(0.005, 100), [ALL_THREADS], sizes.rounds, sizes.repeats)
    work = f"mirror descent, planted graph, n = {sizes.entropic:,}, m = 15, 100 steps"
    yield peer_row(work, result, 1e-6, value_remark(result))


def kernel_rows(sizes: Sizes) -> Iterator[Row]:
    problem = inputs.heat_problem(sizes.dense)
    result = compare([problem], STRICT, [ALL_THREADS], sizes.rounds, sizes.repeats)
    work = f"dense heat kernel, t = 5, n = {sizes.dense:,}, m = 15"
    yield peer_row(work, result, 1e-6, value_remark(result))
    yield implicit_row(large.run_kernel(sizes.kernel, 15, 5))


def implicit_row(run: large.KernelRun) -> Row:
    gigabytes = run.bytes_beyond_graph / 1e9
    return Row(
        work=f"implicit heat kernel, t = 5, n = {run.nodes:,}, m = 15, ten iterations",
        ours=seconds_text(run.seconds),
        peer="",
        result=f"{gigabytes:.2f} GB beyond the graph",
        remark=(
            f"a product takes {seconds_text(run.product_seconds)} = "
            f"{run.product_seconds / run.walk_seconds:.1f} sparse products; degree {run.degree}"
        ),
    )


def transport_rows(sizes: Sizes) -> Iterator[Row]:
    for rows, columns in sizes.transport:
        cost, a, b = inputs.transport_input(rows, columns)
        result = compare_transport(cost, a, b, sizes.rounds, sizes.repeats)
        work = f"exact transport, {rows:,} x {columns:,}, squared distances, random masses"
        remark = f"cost {result.our_values[0]:.9g}, POT {result.pot_values[0]:.9g}; one thread each"
        yield peer_row(work, result, 1e-9, remark)


def balanced_rows(sizes: Sizes) -> Iterator[Row]:
    for nodes in sizes.balanced:
        problem = inputs.balanced_problem(nodes)
        result = compare([problem], STRICT, [1], sizes.rounds, sizes.repeats)
        work = f"GW by conditional gradient, distances in the plane, n = m = {nodes}"
        yield peer_row(work, result, 1e-6, value_remark(result))
    nodes = sizes.balanced_entropic
    problem = inputs.balanced_problem(nodes, entropy=0.01)
    result = compare([problem], Projected(), [1], 1, 1)
    work = f"entropic GW, projected mirror descent, epsilon 0.01, n = m = {nodes}"
    yield peer_row(work, result, 1e-4, value_remark(result))


def copies_row(work: str, run: large.LargeRun, copies: float) -> Row:
    return Row(
        work=work,
        ours=seconds_text(copies * run.copy_seconds),
        peer=f"{seconds_text(run.copy_seconds)} (copy)",
        result=f"{copies:.2f} copies",
        remark=f"{run.entries:,} entries; first iteration {run.first_iteration:.1f} copies",
    )


def memory_row(work: str, run: large.LargeRun) -> Row:
    gigabytes = run.bytes_beyond_graph / 1e9
    return Row(
        work=f"{work}: peak memory beyond the graph",
        ours=f"{gigabytes:.2f} GB",
        peer="",
        result=f"{gigabytes:.2f} GB",
        remark=f"{run.iterations} iterations in {seconds_text(run.seconds)}, gap {run.gap:.2g}",
    )


def large_rows(sizes: Sizes) -> Iterator[Row]:
    few, many = (large.median_run(sizes.large, columns, sizes.rounds) for columns in sizes.columns)
    work = f"modularity structure, n = {sizes.large:,}, m = {few.columns}"
    yield copies_row(f"{work}: a pass over every row", few, few.full_pass)
    yield copies_row(f"{work}: median iteration", few, few.median_iteration)
    yield memory_row(work, few)
    yield columns_row(few, many)
    yield memory_row(work.replace(f"m = {few.columns}", f"m = {many.columns:,}"), many)
    smaller = [large.median_run(n, few.columns, sizes.rounds) for n in sizes.growth]
    yield growth_row([*smaller, few])


def columns_row(few: large.LargeRun, many: large.LargeRun) -> Row:
    ratio = many.seconds / few.seconds
    per_iteration = many.median_seconds / few.median_seconds
    return Row(
        work=f"same, m = {many.columns:,} against m = {few.columns}: whole run",
        ours=seconds_text(many.seconds),
        peer=f"{seconds_text(few.seconds)} (m = {few.columns})",
        result=f"{ratio:.2f}x",
        remark=f"{many.iterations} iterations against {few.iterations}; each {per_iteration:.2f}x",
    )


def growth_row(runs: list[large.LargeRun]) -> Row:
    exponent = growth_exponent([(one.nodes, one.median_seconds) for one in runs])
    times = ", ".join(seconds_text(one.median_seconds) for one in runs)
    return Row(
        work=f"growth from n = {runs[0].nodes:,} to {runs[-1].nodes:,}: time per iteration",
        ours=times,
        peer="",
        result=f"exponent {exponent:.2f}",
        remark="n = " + ", ".join(f"{one.nodes:,}" for one in runs),
    )


def read_rows(sizes: Sizes) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "edges.tsv"
        reading.make_file(path, sizes.read)
        run = reading.run(path, sizes.rounds)
    work = f"edge list of {run.lines:,} lines read into compressed rows"
    size = f"{run.file_bytes / 1e6:.0f} MB of text"
    for peer, seconds in (
        ("NetworKit", run.networkit_seconds),
        ("pandas + SciPy", run.pandas_seconds),
    ):
        ratio = seconds / run.seconds
        yield Row(
            work=work,
            ours=seconds_text(run.seconds),
            peer=f"{seconds_text(seconds)} ({peer})",
            result=f"{ratio:.1f}x",
            remark=size,
        )
    ratio = run.peak_bytes / run.csr_bytes
    yield Row(
        work=f"{work}: peak memory without the mapped file",
        ours=f"{run.peak_bytes / 1e6:.0f} MB",
        peer=f"{run.csr_bytes / 1e6:.0f} MB (the rows)",
        result=f"{ratio:.2f}x",
        remark=size,
    )


def python_rows(sizes: Sizes) -> Iterator[Row]:
    """Import time and size of the installed package; `make bench-peers` installs the release."""
    seconds = package.import_seconds(max(sizes.rounds, 3))
    yield Row(
        work="import srgw, above NumPy",
        ours=seconds_text(seconds),
        peer="",
        result=seconds_text(seconds),
        remark="median of fresh processes",
    )
    outside, inside = package.call_seconds()
    yield Row(
        work="one call from Python, n = 20, m = 5",
        ours=seconds_text(outside),
        peer=f"{seconds_text(inside)} (C++)",
        result=f"{seconds_text(outside - inside)} more",
        remark="least of many; the same solve in C++ has its workspace ready",
    )
    one, two = (package.batch_seconds(sizes.batch, n, max(sizes.rounds, 3)) for n in (1, 2))
    yield Row(
        work=f"solve_all of {sizes.batch:,} graphs of 20 to 60 nodes, m = 10, two threads",
        ours=seconds_text(two),
        peer=f"{seconds_text(one)} (one thread)",
        result=f"{one / two:.2f}x",
        remark="",
    )
    yield memory_of_partition_row(sizes.partition)


def memory_of_partition_row(nodes: int) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        python, program = package.partition_costs(nodes, pathlib.Path(folder))
    ratio = python.peak_bytes / program.peak_bytes
    return Row(
        work=f"SRGWPartition of a SciPy matrix, n = {nodes:,}: peak memory",
        ours=f"{python.peak_bytes / 1e9:.2f} GB",
        peer=f"{program.peak_bytes / 1e9:.2f} GB (srgw partition)",
        result=f"{ratio:.2f}x",
        remark=f"{seconds_text(python.seconds)}, program {seconds_text(program.seconds)}",
    )


SECTIONS: dict[str, Callable[[Sizes], Iterator[Row]]] = {
    "planted": planted_rows,
    "datasets": dataset_rows,
    "dense": dense_rows,
    "entropic": entropic_rows,
    "kernel": kernel_rows,
    "transport": transport_rows,
    "balanced": balanced_rows,
    "large": large_rows,
    "read": read_rows,
    "python": python_rows,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="tiny sizes; keeps nothing")
    parser.add_argument("--only", choices=SECTIONS, help="one part of the table; keeps nothing")
    arguments = parser.parse_args()
    lines = [machine("numpy", "POT"), "", *HEADER]
    print("\n".join(lines), flush=True)
    for name, rows in SECTIONS.items():
        if arguments.only not in (None, name):
            continue
        for row in rows(QUICK if arguments.quick else Sizes()):
            lines.append(row.markdown())
            print(lines[-1], flush=True)
    if not arguments.quick and not arguments.only:
        keep(DOCUMENT, "peers", "\n".join(lines))


if __name__ == "__main__":
    main()
