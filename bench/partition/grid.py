"""The settings of the paper's methods, and which of them are chosen with and without labels."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from record import Result
from tables import mean

LADDER = (0.0, 1e-4, 5e-4, 1e-3, 5e-3, 1e-2, 5e-2, 0.1, 0.5, 1.0)  # the paper's values of b
SHORT_LADDER = (0.0, 1e-3, 1e-2, 0.1, 0.5, 1.0)
RACED = 3


@dataclass(frozen=True)
class Setting:
    """One way to call `srgw partition`."""

    method: str = "srgw"
    time: float | None = None  # of the heat kernel; None: adjacency
    scale: float | None = None  # c of the target c I; None where the method has its own target
    epsilon: float = 0.0  # relative to the gradient
    exponent: float = 0.0  # b of the weights
    start: str = "kmeans"  # of the rows; spectral is better where these say little
    raced: int = 1  # starts, of which the one with the lowest value is kept

    def options(self) -> tuple[str, ...]:
        words = ["--method", self.method] if self.method != "srgw" else []
        words += ["--structure", "adjacency" if self.time is None else f"heat:{self.time:g}"]
        words += ["--weights", f"power:{self.exponent:g}" if self.exponent else "uniform"]
        if self.scale is not None:
            words += ["--target", f"scaled-identity:{self.scale:g}"]
            words += ["--start", self.start, "--starts", str(self.raced)]
        if self.epsilon:
            words += ["--epsilon", f"{self.epsilon:g}", "--relative", "yes"]
            words += ["--max-iterations", "300"]
        return tuple(words)

    def text(self) -> str:
        parts = [] if self.time is None else [f"t={self.time:g}"]
        parts += [] if self.scale is None else [f"c={self.scale:g}"]
        parts += [f"ε={self.epsilon:g}"] if self.epsilon else []
        parts += [] if self.scale is None else [self.start]
        return ", ".join([*parts, f"b={self.exponent:g}"])

    @property
    def weights(self) -> str:
        """The paper's name for the kind of weights."""
        return {0.0: "unif", 1.0: "deg"}.get(self.exponent, "inter")


@dataclass(frozen=True)
class Family:
    """A method of the paper and the values that are tried."""

    method: str = "srgw"
    times: tuple[float | None, ...] = (None,)
    scales: tuple[float | None, ...] = (None,)
    epsilons: tuple[float, ...] = (0.0,)
    ladder: tuple[float, ...] = SHORT_LADDER
    starts: tuple[str, ...] = ("kmeans", "spectral")

    def with_uniform_weights(self) -> Iterator[Setting]:
        for time, scale, epsilon in itertools.product(self.times, self.scales, self.epsilons):
            for start in self.starts if scale is not None else self.starts[:1]:
                yield Setting(self.method, time, scale, epsilon, start=start, raced=RACED)


TIMES = (1.0, 5.0, 10.0, 25.0, 50.0, 100.0)
SCALES = (1.0, 0.3, 0.1, 0.03, 0.01, 0.003)
EPSILONS = (1e-2, 1e-1, 1.0, 3.0, 10.0)

DEFAULT: dict[str, Family] = {
    "srGW": Family(scales=(1.0, 0.3)),
    "srSpecGW": Family(times=TIMES, scales=(1.0, 0.1, 0.01, 0.003)),
    "srGW_e": Family(scales=(1.0, 0.3), epsilons=EPSILONS),
    "srSpecGW_e": Family(times=(1.0, 5.0, 25.0), scales=(1.0, 0.01, 0.003), epsilons=(1e-2, 1e-1)),
    "GWL": Family("gwl"),
    "SpecGWL": Family("specgwl", times=TIMES),
}
FULL: dict[str, Family] = {
    "srGW": Family(scales=SCALES, ladder=LADDER),
    "srSpecGW": Family(times=(*TIMES, 3.0, 75.0), scales=SCALES, ladder=LADDER),
    "srGW_e": Family(scales=SCALES, epsilons=(1e-4, 1e-3, *EPSILONS), ladder=LADDER),
    "srSpecGW_e": Family(times=TIMES, scales=SCALES, epsilons=EPSILONS, ladder=LADDER),
    "GWL": Family("gwl", ladder=LADDER),
    "SpecGWL": Family("specgwl", times=(*TIMES, 3.0, 75.0), ladder=LADDER),
}
QUICK: dict[str, Family] = {
    "srGW": Family(scales=(1.0,), ladder=(0.0, 0.5, 1.0)),
    "srSpecGW": Family(times=(5.0,), scales=(0.1,), ladder=(0.0, 1.0)),
    "srGW_e": Family(scales=(1.0,), epsilons=(1e-2,), ladder=(0.0,)),
    "srSpecGW_e": Family(times=(5.0,), scales=(0.1,), epsilons=(1e-2,), ladder=(0.0,)),
    "GWL": Family("gwl", ladder=(0.0,)),
    "SpecGWL": Family("specgwl", times=(5.0,), ladder=(0.0,)),
}

JUDGES = ("modularity", "ami")  # without labels, and the oracle
Runs = dict[Setting, list[Result]]  # a result for each seed
Runner = Callable[[Setting, Sequence[int]], list[Result]]


def best(runs: Runs, judge: str) -> Setting | None:
    """The setting with the highest mean; the first of equals."""
    scored = {setting: mean(results, judge) for setting, results in runs.items()}
    known = {setting: value for setting, value in scored.items() if value is not None}
    return max(known, key=lambda setting: known[setting]) if known else None


def kept(settings: Sequence[Setting | None]) -> list[Setting]:
    """Each once, in order."""
    return list(dict.fromkeys(setting for setting in settings if setting is not None))


def explore(family: Family, run: Runner, seeds: Sequence[int], full: bool) -> Runs:
    """With the first seed: all settings with uniform weights, then all weights for the best of
    either judge (`full`: for all). With all seeds: the best of either judge for each kind of
    weights. Returns the latter."""
    first: Runs = {setting: run(setting, seeds[:1]) for setting in family.with_uniform_weights()}
    bases = list(first) if full else kept([best(first, judge) for judge in JUDGES])
    for base in bases:
        for exponent in family.ladder:
            setting = replace(base, exponent=exponent)
            first[setting] = run(setting, seeds[:1])
    finalists = []
    for kind in ("unif", "deg", "inter"):
        group = {setting: found for setting, found in first.items() if setting.weights == kind}
        finalists += [best(group, judge) for judge in JUDGES]
    chosen = kept(finalists) or list(first)[:1]  # all failed: one of them tells why
    return {setting: run(setting, seeds) for setting in chosen}
