#!/usr/bin/env python3
"""Runs POT's own tests of its Gromov functions twice: as they are, and with ours in their place.

    .venv/bin/python scripts/pot_tests.py FOLDER [option of pytest]...

FOLDER is a checkout of https://github.com/PythonOT/POT. Prints the tests that fail with our
functions and pass with POT's, and how many pass with both. Backends are those that are installed.
"""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
import tempfile
from typing import Any

FILES = ("gromov/test_gw.py", "gromov/test_bregman.py", "gromov/test_semirelaxed.py")
FILES += ("gromov/test_dictionary.py", "gromov/test_utils.py", "test_gnn.py")


def pytest_configure(config: Any) -> None:
    """As a plugin: puts our functions in the place of POT's."""
    if not os.environ.get("SRGW_IN_POT"):
        return
    import ot
    import srgw

    names = sorted(name for name in srgw._HOMES if hasattr(ot.gromov, name))
    for module in (ot.gromov, ot):
        for name in names:
            if hasattr(module, name):
                setattr(module, name, getattr(srgw, name))
    print(f"replaced: {', '.join(names)}")


outcomes: dict[str, str] = {}


def pytest_runtest_logreport(report: Any) -> None:
    """As a plugin: notes how each test ended."""
    if report.when == "call" or report.outcome != "passed":
        text = report.longreprtext.strip().splitlines() if report.failed else []
        outcomes[report.nodeid] = f"{report.outcome} {text[-1] if text else ''}".strip()


def pytest_sessionfinish() -> None:
    """As a plugin: writes what it noted."""
    path = os.environ.get("SRGW_POT_OUTCOMES")
    if path:
        pathlib.Path(path).write_text(json.dumps(outcomes), encoding="utf-8")


def run(folder: pathlib.Path, options: list[str], ours: bool) -> dict[str, str]:
    """How each test ended."""
    here = str(pathlib.Path(__file__).resolve().parent)
    with tempfile.TemporaryDirectory() as scratch:
        path = pathlib.Path(scratch) / "outcomes.json"
        environment = {
            **os.environ,
            "PYTHONPATH": here,
            "SRGW_POT_OUTCOMES": str(path),
            "SRGW_IN_POT": "1" if ours else "",
        }
        files = [str(folder / "test" / name) for name in FILES]
        command = [sys.executable, "-m", "pytest", "-q", "-p", "pot_tests", "--tb=short"]
        command += ["-p", "no:cacheprovider", *files, *options]
        done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True)
        print(done.stdout.strip().splitlines()[-1], flush=True)
        return dict(json.loads(path.read_text(encoding="utf-8")))


def main() -> None:
    """Prints what differs."""
    folder, options = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    theirs, ours = run(folder, options, False), run(folder, options, True)
    worse = [
        test
        for test, outcome in ours.items()
        if outcome.startswith("failed") and theirs.get(test) == "passed"
    ]
    for test in worse:
        print(f"{test}\n    {ours[test]}")
    both = sum(
        outcome == "passed" and ours.get(test) == "passed" for test, outcome in theirs.items()
    )
    print(f"{both} pass with both, {len(worse)} only with POT's functions")


if __name__ == "__main__":
    main()
