"""Points from what `srgw embed` has written."""

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]

# In the order in which they are asked for.
WORDS = ("weights", "value", "form", "spectrum", "quantiles", "log-size")


def blocks(rows: Points, size: int, atoms: int) -> dict[str, list[Points]]:
    """The columns of each coordinate, of each atom."""
    widths = {"weights": size, "value": 1, "form": 1, "spectrum": size, "quantiles": 10}
    found: dict[str, list[Points]] = {word: [] for word in WORDS}
    place = 0
    for _ in range(atoms):
        for word, width in widths.items():
            found[word].append(rows[:, place : place + width])
            place += width
    found["log-size"].append(rows[:, place:])
    if rows.shape[1] != place + 1:
        raise ValueError(f"{rows.shape[1]} columns of an embedding, expected {place + 1}")
    found["sqrt"] = [np.sqrt(np.maximum(block, 0)) for block in found["weights"]]
    return found


def scaled(block: Points) -> Points:
    """Centred, with variance 1 in all; a constant block is nothing."""
    block = block - block.mean(axis=0)
    total = float(np.sqrt((block**2).sum(axis=1).mean()))
    return block / total if total > 1e-12 else np.zeros_like(block)


def joined(found: dict[str, list[Points]], words: str) -> Points:
    """Blocks of all atoms, each with variance 1."""
    parts = [scaled(block) for word in words.split("+") for block in found[word]]
    return np.hstack(parts)
