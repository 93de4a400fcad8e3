"""Drop-in replacements for functions of ``ot.gromov``: same arguments, same returns."""

from __future__ import annotations

from typing import Any

from . import _arguments as arguments
from . import _srgw
from ._docs import inherit_parameters
from ._pairs import returns_plan, value_twin
from ._semirelaxed import (
    Callback,
    Extras,
    constrain,
    entropic_method,
    exact_method,
    prepare,
    solve,
)
from ._starts import semirelaxed_init_plan
from ._tensor import gwggrad, gwloss, init_matrix, init_matrix_semirelaxed, tensor_product

__all__ = [
    "derivatives",
    "entropic_semirelaxed_fused_gromov_wasserstein",
    "entropic_semirelaxed_fused_gromov_wasserstein2",
    "entropic_semirelaxed_gromov_wasserstein",
    "entropic_semirelaxed_gromov_wasserstein2",
    "gwggrad",
    "gwloss",
    "init_matrix",
    "init_matrix_semirelaxed",
    "semirelaxed_fused_gromov_wasserstein",
    "semirelaxed_fused_gromov_wasserstein2",
    "semirelaxed_gromov_wasserstein",
    "semirelaxed_gromov_wasserstein2",
    "semirelaxed_init_plan",
    "tensor_product",
]


@returns_plan
def semirelaxed_gromov_wasserstein(
    C1: Any,
    C2: Any,
    p: Any = None,
    loss_fun: str = "square_loss",
    symmetric: bool | None = None,
    log: bool = False,
    G0: Any = None,
    max_iter: float = 1e4,
    tol_rel: float = 1e-9,
    tol_abs: float = 1e-9,
    random_state: Any = 0,
    *,
    sparsity: float = 0.0,
    n_init: int = 1,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    callback: Callback | None = None,
    forbidden: Any = None,
    anchors: Any = None,
    share: float = 1.0,
    relations: Any = None,
    **kwargs: Any,
) -> Any:
    """Plan of the semi-relaxed Gromov-Wasserstein problem, by conditional gradient.

    Minimises ``sum_ijkl L(C1_ij, C2_kl) T_ik T_jl`` over plans ``T >= 0`` with row sums ``p``.

    Parameters
    ----------
    C1 : array-like, SciPy sparse or graph, shape (n, n)
        Structure of the source. A sparse matrix stays sparse; of a :class:`srgw.Graph`, a NetworkX
        or igraph graph it is the adjacency.
    C2 : array-like, SciPy sparse or graph, shape (m, m)
        Structure of the target.
    p : array-like, shape (n,), optional
        Distribution over the source; uniform by default.
    loss_fun : {'square_loss', 'kl_loss'}
    symmetric : bool, optional
        Whether ``C1`` and ``C2`` are symmetric; by default their entries are compared.
    log : bool
        Whether to return a log as well.
    G0 : array-like of shape (n, m), str or None
        Start: a plan, a name that :func:`semirelaxed_init_plan` knows, or None for the product
        ``p 1'/m``. If None and the product is a fixed point only by symmetry, the solver tries
        another start; with "product" it does not.
    max_iter : int
        Maximum number of steps; at least one is made.
    tol_rel, tol_abs : float
        Relative and absolute change of the loss below which to stop.
    random_state : int, None or Generator
        Seed of random starts.
    sparsity : float
        Weight of the penalty ``sum_k sqrt(q_k)`` on the target weights ``q``.
    n_init : int
        Number of starts; the best result is kept. ``G0`` is followed by random starts; a named
        start is drawn ``n_init`` times. A single random start is that of POT for the same seed.
    n_jobs : int, optional
        Number of threads; None and -1 use all cores. The result does not depend on it.
    time_limit : float, optional
        Seconds; the best plan so far is returned.
    callback : callable, optional
        Called with a :class:`srgw.Progress` after each iteration; returning False stops.
    forbidden : array-like or SciPy sparse, optional
        Pairs (row, column) without mass in the plan: an integer array of shape (n_pairs, 2), a
        boolean array of shape (n, m), or a sparse matrix whose nonzeros are forbidden. Starts are
        projected on the other pairs.
    anchors : dict or array-like of shape (n,), optional
        Column of rows whose column is given: from row to column, or for each row, with -1 for none.
    share : float
        The share of the mass that has to be matched, above 0. Below 1 rows sum to at most ``p``.
    relations : sequence of (C1, C2) or (C1, C2, weight), optional
        Further pairs of structures on the same nodes: their losses are added, times the weight.
    **kwargs
        Other keywords of POT, such as ``verbose``.

    Returns
    -------
    T : array, shape (n, m)
    log : dict, if ``log``
        ``loss`` (list, the start first), ``srgw_dist``, ``status``, ``converged``, ``n_iter``,
        ``gap``.

    Examples
    --------
    >>> import numpy as np
    >>> C1 = np.kron(np.eye(2), np.ones((3, 3)))
    >>> T = semirelaxed_gromov_wasserstein(C1, np.eye(2))
    >>> T.shape, sorted(T.sum(axis=0).round(3).tolist())
    ((6, 2), [0.5, 0.5])
    >>> round(float(semirelaxed_gromov_wasserstein2(C1, np.eye(2))), 6)
    0.0

    Nodes 0 and 3 are anchored, and node 1 must not be on column 0:

    >>> T = semirelaxed_gromov_wasserstein(
    ...     C1, np.eye(2), anchors={0: 1, 3: 0}, forbidden=[(1, 0)], G0="random"
    ... )
    >>> T.argmax(axis=1).tolist()
    [1, 1, 1, 0, 0, 0]
    >>> float(semirelaxed_gromov_wasserstein(C1, np.eye(2), share=0.5).sum().round(12))
    0.5
    """
    task = prepare(C1, C2, p, None, 1.0, loss_fun, symmetric, G0)
    task = constrain(task, forbidden, anchors, share, relations)
    extras = Extras(sparsity, n_init, n_jobs, time_limit, callback)
    method = exact_method(max_iter, tol_rel, tol_abs)
    return solve(task, method, log, extras, random_state, keywords=kwargs)


semirelaxed_gromov_wasserstein2 = value_twin(semirelaxed_gromov_wasserstein)


@returns_plan
@inherit_parameters(semirelaxed_gromov_wasserstein)
def semirelaxed_fused_gromov_wasserstein(
    M: Any,
    C1: Any,
    C2: Any,
    p: Any = None,
    loss_fun: str = "square_loss",
    symmetric: bool | None = None,
    alpha: float | str = 0.5,
    G0: Any = None,
    log: bool = False,
    max_iter: float = 1e4,
    tol_rel: float = 1e-9,
    tol_abs: float = 1e-9,
    random_state: Any = 0,
    *,
    sparsity: float = 0.0,
    n_init: int = 1,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    callback: Callback | None = None,
    forbidden: Any = None,
    anchors: Any = None,
    share: float = 1.0,
    relations: Any = None,
    **kwargs: Any,
) -> Any:
    """Plan of the semi-relaxed fused problem, which also compares features.

    Minimises ``(1 - alpha) <M, T> + alpha sum_ijkl L(C1_ij, C2_kl) T_ik T_jl`` over plans
    ``T >= 0`` with row sums ``p``.

    Parameters
    ----------
    M : array-like, shape (n, m)
        Cost between the features of source and target nodes.
    alpha : float or 'balanced'
        Weight of the structure, from 0 to 1. ``balanced``: the structure costs as much on the best
        target of one node as the features on the cheapest target node; ``log['alpha']`` has it.
    G0 : array-like of shape (n, m), str or None
        As in :func:`semirelaxed_gromov_wasserstein`; a named start is blended with the plan that
        puts each row on its cheapest column.

    Returns
    -------
    T : array, shape (n, m)
    log : dict, if ``log``
        ``loss``, ``srfgw_dist``, ``status``, ``converged``, ``n_iter``, ``gap``.

    Examples
    --------
    >>> import numpy as np
    >>> C1 = np.kron(np.eye(2), np.ones((3, 3)))
    >>> M = np.repeat([[0.0, 1.0], [1.0, 0.0]], 3, axis=0)
    >>> semirelaxed_fused_gromov_wasserstein(M, C1, np.eye(2)).argmax(axis=1).tolist()
    [0, 0, 0, 1, 1, 1]
    >>> round(float(semirelaxed_fused_gromov_wasserstein2(M, C1, np.eye(2))), 6)
    0.0
    """
    task = prepare(C1, C2, p, M, alpha, loss_fun, symmetric, G0)
    task = constrain(task, forbidden, anchors, share, relations)
    extras = Extras(sparsity, n_init, n_jobs, time_limit, callback)
    method = exact_method(max_iter, tol_rel, tol_abs)
    return solve(task, method, log, extras, random_state, keywords=kwargs)


semirelaxed_fused_gromov_wasserstein2 = value_twin(semirelaxed_fused_gromov_wasserstein)


@returns_plan
@inherit_parameters(semirelaxed_gromov_wasserstein)
def entropic_semirelaxed_gromov_wasserstein(
    C1: Any,
    C2: Any,
    p: Any = None,
    loss_fun: str = "square_loss",
    epsilon: float = 0.1,
    symmetric: bool | None = None,
    G0: Any = None,
    max_iter: float = 1e4,
    tol: float = 1e-9,
    log: bool = False,
    verbose: bool = False,
    random_state: Any = 0,
    *,
    sparsity: float = 0.0,
    n_init: int = 1,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    callback: Callback | None = None,
    forbidden: Any = None,
    anchors: Any = None,
    **kwargs: Any,
) -> Any:
    """Plan of the semi-relaxed problem by mirror descent, which keeps it soft.

    A start with one target node in each row is averaged with the product of its marginals, since
    mirror descent cannot leave zeros.

    Parameters
    ----------
    epsilon : float
        Inverse step length of the KL-proximal scheme, above 0; small values give hard plans.
    tol : float
        Stops when a step moves the plan by less (Frobenius norm), tested at every tenth.
    verbose : bool
        Prints the iterations.
    **kwargs
        Other keywords of POT.

    Returns
    -------
    T : array, shape (n, m)
        The best plan of all steps; the loss may also rise.
    log : dict, if ``log``
        ``err`` (change of the plan at every tenth step), ``srgw_dist``, ``status``,
        ``converged``, ``n_iter``, ``gap``.

    Examples
    --------
    >>> import numpy as np
    >>> C1 = np.kron(np.eye(2), np.ones((3, 3)))
    >>> T = entropic_semirelaxed_gromov_wasserstein(C1, np.eye(2), epsilon=0.05)
    >>> sorted(T.sum(axis=0).round(3).tolist())
    [0.5, 0.5]
    >>> round(float(entropic_semirelaxed_gromov_wasserstein2(C1, np.eye(2), epsilon=0.05)), 6)
    0.0
    """
    task = prepare(C1, C2, p, None, 1.0, loss_fun, symmetric, G0)
    task = constrain(task, forbidden, anchors)
    extras = Extras(sparsity, n_init, n_jobs, time_limit, callback)
    method = entropic_method(epsilon, max_iter, tol)
    return solve(task, method, log, extras, random_state, verbose, kwargs)


entropic_semirelaxed_gromov_wasserstein2 = value_twin(entropic_semirelaxed_gromov_wasserstein)


@returns_plan
@inherit_parameters(semirelaxed_fused_gromov_wasserstein, entropic_semirelaxed_gromov_wasserstein)
def entropic_semirelaxed_fused_gromov_wasserstein(
    M: Any,
    C1: Any,
    C2: Any,
    p: Any = None,
    loss_fun: str = "square_loss",
    symmetric: bool | None = None,
    epsilon: float = 0.1,
    alpha: float | str = 0.5,
    G0: Any = None,
    max_iter: float = 1e4,
    tol: float = 1e-9,
    log: bool = False,
    verbose: bool = False,
    random_state: Any = 0,
    *,
    sparsity: float = 0.0,
    n_init: int = 1,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    callback: Callback | None = None,
    forbidden: Any = None,
    anchors: Any = None,
) -> Any:
    """Plan of the semi-relaxed fused problem by mirror descent, which keeps it soft.

    Returns
    -------
    T : array, shape (n, m)
    log : dict, if ``log``
        ``err``, ``srfgw_dist``, ``lin_loss``, ``quad_loss``, ``status``, ``converged``,
        ``n_iter``, ``gap``.

    Examples
    --------
    >>> import numpy as np
    >>> C1 = np.kron(np.eye(2), np.ones((3, 3)))
    >>> M = np.repeat([[0.0, 1.0], [1.0, 0.0]], 3, axis=0)
    >>> T = entropic_semirelaxed_fused_gromov_wasserstein(M, C1, np.eye(2))
    >>> T.argmax(axis=1).tolist()
    [0, 0, 0, 1, 1, 1]
    >>> value, log = entropic_semirelaxed_fused_gromov_wasserstein2(M, C1, np.eye(2), log=True)
    >>> bool(abs(value - log["lin_loss"] - log["quad_loss"]) < 1e-12)
    True
    """
    task = prepare(C1, C2, p, M, alpha, loss_fun, symmetric, G0)
    task = constrain(task, forbidden, anchors)
    extras = Extras(sparsity, n_init, n_jobs, time_limit, callback)
    method = entropic_method(epsilon, max_iter, tol)
    return solve(task, method, log, extras, random_state, verbose)


entropic_semirelaxed_fused_gromov_wasserstein2 = value_twin(
    entropic_semirelaxed_fused_gromov_wasserstein
)


@inherit_parameters(semirelaxed_gromov_wasserstein)
def derivatives(
    C1: Any,
    C2: Any,
    T: Any,
    p: Any = None,
    M: Any = None,
    alpha: float = 0.5,
    loss_fun: str = "square_loss",
) -> dict[str, Any]:
    """Derivatives of the value with the plan held fixed; at a solution, those of the divergence.

    POT returns them through the autograd of a backend; here they are arrays.

    Parameters
    ----------
    T : array-like, shape (n, m)
    p : array-like, shape (n,), optional
        The row sums of ``T``; uniform by default.
    M : array-like, shape (n, m), optional
        If given, the derivatives are those of the fused problem.
    alpha : float
        Weight of the structure in the fused problem.

    Returns
    -------
    dict
        ``C1`` (n, n), ``C2`` (m, m) and, with ``M``, ``M`` (n, m) and ``alpha`` (a number).

    Examples
    --------
    >>> import numpy as np
    >>> derivatives(np.eye(2), np.zeros((2, 2)), np.eye(2) / 2)["C1"].tolist()
    [[0.5, 0.0], [0.0, 0.5]]
    """
    task = prepare(C1, C2, p, M, alpha, loss_fun, None, None)
    plan, _ = arguments.plan(T, "T", task.p, task.target.size)
    in_c1, in_c2, in_m, in_alpha = _srgw.derivatives(
        task.source, task.p, task.target, task.cost, task.alpha, task.kl, plan
    )
    result: dict[str, Any] = {"C1": in_c1, "C2": in_c2}
    return result if M is None else {**result, "M": in_m, "alpha": in_alpha}
