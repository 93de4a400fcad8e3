"""Where things are: this repository, the programs it builds, the public datasets."""

import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]


def program(path: str) -> pathlib.Path:
    """A program of the build that SRGW_BUILD_DIR names, by default build/bench."""
    build = pathlib.Path(os.environ.get("SRGW_BUILD_DIR", "build/bench"))
    return ROOT / build / path


def data_folder() -> pathlib.Path:
    """SRGW_DATA_DIR, make's DATA."""
    return pathlib.Path(os.environ.get("SRGW_DATA_DIR", ROOT.parent / "shared" / "data"))
