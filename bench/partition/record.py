"""Results of cells, a JSON line for each, so that a run can go on where another one stopped.

A cell is a dictionary that says what was run: graph, method, options, seed. Its result has a
`status`: "done"; "over", stopped at the time limit; or "failed", which is tried again.
"""

import json
import pathlib
import threading
from collections.abc import Callable
from typing import Any

Cell = dict[str, Any]
Result = dict[str, Any]


def key(cell: Cell) -> str:
    return json.dumps(cell, sort_keys=True)


def over(limit: float) -> Result:
    return {"status": "over", "message": f"over {limit:g} s"}


def failed(message: str) -> Result:
    return {"status": "failed", "message": message}


class Store:
    """Keeps results in a file, or without one only in memory. Threads may share it."""

    def __init__(self, path: pathlib.Path | None, anew: bool = False) -> None:
        self.path = path
        self.results: dict[str, Result] = {}
        self.computed = 0
        self._lock = threading.Lock()
        if path is None:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        if anew:
            path.unlink(missing_ok=True)
        elif path.exists():
            self._read(path)

    def _read(self, path: pathlib.Path) -> None:
        for line in path.read_text().splitlines():
            try:
                entry = json.loads(line)
            except json.JSONDecodeError:  # the run was stopped while it wrote this one
                continue
            self.results[key(entry["cell"])] = entry["result"]

    def finished(self, cell: Cell) -> bool:
        return self.results.get(key(cell), {}).get("status") in ("done", "over")

    def get(self, cell: Cell) -> Result:
        return self.results[key(cell)]

    def put(self, cell: Cell, result: Result) -> Result:
        with self._lock:
            self.results[key(cell)] = result
            self.computed += 1
            if self.path is not None:
                with self.path.open("a") as file:
                    file.write(json.dumps({"cell": cell, "result": result}) + "\n")
        return result

    def drop(self, unwanted: Callable[[Cell], bool]) -> int:
        """Forgets cells; how many there were."""
        kept = {k: found for k, found in self.results.items() if not unwanted(json.loads(k))}
        count = len(self.results) - len(kept)
        self.results = kept
        if self.path is not None and count > 0:
            lines = [json.dumps({"cell": json.loads(k), "result": v}) for k, v in kept.items()]
            self.path.write_text("".join(line + "\n" for line in lines))
        return count

    def entries(self) -> list[dict[str, Any]]:
        return [{"cell": json.loads(text), **found} for text, found in self.results.items()]
