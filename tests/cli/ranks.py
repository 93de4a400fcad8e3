"""Runs the program that was built on MPI ranks of this machine."""

import json
import os
import pathlib
import shutil
import subprocess

import pytest
from program import FINE, PROGRAM

# Ranks that outnumber the cores and run as root, without a network.
MPI_ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_btl": "self,vader",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "OMPI_MCA_plm_rsh_agent": "/bin/false",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
}


def needs_mpi() -> None:
    """Skips the test where there is no mpirun; `make test` installs it."""
    if shutil.which("mpirun") is None:
        pytest.skip("mpirun not found")


def start_ranks(count: int, *arguments: object) -> subprocess.Popen[str]:
    """Starts a command on so many ranks."""
    needs_mpi()
    return subprocess.Popen(
        ["mpirun", "-np", str(count), str(PROGRAM), *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
        env=os.environ | MPI_ENVIRONMENT,
    )


def run_ranks(
    count: int, *arguments: object, expect: int = FINE
) -> subprocess.CompletedProcess[str]:
    """Runs a command on so many ranks; its exit code must be the expected one."""
    with start_ranks(count, *arguments) as process:
        try:
            out, errors = process.communicate(timeout=120)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    assert process.returncode == expect, (count, arguments, process.returncode, errors)
    return subprocess.CompletedProcess(process.args, process.returncode, out, errors)


def run_ranks_json(count: int, *arguments: object, expect: int = FINE) -> dict:
    """The one object that a command prints with --json."""
    return json.loads(run_ranks(count, *arguments, "--json", expect=expect).stdout)


def ranks_of(process: subprocess.Popen[str]) -> list[int]:
    """Processes that mpirun has started."""
    children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
    return [int(word) for word in children.split()]
