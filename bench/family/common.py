"""Tables, folders and measurements of the benchmarks of this folder."""

import json
import os
import pathlib
import resource
import subprocess
import time
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parents[2]


def data_folder() -> pathlib.Path:
    return pathlib.Path(os.environ.get("SRGW_DATA_DIR", ROOT.parent / "shared" / "data"))


class Table:
    """Rows of a Markdown table."""

    def __init__(self, columns: list[str]) -> None:
        self.rows = [columns, ["---"] * len(columns)]

    def add(self, *cells: Any) -> None:
        self.rows.append([str(cell) for cell in cells])
        print("  ".join(self.rows[-1]), flush=True)

    def lines(self) -> list[str]:
        return ["| " + " | ".join(row) + " |" for row in self.rows]


def measure(command: list[Any]) -> dict[str, Any]:
    """The JSON of a command, with its wall time and the memory of the largest child so far."""
    begin = time.perf_counter()
    done = subprocess.run(
        [*map(str, command), "--json"], check=True, capture_output=True, text=True
    )
    found: dict[str, Any] = json.loads(done.stdout)
    found["wall"] = time.perf_counter() - begin
    found["bytes"] = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    return found
