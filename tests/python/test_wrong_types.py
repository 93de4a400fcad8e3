"""Arguments of a wrong type: an error that names the argument, never a signature of C++."""

import inspect
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import srgw

WRONG = ["x", 1.5, -1, None, [1, "a"], {"a": 1}, object(), 1 + 2j]
# Taken as they are: by scikit-learn's convention, or because POT ignores them, too.
FREE = {"y", "verbose", "nx", "kwargs", "options", "feature_names", "armijo", "input_features"}

# solve_gromov() calls functions whose arguments have other names.
PUBLIC = {"Ca": "C1", "Cb": "C2", "a": "p", "b": "q", "n_threads": "n_jobs", "plan_init": "G0"}

C, D = np.kron(np.eye(2), np.ones((3, 3))), np.eye(2)
M = np.arange(12.0).reshape(6, 2)
GRAPHS = [C, np.ones((4, 4)) - np.eye(4), C]
Y = [np.ones((len(A), 1)) for A in GRAPHS]


def functions() -> Iterator[tuple[Callable[..., Any], dict[str, Any]]]:
    yield from (
        (getattr(srgw.generate, name), {"n_nodes": 60})
        for name in ("planted", "degree_corrected", "lfr", "abcd", "challenge")
    )
    sizes, chances = [3, 3], [[1.0, 0.0], [0.0, 1.0]]
    yield srgw.generate.stochastic_block_model, {"sizes": sizes, "probabilities": chances}
    for module in ("balanced", "bapg", "gromov"):
        for name in srgw._NAMES[module]:
            if not name.endswith("wasserstein"):
                continue
            fused = {"M": M} if "fused" in name else {}
            yield getattr(srgw, name), {**fused, "C1": C, "C2": D, "max_iter": 20}
    yield srgw.semirelaxed_init_plan, {"C1": C, "C2": D}
    for name in srgw._NAMES["barycenters"]:
        if name.endswith("barycenters"):
            features = {"Ys": Y} if "fgw" in name or "fused" in name else {}
            yield getattr(srgw, name), {"N": 2, "Cs": GRAPHS, **features, "max_iter": 2}
    for name in srgw._NAMES["partial"]:
        if name.endswith("wasserstein"):
            fused = {"M": M} if "fused" in name else {}
            yield getattr(srgw, name), {**fused, "C1": C, "C2": D, "m": 0.5, "numItermax": 20}
    for name in srgw._NAMES["linear_dictionaries"]:
        if name.endswith("learning"):
            features = {"Ys": Y} if "fused" in name else {}
            sizes = {"D": 2, "nt": 2, "epochs": 1, **({"alpha": 0.5} if features else {})}
            yield getattr(srgw, name), {"Cs": GRAPHS, **features, **sizes}
        else:
            features = {"Y": Y[0], "Ydict": np.ones((2, 2, 1))} if "fused" in name else {}
            given = {"C": C, "Cdict": np.stack([D, np.ones((2, 2))]), "max_iter_outer": 2}
            yield getattr(srgw, name), {**given, **features, **({"alpha": 0.5} if features else {})}
    for name in srgw.metrics.__all__:
        if name != "modularity":
            labels = [0, 0, 1]
            yield getattr(srgw.metrics, name), {"labels_true": labels, "labels_pred": labels}
    yield srgw.solve_gromov, {"Ca": C, "Cb": D}
    yield srgw.solve_all, {"Cs": GRAPHS, "C2": D}
    yield srgw.pairwise, {"graphs": GRAPHS}
    yield srgw.datasets.families, {}
    yield srgw.datasets.molecules, {}


class Fit:
    """Parameters of an estimator as those of one function."""

    def __init__(self, estimator: type, X: Any, parameters: dict[str, Any]) -> None:
        self.estimator, self.X, self.parameters = estimator, X, parameters
        self.__name__ = estimator.__name__
        self.__signature__ = inspect.signature(estimator)

    def __call__(self, **parameters: Any) -> Any:
        return self.estimator(**{**self.parameters, **parameters}).fit(self.X)


def estimators() -> Iterator[tuple[Callable[..., Any], dict[str, Any]]]:
    few = srgw.datasets.families(8)
    yield Fit(srgw.SRGWPartition, srgw.datasets.karate(), {"n_clusters": 2}), {}
    yield Fit(srgw.GraphCoarsener, srgw.datasets.karate(), {"n_nodes": 5}), {}
    yield Fit(srgw.BlockModel, srgw.datasets.karate(), {"n_blocks": 2}), {}
    yield Fit(srgw.SRGWDictionary, few, {"max_epochs": 1}), {}
    yield Fit(srgw.GDL, few, {"n_atoms": 2, "n_nodes": 3, "max_epochs": 1}), {}
    yield Fit(srgw.GWF, few, {"n_atoms": 2, "n_nodes": 3, "max_epochs": 1}), {}
    yield Fit(srgw.GWKMeans, few, {"n_clusters": 2, "n_nodes": 3, "max_iter": 2}), {}
    embedder = srgw.SRGWDictionary(2, max_epochs=1)
    yield Fit(srgw.GraphClusterer, few, {"embedder": embedder}), {}
    yield Fit(srgw.GraphKernel, few, {}), {}
    yield Fit(srgw.GraphCoarsener, srgw.datasets.karate(), {"n_nodes": 5}), {}
    yield Fit(srgw.BlockModel, srgw.datasets.karate(), {"n_blocks": 2}), {}
    yield Fit(srgw.Graphon, few, {"n_steps": 2}), {}


CASES = [
    (call, given, name)
    for call, given in (*functions(), *estimators())
    for name in inspect.signature(call).parameters
    if name not in FREE
]


@pytest.mark.parametrize(
    ("call", "given", "name"), CASES, ids=[f"{call.__name__}-{name}" for call, _, name in CASES]
)
def test_errors_name_the_argument(
    call: Callable[..., Any], given: dict[str, Any], name: str
) -> None:
    for wrong in WRONG:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                call(**{**given, name: wrong})
            except TypeError as error:
                said = str(error)
                assert PUBLIC.get(name, name) in said, f"{name}={wrong!r}: {said}"
                assert "incompatible function arguments" not in said
            except (ValueError, AssertionError) as error:  # POT asserts shapes
                said = str(error)
                assert "could not convert" not in said, f"{name}={wrong!r}: {said}"
            except (TimeoutError, NotImplementedError, OSError):
                pass  # a limit below 0, a word that POT knows, a path
