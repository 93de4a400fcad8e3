"""``solve_gromov``, one function for all Gromov-Wasserstein problems, and its result."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _arguments as arguments
from . import balanced, gromov
from ._docs import inherit_parameters

__all__ = ["GromovResult", "solve_gromov"]

_LOSSES = {"l2": "square_loss", "kl": "kl_loss"}


@dataclass
class GromovResult:
    """Result of :func:`solve_gromov`, with the attributes of POT's ``OTResult``."""

    value: Any
    value_linear: Any
    value_quad: Any
    plan: NDArray[Any]
    potentials: Any = None
    status: Any = None
    log: dict[str, Any] = field(default_factory=dict, repr=False)
    lazy_plan: Any = field(default=None, repr=False)

    @property
    def potential_a(self) -> Any:
        """Dual potential of the first marginal, where the solver has one."""
        return None if self.potentials is None else self.potentials[0]

    @property
    def potential_b(self) -> Any:
        """Dual potential of the second marginal, where the solver has one."""
        return None if self.potentials is None else self.potentials[1]

    @property
    def sparse_plan(self) -> Any:
        """The plan as a SciPy sparse array."""
        from scipy.sparse import csr_array

        return csr_array(self.plan)

    @property
    def marginal_a(self) -> NDArray[Any]:
        """Row sums of the plan, shape (n,)."""
        return self.plan.sum(axis=1)

    @property
    def marginal_b(self) -> NDArray[Any]:
        """Column sums of the plan, shape (m,): the target weights."""
        return self.plan.sum(axis=0)

    @property
    def marginals(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Both."""
        return self.marginal_a, self.marginal_b


@inherit_parameters(
    gromov.entropic_semirelaxed_fused_gromov_wasserstein,
    gromov.semirelaxed_gromov_wasserstein,
)
def solve_gromov(
    Ca: Any,
    Cb: Any,
    M: Any = None,
    a: Any = None,
    b: Any = None,
    loss: str = "L2",
    symmetric: bool | None = None,
    alpha: float | str = 0.5,
    reg: float | None = None,
    reg_type: str = "entropy",
    unbalanced: float | None = None,
    unbalanced_type: str = "KL",
    n_threads: int | None = 1,
    method: str | None = None,
    max_iter: int | None = None,
    plan_init: Any = None,
    tol: float | None = None,
    verbose: bool = False,
    *,
    time_limit: float | None = None,
    forbidden: Any = None,
    anchors: Any = None,
    share: float = 1.0,
    relations: Any = None,
) -> GromovResult:
    """Solves a Gromov-Wasserstein problem, balanced or semi-relaxed.

    Parameters
    ----------
    Ca, Cb : array-like or SciPy sparse, shapes (n, n) and (m, m)
        Structures of the source and the target.
    M : array-like, shape (n, m), optional
        Cost between features; if given, and ``alpha`` is below 1, the problem is fused.
    a : array-like, shape (n,), optional
        Distribution over the source; uniform by default.
    b : array-like, shape (m,), optional
        Distribution over the target; uniform by default. The semi-relaxed problem ignores it,
        because it solves for these weights.
    loss : {'L2', 'KL'}
    symmetric : bool, optional
        Whether ``Ca`` and ``Cb`` are symmetric; by default their entries are compared.
    reg : float, optional
        Epsilon of mirror descent; None or 0 is the exact problem.
    reg_type : {'entropy'}
    unbalanced : None
        POT's unbalanced and partial problems raise ``NotImplementedError``.
    unbalanced_type : str
        ``'semirelaxed'``, or anything else for the balanced problem.
    n_threads : int
        Number of threads. The result does not depend on it.
    method : {'PGD', 'PPA'}, optional
        Solver of the balanced problem with ``reg``.
    max_iter, tol : optional
        By default 10,000 (1,000 with ``reg``) and 1e-9.
    plan_init : array-like of shape (n, m), str or None
        A plan to start from, or with ``'semirelaxed'`` the name of one.

    Returns
    -------
    GromovResult
        ``value`` includes ``reg`` times the negative entropy, as in POT.

    Examples
    --------
    >>> import numpy as np
    >>> C = np.kron(np.eye(2), np.ones((3, 3)))
    >>> result = solve_gromov(C, np.eye(2), unbalanced_type="semirelaxed")
    >>> round(float(result.value), 6), result.plan.shape
    (0.0, (6, 2))
    """
    if arguments.text(loss, "loss").lower() not in _LOSSES:
        raise NotImplementedError(f"loss is {loss!r}, expected 'L2' or 'KL'")
    free = (
        unbalanced_type is not None
        and arguments.text(unbalanced_type, "unbalanced_type").lower() == "semirelaxed"
    )
    if not free and unbalanced is not None:
        raise NotImplementedError(
            f"unbalanced is {unbalanced!r} with unbalanced_type {unbalanced_type!r}, expected None "
            "(the balanced problem) or the type 'semirelaxed'"
        )
    constraints: dict[str, Any] = {"forbidden": forbidden, "anchors": anchors}
    if not reg:
        constraints |= {"share": share, "relations": relations}
    elif share != 1 or relations is not None:
        raise NotImplementedError("reg with share or relations, expected reg 0 or None")
    if not free and (share != 1 or any(c is not None for c in (forbidden, anchors, relations))):
        raise NotImplementedError(
            "forbidden, anchors, share or relations, expected unbalanced_type 'semirelaxed'"
        )
    if reg and reg_type.lower() != "entropy":
        raise NotImplementedError(f"reg_type is {reg_type!r}, expected 'entropy'")
    options: dict[str, Any] = {
        "loss_fun": _LOSSES[loss.lower()],
        "symmetric": symmetric,
        "G0": plan_init,
        "n_jobs": n_threads,
        "verbose": verbose,
        "time_limit": time_limit,
        "log": True,
    }
    fused = M is not None and alpha != 1
    tol = 1e-9 if tol is None else tol
    if reg:
        options |= {"max_iter": 1000 if max_iter is None else max_iter, "tol": tol, "epsilon": reg}
        options |= {} if free else {"solver": method or "PGD"}
    else:
        options |= {"max_iter": 10_000 if max_iter is None else max_iter}
        options |= {"tol_rel": tol, "tol_abs": tol}
    weights = (a,) if free else (a, b)
    entropic, kind = "entropic_" if reg else "", "fused_" if fused else ""
    if free:
        function = getattr(gromov, f"{entropic}semirelaxed_{kind}gromov_wasserstein2")
        options |= constraints
    else:
        function = getattr(balanced, f"{entropic}{kind}gromov_wasserstein2")
    if fused:
        value, log = function(M, Ca, Cb, *weights, alpha=alpha, **options)
    else:
        value, log = function(Ca, Cb, *weights, **options)
    T = log["T"]
    return GromovResult(
        value=value + reg * np.sum(T * np.log(T + 1e-16)) if reg else value,
        value_linear=log["lin_loss"] if fused else value.dtype.type(0),
        value_quad=log["quad_loss"] if fused else value,
        plan=T,
        potentials=(log["u"], log["v"]) if log.get("u") is not None else None,
        status=log["status"],
        log=log,
    )
