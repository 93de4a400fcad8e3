"""Every estimator and every long function obeys ``time_limit`` and Ctrl-C.

Each case runs in a forked process on an input that takes about 20 s. It must end within 3 s of the
limit or the signal, since the machine of the tests may be busy; SRGW_TEST_FULL allows 1 s. A new
public name without a case fails.
"""

import inspect
import multiprocessing
import os
import pathlib
import signal
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

import numpy as np
import pytest
import srgw

LIMIT, MARGIN = 0.3, 1.0 if os.environ.get("SRGW_TEST_FULL") else 3.0
Call = Callable[..., Any]


@cache
def matrix(nodes: int, seed: int = 0) -> np.ndarray:
    C = np.random.default_rng(seed).random((nodes, nodes))
    return np.asarray((C + C.T) / 2)


@cache
def graph(nodes: int) -> srgw.Graph:
    return srgw.generate.planted(nodes, 20, mean_degree=10)[0]


@cache
def graphs(count: int, nodes: int, degree: float = 8) -> list[srgw.Graph]:
    draw = partial(srgw.generate.planted, nodes, 4, mean_degree=degree)
    return [draw(random_state=s)[0] for s in range(count)]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """An edge list, and a dataset of many graphs in the format of TUDatasets."""
    folder = tmp_path_factory.mktemp("limits")
    ends = np.random.default_rng(0).integers(1, 2 * 10**5, size=(10**6, 2))
    np.savetxt(folder / "edges.txt", ends, fmt="%d")
    (folder / "many").mkdir()
    nodes = np.sort(ends[:, 0])
    pairs = np.column_stack([np.arange(1, 10**6), np.arange(2, 10**6 + 1)])[nodes[1:] == nodes[:-1]]
    np.savetxt(folder / "many" / "many_A.txt", pairs, fmt="%d", delimiter=",")
    graph_numbers = np.unique(nodes, return_inverse=True)[1] + 1
    np.savetxt(folder / "many" / "many_graph_indicator.txt", graph_numbers, fmt="%d")
    return folder


def pair(name: str, nodes: int = 1500, columns: int | None = None) -> Call:
    """A solver between random structures that never meets its stopping criterion."""
    function, fused = getattr(srgw, name), "fused" in name
    C, D = matrix(nodes), matrix(nodes, 1)[:columns, :columns]
    M = (np.random.default_rng(2).random((len(C), len(D))),) if fused else ()
    if "epsilon" in inspect.signature(function).parameters:
        never = {"tol": 0, "max_iter": 1e9, "epsilon": 1.0}
    else:
        never = {"tol_rel": 0, "tol_abs": 0, "max_iter": 1e9}
    return partial(function, *M, C, D, **never)


def part(name: str) -> Call:
    """A partial problem that never meets its stopping criterion."""
    C, D = matrix(500), matrix(400, 1)
    M = (np.random.default_rng(2).random((500, 400)),) if "fused" in name else ()
    return partial(getattr(srgw, name), *M, C, D, m=0.5, tol=0, numItermax=10**9)


def mean(name: str) -> Call:
    """A barycenter of random structures."""
    Cs = [matrix(600, s) for s in range(3)]
    Ys = ([C[:, :2] for C in Cs],) if "fused" in name or "fgw" in name else ()
    return partial(getattr(srgw, name), 300, *Ys, Cs, tol=0, max_iter=10**6, random_state=0)


def fit(estimator: type, X: Any, *arguments: Any, **parameters: Any) -> Call:
    return lambda **limit: estimator(*arguments, **parameters, **limit).fit(X)


def use(model: Any, name: str, *arguments: Any, **parameters: Any) -> Call:
    """A method of an estimator that is fitted to small graphs, without a limit."""
    model.fit(graphs(4, 40))
    return lambda **limit: getattr(model.set_params(**limit), name)(*arguments, **parameters)


def unmix(name: str) -> Call:
    atoms = np.stack([matrix(300, s) for s in range(4)])
    if "fused" in name:
        given = (matrix(900), matrix(900)[:, :2], atoms, atoms[:, :, :2], 0.5)
    else:
        given = (matrix(900), atoms)
    return partial(getattr(srgw, name), *given, tol_outer=0, tol_inner=0, max_iter_outer=10**6)


def learn_linear(name: str) -> Call:
    Cs = [matrix(n) for n in range(40, 80)]
    if "fused" in name:
        return partial(getattr(srgw, name), Cs, [C[:, :2] for C in Cs], 4, 20, 0.5, epochs=10**4)
    return partial(getattr(srgw, name), Cs, 4, 20, epochs=10**4)


# Names with one case for each: a function of the name that makes the call.
BY_NAME: dict[Call, tuple[str, ...]] = {
    pair: (
        "BAPG_fused_gromov_wasserstein",
        "BAPG_gromov_wasserstein",
        "entropic_fused_gromov_wasserstein",
        "entropic_gromov_wasserstein",
        "fused_gromov_wasserstein",
        "gromov_wasserstein",
    ),
    partial(pair, columns=100): (
        "entropic_semirelaxed_fused_gromov_wasserstein",
        "entropic_semirelaxed_gromov_wasserstein",
        "semirelaxed_fused_gromov_wasserstein",
    ),
    part: (
        "entropic_partial_fused_gromov_wasserstein",
        "entropic_partial_gromov_wasserstein",
        "partial_fused_gromov_wasserstein",
        "partial_gromov_wasserstein",
    ),
    mean: (
        "entropic_fused_gromov_barycenters",
        "entropic_gromov_barycenters",
        "fgw_barycenters",
        "gromov_barycenters",
        "semirelaxed_fgw_barycenters",
        "semirelaxed_gromov_barycenters",
    ),
    unmix: (
        "fused_gromov_wasserstein_linear_unmixing",
        "gromov_wasserstein_linear_unmixing",
    ),
    learn_linear: (
        "fused_gromov_wasserstein_dictionary_learning",
        "gromov_wasserstein_dictionary_learning",
    ),
}

# Other cases; what follows a dot names one of several of the same public name.
CASES: dict[str, Callable[[], Call]] = {
    name: partial(make, name) for make, names in BY_NAME.items() for name in names
} | {
    "GDL.fit": lambda: fit(srgw.GDL, graphs(60, 100), 4, 30, max_epochs=10**4),
    "GDL.transform": lambda: use(srgw.GDL(4, 30, max_epochs=1), "transform", graphs(60, 100) * 20),
    "GDL.complete": lambda: use(srgw.GDL(4, 30, max_epochs=1), "complete", graphs(1, 300)[0], 1000),
    "GWF.fit": lambda: fit(srgw.GWF, graphs(60, 100), 4, 30, max_epochs=10**4),
    "GWF.transform": lambda: use(srgw.GWF(4, 30, max_epochs=1), "transform", graphs(60, 100) * 20),
    "GWKMeans.fit": lambda: fit(srgw.GWKMeans, graphs(60, 150), 5, tol=0, max_iter=10**6),
    "GWKMeans.predict": lambda: use(srgw.GWKMeans(2, 40), "predict", graphs(60, 150) * 100),
    "GraphClusterer.fit": lambda: fit(srgw.GraphClusterer, graphs(60, 150) * 10, 3),
    "GraphClusterer.kmeans": lambda: fit(
        srgw.GraphClusterer, range(10**4), 300, Rows(), n_init=10**4
    ),
    "SRGWDictionary.fit": lambda: fit(srgw.SRGWDictionary, graphs(60, 150) * 10, 30),
    "SRGWDictionary.fit_source": lambda: fit(
        srgw.SRGWDictionary, graphs(60, 1500, 30), 10, structure="shortest-path"
    ),
    "SRGWDictionary.fit_completion": lambda: fit(
        srgw.SRGWDictionary, graphs(60, 60), 5, for_completion=0.3, max_epochs=1
    ),
    "SRGWDictionary.partial_fit": lambda: use(
        srgw.SRGWDictionary(30), "partial_fit", graphs(60, 150) * 100
    ),
    "SRGWDictionary.transform": lambda: use(
        srgw.SRGWDictionary(30, random_starts=50), "transform", graphs(60, 150) * 10
    ),
    "SRGWDictionary.complete": lambda: use(
        srgw.SRGWDictionary(8), "complete", graphs(1, 300)[0], 2500, method="alternate"
    ),
    "GraphCoarsener.fit": lambda: fit(srgw.GraphCoarsener, graph(300_000), 60_000),
    "BlockModel.fit": lambda: fit(srgw.BlockModel, graph(100_000), 60, n_init=30),
    "Graphon.fit": lambda: fit(srgw.Graphon, graphs(200, 600), 30),
    "SRGWPartition.search": lambda: fit(srgw.SRGWPartition, graph(300_000)),
    "SRGWPartition.solve": lambda: fit(
        srgw.SRGWPartition, graph(100_000), 60, structure="adjacency", init="kmeans", n_init=30
    ),
    "SRGWPartition.shortest_path": lambda: fit(
        srgw.SRGWPartition, graph(15_000), 8, structure="shortest-path"
    ),
    "SRGWPartition.learned": lambda: fit(
        srgw.SRGWPartition, graph(100_000), 60, target="learned", n_init=30
    ),
    "SRGWPartition.select": lambda: fit(
        srgw.SRGWPartition, graph(2000), 20, structure="heat", select="modularity"
    ),
    "GraphKernel.fit": lambda: fit(srgw.GraphKernel, graphs(60, 150), n_init=20, start="random"),
    "pairwise": lambda: partial(srgw.pairwise, graphs(60, 150), n_init=20, start="random"),
    "pairwise.sources": lambda: partial(
        srgw.pairwise, graphs(60, 1500, 30), structure="shortest-path"
    ),
    "semirelaxed_init_plan": lambda: partial(
        srgw.semirelaxed_init_plan, matrix(3000), matrix(500), method="kmeans"
    ),
    "semirelaxed_gromov_wasserstein.start": lambda: partial(
        srgw.semirelaxed_gromov_wasserstein, matrix(3000), matrix(500), G0="kmeans", n_init=30
    ),
    "semirelaxed_gromov_wasserstein.several": lambda: partial(
        *(srgw.semirelaxed_gromov_wasserstein, matrix(1500), matrix(30)),
        **{"tol_rel": 0, "tol_abs": 0, "max_iter": 1e9, "G0": "random", "n_init": 4},
    ),
    "entropic_semirelaxed_gromov_wasserstein.callback": lambda: partial(
        *(srgw.entropic_semirelaxed_gromov_wasserstein, matrix(1500), matrix(30)),
        **{"epsilon": 10, "tol": 0, "max_iter": 1e9, "callback": lambda progress: None},
    ),
    "solve_all": lambda: partial(
        srgw.solve_all, [matrix(200)] * 500, matrix(20), start="random", n_init=50
    ),
    "solve_gromov": lambda: partial(
        srgw.solve_gromov, matrix(1500), matrix(1500, 1), max_iter=10**9, tol=0
    ),
    "plot.layout": lambda: partial(srgw.plot.layout, graph(300_000)),
}

# Too fast for an input of 20 s that a test may use: the limit is a hundredth.
FAST: dict[str, Callable[[pathlib.Path], Call]] = {
    "read": lambda folder: partial(srgw.read, folder / "edges.txt"),
    "read_dataset": lambda folder: partial(srgw.read_dataset, folder / "many"),
}

# Ctrl-C, but no time_limit.
SIGNAL_ONLY: dict[str, Callable[[], Call]] = {
    "datasets.families": lambda: partial(srgw.datasets.families, 10**6),
    "datasets.molecules": lambda: partial(srgw.datasets.molecules, 10**6),
    "generate.planted": lambda: partial(srgw.generate.planted, 10**7, 100),
    "generate.degree_corrected": lambda: partial(srgw.generate.degree_corrected, 10**7, 100),
    "generate.lfr": lambda: partial(srgw.generate.lfr, 10**7),
    "generate.abcd": lambda: partial(srgw.generate.abcd, 10**7),
    "generate.challenge": lambda: partial(srgw.generate.challenge, 10**7),
    "generate.stochastic_block_model": lambda: partial(
        srgw.generate.stochastic_block_model, [10**6] * 10, np.full((10, 10), 2e-6)
    ),
    "metrics.adjusted_mutual_information": lambda: partial(
        srgw.metrics.adjusted_mutual_information, *MANY_LABELS()
    ),
    "derivatives": lambda: partial(
        srgw.derivatives, matrix(2000), matrix(2000, 1), np.full((2000, 2000), 1 / 2000**2)
    ),
}

# Values, errors, and functions whose time is that of a few NumPy operations.
SHORT = {
    *("ConvergenceWarning", "NotFittedError", "PlanError", "__version__"),
    *("datasets.Dataset", "datasets.karate", "datasets.read_dataset"),
    *("Dataset", "Graph", "GromovResult", "Progress", "Solution", "as_graph"),
    *("gwggrad", "gwloss", "init_matrix", "init_matrix_semirelaxed", "tensor_product"),
    *("solve_gromov_linesearch", "solve_partial_gromov_linesearch"),
    "solve_semirelaxed_gromov_linesearch",
    *("update_barycenter_feature", "update_barycenter_structure"),
    *("metrics.adjusted_rand_index", "metrics.modularity", "metrics.mutual_information"),
    *("metrics.normalized_mutual_information", "metrics.rand_index"),
    *("plot.atom", "plot.bars", "plot.completion", "plot.curves", "plot.embedding"),
    *("plot.matching", "plot.partition"),
}


def MANY_LABELS() -> list[np.ndarray]:
    """Clusters of many sizes: the expected mutual information sums over pairs of sizes."""
    random = np.random.default_rng(0)
    return [(random.random(2 * 10**6) ** 3 * 10**5).astype(np.int64) for _ in range(2)]


class Rows:
    """An embedder that takes no time."""

    def fit(self, X: Any, y: Any = None) -> "Rows":
        return self

    def transform(self, X: Any) -> np.ndarray:
        return np.random.default_rng(0).random((len(X), 50))

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        return {}

    def set_params(self) -> "Rows":
        return self


def public_names() -> Iterator[str]:
    for name in srgw.__all__:
        if name in ("datasets", "generate", "metrics", "plot"):
            yield from (f"{name}.{inner}" for inner in getattr(srgw, name).__all__)
        else:
            yield name


def test_every_public_name_has_a_case() -> None:
    tested = {*CASES, *FAST, *SIGNAL_ONLY, *SHORT}
    tested |= {name.rpartition(".")[0] for name in CASES}
    for name in public_names():
        twin = name.endswith("2") and name[:-1] in tested  # the same call with another answer
        assert name in tested or twin, f"{name} has no case in test_limits.py"


def run(pipe: Any, call: Call, limit: dict[str, float]) -> None:
    """In the forked process: says when it begins, and how it ended."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            pipe.send("ready")
            found = call(**limit)
        words = {one.category.__name__ for one in caught}
        words.add(str(getattr(found, "status_", getattr(found, "status", ""))))
        pipe.send(("returned", words))
    except BaseException as error:
        pipe.send((type(error).__name__, {str(error)}))


def outcome(call: Call, limit: float | None, signal_after: float | None = None) -> tuple[str, set]:
    """How a call ends; fails when it takes too long."""
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe()
    given = {} if limit is None else {"time_limit": limit}
    process = context.Process(target=run, args=(there, call, given))
    process.start()
    try:
        assert here.poll(60) and here.recv() == "ready"
        if signal_after is not None:
            time.sleep(signal_after)
            assert process.pid is not None
            os.kill(process.pid, signal.SIGINT)
        allowed = (limit or signal_after or 0) + MARGIN
        assert here.poll(allowed), f"still running {allowed:.1f} s after it began"
        return here.recv()
    finally:
        process.kill()
        process.join()


def expect_limit(call: Call, limit: float) -> None:
    kind, words = outcome(call, limit)
    if kind == "returned":
        assert words & {"ConvergenceWarning", "time_limit"}, words
    else:
        assert kind == "TimeoutError", (kind, words)


@pytest.mark.parametrize("name", CASES)
def test_a_time_limit_holds(name: str) -> None:
    expect_limit(CASES[name](), LIMIT)


@pytest.mark.parametrize("name", FAST)
def test_a_time_limit_of_reading_holds(name: str, files: pathlib.Path) -> None:
    expect_limit(FAST[name](files), LIMIT / 100)


def expect_interrupt(call: Call, after: float) -> None:
    kind, words = outcome(call, None, after)
    if kind == "returned":  # a fast machine: the call ended before the signal
        kind, words = outcome(call, None, after / 10)
    assert kind == "KeyboardInterrupt", (kind, words)


@pytest.mark.parametrize("name", [*CASES, *SIGNAL_ONLY])
def test_control_c_interrupts(name: str) -> None:
    expect_interrupt((CASES | SIGNAL_ONLY)[name](), LIMIT)


@pytest.mark.parametrize("name", FAST)
def test_control_c_interrupts_reading(name: str, files: pathlib.Path) -> None:
    expect_interrupt(FAST[name](files), 0.05)


def test_a_call_on_another_thread_goes_on_when_the_main_thread_is_interrupted() -> None:
    found = []
    limit = {"tol_rel": 0, "tol_abs": 0, "max_iter": 1e9, "time_limit": 1.0}

    def work() -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found.append(srgw.semirelaxed_gromov_wasserstein(matrix(600), np.eye(20), **limit))

    thread = threading.Thread(target=work)
    thread.start()
    threading.Timer(0.2, signal.raise_signal, (signal.SIGINT,)).start()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            thread.join(20)
    finally:
        signal.signal(signal.SIGINT, before)
    thread.join(20)
    assert len(found) == 1


def test_a_handler_that_raises_something_else_is_heard() -> None:
    def handler(*_: Any) -> None:
        raise ZeroDivisionError

    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        with pytest.raises(ZeroDivisionError):
            pair("semirelaxed_gromov_wasserstein", columns=100)()
    finally:
        signal.signal(signal.SIGALRM, before)


def test_a_callback_that_stops_at_once_leaves_a_result() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        plan = srgw.semirelaxed_gromov_wasserstein(
            matrix(50), np.eye(3), callback=lambda progress: False
        )
    np.testing.assert_allclose(plan.sum(axis=1), 1 / 50)
