"""Many graphs in a call, callbacks, threads and what an import costs; test_limits.py has limits."""

import multiprocessing
import subprocess
import sys
import threading
import time
from typing import Any

import numpy as np
import pytest
import srgw


def draw(count: int, seed: int = 0) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    matrices = (rng.random((n, n)) for n in rng.integers(5, 25, count))
    return [(m + m.T) / 2 for m in matrices]


def test_many_graphs_give_the_answers_of_single_calls() -> None:
    Cs, B = draw(40), draw(1, seed=1)[0][:4, :4]
    ps = [np.random.default_rng(len(C)).dirichlet(np.ones(len(C))) for C in Cs]
    Ms = [np.random.default_rng(len(C)).random((len(C), 4)) for C in Cs]
    for C, p, s in zip(Cs, ps, srgw.solve_all(Cs, B, ps, start="product"), strict=True):
        np.testing.assert_array_equal(s.plan, srgw.semirelaxed_gromov_wasserstein(C, B, p))
    fused = srgw.solve_all(Cs, B, ps, Ms, alpha=0.3, start="product")
    for C, p, M, s in zip(Cs, ps, Ms, fused, strict=True):
        one = srgw.semirelaxed_fused_gromov_wasserstein(M, C, B, p, alpha=0.3)
        np.testing.assert_array_equal(s.plan, one)
    entropic = srgw.solve_all(Cs, B, epsilon=0.5, max_iter=50, start="product")
    for C, s in zip(Cs, entropic, strict=True):
        one = srgw.entropic_semirelaxed_gromov_wasserstein(C, B, epsilon=0.5, max_iter=50)
        np.testing.assert_array_equal(s.plan, one)
    random = srgw.solve_all(Cs, B, start="random", n_init=3, random_state=4)
    for C, s in zip(Cs, random, strict=True):
        one = srgw.semirelaxed_gromov_wasserstein(C, B, G0="random", n_init=3, random_state=4)
        np.testing.assert_array_equal(s.plan, one)


test_many_graphs_give_the_answers_of_single_calls = pytest.mark.filterwarnings(
    "ignore::srgw.ConvergenceWarning"
)(test_many_graphs_give_the_answers_of_single_calls)


def test_threads_do_not_change_the_answers_of_many_graphs() -> None:
    Cs, B = draw(30), np.eye(5)
    one = srgw.solve_all(Cs, B, n_jobs=1)
    for n_jobs in (2, 5):
        for a, b in zip(one, srgw.solve_all(Cs, B, n_jobs=n_jobs), strict=True):
            np.testing.assert_array_equal(a.plan, b.plan)
            assert a.value == b.value


def test_many_graphs_may_have_targets_of_their_own() -> None:
    Cs = draw(3)
    Bs = [np.eye(2), np.eye(3), np.eye(4)]
    assert [s.shape[1] for s in srgw.solve_all(Cs, Bs)] == [2, 3, 4]
    assert srgw.solve_all([], np.eye(2)) == []


@pytest.mark.parametrize(
    ("message", "arguments", "options"),
    [
        (r"Cs\[1\]", ([np.eye(2), np.zeros((2, 3))], np.eye(2)), {}),
        ("C2", ([np.eye(2)], np.zeros((2, 3))), {}),
        ("ps", ([np.eye(2)], np.eye(2), []), {}),
        (r"ps\[0\]", ([np.eye(2)], np.eye(2), [[1.0]]), {}),
        ("Ms", ([np.eye(2)], np.eye(2), None, []), {}),
        (r"Ms\[0\]", ([np.eye(2)], np.eye(2), None, [np.eye(3)]), {}),
        ("start", ([np.eye(2)], np.eye(2)), {"start": "lucky"}),
        ("n_init", ([np.eye(2)], np.eye(2)), {"n_init": 0}),
        ("loss_fun", ([np.eye(2)], np.eye(2)), {"loss_fun": "l1"}),
    ],
)
def test_misuse_of_many_graphs(message: str, arguments: tuple, options: dict) -> None:
    with pytest.raises(ValueError, match=message):
        srgw.solve_all(*arguments, **options)


def test_pairwise_divergences() -> None:
    graphs = [srgw.generate.planted(n, 2, mean_degree=6)[0] for n in (12, 16, 20)]
    table = srgw.pairwise(graphs, start="random", n_init=3)
    assert table.shape == (3, 3) and (table >= 0).all()
    for i, a in enumerate(graphs):
        for k, b in enumerate(graphs):
            one = srgw.semirelaxed_gromov_wasserstein2(
                a.to_scipy(), b.to_numpy(), G0="random", n_init=3
            )
            assert table[i, k] == pytest.approx(one, abs=1e-9)
    assert srgw.pairwise(graphs[:2], graphs, structure="shortest-path:9").shape == (2, 3)
    fused = [srgw.as_graph(g, features=np.ones((g.n_nodes, 1))) for g in graphs]
    assert srgw.pairwise(fused, alpha=0.0).max() == pytest.approx(0, abs=1e-12)


def test_the_callback_hears_every_iteration_and_may_stop() -> None:
    rng = np.random.default_rng(0)
    C, B = rng.random((30, 30)), rng.random((5, 5))
    heard: list[srgw.Progress] = []
    _, log = srgw.semirelaxed_gromov_wasserstein(C, B, log=True, callback=heard.append)
    assert [p.iteration for p in heard] == list(range(log["n_iter"] + 1))
    np.testing.assert_allclose([p.value for p in heard[:-1]], log["loss"][:-1], rtol=1e-12)
    _, log = srgw.semirelaxed_gromov_wasserstein(C, B, log=True, callback=lambda p: p.iteration < 3)
    assert log["status"] == "interrupted" and log["n_iter"] == 3
    for n_init in (1, 4):
        with pytest.raises(ZeroDivisionError):
            srgw.semirelaxed_gromov_wasserstein(
                C, B, G0="random", n_init=n_init, callback=lambda p: 1 // 0
            )


def test_a_time_limit_returns_the_best_so_far() -> None:
    rng = np.random.default_rng(0)
    C, B = rng.random((600, 600)), rng.random((20, 20))
    begin = time.perf_counter()
    with pytest.warns(srgw.ConvergenceWarning, match="time_limit"):
        T, log = srgw.semirelaxed_gromov_wasserstein(
            C, B, tol_rel=0, tol_abs=0, max_iter=1e9, time_limit=0.2, log=True
        )
    assert time.perf_counter() - begin < 5
    assert log["status"] == "time_limit"
    np.testing.assert_allclose(T.sum(axis=1), 1 / 600, atol=1e-12)


def test_other_threads_run_during_a_solve() -> None:
    rng = np.random.default_rng(0)
    C, B = rng.random((1200, 1200)), rng.random((20, 20))
    ticks: list[float] = []
    done = threading.Event()

    def tick() -> None:
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.005)

    thread = threading.Thread(target=tick)
    thread.start()
    begin = time.perf_counter()
    try:
        with pytest.warns(srgw.ConvergenceWarning):
            srgw.semirelaxed_gromov_wasserstein(C, B, G0="random", n_init=10**4, time_limit=0.5)
        end = time.perf_counter()
    finally:
        done.set()
        thread.join()
    assert sum(begin < t < end for t in ticks) >= 5


def test_solves_on_several_python_threads_agree() -> None:
    rng = np.random.default_rng(0)
    C, B = rng.random((80, 80)), rng.random((6, 6))
    expected = srgw.semirelaxed_gromov_wasserstein(C, B)
    found: list[Any] = [None] * 4

    def work(k: int) -> None:
        found[k] = srgw.semirelaxed_gromov_wasserstein(C, B)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for plan in found:
        np.testing.assert_array_equal(plan, expected)


def value_of(seed: int) -> float:
    C = draw(1, seed)[0]
    return float(srgw.semirelaxed_gromov_wasserstein2(C, np.eye(3), G0="random", n_init=4))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of forks of programs with threads
def test_a_forked_process_computes_the_same() -> None:
    expected = [value_of(seed) for seed in range(4)]  # the threads exist before the fork
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(value_of, range(4)) == expected


def test_import_needs_numpy_only() -> None:
    code = """
import sys
import srgw
print(*{"scipy", "networkx", "igraph", "sklearn", "ot", "pandas", "torch"} & set(sys.modules))
"""
    answer = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    )
    assert answer.stdout.split() == []
