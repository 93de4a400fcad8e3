"""One large graph on MPI ranks: the rows of bench/ranks.py about partition."""

import json
import os
import pathlib
import re
import subprocess
import time
from collections.abc import Callable

Row = tuple[str, str, str, bool]
OPTIONS = ["-k", "15", "--starts", "1", "-j", "1", "--json", "--start"]


def make_graph(program: pathlib.Path, work: pathlib.Path, nodes: int) -> pathlib.Path:
    """A planted graph, a list of 12.5 edges for each node; blocks are consecutive ids."""
    graph = work / f"planted{nodes}.txt"
    command = [program, "generate", "planted", "--nodes", str(nodes), "--blocks", "15"]
    subprocess.run([*command, "--degree", "25", "--seed", "1", "-q", "-o", graph], check=True)
    return graph


def answer_of(command: list[str], environment: dict[str, str]) -> dict:
    """The object that --json prints."""
    done = subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True, env=os.environ | environment
    )
    return json.loads(done.stdout)


def peak_of(command: list[str]) -> int:
    """The largest resident set of one process, in bytes."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        status, peak = pathlib.Path(f"/proc/{process.pid}/status"), 0
        while process.poll() is None:
            found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text())
            peak = max(peak, int(found[1]) * 1024 if found else 0)
            time.sleep(0.002)
    return peak


def modelled(answer: dict, estimate: dict) -> list[float]:
    """Bytes of each iteration by the model, from the labels that were sent: with a position each,
    or all of them without where that is less."""
    copies = answer["ranks"]["copies"]
    with_position = estimate["traffic_changed_label"]
    return [
        estimate["traffic_iteration"]
        + min(step["labels"] * with_position, max(step["labels"], copies) * (with_position - 4))
        for step in answer["ranks"]["iterations"]
    ]


def partition_rows(
    program: pathlib.Path,
    plain: pathlib.Path,
    work: pathlib.Path,
    nodes: int,
    on_ranks: Callable[..., list[str]],
    environment: dict[str, str],
    median_seconds: Callable[..., list[float]],
) -> list[Row]:
    """Two ranks against one, one against none, memory of four, traffic against its model."""
    graph = make_graph(program, work, nodes)
    files = [work / f"partition{r}.tsv" for r in range(5)]

    def command(ranks: int, start: str = "split-merge") -> list[str]:
        what = plain if ranks == 0 else program
        return on_ranks(ranks, what, "partition", graph, "-o", files[ranks], *OPTIONS, start)

    none, one, two = median_seconds(5, command(0), command(1), command(2))
    four = answer_of(command(4), environment)
    assert len({files[ranks].read_bytes() for ranks in (0, 1, 2, 4)}) == 1
    alone = peak_of(command(0))
    share = four["ranks"]["memory"] / alone
    estimate = answer_of([str(program), "estimate", "--ranks", "4", *command(0)[1:]], {})
    predicted = estimate["bytes"] / four["ranks"]["memory"]
    start = estimate["traffic_start"] / four["ranks"]["bytes"]
    # The search leaves little to do; from random labels there are iterations to look at.
    wandering = answer_of(command(4, "random-labels"), environment)
    sent = sum(step["bytes"] for step in wandering["ranks"]["iterations"])
    model = sum(modelled(wandering, estimate))
    return [
        (
            f"partition of {nodes:,} nodes, two ranks of one thread against one",
            "≥ 1.5 times",
            f"{one / two:.2f} times ({one:.1f} s, {two:.1f} s)",
            one / two >= 1.5,
        ),
        (
            "the same, one rank against no mpirun",
            "≤ 5 % slower",
            f"{100 * (one / none - 1):+.1f} % ({none:.1f} s)",
            one / none <= 1.05,
        ),
        (
            "memory of the largest of four ranks",
            "≤ 40 % of one process",
            f"{100 * share:.0f} % ({four['ranks']['memory'] / 1e6:.0f} of {alone / 1e6:.0f} MB)",
            share <= 0.4,
        ),
        (
            "traffic of the iterations on four ranks by the model",
            "within 20 %",
            f"{100 * (model / sent - 1):+.0f} % ({sent / 1e3:.0f} kB)",
            abs(model / sent - 1) <= 0.2,
        ),
        (
            "memory and traffic of the start by `estimate --ranks 4`",
            "told",
            f"{100 * (predicted - 1):+.0f} %, {100 * (start - 1):+.0f} %",
            True,
        ),
    ]
