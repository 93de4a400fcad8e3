"""The benchmark against peers runs, in small, and keeps its table where it should."""

import pathlib
import subprocess
import sys

import inputs
import pytest
import report
import run


def test_quick_run_prints_every_row() -> None:
    if not inputs.tud_folder("MUTAG").exists():
        pytest.skip(f"shared data not found: {inputs.tud_folder('MUTAG')}")
    command = [sys.executable, run.__file__, "--quick"]
    answer = subprocess.run(command, check=True, capture_output=True, text=True)
    table = [line for line in answer.stdout.splitlines() if line.startswith("|")]
    assert len(table) == len(run.HEADER) + 28
    assert {line.count("|") for line in table} == {6}


def test_result_replaces_the_former_one(tmp_path: pathlib.Path) -> None:
    document = tmp_path / "benchmarks.md"
    document.write_text("before\n<!-- a: begin -->\nold\n<!-- a: end -->\nafter\n")
    report.keep(document, "a", "new")
    assert document.read_text() == "before\n<!-- a: begin -->\nnew\n<!-- a: end -->\nafter\n"
