"""srgw convert --max-memory: the bytes of the usual way, in parts."""

import pathlib
import re
import resource
import subprocess

import numpy as np
import pytest
from program import BAD_INPUT, PROGRAM, run, run_json

FORMATS = ["packed", "edges", "csv", "npz"]


def write_edges(path: pathlib.Path, kind: str) -> list:
    """Edges in no order, with duplicates, reversed duplicates and self-loops."""
    rng = np.random.default_rng(6)
    nodes = 9000
    edges = rng.integers(0, nodes, (40000, 2))
    edges[:200, 1] = edges[:200, 0]
    edges[300:400] = edges[500:600]
    edges[700:800] = edges[900:1000, ::-1]
    edges[-nodes:, 0] = np.arange(nodes)
    edges[1000:3000, 0] = 17  # a hub
    if kind == "gaps":
        edges = 11 * edges + 5
    if kind.startswith("weighted"):
        weight = ((edges.sum(axis=1) % 7) + 1) / 2
        if kind == "weighted sum":
            weight = rng.integers(1, 5, len(edges)) / 2
        lines = [f"{a} {b} {w}" for (a, b), w in zip(edges, weight, strict=True)]
    else:
        lines = [f"{a} {b}" for a, b in edges]
    if kind == "directed mark":
        lines.append("#srgw directed")
    path.write_text("# a comment\n" + "\n".join(lines) + "\n")
    options = {
        "directed": ["--directed"],
        "weighted": ["--duplicates", "first"],
        "weighted sum": ["--duplicates", "sum"],
    }
    return options.get(kind, [])


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(
    "kind", ["plain", "gaps", "weighted", "weighted sum", "directed", "directed mark"]
)
def test_parts_have_the_bytes_of_the_whole(tmp_path: pathlib.Path, kind: str, form: str) -> None:
    if kind == "gaps" and form == "npz":
        pytest.skip("a matrix has no names")
    graph = tmp_path / "graph.txt"
    options = ["--to", form, *write_edges(graph, kind)]
    whole = tmp_path / "whole"
    answer = run_json("convert", graph, whole, *options)
    for limit in ("100K", "400K"):
        parts = tmp_path / f"parts{limit}"
        told = run("convert", graph, parts, *options, "--max-memory", limit, "--json")
        assert "in parts" not in told.stderr  # it was possible
        assert parts.read_bytes() == whole.read_bytes(), limit
        found = run_json("convert", graph, parts, *options, "--max-memory", limit)
        assert {**found, "file": ""} == {**answer, "file": ""}
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        ["graph.txt", "whole", "parts100K", "parts400K"]
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 2 1\n2 1 3\n", "graph.txt:2"),
        ("1 2\n3\n", "graph.txt:2"),
        ("1 2\n2 b\n", None),
    ],
)
def test_what_cannot_be_done_in_parts_is_done_as_usual(
    tmp_path: pathlib.Path, text: str, message: str | None
) -> None:
    graph, out = tmp_path / "graph.txt", tmp_path / "out.npz"
    graph.write_text(text)
    options = ["convert", graph, out, "--to", "packed", "--max-memory", 1]
    told = run(*options, expect=BAD_INPUT if message else 0).stderr
    assert "not converted in parts" in told
    assert out.exists() == (message is None)
    if message:
        assert message in told


def test_memory_does_not_grow_with_the_edges(tmp_path: pathlib.Path) -> None:
    rng = np.random.default_rng(1)

    def peak(edges: int, *options: object) -> int:
        graph = tmp_path / f"{edges}.txt"
        pairs = rng.integers(0, 20000, (edges, 2))
        graph.write_text("".join(f"{a} {b}\n" for a, b in pairs.tolist()))
        command = ["/usr/bin/time", "-v", PROGRAM, "convert", graph, tmp_path / "out", "--to"]
        told = subprocess.run(
            [*map(str, command), "packed", "-j", "1", *map(str, options)],
            capture_output=True,
            text=True,
            check=True,
        ).stderr
        return 1024 * int(re.search(r"Maximum resident set size \(kbytes\): (\d+)", told)[1])

    if not pathlib.Path("/usr/bin/time").exists():
        pytest.skip("/usr/bin/time not found")
    growth = (peak(900_000) - peak(100_000)) / 800_000
    in_parts = (peak(900_000, "--max-memory", "4M") - peak(100_000, "--max-memory", "4M")) / 800_000
    assert in_parts < growth / 3


def test_few_files_may_be_open(tmp_path: pathlib.Path) -> None:
    graph, whole, parts = (tmp_path / name for name in ("graph.txt", "whole", "parts"))
    write_edges(graph, "gaps")  # 97 blocks of ids
    run("convert", graph, whole, "--to", "packed")
    for files in (40, 12):
        subprocess.run(
            [PROGRAM, "convert", graph, parts, "--to", "packed", "--max-memory", "1", "-q"],
            check=True,
            preexec_fn=lambda n=files: resource.setrlimit(resource.RLIMIT_NOFILE, (n, n)),
        )
        assert parts.read_bytes() == whole.read_bytes()
