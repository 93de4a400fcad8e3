"""Names shared with the benchmarks in bench/peers, imported from there."""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "peers"))

from place import ROOT, data_folder, program  # noqa: E402
from report import growth_exponent, keep, machine, seconds_text  # noqa: E402

PACKAGES = ("igraph", "leidenalg", "infomap", "networkx", "networkit", "scikit-learn")

__all__ = [
    "PACKAGES",
    "ROOT",
    "data_folder",
    "growth_exponent",
    "keep",
    "machine",
    "program",
    "seconds_text",
]
