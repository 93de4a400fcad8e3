"""Drop-in replacements for the barycenters of ``ot.gromov``: means of several graphs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import _arguments as arguments
from ._balanced import SINKHORN, projected_method
from ._barycenters import (
    Given,
    Samples,
    Turns,
    average,
    check_inner_keywords,
    check_start,
    prepare_given,
    prepare_samples,
    with_first_plans,
    with_weights,
)
from ._semirelaxed import Callback, Extras, exact_method
from ._updates import update_barycenter_feature, update_barycenter_structure

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
    """The Gromov-Wasserstein barycenter of several structures.

    Minimises ``sum_s lambdas[s] GW(C, Cs[s])`` over ``C``: plans by conditional gradient and the
    best structure for them, in closed form, take turns.

    Parameters
    ----------
    N : int
        Nodes of the barycenter.
    Cs : sequence of array-like or SciPy sparse, shapes (n_s, n_s)
    ps : sequence of array-like, shapes (n_s,), optional
        Distributions over the samples; uniform by default.
    p : array-like, shape (N,), optional
        Distribution over the barycenter; uniform by default.
    lambdas : sequence of float, length S, optional
        Shares of the samples, scaled to sum to 1; equal by default.
    loss_fun : {'square_loss', 'kl_loss'}
    symmetric : bool, optional
        No effect: entries are compared.
    armijo : bool
        No effect: the line search is exact.
    max_iter : int
        Turns at most, and steps of the inner solver at most.
    tol : float
        Of the stopping rule.
    stop_criterion : {'barycenter', 'loss'}
        Whether the change of the barycenter (Frobenius norm) is to fall to ``tol``, or the relative
        change of the loss.
    warmstartT : bool
        Whether plans go on from those of the last turn; then the loss never rises.
    verbose : bool
    log : bool
        Whether to return a log as well.
    init_C : array-like, shape (N, N), optional
        Structure to start from; by default the squared distances of random points.
    random_state : int, None or Generator
    n_jobs : int, optional
        Threads, over the samples; None and -1 stand for all cores. The result does not depend on
        it.
    time_limit : float, optional
        Seconds; looked at after each turn.
    callback : callable, optional
        Called with a :class:`srgw.Progress` after each turn; returning False stops.

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
    check_inner_keywords(kwargs)
    samples = prepare_samples(Cs, ps, None, lambdas)
    given = prepare_given(samples, N, loss_fun, init_C)
    given = with_weights(given, samples, p, random_state, scaled=True)
    steps = arguments.iterations(max_iter)
    turns = Turns(steps, tol, stop_criterion, warmstartT, "product", log, verbose, random_state)
    extras = Extras(n_jobs=n_jobs, time_limit=time_limit, callback=callback)
    return average(samples, given, exact_method(steps, 1e-5, 0.0), turns, extras)


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
    """The fused Gromov-Wasserstein barycenter of graphs with features.

    Parameters
    ----------
    Ys : sequence of array-like, shapes (n_s, d)
        Features of the nodes.
    alpha : float
        Weight of the structure, from 0 to 1.
    fixed_structure, fixed_features : bool
        Whether ``init_C`` or ``init_X`` stays as it is.
    init_X : array-like, shape (N, d), optional
        Features to start from; by default zeros.

    The others are those of :func:`gromov_barycenters`.

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
    check_inner_keywords(kwargs)
    samples = prepare_samples(Cs, ps, Ys, lambdas)
    fixed = (fixed_structure, fixed_features)
    given = prepare_given(samples, N, loss_fun, init_C, init_X, alpha, fixed)
    given = with_weights(given, samples, p, random_state, scaled=False)
    steps = arguments.iterations(max_iter)
    turns = Turns(steps, tol, stop_criterion, warmstartT, "product", log, verbose, random_state)
    extras = Extras(n_jobs=n_jobs, time_limit=time_limit, callback=callback)
    return average(samples, given, exact_method(steps, 1e-5, 0.0), turns, extras)


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
    """The Gromov-Wasserstein barycenter with entropic plans.

    Parameters
    ----------
    epsilon : float
        Weight of the entropy, or with ``solver='PPA'`` of the proximal term.
    **kwargs
        Of the plans, as in :func:`srgw.entropic_gromov_wasserstein`: ``solver``, ``warmstart``,
        ``numItermax``, ``stopThr``.

    The others are those of :func:`gromov_barycenters`; the loss includes the entropy.

    Returns
    -------
    C : array, shape (N, N)
    log : dict, if ``log``

    Examples
    --------
    >>> import numpy as np
    >>> entropic_gromov_barycenters(2, [np.eye(3), np.eye(4)], epsilon=1.0, random_state=0).shape
    (2, 2)
    """
    samples = prepare_samples(Cs, ps, None, lambdas)
    given = prepare_given(samples, N, loss_fun, init_C)
    given = with_weights(given, samples, p, random_state, scaled=True)
    steps = arguments.iterations(max_iter)
    turns = Turns(steps, tol, stop_criterion, warmstartT, "product", log, verbose, random_state)
    extras = Extras(n_jobs=n_jobs, time_limit=time_limit, callback=callback)
    return _entropic(samples, given, epsilon, turns, extras, kwargs)


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
    """The fused barycenter with entropic plans.

    Arguments are those of :func:`fgw_barycenters` (``init_Y`` is its ``init_X``) and
    :func:`entropic_gromov_barycenters`.

    Returns
    -------
    Y : array, shape (N, d)
    C : array, shape (N, N)
    log : dict, if ``log``

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
    given = with_weights(given, samples, p, random_state, scaled=False)
    steps = arguments.iterations(max_iter)
    turns = Turns(steps, tol, stop_criterion, warmstartT, "product", log, verbose, random_state)
    extras = Extras(n_jobs=n_jobs, time_limit=time_limit, callback=callback)
    return _entropic(samples, given, epsilon, turns, extras, kwargs)


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
    """The semi-relaxed barycenter: each sample chooses the weights of the target nodes.

    Minimises ``sum_s lambdas[s] srGW(Cs[s], C)`` over ``C``.

    Parameters
    ----------
    init_C : array-like, shape (N, N), optional
        Structure to start from; by default the best one for plans with the name ``G0``, in place
        of products for random ones, as products would make all nodes alike.
    G0 : str
        Start of the plans, a name that :func:`srgw.semirelaxed_init_plan` knows.

    The others are those of :func:`gromov_barycenters`. Entries that no plan uses stay as they were.

    Returns
    -------
    C : array, shape (N, N)
    log : dict, if ``log``
        As there, with ``T`` of shapes (n_s, N) and ``p`` of shape (S, N).

    Examples
    --------
    >>> import numpy as np
    >>> Cs = [np.kron(np.eye(2), np.ones((n, n))) for n in (3, 4)]
    >>> semirelaxed_gromov_barycenters(2, Cs, init_C=np.eye(2), G0="kmeans").tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    check_inner_keywords(kwargs)
    samples = prepare_samples(Cs, ps, None, lambdas)
    given = prepare_given(samples, N, loss_fun, init_C)
    seed = arguments.seed(random_state)
    given = with_first_plans(given, samples, check_start(G0), seed)
    steps = arguments.iterations(max_iter)
    turns = Turns(steps, tol, stop_criterion, warmstartT, G0, log, verbose, seed)
    extras = Extras(n_jobs=n_jobs, time_limit=time_limit, callback=callback)
    return average(samples, given, exact_method(steps, float(tol), 0.0), turns, extras)


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
    """The semi-relaxed fused barycenter of graphs with features.

    Arguments are those of :func:`fgw_barycenters` and :func:`semirelaxed_gromov_barycenters`; ``p``
    has no effect, as weights are free. Without ``init_X`` features start as the best ones for plans
    with the name ``G0``.

    Returns
    -------
    X : array, shape (N, d)
    C : array, shape (N, N)
    log : dict, if ``log``
        As there, with ``T`` of shapes (n_s, N), ``p`` of shape (S, N) and no ``Ts_iter``.

    Examples
    --------
    >>> import numpy as np
    >>> Cs = [np.kron(np.eye(2), np.ones((n, n))) for n in (3, 4)]
    >>> Ys = [np.repeat([[0.0], [1.0]], n, axis=0) for n in (3, 4)]
    >>> X, C = semirelaxed_fgw_barycenters(2, Ys, Cs, init_C=np.eye(2), init_X=[[0.1], [0.9]])
    >>> X.tolist(), C.tolist()
    ([[0.0], [1.0]], [[1.0, 0.0], [0.0, 1.0]])
    """
    check_inner_keywords(kwargs)
    samples = prepare_samples(Cs, ps, Ys, lambdas)
    fixed = (fixed_structure, fixed_features)
    given = prepare_given(samples, N, loss_fun, init_C, init_X, alpha, fixed)
    seed = arguments.seed(random_state)
    given = with_first_plans(given, samples, check_start(G0), seed)
    steps = arguments.iterations(max_iter)
    turns = Turns(steps, tol, stop_criterion, warmstartT, G0, log, verbose, seed)
    extras = Extras(n_jobs=n_jobs, time_limit=time_limit, callback=callback)
    return average(samples, given, exact_method(steps, float(tol), 0.0), turns, extras)


def _entropic(
    samples: Samples,
    given: Given,
    epsilon: float,
    turns: Turns,
    extras: Extras,
    keywords: dict[str, Any],
) -> Any:
    solver = keywords.get("solver", "PGD")
    if solver not in ("PGD", "PPA"):
        raise ValueError(f"solver is {solver!r}, expected 'PGD' or 'PPA'")
    known = ("solver", "warmstart", *SINKHORN)
    check_inner_keywords({key: value for key, value in keywords.items() if key not in known})
    scalings, misplaced = keywords.get("numItermax", 1000), keywords.get("stopThr", 1e-9)
    method = projected_method(epsilon, turns.max_iter, 1e-4, solver == "PPA", scalings, misplaced)
    given = given._replace(entropy=float(epsilon) if solver == "PGD" else 0.0)
    return average(samples, given, method, turns, extras)
