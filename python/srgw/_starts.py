"""Starting plans with POT's names."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _arguments as arguments
from . import _srgw

Array = NDArray[np.float64]

PARTITIONS = ("fluid", "spectral", "kmeans")
METHODS = (
    "product",
    "random_product",
    "random",
    *PARTITIONS,
    *(f"{name}_soft" for name in PARTITIONS),
)


def check_method(method: str, name: str) -> None:
    """Raises ValueError for an unknown name."""
    if not isinstance(method, str) or method not in METHODS:
        raise ValueError(f"{name} is {method!r}, expected a plan or one of {', '.join(METHODS)}")


def semirelaxed_init_plan(
    C1: Any,
    C2: Any,
    p: Any = None,
    M: Any = None,
    alpha: float = 1.0,
    method: str = "product",
    use_target: bool = True,
    random_state: Any = 0,
    nx: Any = None,
    *,
    time_limit: float | None = None,
) -> NDArray[Any]:
    """Initial plan of a semi-relaxed problem.

    Parameters
    ----------
    C1, C2 : array-like or SciPy sparse, shapes (n, n) and (m, m)
        Structures of the source and the target.
    p : array-like, shape (n,), optional
        Distribution over the source; uniform by default.
    M : array-like, shape (n, m), optional
        Costs between features. Where given, the plan is blended with the one that puts each row
        on its cheapest column: ``alpha * T + (1 - alpha) * T_M``.
    alpha : float
        Weight of the structure in that blend.
    method : str
        ``product``, ``random``, ``random_product``; ``kmeans``, ``spectral`` or ``fluid`` put
        clusters of the larger structure on the nodes of the smaller one, and with the suffix
        ``_soft`` are averaged with the product of their marginals.
    use_target : bool
        Whether clusters are aligned with the target: one to one where ``C1`` is the larger side,
        by the permutation that fits best; by optimal transport between rows otherwise.
    random_state : int, None or Generator
        With an int, the random starts are those of POT.
    nx : ignored, as in POT
    time_limit : float, optional
        Seconds, after which ``TimeoutError`` is raised.

    Returns
    -------
    T : array, shape (n, m)
        Rows sum to ``p``.

    Examples
    --------
    >>> import numpy as np
    >>> C1 = np.kron(np.eye(2), np.ones((3, 3)))
    >>> T = semirelaxed_init_plan(C1, np.eye(2), np.full(6, 1 / 6), method="kmeans")
    >>> sorted(T.sum(axis=0).round(3).tolist())
    [0.5, 0.5]
    """
    check_method(method, "method")
    source, dtype1 = arguments.structure(C1, "C1", None)
    target, dtype2 = arguments.structure(C2, "C2", None)
    h, dtype_p = arguments.weights(p, "p", source.size)
    cost = dtype_m = None
    if M is not None:
        cost, dtype_m = arguments.cost_matrix(M, "M", source.size, target.size)
    with _srgw.TimeLimit(time_limit):
        T = named_plan(source, target, h, method, arguments.seed(random_state), use_target)
    T = blended(T, h, cost, alpha)
    return T.astype(arguments.common_dtype(dtype1, dtype2, dtype_p, dtype_m), copy=False)


def blended(T: Array, p: Array, cost: Array | None, alpha: float) -> Array:
    """alpha T + (1 - alpha) T_M, T_M the row minima of the cost, ties shared."""
    if cost is None:
        return T
    cheapest = (cost == cost.min(axis=1, keepdims=True)).astype(float)
    cheapest *= (p / cheapest.sum(axis=1))[:, None]
    return alpha * T + (1 - alpha) * cheapest


def named_plan(
    source: _srgw.Structure,
    target: _srgw.Structure,
    p: Array,
    method: str,
    seed: int,
    use_target: bool = True,
    warn: bool = True,
) -> Array:
    """The initial plan with a name of POT."""
    kind, soft = method.removesuffix("_soft"), method.endswith("_soft")
    word = kind.replace("_", "-")
    n, m = source.size, target.size
    if kind.startswith("random"):
        return _random_plan(p, m, kind, seed)
    if kind in PARTITIONS:
        if n == m and warn:
            warnings.warn(
                f"C1 and C2 have the same size: the start {method!r} aligns their rows and makes "
                "no clusters",
                stacklevel=4,
            )
        # With more target nodes than nodes the target is clustered, and always aligned.
        word += "-aligned" if use_target or n <= m else ""
    labels, T = _srgw.initial_plan(source, p, target, word, seed, 1)
    if T is None:
        T = np.zeros((n, m))
        T[np.arange(n), labels] = p
    return (T + np.outer(p, T.sum(axis=0))) / 2 if soft else T


def _random_plan(p: Array, m: int, kind: str, seed: int) -> Array:
    """Draws the numbers that POT draws, without touching NumPy's global state."""
    bits: Any = seed if seed < 2**32 else np.random.MT19937(np.random.SeedSequence(seed))
    generator = np.random.RandomState(bits)  # noqa: NPY002
    n = len(p)
    if kind == "random_product":
        q = generator.uniform(0, m, m)
        return np.outer(p, q / q.sum())
    U = generator.uniform(0, n * m, (n, m))
    return (p / U.sum(axis=1))[:, None] * U
