"""Shared code of the semi-relaxed and the balanced functions."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _arguments as arguments
from . import _srgw
from ._starts import blended, check_method, named_plan
from .exceptions import PlanError

Array = NDArray[np.float64]
Callback = Callable[[_srgw.Progress], Any]
Method = _srgw.Automatic | _srgw.ConditionalGradient | _srgw.MirrorDescent

# Keywords of POT that have no effect here.
_POT_KEYWORDS = frozenset({"verbose", "alpha_min", "alpha_max", "nx"})


class Extras(NamedTuple):
    """Arguments that POT does not have."""

    sparsity: float = 0.0
    n_init: int = 1
    n_jobs: int | None = None
    time_limit: float | None = None
    callback: Callback | None = None


class Constraints(NamedTuple):
    """Restrictions of the plan of a semi-relaxed problem, and further relations."""

    allowed: _srgw.AllowedPairs | None = None
    share: float = 1.0
    relations: tuple[tuple[_srgw.Structure, _srgw.Structure, float], ...] = ()

    def project(self, plan: Array) -> Array:
        """A plan of the problem from one with row sums ``p``."""
        if self.allowed is not None:
            plan = self.allowed.project(np.ascontiguousarray(plan, np.float64))
        return plan if self.share == 1 else self.share * plan

    def given(self) -> Any:
        """For the library; None where there are none."""
        if self.allowed is None and self.share == 1 and not self.relations:
            return None
        return (self.allowed, self.share, list(self.relations), 1.0)


def constrain(
    task: Task,
    forbidden: Any = None,
    anchors: Any = None,
    share: float = 1.0,
    relations: Any = None,
) -> Task:
    """The task with constraints, checked."""
    if forbidden is None and anchors is None and relations is None and share == 1:
        return task
    n, m = task.source.size, task.target.size
    allowed = None
    if forbidden is not None or anchors is not None:
        rows, columns = _pairs(forbidden, n, m)
        anchored, places = _anchors(anchors, n)
        allowed = _srgw.AllowedPairs(n, m, rows, columns, anchored, places)
    more = []
    given = () if relations is None else arguments.sequence(relations, "relations")
    for r, relation in enumerate(given):
        if not isinstance(relation, list | tuple) or len(relation) not in (2, 3):
            raise ValueError(f"relations[{r}] is not (C1, C2) or (C1, C2, weight)")
        C1, _ = arguments.structure(relation[0], f"relations[{r}][0]", None)
        C2, _ = arguments.structure(relation[1], f"relations[{r}][1]", None)
        weight = relation[2] if len(relation) == 3 else 1.0
        more.append((C1, C2, arguments.number(weight, f"relations[{r}][2]")))
    number = arguments.number(share, "share")
    return task._replace(constraints=Constraints(allowed, number, tuple(more)))


def _pairs(forbidden: Any, n: int, m: int) -> tuple[Any, ...]:
    """Forbidden pairs as rows and columns."""
    if forbidden is None:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    if arguments.is_sparse(forbidden):
        entries = forbidden.tocoo()
        kept = entries.data != 0
        shape, found = entries.shape, (entries.row[kept], entries.col[kept])
    else:
        array = np.asarray(forbidden)
        if array.dtype != bool:
            if array.size == 0:
                array = array.reshape(0, 2).astype(np.int64)
            if array.ndim != 2 or array.shape[1] != 2 or array.dtype.kind not in "iu":
                raise ValueError(
                    f"forbidden is an array of {array.dtype} and shape {array.shape}, expected "
                    f"pairs of whole numbers, a sparse matrix, or a boolean array of shape {(n, m)}"
                )
            return tuple(np.ascontiguousarray(column, np.int64) for column in array.T)
        shape, found = array.shape, np.nonzero(array)  # type: ignore[assignment]
    if shape != (n, m):
        raise ValueError(f"forbidden has shape {shape}, expected {(n, m)}")
    return tuple(np.ascontiguousarray(column, np.int64) for column in found)


def _anchors(anchors: Any, n: int) -> tuple[Any, Any]:
    """Anchored rows and their columns."""
    if anchors is None:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    if isinstance(anchors, dict):
        for row, column in anchors.items():
            if not (hasattr(row, "__index__") and hasattr(column, "__index__")):
                raise ValueError(f"anchors has {row!r}: {column!r}, expected whole numbers")
        given = np.array([*anchors.items()], dtype=np.int64).reshape(-1, 2)
        return np.ascontiguousarray(given[:, 0]), np.ascontiguousarray(given[:, 1])
    array = np.asarray(anchors)
    if array.shape != (n,) or array.dtype.kind not in "iu":
        raise ValueError(
            f"anchors is an array of {array.dtype} and shape {array.shape}, expected a dict from "
            f"row to column, or {n} whole numbers with -1 for rows without an anchor"
        )
    rows = np.flatnonzero(array >= 0).astype(np.int64)
    return rows, np.ascontiguousarray(array[rows], np.int64)


class Task(NamedTuple):
    """A problem and its start, checked."""

    source: _srgw.Structure
    target: _srgw.Structure
    p: Array
    cost: Array | None
    alpha: float
    kl: bool
    start: str | Array | None
    dtype: np.dtype[Any]
    q: Array | None = None  # given: the balanced problem
    entropy: float = 0.0
    constraints: Constraints = Constraints()


class Answer(NamedTuple):
    """Results of a solve, for functions that return the plan or the value."""

    task: Task
    solution: _srgw.Solution
    value: Any
    log: dict[str, Any] | None  # None: not requested
    losses: dict[str, Any]  # of a fused problem: the linear and the quadratic part of the value

    @property
    def plan(self) -> NDArray[Any]:
        """The (n, m) array in the dtype of the input; a new array at each access."""
        T = self.solution.plan
        return T if self.task.dtype is arguments.FLOAT64 else T.astype(self.task.dtype)


def prepare(
    C1: Any, C2: Any, p: Any, M: Any, alpha: float | str, loss_fun: str, symmetric: Any, G0: Any
) -> Task:
    """Checks the arguments of a semi-relaxed function."""
    kl = arguments.is_kl(loss_fun)
    flag = None if symmetric is None else bool(symmetric)
    source, dtype1 = arguments.structure(C1, "C1", flag)
    target, dtype2 = arguments.structure(C2, "C2", flag)
    h, dtype_p = arguments.weights(p, "p", source.size, signs=False)
    cost = dtype_m = dtype_g = None
    if M is not None:
        cost, dtype_m = arguments.cost_matrix(M, "M", source.size, target.size)
        if isinstance(alpha, str):
            if alpha != "balanced":
                raise ValueError(f"alpha is {alpha!r}, expected 'balanced' or a number")
            alpha = _srgw.balanced_alpha(source, h, target, cost, kl)
        alpha = arguments.number(alpha, "alpha")
        if not 0 <= alpha <= 1:
            raise ValueError(f"alpha is {alpha}, expected a number from 0 to 1")
    start = G0
    if isinstance(G0, str):
        check_method(G0, "G0")
    elif G0 is not None:
        start, dtype_g = arguments.plan(G0, "G0", h, target.size)
    dtype = arguments.common_dtype(dtype1, dtype2, dtype_p, dtype_m, dtype_g)
    return Task(source, target, h, cost, float(alpha), kl, start, dtype)


def prepare_balanced(
    C1: Any, C2: Any, p: Any, q: Any, M: Any, alpha: float, loss_fun: str, symmetric: Any, G0: Any
) -> Task:
    """Checks the arguments of a balanced function; columns of G0 have to sum to q."""
    if isinstance(G0, str):
        raise ValueError(f"G0 is {G0!r}, expected a plan or None")
    task = prepare(C1, C2, p, M, alpha, loss_fun, symmetric, G0)
    hbar, dtype_q = arguments.weights(q, "q", task.target.size)
    if isinstance(task.start, np.ndarray):
        sums = task.start.sum(axis=0)
        if not np.allclose(sums, hbar, atol=1e-8):
            worst = int(np.argmax(np.abs(sums - hbar)))
            raise PlanError(f"column {worst} of G0 sums to {sums[worst]}, expected {hbar[worst]}")
    return task._replace(q=hbar, dtype=arguments.common_dtype(task.dtype, dtype_q))


def exact_method(max_iter: Any, tol_rel: Any, tol_abs: Any, automatic: bool = False) -> Method:
    """Conditional gradient with POT's stopping rule, or row descent where that serves."""
    return _exact_method(
        arguments.iterations(max_iter),
        arguments.number(tol_rel, "tol_rel"),
        arguments.number(tol_abs, "tol_abs"),
        automatic,
    )


@lru_cache(maxsize=64)
def _exact_method(steps: int, relative: float, absolute: float, automatic: bool) -> Method:
    kind = _srgw.Automatic if automatic else _srgw.ConditionalGradient
    return kind(
        max_iterations=steps,
        tolerance=relative,
        absolute_tolerance=absolute,
        stopping="change",
        polish_sweeps=0,
    )


def entropic_method(epsilon: Any, max_iter: Any, tol: Any, **options: Any) -> Method:
    """Mirror descent with POT's stopping rule, which is tested at every tenth step."""
    weight = arguments.number(epsilon, "epsilon")
    if not weight > 0:
        raise ValueError(f"epsilon is {epsilon!r}, expected a number above 0")
    steps, tolerance = arguments.iterations(max_iter), arguments.number(tol, "tol")
    return _entropic_method(weight, steps, tolerance, **options)


@lru_cache(maxsize=64)
def _entropic_method(epsilon: float, steps: int, tolerance: float, **options: Any) -> Method:
    return _srgw.MirrorDescent(
        epsilon=epsilon,
        max_iterations=steps,
        tolerance=tolerance,
        test_interval=10,
        **options,
    )


def projected_method(
    solver: str, epsilon: float, max_iter: Any, tol: float, keywords: dict[str, Any]
) -> tuple[Method, float]:
    """Mirror descent whose steps are projected on both weights by Sinkhorn's scaling.

    Removes the keywords of the scaling from `keywords`. Also returns the weight of the entropy.
    """
    if solver not in ("PGD", "PPA"):
        raise ValueError(f"solver is {solver!r}, expected 'PGD' or 'PPA'")
    method = entropic_method(
        epsilon,
        max_iter,
        tol,
        scaling_iterations=int(keywords.pop("numItermax", 1000)),
        scaling_tolerance=float(keywords.pop("stopThr", 1e-9)),
    )
    return method, float(epsilon) if solver == "PGD" else 0.0


def own_method(epsilon: float, max_iter: Any, tol: float) -> Method:
    """Stops on the gap, mirror descent on the change of the plan."""
    given = {
        "max_iterations": arguments.iterations(max_iter),
        "tolerance": arguments.number(tol, "tol"),
    }
    if epsilon == 0:
        return _srgw.ConditionalGradient(**given)
    return _srgw.MirrorDescent(epsilon=arguments.number(epsilon, "epsilon"), **given)


def solve(
    task: Task,
    method: Method,
    log: bool,
    extras: Extras,
    random_state: Any = 0,
    verbose: bool = False,
    keywords: dict[str, Any] | None = None,
) -> Answer:
    """Solves a task for a function of POT; `keywords` are its other keywords."""
    if keywords:
        verbose = check_keywords(keywords, 5) or verbose
    deadline = arguments.Deadline(extras.time_limit)
    solution = run(task, method, random_state, bool(log), extras, verbose)
    exact, balanced = isinstance(method, _srgw.ConditionalGradient), task.q is not None
    number = task.dtype.type
    # The balanced value is without entropy, the semi-relaxed one with the penalty of `sparsity`.
    value = number(solution.value_quad + solution.value_linear if balanced else solution.value)
    losses: dict[str, Any] = {}
    if task.cost is not None:
        linear = number(solution.value_linear)
        rest = value - linear if exact and not balanced else number(solution.value_quad)
        losses = {"lin_loss": linear, "quad_loss": rest}
    if not log:
        return Answer(task, solution, value, None, losses)
    weight = {} if task.cost is None else {"alpha": task.alpha}
    key = f"{'' if balanced else 'sr'}{'' if task.cost is None else 'f'}gw_dist"
    if exact:
        # A run that was stopped before its first step has no trace.
        values = np.append(solution.trace_values()[:-1], solution.value)
        loss = list(values.astype(task.dtype, copy=False))
        report = {
            "loss": loss,
            key: loss[-1],
            **_potentials(task, solution, deadline),
            **facts(solution),
            **weight,
        }
    else:
        report = {
            "err": changes(task, solution),
            key: value,
            **facts(solution),
            **losses,
            **weight,
        }
    return Answer(task, solution, value, report, losses)


def _potentials(
    task: Task, solution: _srgw.Solution, deadline: arguments.Deadline
) -> dict[str, Any]:
    """For the log of a balanced problem: the dual potentials of the linear problem at the plan."""
    if task.q is None:
        return {}
    problem = (task.source, task.p, task.target, task.q, task.cost, task.alpha, task.kl)
    try:
        with _srgw.TimeLimit(deadline.left()):
            gradient = _srgw.gradient(*problem, solution.plan)
            _, cost, u, v = _srgw.transport(gradient, task.p, task.q)
    except TimeoutError as error:  # after the plan was found
        return {"u": None, "v": None, "cost": None, "warning": str(error), "result_code": 3}
    potentials = {"u": u.astype(task.dtype, copy=False), "v": v.astype(task.dtype, copy=False)}
    return {**potentials, "cost": cost, "warning": None, "result_code": 1}


def run(
    task: Task,
    method: Method,
    random_state: Any,
    trace: bool,
    extras: Extras,
    verbose: bool,
) -> _srgw.Solution:
    """Solves from each of the starts and returns the best; warns if a limit stopped it."""
    callback = printer(extras.callback) if verbose else extras.callback
    seed = arguments.seed(random_state)
    threads = arguments.threads(extras.n_jobs)
    count = extras.n_init if extras.n_init == 1 else arguments.positive_int(extras.n_init, "n_init")
    deadline = arguments.Deadline(extras.time_limit)

    def solve(start: Any, starts: int, start_seed: int) -> _srgw.Solution:
        try:
            if callable(start):
                with _srgw.TimeLimit(deadline.left()):
                    start = start()
            return _srgw.solve(
                task.source,
                task.p,
                task.target,
                task.q,
                task.cost,
                task.alpha,
                task.kl,
                extras.sparsity,
                task.entropy,
                method,
                start,
                starts,
                trace,
                (threads, start_seed, deadline.left(), arguments.function(callback)),
                task.constraints.given(),
            )
        except ValueError as error:
            raise ValueError(_with_argument_names(str(error))) from None

    best = _first(task, solve, count, seed)
    if not best.converged:
        arguments.warn_unless_converged([best], 5)
    return best


def _first(task: Task, solve: Callable[..., _srgw.Solution], count: int, seed: int) -> Any:
    """Solves from each of the starts; the lowest value wins, the first of equals."""
    start = task.start
    if start is None:
        first = solve("product", 1, seed)
    elif not isinstance(start, str):
        first = solve(start, 1, seed)
    elif start in ("random", "random_product") and task.cost is None:
        if count > 1:
            return solve(start.replace("_", "-"), count, seed)
        first = solve(lambda: _named_start(task, start, seed), 1, seed)  # POT's random numbers
    elif start == "product":
        # All starts would be the same.
        if task.cost is None:
            return solve("product-literal", 1, seed)
        return solve(lambda: _named_start(task, start, seed), 1, seed)
    else:
        return _best_named(task, start, solve, count, seed)
    if count == 1:
        return first
    others = solve("random", count - 1, seed)
    return others if others.value < first.value else first


def _best_named(
    task: Task, start: str, solve: Callable[..., _srgw.Solution], count: int, seed: int
) -> Any:
    tries: list[_srgw.Solution] = []
    for k in range(count):
        try:
            tries.append(solve(lambda k=k: _named_start(task, start, seed + k), 1, seed))
        except TimeoutError:
            if not tries:
                raise
            break
    return min(tries, key=lambda solution: solution.value)


def _named_start(task: Task, name: str, seed: int) -> Array:
    T = named_plan(task.source, task.target, task.p, name, seed)
    return task.constraints.project(blended(T, task.p, task.cost, task.alpha))


def _with_argument_names(message: str) -> str:
    """Replaces the names of the library by those of the arguments."""
    words = {"source": "C1", "target": "C2", "weights": "p", "cost": "M"}
    for theirs, ours in words.items():
        if message.startswith(theirs):
            return ours + message[len(theirs) :]
    return message


def printer(then: Callback | None) -> Callback:
    """POT's table of iterations."""
    lines, last = 0, 0.0

    def show(progress: _srgw.Progress) -> Any:
        nonlocal lines, last
        if lines % 20 == 0:
            print(f"{'It.':5s}|{'Loss':12s}|{'Relative loss':13s}|{'Absolute loss':13s}")
            print("-" * 48)
        change = abs(progress.value - last) if lines else 0.0
        relative = change / abs(progress.value) if progress.value else 0.0
        print(f"{progress.iteration:5d}|{progress.value:8e}|{relative:8e}|{change:8e}")
        lines, last = lines + 1, progress.value
        return then(progress) if then is not None else None

    return show


def check_keywords(given: dict[str, Any], stacklevel: int) -> bool:
    """Warns about keywords that POT accepts and that have no effect here. Returns verbose."""
    unknown = sorted(set(given) - _POT_KEYWORDS)
    bounds = [k for k in ("alpha_min", "alpha_max") if given.get(k) is not None]
    if unknown or bounds:
        names = ", ".join(unknown + bounds)
        warnings.warn(f"keywords without effect: {names}", stacklevel=stacklevel)
    return bool(given.get("verbose", False))


def facts(solution: _srgw.Solution) -> dict[str, Any]:
    """Entries of every log that POT does not have."""
    return {
        "status": solution.status,
        "converged": solution.converged,
        "n_iter": solution.n_iter,
        "gap": solution.gap,
    }


def changes(task: Task, solution: _srgw.Solution) -> list[Any]:
    """|T' - T| after steps 1, 11, 21, ... and at the end."""
    steps = solution.trace_changes()[1:]
    return list(steps[::10].astype(task.dtype, copy=False))
