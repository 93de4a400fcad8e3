"""Whatever shape, dtype, order and stride: an answer or an error that names the argument."""

from typing import Any

import hypothesis
import numpy as np
import pytest
import scipy.sparse
import srgw
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

hypothesis.settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=60)
hypothesis.settings.load_profile("repeatable")

DTYPES = st.sampled_from([np.float64, np.float32, np.int64, np.int32, np.uint8, np.bool_])
ORDERS = st.sampled_from(["C", "F", "strided", "reversed", "read-only", "list"])


def laid_out(matrix: np.ndarray, order: str) -> Any:
    """The matrix in another memory layout."""
    if order == "strided":
        wide = np.zeros((matrix.shape[0], 2 * matrix.shape[1]), matrix.dtype)
        wide[:, ::2] = matrix
        return wide[:, ::2]
    if order == "reversed":
        return np.ascontiguousarray(matrix[::-1, ::-1])[::-1, ::-1]
    if order == "read-only":
        matrix = matrix.copy()
        matrix.flags.writeable = False
        return matrix
    return matrix.tolist() if order == "list" else np.asarray(matrix, order=order)


@st.composite
def structures(draw: st.DrawFn, largest: int) -> np.ndarray:
    size = draw(st.integers(1, largest))
    dtype = draw(DTYPES)
    entries = st.booleans() if dtype == np.bool_ else st.integers(0, 5)
    return draw(hnp.arrays(dtype, (size, size), elements=entries))


@given(structures(9), structures(4), ORDERS, ORDERS)
def test_layout_and_dtype_do_not_matter(
    C1: np.ndarray, C2: np.ndarray, order1: str, order2: str
) -> None:
    expected = srgw.semirelaxed_gromov_wasserstein(
        np.ascontiguousarray(C1, float), np.ascontiguousarray(C2, float), max_iter=50
    )
    plan = srgw.semirelaxed_gromov_wasserstein(
        laid_out(C1, order1), laid_out(C2, order2), max_iter=50
    )
    np.testing.assert_allclose(plan, expected, atol=1e-6)


test_layout_and_dtype_do_not_matter = pytest.mark.filterwarnings("ignore::srgw.ConvergenceWarning")(
    test_layout_and_dtype_do_not_matter
)


@pytest.mark.filterwarnings("ignore::srgw.ConvergenceWarning")
@given(structures(8), st.sampled_from(["csr", "csc", "coo", "lil", "dok", "bsr"]), st.booleans())
def test_sparse_is_dense(C: np.ndarray, kind: str, as_matrix: bool) -> None:
    make = scipy.sparse.csr_matrix if as_matrix else scipy.sparse.csr_array
    sparse = make(C.astype(float)).asformat(kind)
    B = np.array([[1.0, 0.3], [0.3, 0.6]])
    one = srgw.semirelaxed_gromov_wasserstein(sparse, B, max_iter=50)
    two = srgw.semirelaxed_gromov_wasserstein(C, B, max_iter=50)
    np.testing.assert_allclose(one, two, atol=1e-9)


def test_sparse_targets_and_odd_index_types_are_taken() -> None:
    rng = np.random.default_rng(0)
    C = rng.random((7, 7)) * (rng.random((7, 7)) < 0.5)
    B = rng.random((3, 3))
    expected = srgw.semirelaxed_gromov_wasserstein(C, B)
    csr = scipy.sparse.csr_array(C)
    csr.indices, csr.indptr = csr.indices.astype(np.int64), csr.indptr.astype(np.int64)
    np.testing.assert_allclose(
        srgw.semirelaxed_gromov_wasserstein(csr, scipy.sparse.csr_array(B)), expected, atol=1e-12
    )


def test_unsorted_and_doubled_entries_are_summed_in_a_copy() -> None:
    rows, columns = [0, 0, 1, 2, 0], [2, 1, 0, 0, 2]
    doubled = scipy.sparse.csr_array(
        (np.ones(5), np.array([2, 1, 2, 0, 0]), np.array([0, 3, 4, 5])), shape=(3, 3)
    )
    before = doubled.indices.copy()
    dense = np.zeros((3, 3))
    np.add.at(dense, (rows, columns), 1.0)
    B = np.array([[1.0, 0.2], [0.2, 0.5]])
    np.testing.assert_allclose(
        srgw.semirelaxed_gromov_wasserstein(doubled, B),
        srgw.semirelaxed_gromov_wasserstein(dense, B),
        atol=1e-12,
    )
    np.testing.assert_array_equal(doubled.indices, before)


@pytest.mark.parametrize("value", [0.0, 1.0, -2.5])
def test_graphs_of_one_node_work(value: float) -> None:
    for m in (1, 3):
        C2 = np.arange(m * m, dtype=float).reshape(m, m)
        T = srgw.semirelaxed_gromov_wasserstein([[value]], C2)
        assert T.shape == (1, m) and T.sum() == pytest.approx(1)
        T = srgw.entropic_semirelaxed_gromov_wasserstein([[value]], C2)
        assert T.shape == (1, m) and T.sum() == pytest.approx(1)


EYE = np.eye(4)
NAN = np.where(EYE > 0, np.nan, 0.0)
MISUSES: list[tuple[str, dict[str, Any], type[Exception]]] = [
    ("C1", {"C1": np.zeros((0, 0))}, ValueError),
    ("C1", {"C1": np.zeros((3, 4))}, ValueError),
    ("C1", {"C1": np.zeros(4)}, ValueError),
    ("C1", {"C1": NAN}, ValueError),
    ("C1", {"C1": np.full((4, 4), np.inf)}, ValueError),
    ("C1", {"C1": EYE.astype(complex)}, TypeError),
    ("C1", {"C1": EYE.astype(object)}, TypeError),
    ("C1", {"C1": np.full((4, 4), "a")}, TypeError),
    ("C1", {"C1": scipy.sparse.csr_array(np.zeros((3, 4)))}, ValueError),
    ("C1", {"C1": scipy.sparse.csr_array(NAN)}, ValueError),
    ("C1", {"C1": scipy.sparse.csr_array(EYE.astype(complex))}, TypeError),
    ("C1", {"C1": -EYE, "loss_fun": "kl_loss"}, ValueError),
    ("C2", {"C2": np.zeros((2, 3))}, ValueError),
    ("C2", {"C2": NAN}, ValueError),
    ("p", {"p": np.full(3, 1 / 3)}, ValueError),
    ("p", {"p": np.full(4, 0.5)}, ValueError),
    ("p", {"p": [0.5, 0.7, -0.2, 0.0]}, ValueError),
    ("p", {"p": [np.nan, 0.5, 0.5, 0.0]}, ValueError),
    ("p", {"p": np.full((4, 1), 0.25)}, ValueError),
    ("p", {"p": ["a"] * 4}, TypeError),
    ("loss_fun", {"loss_fun": "l1"}, ValueError),
    ("G0", {"G0": "nonsense"}, ValueError),
    ("G0", {"G0": np.full((4, 3), 0.1)}, AssertionError),
    ("G0", {"G0": np.full((4, 2), 0.1)}, AssertionError),
    ("G0", {"G0": np.full((4, 2), 0.1)}, ValueError),
    ("G0", {"G0": np.full((4, 2), np.nan)}, AssertionError),
    ("G0", {"G0": np.tile([0.5, -0.25], (4, 1))}, AssertionError),
    ("G0", {"G0": np.full(4, 0.25)}, AssertionError),
    ("max_iter", {"max_iter": -1}, ValueError),
    ("tolerance", {"tol_rel": -1.0}, ValueError),
    ("random_state", {"random_state": -1}, ValueError),
    ("random_state", {"random_state": "a"}, TypeError),
    ("n_init", {"n_init": 0}, ValueError),
    ("n_jobs", {"n_jobs": 0}, ValueError),
    ("sparsity", {"sparsity": -1.0}, ValueError),
]


@pytest.mark.parametrize(("name", "wrong", "kind"), MISUSES)
def test_every_misuse_is_an_error_that_names_the_argument(
    name: str, wrong: dict[str, Any], kind: type[Exception]
) -> None:
    arguments = {"C1": EYE, "C2": np.eye(2), **wrong}
    with pytest.raises(kind, match=name):
        srgw.semirelaxed_gromov_wasserstein(**arguments)


@pytest.mark.parametrize(
    ("name", "wrong", "kind"),
    [
        ("M", {"M": np.zeros((4, 3))}, ValueError),
        ("M", {"M": np.full((4, 2), np.nan)}, ValueError),
        ("M", {"M": np.zeros(4)}, ValueError),
        ("alpha", {"alpha": 1.5}, ValueError),
        ("alpha", {"alpha": np.nan}, ValueError),
        ("epsilon", {"epsilon": 0.0}, ValueError),
        ("epsilon", {"epsilon": -1.0}, ValueError),
    ],
)
def test_misuses_of_the_fused_and_entropic_functions(
    name: str, wrong: dict[str, Any], kind: type[Exception]
) -> None:
    arguments = {"M": np.zeros((4, 2)), "C1": EYE, "C2": np.eye(2), **wrong}
    with pytest.raises(kind, match=name):
        srgw.entropic_semirelaxed_fused_gromov_wasserstein(**arguments)


def test_inputs_are_not_changed() -> None:
    rng = np.random.default_rng(1)
    arrays = [rng.random((6, 2)), rng.random((6, 6)), rng.random((2, 2)), np.full(6, 1 / 6)]
    copies = [a.copy() for a in arrays]
    srgw.semirelaxed_fused_gromov_wasserstein(*arrays, G0=np.full((6, 2), 1 / 12))
    for array, copy in zip(arrays, copies, strict=True):
        np.testing.assert_array_equal(array, copy)


def test_sparsity_uses_fewer_target_nodes() -> None:
    used = {0.0: 0, 0.3: 0}
    for seed in range(10):
        rng = np.random.default_rng(seed)
        C1, C2 = rng.random((30, 30)), rng.random((8, 8))
        values = {}
        for sparsity in used:
            T = srgw.semirelaxed_gromov_wasserstein(C1, C2, sparsity=sparsity)
            parts = srgw.init_matrix(C1, C2, T.sum(axis=1), T.sum(axis=0))
            values[sparsity] = srgw.gwloss(*parts, T) + 0.3 * np.sqrt(T.sum(axis=0)).sum()
            used[sparsity] += np.count_nonzero(T.sum(axis=0) > 1e-9)
        assert values[0.3] <= values[0.0] + 1e-6
    assert used[0.3] < used[0.0]


test_sparsity_uses_fewer_target_nodes = pytest.mark.filterwarnings(
    "ignore::srgw.ConvergenceWarning"
)(test_sparsity_uses_fewer_target_nodes)
