"""Names shared with the benchmarks in bench/partition, imported from there."""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "partition"))

import running  # noqa: E402
import tables  # noqa: E402
from common import ROOT, data_folder, machine  # noqa: E402
from record import Cell, Result, Store, failed, over  # noqa: E402

__all__ = [
    "ROOT",
    "Cell",
    "Result",
    "Store",
    "data_folder",
    "failed",
    "machine",
    "over",
    "running",
    "tables",
]
