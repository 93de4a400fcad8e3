"""Checks and conversions of arguments. Errors name the argument."""

from __future__ import annotations

import operator
import os
import time
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _srgw
from .exceptions import ConvergenceWarning, PlanError

FLOAT64 = np.dtype(np.float64)
FLOAT32 = np.dtype(np.float32)

Array = NDArray[np.float64]

_LARGEST_SEED = 2**64 - 1
_MOST_THREADS = 2**20


def real_array(value: Any, name: str, ndim: int) -> NDArray[Any]:
    """An array of real numbers with `ndim` dimensions, in its own dtype."""
    array = np.asarray(value)
    if array.ndim != ndim:
        what = {1: "a vector", 2: "a matrix"}[ndim]
        raise ValueError(f"{name} has {array.ndim} dimensions, expected {what}")
    if array.dtype.kind not in "fiub":
        raise TypeError(f"{name} has dtype {array.dtype}, expected real numbers")
    return array


def as_float64(array: NDArray[Any]) -> Array:
    """Converts to double precision and row-major order; copies only if necessary."""
    return np.ascontiguousarray(array, dtype=np.float64)


def _own_float64(array: NDArray[Any]) -> Array:
    """A copy, so that later changes of the caller's array have no effect."""
    return np.array(array, dtype=np.float64, order="C")


def common_dtype(*dtypes: np.dtype[Any] | None) -> np.dtype[Any]:
    """float32 if all dtypes are float32, else float64."""
    for dtype in dtypes:
        # NumPy takes None for float64, so it must not be compared.
        if dtype is not None and dtype != FLOAT32:
            return FLOAT64
    return FLOAT32


def is_sparse(value: Any) -> bool:
    """Whether this is a SciPy sparse matrix or array, without importing SciPy."""
    return not isinstance(value, np.ndarray) and hasattr(value, "tocsr")


def is_graph(value: Any) -> bool:
    """Whether this is a graph of this package or of NetworkX, igraph or PyG, without imports."""
    return (
        hasattr(value, "_core")
        or (hasattr(value, "adj") and hasattr(value, "nodes"))
        or (hasattr(value, "vcount") and hasattr(value, "get_edgelist"))
        or hasattr(value, "edge_index")
    )


def csr_rows(matrix: Any, name: str) -> tuple[NDArray[Any], NDArray[np.int32], Array | None]:
    """Offsets, columns and values of a SciPy sparse matrix; entries of 0 are left out."""
    if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"{name} has shape {tuple(matrix.shape)}, expected a square matrix")
    if matrix.dtype.kind not in "fiub":
        raise TypeError(f"{name} has dtype {matrix.dtype}, expected real numbers")
    csr = matrix.tocsr()
    if not csr.has_canonical_format:
        csr = csr.copy()  # the caller's rows stay as they are
        csr.sum_duplicates()
    if not csr.data.all():
        csr = csr.copy()
        csr.eliminate_zeros()
    indptr, indices = csr.indptr, csr.indices
    if indices.dtype != np.int32:
        indices = indices.astype(np.int32)
    if indptr.dtype not in (np.int32, np.int64):
        indptr = indptr.astype(np.int64)
    data = csr.data
    values = None if bool((data == 1).all()) else as_float64(data)
    return np.ascontiguousarray(indptr), np.ascontiguousarray(indices), values


def structure(
    value: Any, name: str, symmetric: bool | None
) -> tuple[_srgw.Structure, np.dtype[Any]]:
    """A matrix as a Structure, and its dtype."""
    if type(value) is np.ndarray and value.dtype == FLOAT64 and value.ndim == 2:  # the common case
        try:
            return _srgw.Structure.dense(value, symmetric), FLOAT64
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
    if is_sparse(value):
        indptr, indices, values = csr_rows(value, name)
        try:
            return _srgw.Structure.csr(indptr, indices, values, symmetric), value.dtype
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
    if is_graph(value):
        return _adjacency(value, name, symmetric), FLOAT64
    array = real_array(value, name, 2)
    if array.shape[0] != array.shape[1]:
        raise ValueError(f"{name} has shape {array.shape}, expected a square matrix")
    try:
        return _srgw.Structure.dense(as_float64(array), symmetric), array.dtype
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def _adjacency(graph: Any, name: str, symmetric: bool | None) -> _srgw.Structure:
    """The adjacency of a graph, which stays sparse."""
    from .graph import as_graph

    try:
        made = as_graph(graph)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name}: {error}") from None
    if symmetric and made.directed:
        raise ValueError(f"{name}: the graph is directed, so its adjacency is not symmetric")
    return _srgw.make_source(made._core, "adjacency", 1)[0]


def check_finite(matrix: Any, name: str) -> None:
    """Raises ValueError that names the first row with a number that is not finite."""
    data = matrix.data if is_sparse(matrix) else matrix
    if np.isfinite(data).all():
        return
    if is_sparse(matrix):
        matrix = matrix.tocoo()
        at = int(np.flatnonzero(~np.isfinite(matrix.data))[0])
        row, value = int(matrix.coords[0][at]), matrix.data[at]
    else:
        row, column = (int(i) for i in np.argwhere(~np.isfinite(matrix))[0])
        value = matrix[row, column]
    raise ValueError(f"row {row} of {name} has the entry {value}, expected finite numbers")


def weights(
    value: Any, name: str, size: int, signs: bool = True
) -> tuple[Array, np.dtype[Any] | None]:
    """A distribution over nodes, uniform by default, and its dtype.

    Without `signs` negative numbers are left to the library to report.
    """
    if value is None:
        return _srgw.uniform_weights(size), None
    array = real_array(value, name, 1)
    if array.shape[0] != size:
        raise ValueError(f"{name} has {array.shape[0]} entries, expected {size}, one for each node")
    p = _own_float64(array)
    total = _srgw.mass(p)
    if not abs(total - 1) <= 1e-5:
        raise ValueError(f"{name} sums to {total}, expected 1")
    if signs and not p.min() >= 0:
        raise ValueError(f"{name} has the entry {p.min()}, expected numbers >= 0")
    # Single precision sums to 1 only nearly.
    return (p if abs(total - 1) <= 1e-12 else p / total), array.dtype


def cost_matrix(value: Any, name: str, rows: int, columns: int) -> tuple[Array, np.dtype[Any]]:
    """A linear cost, and its dtype."""
    array = real_array(value, name, 2)
    if array.shape != (rows, columns):
        raise ValueError(f"{name} has shape {array.shape}, expected {(rows, columns)}")
    cost = _own_float64(array)
    if not np.isfinite(cost).all():
        raise ValueError(f"{name} has an entry that is not finite")
    return cost, array.dtype


def plan(value: Any, name: str, p: Array, columns: int) -> tuple[Array, np.dtype[Any]]:
    """A plan whose rows sum to p (as POT tests it), and its dtype."""
    try:
        array = real_array(value, name, 2)
    except ValueError as error:
        raise PlanError(str(error)) from None
    if array.shape != (len(p), columns):
        raise PlanError(f"{name} has shape {array.shape}, expected {(len(p), columns)}")
    T = _own_float64(array)
    sums = T.sum(axis=1)
    if not np.allclose(sums, p, atol=1e-8):
        worst = int(np.argmax(np.where(np.isfinite(sums), np.abs(sums - p), np.inf)))
        raise PlanError(f"row {worst} of {name} sums to {sums[worst]}, expected {p[worst]}")
    if not T.min() >= 0:
        raise PlanError(f"{name} has the entry {T.min()}, expected numbers >= 0")
    if not np.array_equal(sums, p):
        T = T * np.divide(p, sums, out=np.zeros_like(p), where=sums > 0)[:, None]
    return T, array.dtype


def is_kl(loss_fun: str) -> bool:
    """Whether the loss is the Kullback-Leibler divergence, not the square."""
    if not isinstance(loss_fun, str) or loss_fun not in ("square_loss", "kl_loss"):
        raise ValueError(f"loss_fun is {loss_fun!r}, expected 'square_loss' or 'kl_loss'")
    return loss_fun == "kl_loss"


def positive_int(value: Any, name: str) -> int:
    """A whole number above 0."""
    return _whole(value, name, 1, "a whole number above 0")


def count(value: Any, name: str) -> int:
    """A whole number, 0 or more."""
    return _whole(value, name, 0, "a whole number, 0 or more")


def _whole(value: Any, name: str, smallest: int, expected: str) -> int:
    try:
        number = int(value)
    except (TypeError, ValueError, OverflowError):
        number = smallest - 1
    if number != value or number < smallest:
        raise ValueError(f"{name} is {value!r}, expected {expected}")
    return number


def number(value: Any, name: str) -> float:
    """A real number; the library checks its range."""
    try:
        if isinstance(value, str):
            raise TypeError
        return float(value)
    except (TypeError, ValueError):
        raise ValueError(f"{name} is {value!r}, expected a number") from None


def text(value: Any, name: str) -> str:
    """A string."""
    if not isinstance(value, str):
        raise TypeError(f"{name} is {value!r}, expected a string")
    return value


def sequence(value: Any, name: str) -> Any:
    """A list, a tuple, an array or whatever has a length."""
    if not hasattr(value, "__len__") or isinstance(value, str):
        raise TypeError(f"{name} is {value!r}, expected a sequence")
    return value


def iterations(max_iter: Any) -> int:
    """As in POT, a float is accepted and at least one step is made."""
    if not number(max_iter, "max_iter") >= 0:
        raise ValueError(f"max_iter is {max_iter!r}, expected a number >= 0")
    return max(1, int(min(max_iter, 1e9)))


def threads(n_jobs: int | None) -> int:
    """As in joblib, but None means all cores; results do not depend on it."""
    if n_jobs is None:
        return 0
    try:
        number = operator.index(n_jobs)
    except TypeError:
        number = 0
    if number == 0 or isinstance(n_jobs, bool) or abs(number) > _MOST_THREADS:
        raise ValueError(
            f"n_jobs is {n_jobs!r}, expected a whole number of threads, or -1 for all cores"
        )
    if number == -1:
        return 0
    return number if number > 0 else max(1, (os.cpu_count() or 1) + 1 + number)


Run = tuple[int, int, float | None, Any]


def run(n_jobs: int | None, random_state: Any, time_limit: float | None, callback: Any) -> Run:
    """Threads, seed, time limit and callback as the library takes them."""
    return threads(n_jobs), seed(random_state), limit(time_limit), function(callback)


def limit(time_limit: Any) -> float | None:
    """Seconds, or None; the library checks their range."""
    return None if time_limit is None else number(time_limit, "time_limit")


def function(callback: Any) -> Any:
    """A function, or None."""
    if callback is not None and not callable(callback):
        raise TypeError(f"callback is {callback!r}, expected a function")
    return callback


class Deadline:
    """End of a time limit that several calls share."""

    def __init__(self, time_limit: float | None) -> None:
        seconds = limit(time_limit)
        self._end = None if seconds is None else time.monotonic() + seconds

    def left(self) -> float | None:
        """Seconds left."""
        return None if self._end is None else max(0.0, self._end - time.monotonic())


def seed(random_state: Any) -> int:
    """A seed from an int, None (an arbitrary one), or NumPy's generators and seed sequences."""
    if random_state is None or isinstance(
        random_state, np.random.SeedSequence | np.random.BitGenerator
    ):
        return int(np.random.default_rng(random_state).integers(2**63))
    if type(random_state) is int and 0 <= random_state <= _LARGEST_SEED:  # the common case
        return random_state
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**63))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    try:
        number = operator.index(random_state)
    except TypeError:
        raise TypeError(
            f"random_state is {random_state!r}, expected an int, None or a Generator"
        ) from None
    if not 0 <= number <= _LARGEST_SEED:
        raise ValueError(f"random_state is {number}, expected a number from 0 to 2**64 - 1")
    return number


def warn_of_time_limit(what: str, stacklevel: int) -> None:
    """Warns that the time limit was reached."""
    warnings.warn(
        f"{what} because time_limit was reached; the result is the best so far",
        ConvergenceWarning,
        stacklevel + 1,
    )


def warn_unless_converged(solutions: Sequence[_srgw.Solution], stacklevel: int) -> None:
    """Warns once if a limit stopped some of the solves."""
    short = [s for s in solutions if s.status in ("iteration_limit", "time_limit")]
    if not short:
        return
    status, gap = short[0].status, short[0].gap
    many = f"{len(short)} of {len(solutions)} solves" if len(solutions) > 1 else "the solve"
    limit = "max_iter" if status == "iteration_limit" else "time_limit"
    warnings.warn(
        f"{many} stopped at {limit} (gap {gap:.3g}); increase it, or the tolerance",
        ConvergenceWarning,
        stacklevel=stacklevel + 1,
    )
