"""The best barycenter for given plans, in closed form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _arguments as arguments
from ._docs import inherit_parameters

_GUARD = 1e-16  # inside logarithms


def update_barycenter_structure(
    Ts: Sequence[Any],
    Cs: Sequence[Any],
    lambdas: Sequence[float],
    p: Any = None,
    loss_fun: str = "square_loss",
    target: bool = True,
    check_zeros: bool = True,
    nx: Any = None,
) -> NDArray[Any]:
    """The best structure for plans to (or from) a barycenter.

    With ``kl_loss`` and ``target=False`` it is a geometric mean, else an arithmetic one.

    Parameters
    ----------
    Ts : sequence of array-like, shapes (n_s, N), or (N, n_s) without ``target``
    Cs : sequence of array-like, shapes (n_s, n_s)
    lambdas : sequence of float, length S
    p : array-like, shape (N,) or (S, N), optional
        Masses of the barycenter's nodes; by default the sums of the plans.
    loss_fun : {'square_loss', 'kl_loss'}
    target : bool
        Whether the barycenter is the target of the plans.
    check_zeros : bool
        Whether nodes may have no mass: their entries are 0.
    nx : ignored, as in POT

    Returns
    -------
    C : array, shape (N, N)

    Examples
    --------
    >>> import numpy as np
    >>> T = np.array([[0.5, 0.0], [0.0, 0.5]])
    >>> update_barycenter_structure([T, T], [np.eye(2), np.ones((2, 2))], [0.5, 0.5]).tolist()
    [[1.0, 0.5], [0.5, 1.0]]
    """
    geometric = arguments.is_kl(loss_fun) and not target
    plans = _to_barycenter(Ts, target)
    matrices = [np.log(np.maximum(C, _GUARD)) if geometric else np.asarray(C) for C in Cs]
    shares = [float(share) for share in lambdas]
    total = sum(w * (T.T @ C @ T) for w, C, T in zip(shares, matrices, plans, strict=True))
    masses = _masses(plans, p)
    if masses.ndim == 1:
        inverse = _inverse(masses, check_zeros)
        mean = total * np.outer(inverse, inverse)
    else:
        uses = sum(w * np.outer(q, q) for w, q in zip(shares, masses, strict=True))
        mean = total * _inverse(np.asarray(uses), check_zeros)
    return np.exp(mean) if geometric else mean


@inherit_parameters(update_barycenter_structure)
def update_barycenter_feature(
    Ts: Sequence[Any],
    Ys: Sequence[Any],
    lambdas: Sequence[float],
    p: Any = None,
    loss_fun: str = "square_loss",
    target: bool = True,
    check_zeros: bool = True,
    nx: Any = None,
) -> NDArray[Any]:
    """The best features for plans to (or from) a barycenter: means under the plans.

    Parameters
    ----------
    Ts : sequence of array-like, shapes (n_s, N), or (N, n_s) without ``target``
    Ys : sequence of array-like, shapes (n_s, d)
    loss_fun : {'square_loss'}

    Returns
    -------
    X : array, shape (N, d)

    Examples
    --------
    >>> import numpy as np
    >>> T = np.array([[0.5, 0.0], [0.0, 0.5]])
    >>> update_barycenter_feature([T, T], [[[0.0], [1.0]], [[2.0], [3.0]]], [0.5, 0.5]).tolist()
    [[1.0], [2.0]]
    """
    if loss_fun != "square_loss":
        raise ValueError(f"loss_fun is {loss_fun!r}, expected 'square_loss'")
    plans = _to_barycenter(Ts, target)
    shares = [float(share) for share in lambdas]
    total = sum(w * (T.T @ np.asarray(Y)) for w, T, Y in zip(shares, plans, Ys, strict=True))
    masses = _masses(plans, p)
    if masses.ndim == 2:
        masses = np.asarray(sum(w * q for w, q in zip(shares, masses, strict=True)))
    return np.asarray(total) * _inverse(masses, check_zeros)[:, None]


def _to_barycenter(Ts: Sequence[Any], target: bool) -> list[NDArray[Any]]:
    """Plans whose columns are the nodes of the barycenter."""
    return [np.asarray(T) if target else np.asarray(T).T for T in Ts]


def _masses(plans: list[NDArray[Any]], p: Any) -> NDArray[Any]:
    return np.stack([T.sum(axis=0) for T in plans]) if p is None else np.asarray(p)


def _inverse(masses: NDArray[Any], check_zeros: bool) -> NDArray[Any]:
    """1 / masses; with `check_zeros` 1 for a mass of 0."""
    if not check_zeros:
        return 1 / masses
    return np.divide(1, masses, out=np.ones_like(masses), where=masses != 0)
