"""Drop-in replacements for the barycenters of ``ot.gromov``: means of several graphs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ._barycenters import (
    Turns,
    average_balanced,
    average_semirelaxed,
    prepare_given,
    prepare_samples,
)
from ._docs import inherit_parameters
from ._semirelaxed import Callback, Extras
from ._updates import update_barycenter_feature, update_barycenter_structure
from .gromov import semirelaxed_fused_gromov_wasserstein, semirelaxed_gromov_wasserstein

__all__ = [
    "entropic_fused_gromov_barycenters",
    "entropic_gromov_barycenters",
    "fgw_barycenters",
    "gromov_barycenters",
    "semirelaxed_fgw_barycenters",
    "semirelaxed_gromov_barycenters",
    "update_barycenter_feature",
    "update_barycenter_structure",
]


@inherit_parameters(semirelaxed_gromov_wasserstein)
def gromov_barycenters(
    N: int,
    Cs: Sequence[Any],
    ps: Sequence[Any] | None = None,
    p: Any = None,
    lambdas: Sequence[float] | None = None,
    loss_fun: str = "square_loss",
    symmetric: bool | None = True,
    armijo: bool = False,
    max_iter: int = 1000,
    tol: float = 1e-9,
    stop_criterion: str = "barycenter",
    warmstartT: bool = False,
    verbose: bool = False,
    log: bool = False,
    init_C: Any = None,
    random_state: Any = None,
    *,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    callback: Callback | None = None,
    **kwargs: Any,
) -> Any:
    """Gromov-Wasserstein barycenter of several structures.

    Minimises ``sum_s lambdas[s] GW(C, Cs[s])`` over ``C``. Each turn solves for the plans by
    conditional gradient and then for the best structure in closed form.

    Parameters
    ----------
    N : int
        Number of nodes of the barycenter.
    Cs : sequence of array-like, SciPy sparse or graphs, shapes (n_s, n_s)
        Structures of the samples.
    ps : sequence of array-like, shapes (n_s,), optional
        Distributions over the samples; uniform by default.
    p : array-like, shape (N,), optional
        Distribution over the barycenter; uniform by default.
    lambdas : sequence of float, length S, optional
        Weights of the samples, scaled to sum to 1; equal by default.
    symmetric : bool, optional
        No effect: entries are compared.
    armijo : bool
        No effect: the line search is exact.
    max_iter : int
        Maximum number of turns, and of steps of the inner solver.
    tol : float
        Tolerance of the stopping criterion.
    stop_criterion : {'barycenter', 'loss'}
        Whether the change of the barycenter (Frobenius norm) or the relative change of the loss is
        compared with ``tol``.
    warmstartT : bool
        Whether plans start from those of the last turn; then the loss never rises.
    verbose : bool
        Prints the turns.
    init_C : array-like, shape (N, N), optional
        Structure to start from; by default the squared distances of random points.
    random_state : int, None or Generator
        Seed of the random start.
    time_limit : float, optional
        Seconds; checked after each turn.
    callback : callable, optional
        Called with a :class:`srgw.Progress` after each turn; returning False stops.
    **kwargs
        Other keywords of POT.

    Returns
    -------
    C : array, shape (N, N)
    log : dict, if ``log``
        ``err`` (of each turn) and with ``stop_criterion='loss'`` ``loss`` (weighted by
        ``lambdas``), ``T`` (plans of shapes (N, n_s)), ``p``, ``status``, ``converged``,
        ``n_iter``, ``value``.

    Examples
    --------
    >>> import numpy as np
    >>> C = np.array([[0.0, 1.0, 2.0], [1.0, 0.0, 4.0], [2.0, 4.0, 0.0]])
    >>> gromov_barycenters(3, [C, C], init_C=C + 0.1).round(6).tolist()
    [[0.0, 1.0, 2.0], [1.0, 0.0, 4.0], [2.0, 4.0, 0.0]]
    """
    samples = prepare_samples(Cs, ps, None, lambdas)
    given = prepare_given(samples, N, loss_fun, init_C)
    turns = Turns(max_iter, tol, stop_criterion, warmstartT, verbose, log, random_state)
    extras = Extras(n_jobs=n_jobs, time_limit=time_limit, callback=callback)
    return average_balanced(samples, given, p, turns, extras, kwargs)


@inherit_parameters(gromov_barycenters, semirelaxed_fused_gromov_wasserstein)
def fgw_barycenters(
    N: int,
    Ys: Sequence[Any],
    Cs: Sequence[Any],
    ps: Sequence[Any] | None = None,
    lambdas: Sequence[float] | None = None,
    alpha: float = 0.5,
    fixed_structure: bool = False,
    fixed_features: bool = False,
    p: Any = None,
    loss_fun: str = "square_loss",
    armijo: bool = False,
    symmetric: bool | None = True,
    max_iter: int = 100,
    tol: float = 1e-9,
    stop_criterion: str = "barycenter",
    warmstartT: bool = False,
    verbose: bool = False,
    log: bool = False,
    init_C: Any = None,
    init_X: Any = None,
    random_state: Any = None,
    *,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    callback: Callback | None = None,
    **kwargs: Any,
) -> Any:
    """Fused Gromov-Wasserstein barycenter of graphs with features.

    Parameters
    ----------
    Ys : sequence of array-like, shapes (n_s, d)
        Features of the nodes.
    fixed_structure, fixed_features : bool
        Whether the structure, or the features, stay as they start.
    init_X : array-like, shape (N, d), optional
        Features to start from; by default zeros.

    Returns
    -------
    X : array, shape (N, d)
    C : array, shape (N, N)
    log : dict, if ``log``
        ``err_feature``, ``err_structure`` and ``Ts_iter`` (plans of each turn), or with
        ``stop_criterion='loss'`` ``loss`` and ``err_rel_loss``; ``T``, ``p``, ``Ms`` (squared
        distances of features), ``status``, ``converged``, ``n_iter``, ``value``.

    Examples
    --------
    >>> import numpy as np
    >>> Y = np.array([[0.0], [1.0]])
    >>> X, C = fgw_barycenters(2, [Y, Y + 1], [np.eye(2), np.eye(2)], init_C=np.eye(2), init_X=Y)
    >>> X.tolist(), C.tolist()
    ([[0.5], [1.5]], [[1.0, 0.0], [0.0, 1.0]])
    """
    samples = prepare_samples(Cs, ps, Ys, lambdas)
    fixed = (fixed_structure, fixed_features)
    given = prepare_given(samples, N, loss_fun, init_C, init_X, alpha, fixed)
    turns = Turns(max_iter, tol, stop_criterion, warmstartT, verbose, log, random_state)
    extras = Extras(n_jobs=n_jobs, time_limit=time_limit, callback=callback)
    return average_balanced(samples, given, p, turns, extras, kwargs)


@inherit_parameters(gromov_barycenters)
def entropic_gromov_barycenters(
    N: int,
    Cs: Sequence[Any],
    ps: Sequence[Any] | None = None,
    p: Any = None,
    lambdas: Sequence[float] | None = None,
    loss_fun: str = "square_loss",
    epsilon: float = 0.1,
    symmetric: bool | None = True,
    max_iter: int = 1000,
    tol: float = 1e-9,
    stop_criterion: str = "barycenter",
    warmstartT: bool = False,
    verbose: bool = False,
    log: bool = False,
    init_C: Any = None,
    random_state: Any = None,
    *,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    callback: Callback | None = None,
    **kwargs: Any,
) -> Any:
    """Gromov-Wasserstein barycenter with entropic plans; the loss includes the entropy.

    Parameters
    ----------
    epsilon : float
        Weight of the entropy, or with ``solver='PPA'`` of the proximal term.
    **kwargs
        ``solver``, ``warmstart``, ``numItermax`` and ``stopThr`` of the plans, as in
        :func:`srgw.entropic_gromov_wasserstein`, and other keywords of POT.

    Returns
    -------
    C : array, shape (N, N)
    log : dict, if ``log``
        As of :func:`gromov_barycenters`.

    Examples
    --------
    >>> import numpy as np
    >>> entropic_gromov_barycenters(2, [np.eye(3), np.eye(4)], epsilon=1.0, random_state=0).shape
    (2, 2)
    """
    samples = prepare_samples(Cs, ps, None, lambdas)
    given = prepare_given(samples, N, loss_fun, init_C)
    turns = Turns(max_iter, tol, stop_criterion, warmstartT, verbose, log, random_state)
    extras = Extras(n_jobs=n_jobs, time_limit=time_limit, callback=callback)
    return average_balanced(samples, given, p, turns, extras, kwargs, epsilon)


@inherit_parameters(entropic_gromov_barycenters, fgw_barycenters)
def entropic_fused_gromov_barycenters(
    N: int,
    Ys: Sequence[Any],
    Cs: Sequence[Any],
    ps: Sequence[Any] | None = None,
    p: Any = None,
    lambdas: Sequence[float] | None = None,
    loss_fun: str = "square_loss",
    epsilon: float = 0.1,
    symmetric: bool | None = True,
    alpha: float = 0.5,
    max_iter: int = 1000,
    tol: float = 1e-9,
    stop_criterion: str = "barycenter",
    warmstartT: bool = False,
    verbose: bool = False,
    log: bool = False,
    init_C: Any = None,
    init_Y: Any = None,
    fixed_structure: bool = False,
    fixed_features: bool = False,
    random_state: Any = None,
    *,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    callback: Callback | None = None,
    **kwargs: Any,
) -> Any:
    """Fused Gromov-Wasserstein barycenter with entropic plans; the loss includes the entropy.

    Parameters
    ----------
    init_Y : array-like, shape (N, d), optional
        Features to start from; by default zeros.

    Returns
    -------
    Y : array, shape (N, d)
    C : array, shape (N, N)
    log : dict, if ``log``
        As of :func:`fgw_barycenters`.

    Examples
    --------
    >>> import numpy as np
    >>> Y = np.array([[0.0], [1.0]])
    >>> X, C = entropic_fused_gromov_barycenters(
    ...     2, [Y, Y + 1], [np.eye(2), np.eye(2)], init_C=np.eye(2), init_Y=Y
    ... )
    >>> X.shape, C.shape
    ((2, 1), (2, 2))
    """
    samples = prepare_samples(Cs, ps, Ys, lambdas)
    fixed = (fixed_structure, fixed_features)
    given = prepare_given(samples, N, loss_fun, init_C, init_Y, alpha, fixed, "init_Y")
    turns = Turns(max_iter, tol, stop_criterion, warmstartT, verbose, log, random_state)
    extras = Extras(n_jobs=n_jobs, time_limit=time_limit, callback=callback)
    return average_balanced(samples, given, p, turns, extras, kwargs, epsilon)


@inherit_parameters(gromov_barycenters)
def semirelaxed_gromov_barycenters(
    N: int,
    Cs: Sequence[Any],
    ps: Sequence[Any] | None = None,
    lambdas: Sequence[float] | None = None,
    loss_fun: str = "square_loss",
    symmetric: bool | None = True,
    max_iter: int = 1000,
    tol: float = 1e-9,
    stop_criterion: str = "barycenter",
    warmstartT: bool = False,
    verbose: bool = False,
    log: bool = False,
    init_C: Any = None,
    G0: str = "product",
    random_state: Any = None,
    *,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    callback: Callback | None = None,
    **kwargs: Any,
) -> Any:
    """Semi-relaxed barycenter: each sample chooses the weights of the target nodes.

    Minimises ``sum_s lambdas[s] srGW(Cs[s], C)`` over ``C``. Entries that no plan uses keep their
    values.

    Parameters
    ----------
    init_C : array-like, shape (N, N), optional
        Structure to start from; by default the best one for the plans that ``G0`` names. In place
        of products, which would make all nodes alike, random plans and those of ``kmeans`` are
        tried, and the barycenter with the lower value is kept.
    G0 : str
        Start of the plans, a name that :func:`srgw.semirelaxed_init_plan` knows.

    Returns
    -------
    C : array, shape (N, N)
    log : dict, if ``log``
        As of :func:`gromov_barycenters`, with ``T`` of shapes (n_s, N) and ``p`` of shape (S, N).

    Examples
    --------
    >>> import numpy as np
    >>> Cs = [np.kron(np.eye(2), np.ones((n, n))) for n in (3, 4)]
    >>> semirelaxed_gromov_barycenters(2, Cs, init_C=np.eye(2), G0="kmeans").tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    samples = prepare_samples(Cs, ps, None, lambdas)
    given = prepare_given(samples, N, loss_fun, init_C)
    turns = Turns(max_iter, tol, stop_criterion, warmstartT, verbose, log, random_state, G0)
    extras = Extras(n_jobs=n_jobs, time_limit=time_limit, callback=callback)
    return average_semirelaxed(samples, given, turns, extras, kwargs)


@inherit_parameters(semirelaxed_gromov_barycenters, fgw_barycenters)
def semirelaxed_fgw_barycenters(
    N: int,
    Ys: Sequence[Any],
    Cs: Sequence[Any],
    ps: Sequence[Any] | None = None,
    lambdas: Sequence[float] | None = None,
    alpha: float = 0.5,
    fixed_structure: bool = False,
    fixed_features: bool = False,
    p: Any = None,
    loss_fun: str = "square_loss",
    symmetric: bool | None = True,
    max_iter: int = 100,
    tol: float = 1e-9,
    stop_criterion: str = "barycenter",
    warmstartT: bool = False,
    verbose: bool = False,
    log: bool = False,
    init_C: Any = None,
    init_X: Any = None,
    G0: str = "product",
    random_state: Any = None,
    *,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    callback: Callback | None = None,
    **kwargs: Any,
) -> Any:
    """Semi-relaxed fused barycenter of graphs with features.

    Parameters
    ----------
    p : array-like, optional
        No effect: the weights are free.
    init_X : array-like, shape (N, d), optional
        Features to start from; by default the best ones for the plans that ``G0`` names.

    Returns
    -------
    X : array, shape (N, d)
    C : array, shape (N, N)
    log : dict, if ``log``
        As of :func:`fgw_barycenters`, with ``T`` of shapes (n_s, N), ``p`` of shape (S, N) and
        without ``Ts_iter``.

    Examples
    --------
    >>> import numpy as np
    >>> Cs = [np.kron(np.eye(2), np.ones((n, n))) for n in (3, 4)]
    >>> Ys = [np.repeat([[0.0], [1.0]], n, axis=0) for n in (3, 4)]
    >>> X, C = semirelaxed_fgw_barycenters(2, Ys, Cs, init_C=np.eye(2), init_X=[[0.1], [0.9]])
    >>> X.tolist(), C.tolist()
    ([[0.0], [1.0]], [[1.0, 0.0], [0.0, 1.0]])
    """
    samples = prepare_samples(Cs, ps, Ys, lambdas)
    fixed = (fixed_structure, fixed_features)
    given = prepare_given(samples, N, loss_fun, init_C, init_X, alpha, fixed)
    turns = Turns(max_iter, tol, stop_criterion, warmstartT, verbose, log, random_state, G0)
    extras = Extras(n_jobs=n_jobs, time_limit=time_limit, callback=callback)
    return average_semirelaxed(samples, given, turns, extras, kwargs)
