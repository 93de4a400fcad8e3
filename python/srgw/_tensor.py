"""Parts of the objective, for users who write their own solvers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _arguments as arguments
from ._docs import inherit_parameters

_GUARD = 1e-18  # inside logarithms


def _transformed(C1: Any, C2: Any, loss_fun: str) -> tuple[NDArray[Any], ...]:
    """f1(C1), f2(C2), h1(C1), h2(C2) with loss(a, b) = f1(a) + f2(b) - h1(a) h2(b)."""
    C1, C2 = np.asarray(C1), np.asarray(C2)
    if arguments.is_kl(loss_fun):
        return C1 * np.log(C1 + _GUARD) - C1, C2, C1, np.log(C2 + _GUARD)
    return C1**2, C2**2, C1, 2 * C2


def init_matrix(
    C1: Any, C2: Any, p: Any, q: Any, loss_fun: str = "square_loss", nx: Any = None
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Constant and factors of the tensor product, for a plan with marginals p and q.

    Parameters
    ----------
    C1, C2 : array-like, shapes (n, n) and (m, m)
    p, q : array-like, shapes (n,) and (m,)
    loss_fun : {'square_loss', 'kl_loss'}
    nx : ignored, as in POT

    Returns
    -------
    constC, hC1, hC2 : arrays, shapes (n, m), (n, n) and (m, m)

    Examples
    --------
    >>> import numpy as np
    >>> constC, hC1, hC2 = init_matrix(np.eye(3), np.eye(2), np.full(3, 1 / 3), np.full(2, 1 / 2))
    >>> constC.shape
    (3, 2)
    """
    p, q = np.asarray(p), np.asarray(q)
    fC1, fC2, hC1, hC2 = _transformed(C1, C2, loss_fun)
    return (fC1 @ p)[:, None] + (fC2 @ q)[None, :], hC1, hC2


@inherit_parameters(init_matrix)
def init_matrix_semirelaxed(
    C1: Any, C2: Any, p: Any, loss_fun: str = "square_loss", nx: Any = None
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Constant and factors of the tensor product if the second marginal is free.

    Returns
    -------
    constC, hC1, hC2, fC2t : arrays, shapes (n, m), (n, n), (m, m) and (m, m)
        Constant part of the first structure, the factors, and the transpose of f2(C2): a plan with
        column sums q adds ``q @ fC2t`` to each row of the constant.

    Examples
    --------
    >>> import numpy as np
    >>> _, _, hC2, fC2t = init_matrix_semirelaxed(np.eye(3), np.eye(2), np.full(3, 1 / 3))
    >>> hC2.tolist(), fC2t.tolist()
    ([[2.0, 0.0], [0.0, 2.0]], [[1.0, 0.0], [0.0, 1.0]])
    """
    p = np.asarray(p)
    fC1, fC2, hC1, hC2 = _transformed(C1, C2, loss_fun)
    constC = np.repeat((fC1 @ p)[:, None], hC2.shape[0], axis=1)
    return constC, hC1, hC2, fC2.T


def tensor_product(constC: Any, hC1: Any, hC2: Any, T: Any, nx: Any = None) -> NDArray[Any]:
    """constC - hC1 T hC2', the tensor L(C1, C2) times the plan T.

    Examples
    --------
    >>> import numpy as np
    >>> p, q = np.full(2, 0.5), np.full(2, 0.5)
    >>> tensor_product(*init_matrix(np.eye(2), np.eye(2), p, q), np.eye(2) / 2).tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    return np.asarray(constC) - np.asarray(hC1) @ np.asarray(T) @ np.asarray(hC2).T


def gwloss(constC: Any, hC1: Any, hC2: Any, T: Any, nx: Any = None) -> Any:
    """The value <L(C1, C2) T, T> of a plan.

    Examples
    --------
    >>> import numpy as np
    >>> p, q = np.full(2, 0.5), np.full(2, 0.5)
    >>> float(gwloss(*init_matrix(np.eye(2), np.eye(2), p, q), np.outer(p, q)))
    0.5
    """
    return (tensor_product(constC, hC1, hC2, T) * np.asarray(T)).sum()


def gwggrad(constC: Any, hC1: Any, hC2: Any, T: Any, nx: Any = None) -> NDArray[Any]:
    """The gradient 2 L(C1, C2) T, for symmetric structures.

    Examples
    --------
    >>> import numpy as np
    >>> p, q = np.full(2, 0.5), np.full(2, 0.5)
    >>> gwggrad(*init_matrix(np.eye(2), np.eye(2), p, q), np.eye(2) / 2).tolist()
    [[0.0, 2.0], [2.0, 0.0]]
    """
    return 2 * tensor_product(constC, hC1, hC2, T)
