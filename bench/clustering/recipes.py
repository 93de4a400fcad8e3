"""Settings that are tried, from a TOML file."""

import itertools
import pathlib
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent


@dataclass(frozen=True)
class Dataset:
    name: str
    folder: str
    printed: str  # the paper's name
    features: str = "none"  # of its own
    standardise: str = "none"


@dataclass(frozen=True)
class Recipe:
    """How graphs become points: what the program is given, and what is taken from its output."""

    family: str
    learn: tuple[str, ...]
    size: int | None  # nodes of an atom; 0: the median of the graphs, None: as the method likes
    embed: tuple[str, ...] = ()
    ensemble: int = 1
    coordinates: tuple[str, ...] = ("weights",)
    whole: bool = False  # `srgw cluster` does all of it

    def text(self) -> str:
        words = [w for w in self.learn if w not in ("--features", "none")]
        return " ".join(words).replace("--", "") or "default"


@dataclass(frozen=True)
class Family:
    name: str
    recipes: tuple[Recipe, ...]
    finalists: int  # recipes that are run with all seeds, by each judge that knows the classes
    judges: tuple[str, ...]  # whose finalists are; none: all of them


@dataclass(frozen=True)
class Grid:
    seeds: int
    finalists: int
    datasets: tuple[Dataset, ...]
    families: dict[str, dict[str, Any]]
    judges: tuple[str, ...] = ()  # of families that name none

    def family(self, name: str, dataset: Dataset) -> Family:
        raw = self.families[name]
        found = dict.fromkeys(
            recipe(name, raw, choice, dataset)
            for block in raw["blocks"]
            for choice in choices(block)
            if fits(choice, dataset)
        )
        finalists = raw.get("finalists", self.finalists)
        return Family(name, tuple(found), finalists, tuple(raw.get("judges", self.judges)))


# Coordinates that are tried on ensembles; the program knows the words, "sqrt" is made here.
ALL_COORDINATES = (
    "weights",
    "sqrt",
    "value",
    "form",
    "spectrum",
    "quantiles",
    "weights+value",
    "weights+form",
    "weights+log-size",
    "spectrum+value",
)


def read(path: pathlib.Path) -> Grid:
    raw = tomllib.loads(path.read_text())
    datasets = tuple(Dataset(name, **row) for name, row in raw["datasets"].items())
    judges = tuple(raw.get("judges", ()))
    return Grid(raw["seeds"], raw["finalists"], datasets, raw["families"], judges)


def choices(block: dict[str, list[Any]]) -> Iterator[dict[str, Any]]:
    for values in itertools.product(*block.values()):
        yield dict(zip(block, values, strict=True))


def fits(choice: dict[str, Any], dataset: Dataset) -> bool:
    """Features are for datasets that have them."""
    return choice.get("features", "none") == "none" or dataset.features != "none"


def recipe(family: str, raw: dict[str, Any], choice: dict[str, Any], dataset: Dataset) -> Recipe:
    ensemble, whole = raw.get("ensemble", 1), raw.get("whole", False)
    if raw.get("plain"):  # default options
        return Recipe(family, learn=(), size=None, ensemble=ensemble, whole=whole)
    own = choice.get("features", "none") == "own"
    learn = ["--features", dataset.features if own else "none"]
    if own and dataset.standardise != "none":
        learn += ["--standardise", dataset.standardise]
    for name, value in choice.items():
        if name not in ("features", "size"):
            learn += [f"--{name.replace('_', '-')}", str(value)]
    learn += raw.get("options", [])
    if raw.get("learner") == "adam":
        learn += ["--learner", "adam", "--early-stopping", "2"]
        if "epsilon" in choice:
            learn += ["--max-iterations", "100"]
    if raw.get("learner") == "closed-form":
        learn += ["--atom-start", "descriptors"]
    # The paper embeds by the method that it learns with; ours by rows, which is the default.
    embed = ["--search", "method"] if raw.get("learner") == "adam" else []
    if starts := raw.get("random_starts", 0):
        embed += ["--random-starts", str(starts)]
    return Recipe(
        family=family,
        learn=tuple(learn),
        size=None if raw.get("free_size") else choice.get("size", 0),
        embed=tuple(embed),
        ensemble=ensemble,
        coordinates=ALL_COORDINATES if ensemble > 1 else tuple(raw.get("points", ["weights"])),
        whole=whole,
    )
