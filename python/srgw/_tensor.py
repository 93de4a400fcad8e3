"""Parts of the objective, for users who write their own solvers.

Arrays of PyTorch and JAX give arrays of the same kind, differentiable as usual.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _arguments as arguments
from ._array_kinds import array_module
from ._docs import inherit_parameters

_GUARD = 1e-18  # inside logarithms


def _arrays(*values: Any) -> tuple[Any, ...]:
    """The module of the first array (NumPy, torch or jax.numpy), and all as its arrays."""
    module = array_module(*values)
    given = [v if array_module(v) is module is not np else module.asarray(v) for v in values]
    return (module, *given)


def _transformed(C1: Any, C2: Any, loss_fun: str) -> tuple[Any, ...]:
    """f1(C1), f2(C2), h1(C1), h2(C2) with loss(a, b) = f1(a) + f2(b) - h1(a) h2(b)."""
    module, C1, C2 = _arrays(C1, C2)
    if arguments.is_kl(loss_fun):
        return C1 * module.log(C1 + _GUARD) - C1, C2, C1, module.log(C2 + _GUARD)
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
    _, C1, C2, p, q = _arrays(C1, C2, p, q)
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
    module, C1, C2, p = _arrays(C1, C2, p)
    fC1, fC2, hC1, hC2 = _transformed(C1, C2, loss_fun)
    constC = (fC1 @ p)[:, None] * module.ones_like(hC2[:1])
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
    _, constC, hC1, hC2, T = _arrays(constC, hC1, hC2, T)
    return constC - hC1 @ T @ hC2.T


def gwloss(constC: Any, hC1: Any, hC2: Any, T: Any, nx: Any = None) -> Any:
    """The value <L(C1, C2) T, T> of a plan.

    Examples
    --------
    >>> import numpy as np
    >>> p, q = np.full(2, 0.5), np.full(2, 0.5)
    >>> float(gwloss(*init_matrix(np.eye(2), np.eye(2), p, q), np.outer(p, q)))
    0.5
    """
    _, constC, hC1, hC2, T = _arrays(constC, hC1, hC2, T)
    return (tensor_product(constC, hC1, hC2, T) * T).sum()


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
