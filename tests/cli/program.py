"""Runs the program that was built."""

import json
import os
import pathlib
import re
import subprocess
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / os.environ.get("SRGW_BUILD_DIR", "build/dev") / "cli" / "srgw"
DATA = pathlib.Path(os.environ.get("SRGW_DATA_DIR", ROOT.parent / "shared" / "data"))
KARATE = ROOT / "examples" / "data" / "karate.txt"
CLUBS = ROOT / "examples" / "data" / "karate_clubs.tsv"

FINE, USAGE, BAD_INPUT, NOT_CONVERGED, RESOURCE, INTERRUPTED = 0, 2, 3, 4, 5, 130


def run(
    *arguments: object, expect: int = FINE, stdin: str | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs a command; its exit code must be the expected one."""
    command = [str(PROGRAM), *map(str, arguments)]
    answer = subprocess.run(
        command, check=False, capture_output=True, text=True, input=stdin, timeout=120
    )
    assert answer.returncode == expect, (command, answer.returncode, answer.stderr)
    return answer


def start(*arguments: object) -> subprocess.Popen[str]:
    """Starts a command."""
    return subprocess.Popen(
        [str(PROGRAM), *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
    )


def stop_when_there(file: pathlib.Path, process: subprocess.Popen[str]) -> None:
    """Sends SIGTERM once a file exists, and waits for the end."""
    while not file.exists():
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.001)
    process.terminate()
    process.communicate(timeout=60)


def run_json(*arguments: object, expect: int = FINE) -> dict:
    """The one object that a command prints with --json."""
    return json.loads(run(*arguments, "--json", expect=expect).stdout)


def peak_bytes(*arguments: object) -> int:
    """The most memory that was resident while a command ran: what it says of itself, since what
    the system tells a parent counts pages of that parent."""
    with subprocess.Popen(
        [str(PROGRAM), *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        status = pathlib.Path(f"/proc/{process.pid}/status")
        peak = 0
        while process.poll() is None:
            found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text())
            peak = max(peak, int(found[1]) * 1024 if found else 0)
            time.sleep(0.001)
    assert process.returncode == FINE
    return peak


def shared(name: str) -> pathlib.Path:
    """A public dataset, which lives outside the tree."""
    path = DATA / name
    if not path.exists():
        pytest.skip(f"shared data not found: {path}")
    return path


def labels_of(path: pathlib.Path) -> dict[str, int]:
    """The labels of a .tsv file by node name."""
    pairs = (line.split("\t") for line in path.read_text().splitlines())
    return {name: int(label) for name, label in pairs}
