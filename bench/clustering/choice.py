"""Which settings are reported: with the classes (oracle) or without."""

import statistics
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from recipes import Family, Recipe
from record import Result

COLLAPSED = 95.0  # per cent of the graphs in one cluster: no clustering


@dataclass(frozen=True, eq=False)
class Candidate:
    """A recipe with one of its coordinates, and a clustering for each seed that was run."""

    recipe: Recipe
    words: str
    runs: tuple[Result, ...]  # entries of `by`
    value: float  # mean divergence

    def mean(self, field: str) -> float:
        return statistics.fmean(run[field] for run in self.runs)

    def deviation(self, field: str) -> float:
        return statistics.stdev(run[field] for run in self.runs) if len(self.runs) > 1 else 0.0

    def best(self, field: str) -> float:
        return max(run[field] for run in self.runs)

    @property
    def collapsed(self) -> bool:
        return self.mean("largest") > COLLAPSED

    def text(self) -> str:
        size = f"m {self.recipe.size}, " if self.recipe.size else ""
        return f"{size}{self.recipe.text()}, {self.words}"


Runs = dict[Recipe, list[Result]]


def candidates(runs: Runs) -> list[Candidate]:
    found = []
    for recipe, results in runs.items():
        done = [result for result in results if result["status"] == "done"]
        for words in done[0]["by"] if done else ():
            entries = tuple(result["by"][words] for result in done)
            value = statistics.fmean(result["value"] for result in done)
            found.append(Candidate(recipe, words, entries, value))
    return found


def agreements(labelings: list[str]) -> Any:
    """ARI of all pairs of clusterings, each a digit for each graph."""
    digits = np.array([list(map(int, labels)) for labels in labelings])
    count, graphs = digits.shape
    clusters = int(digits.max()) + 1
    members = (digits[:, None, :] == np.arange(clusters)[None, :, None]).astype(float)
    flat = members.reshape(count * clusters, graphs)
    together = (flat @ flat.T).reshape(count, clusters, count, clusters)
    pairs = (together * (together - 1) / 2).sum(axis=(1, 3))
    sizes = members.sum(axis=2)
    own = (sizes * (sizes - 1) / 2).sum(axis=1)
    expected = np.outer(own, own) / (graphs * (graphs - 1) / 2)
    largest = (own[:, None] + own[None, :]) / 2
    gap = np.where(largest == expected, 1.0, largest - expected)
    return np.where(largest == expected, 1.0, (pairs - expected) / gap)


def consensus(pool: list[Candidate]) -> dict[Candidate, float]:
    """How much the first clustering of a candidate agrees with those of all others."""
    if not pool:
        return {}
    table = agreements([one.runs[0]["labels"] for one in pool])
    np.fill_diagonal(table, 0.0)
    others = max(len(pool) - 1, 1)
    return {one: float(table[i].sum()) / others for i, one in enumerate(pool)}


Judge = Callable[[list[Candidate]], dict[Candidate, float]]

# Higher is better; who is not judged is not chosen. The first two know the classes.
JUDGES: dict[str, Judge] = {
    "ri": lambda pool: {one: one.mean("ri") for one in pool},
    "ari": lambda pool: {one: one.mean("ari") for one in pool},
    "consensus": consensus,
    "silhouette": lambda pool: {one: one.mean("silhouette") for one in pool},
    "value": lambda pool: {one: -one.value for one in pool},
}
LABEL_FREE = ("consensus", "silhouette", "value")


def ranked(pool: list[Candidate], judge: str) -> list[Candidate]:
    fair = [one for one in pool if not one.collapsed]
    scores = JUDGES[judge](fair)
    return sorted((one for one in fair if one in scores), key=lambda one: -scores[one])


def explore(
    family: Family,
    run: Callable[[Recipe, int], Result],
    seeds: int,
    late: Callable[[Recipe, int], bool],
) -> Runs:
    """All recipes with the first seed, then the best of each judge with all of them; without what
    is too late to begin."""
    runs: Runs = {}
    for recipe in family.recipes:
        if not late(recipe, 0):
            runs[recipe] = [run(recipe, 0)]
    pool = candidates(runs)
    wanted: dict[Recipe, None] = {}
    for judge in family.judges or JUDGES:
        count = family.finalists if judge not in LABEL_FREE else 1
        best = dict.fromkeys(one.recipe for one in ranked(pool, judge))
        wanted |= dict.fromkeys(list(best)[:count])
    for recipe in wanted:
        for seed in range(1, seeds):
            if not late(recipe, seed):
                runs[recipe].append(run(recipe, seed))
    return runs


@dataclass(frozen=True)
class Chosen:
    """The settings that each judge picked for a family on a dataset."""

    by: dict[str, Candidate]  # judge -> candidate, among those run with all seeds

    @staticmethod
    def of(runs: Runs, seeds: int) -> "Chosen":
        pool = candidates(runs)
        whole = [one for one in pool if len(one.runs) == seeds]
        # Consensus looks at all clusterings, whole or not.
        scores: dict[str, Any] = {judge: JUDGES[judge](whole) for judge in JUDGES}
        scores["consensus"] = consensus([one for one in pool if not one.collapsed])
        found = {}
        for judge, score in scores.items():
            fair = [one for one in whole if not one.collapsed and one in score]
            if fair:
                found[judge] = max(fair, key=lambda one: score[one])
        return Chosen(found)
