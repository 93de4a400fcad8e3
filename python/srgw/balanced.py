"""Drop-in replacements for the balanced functions of ``ot.gromov``: both weights are given."""

from __future__ import annotations

from typing import Any

from ._docs import inherit_parameters
from ._pairs import returns_plan, value_twin
from ._semirelaxed import Callback, Extras, exact_method, prepare_balanced, projected_method, solve
from .gromov import semirelaxed_fused_gromov_wasserstein, semirelaxed_gromov_wasserstein

__all__ = [
    "entropic_fused_gromov_wasserstein",
    "entropic_fused_gromov_wasserstein2",
    "entropic_gromov_wasserstein",
    "entropic_gromov_wasserstein2",
    "fused_gromov_wasserstein",
    "fused_gromov_wasserstein2",
    "gromov_wasserstein",
    "gromov_wasserstein2",
]


@returns_plan
@inherit_parameters(semirelaxed_gromov_wasserstein)
def gromov_wasserstein(
    C1: Any,
    C2: Any,
    p: Any = None,
    q: Any = None,
    loss_fun: str = "square_loss",
    symmetric: bool | None = None,
    log: bool = False,
    armijo: bool = False,
    G0: Any = None,
    max_iter: float = 1e4,
    tol_rel: float = 1e-9,
    tol_abs: float = 1e-9,
    *,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    callback: Callback | None = None,
    **kwargs: Any,
) -> Any:
    """Plan of the Gromov-Wasserstein problem, by conditional gradient.

    Minimises ``sum_ijkl L(C1_ij, C2_kl) T_ik T_jl`` over plans ``T >= 0`` with row sums ``p`` and
    column sums ``q``. The direction of a step is an exact transport plan (network simplex), and the
    line search is exact.

    Parameters
    ----------
    p, q : array-like, shapes (n,) and (m,), optional
        Distributions over the source and the target; uniform by default.
    armijo : bool
        No effect: the line search is exact.
    G0 : array-like, shape (n, m), optional
        A plan to start from; the product of ``p`` and ``q`` by default.

    Returns
    -------
    T : array, shape (n, m)
    log : dict, if ``log``
        ``loss``, ``gw_dist``, ``u``, ``v`` (dual potentials of the linear problem at the plan; None
        if the time limit leaves no time for them), ``cost``, ``warning``, ``result_code``,
        ``status``, ``converged``, ``n_iter``, ``gap``.

    Examples
    --------
    >>> import numpy as np
    >>> C = np.array([[0.0, 1.0, 2.0], [1.0, 0.0, 4.0], [2.0, 4.0, 0.0]])
    >>> order = [2, 0, 1]
    >>> T = gromov_wasserstein(C, C[order][:, order], G0=np.eye(3)[order].T / 3)
    >>> T.shape, round(float(T.sum()), 6)
    ((3, 3), 1.0)
    >>> round(float(gromov_wasserstein2(np.eye(3), np.eye(3), G0=np.eye(3) / 3)), 6)
    0.0
    """
    task = prepare_balanced(C1, C2, p, q, None, 1.0, loss_fun, symmetric, G0)
    extras = Extras(n_jobs=n_jobs, time_limit=time_limit, callback=callback)
    return solve(task, exact_method(max_iter, tol_rel, tol_abs), log, extras, keywords=kwargs)


gromov_wasserstein2 = value_twin(gromov_wasserstein)


@returns_plan
@inherit_parameters(gromov_wasserstein, semirelaxed_fused_gromov_wasserstein)
def fused_gromov_wasserstein(
    M: Any,
    C1: Any,
    C2: Any,
    p: Any = None,
    q: Any = None,
    loss_fun: str = "square_loss",
    symmetric: bool | None = None,
    alpha: float = 0.5,
    armijo: bool = False,
    G0: Any = None,
    log: bool = False,
    max_iter: float = 1e4,
    tol_rel: float = 1e-9,
    tol_abs: float = 1e-9,
    *,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    callback: Callback | None = None,
    **kwargs: Any,
) -> Any:
    """Plan of the fused Gromov-Wasserstein problem, which also compares features.

    Returns
    -------
    T : array, shape (n, m)
    log : dict, if ``log``
        As of :func:`gromov_wasserstein`, with ``fgw_dist`` in place of ``gw_dist``.

    Examples
    --------
    >>> import numpy as np
    >>> fused_gromov_wasserstein(1 - np.eye(2), np.eye(2), np.eye(2)).tolist()
    [[0.5, 0.0], [0.0, 0.5]]
    >>> round(float(fused_gromov_wasserstein2(1 - np.eye(2), np.eye(2), np.eye(2))), 6)
    0.0
    """
    task = prepare_balanced(C1, C2, p, q, M, alpha, loss_fun, symmetric, G0)
    extras = Extras(n_jobs=n_jobs, time_limit=time_limit, callback=callback)
    return solve(task, exact_method(max_iter, tol_rel, tol_abs), log, extras, keywords=kwargs)


fused_gromov_wasserstein2 = value_twin(fused_gromov_wasserstein)


@returns_plan
@inherit_parameters(gromov_wasserstein)
def entropic_gromov_wasserstein(
    C1: Any,
    C2: Any,
    p: Any = None,
    q: Any = None,
    loss_fun: str = "square_loss",
    epsilon: float = 0.1,
    symmetric: bool | None = None,
    G0: Any = None,
    max_iter: float = 1000,
    tol: float = 1e-9,
    solver: str = "PGD",
    warmstart: bool = False,
    verbose: bool = False,
    log: bool = False,
    *,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    callback: Callback | None = None,
    **kwargs: Any,
) -> Any:
    """Plan of the entropic Gromov-Wasserstein problem, or of its proximal point method.

    Parameters
    ----------
    epsilon : float
        Weight of the entropy (``PGD``) or of the proximal term (``PPA``), above 0.
    tol : float
        Stops when a step moves the plan by less (Frobenius norm), tested at every tenth.
    solver : {'PGD', 'PPA'}
    warmstart : bool
        No effect: each projection always starts from the last one.
    verbose : bool
        Prints the iterations.
    **kwargs
        ``numItermax`` and ``stopThr`` of the projections, and other keywords of POT.

    Returns
    -------
    T : array, shape (n, m)
    log : dict, if ``log``
        ``err``, ``gw_dist`` (without entropy), ``status``, ``converged``, ``n_iter``, ``gap``.

    Examples
    --------
    >>> import numpy as np
    >>> entropic_gromov_wasserstein(np.eye(3), np.eye(3), epsilon=1.0).shape
    (3, 3)
    >>> float(entropic_gromov_wasserstein2(np.eye(3), np.eye(3), epsilon=1.0)) >= 0
    True
    """
    method, entropy = projected_method(solver, epsilon, max_iter, tol, kwargs)
    task = prepare_balanced(C1, C2, p, q, None, 1.0, loss_fun, symmetric, G0)
    extras = Extras(n_jobs=n_jobs, time_limit=time_limit, callback=callback)
    task = task._replace(entropy=entropy)
    return solve(task, method, log, extras, verbose=verbose, keywords=kwargs)


entropic_gromov_wasserstein2 = value_twin(entropic_gromov_wasserstein)


@returns_plan
@inherit_parameters(entropic_gromov_wasserstein, semirelaxed_fused_gromov_wasserstein)
def entropic_fused_gromov_wasserstein(
    M: Any,
    C1: Any,
    C2: Any,
    p: Any = None,
    q: Any = None,
    loss_fun: str = "square_loss",
    epsilon: float = 0.1,
    symmetric: bool | None = None,
    alpha: float = 0.5,
    G0: Any = None,
    max_iter: float = 1000,
    tol: float = 1e-9,
    solver: str = "PGD",
    warmstart: bool = False,
    verbose: bool = False,
    log: bool = False,
    *,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    callback: Callback | None = None,
    **kwargs: Any,
) -> Any:
    """Plan of the entropic fused problem, or of its proximal point method.

    Returns
    -------
    T : array, shape (n, m)
    log : dict, if ``log``
        As of :func:`entropic_gromov_wasserstein`, with ``fgw_dist`` in place of ``gw_dist``, and
        ``lin_loss`` and ``quad_loss``.

    Examples
    --------
    >>> import numpy as np
    >>> M = 1 - np.eye(3)
    >>> entropic_fused_gromov_wasserstein(M, np.eye(3), np.eye(3)).argmax(axis=1).tolist()
    [0, 1, 2]
    >>> float(entropic_fused_gromov_wasserstein2(M, np.eye(3), np.eye(3))) >= 0
    True
    """
    method, entropy = projected_method(solver, epsilon, max_iter, tol, kwargs)
    task = prepare_balanced(C1, C2, p, q, M, alpha, loss_fun, symmetric, G0)
    extras = Extras(n_jobs=n_jobs, time_limit=time_limit, callback=callback)
    task = task._replace(entropy=entropy)
    return solve(task, method, log, extras, verbose=verbose, keywords=kwargs)


entropic_fused_gromov_wasserstein2 = value_twin(entropic_fused_gromov_wasserstein)
