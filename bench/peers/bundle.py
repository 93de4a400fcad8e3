"""A JSON document with NumPy arrays, for handing data to and from C++ without rounding.

A file is one line of JSON and then bytes. Where the document means an array it has
{"array": type, "shape": [...], "offset": first of the bytes}, with type "f8" or "u4", row-major
and little-endian. tests/tools/bundle.hpp is the other side.
"""

import json
import pathlib
from typing import Any

import numpy as np

TYPES = {"f": "f8", "i": "u4", "u": "u4"}


def write(path: pathlib.Path, document: Any) -> None:
    """An array that occurs in several places is kept once."""
    data = bytearray()
    places: dict[int, dict[str, Any]] = {}

    def store(value: Any) -> dict[str, Any]:
        if not isinstance(value, np.ndarray):
            raise TypeError(f"{type(value).__name__} has no place in a bundle")
        if id(value) not in places:
            name = TYPES[value.dtype.kind]
            places[id(value)] = {"array": name, "shape": value.shape, "offset": len(data)}
            data.extend(value.astype("<" + name, order="C").tobytes())
        return places[id(value)]

    line = json.dumps(document, default=store)
    path.write_bytes(line.encode() + b"\n" + data)


def read(path: pathlib.Path) -> Any:
    line, _, data = path.read_bytes().partition(b"\n")

    def restore(node: dict[str, Any]) -> Any:
        if "array" not in node:
            return node
        count = int(np.prod(node["shape"]))
        array = np.frombuffer(data, "<" + node["array"], count, node["offset"])
        return array.reshape(node["shape"])

    return json.loads(line, object_hook=restore)
