"""For all tests: the modules that talk to our program and to POT lie beside the benchmarks."""

import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bench" / name) for name in ("", "peers", "partition", "clustering")]
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the problems are small; read by NumPy
