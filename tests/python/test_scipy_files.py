"""Matrices that SciPy saves, in all their forms, are read as they are."""

import pathlib

import numpy as np
import pytest
import scipy.sparse
import srgw


def matrix(kind: str) -> scipy.sparse.csr_matrix:
    rng = np.random.default_rng(4)
    dense = np.triu(rng.random((3000, 300)) @ rng.random((300, 3000)) < 65, 1).astype(float)
    if kind != "directed":
        dense += dense.T
    if "weights" in kind:
        dense *= np.add.outer(np.arange(3000), np.arange(3000)) + 1.5
    csr = scipy.sparse.csr_matrix(dense)
    if "unsorted" in kind:
        for row in range(3000):
            part = slice(csr.indptr[row], csr.indptr[row + 1])
            csr.indices[part] = csr.indices[part][::-1].copy()
            csr.data[part] = csr.data[part][::-1].copy()
        csr.has_sorted_indices = False
    return csr


KINDS = ["ones", "weights", "directed", "unsorted", "unsorted weights"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("compressed", [False, True])
def test_matrices_are_read_as_they_are(tmp_path: pathlib.Path, kind: str, compressed: bool) -> None:
    csr = matrix(kind)
    for indices in (np.int32, np.int64):
        for values in (np.float64, np.float32) if kind != "weights" else (np.float64,):
            given = csr.copy()
            given.data = csr.data.astype(values)
            given.indices, given.indptr = csr.indices.astype(indices), csr.indptr.astype(indices)
            scipy.sparse.save_npz(tmp_path / "m.npz", given, compressed=compressed)
            graph = srgw.read(tmp_path / "m.npz")
            assert graph.directed == (kind == "directed")
            assert (graph.to_scipy() != csr).nnz == 0


def test_an_asymmetric_weight_makes_a_graph_directed(tmp_path: pathlib.Path) -> None:
    csr = matrix("weights")
    for place in (0, csr.nnz // 2, csr.nnz - 1):
        changed = csr.copy()
        changed.data[place] *= 1.001
        scipy.sparse.save_npz(tmp_path / "m.npz", changed)
        assert srgw.read(tmp_path / "m.npz").directed


def test_a_zero_on_one_side_alone_is_symmetric(tmp_path: pathlib.Path) -> None:
    csr = scipy.sparse.csr_matrix(
        (np.array([1.0, 1.0, 0.0]), np.array([1, 0, 2]), np.array([0, 1, 3, 3])), shape=(3, 3)
    )
    scipy.sparse.save_npz(tmp_path / "m.npz", csr)
    assert not srgw.read(tmp_path / "m.npz").directed


@pytest.mark.parametrize(
    ("member", "place", "value", "message"),
    [
        ("indices", 5, 3000, "expected indices from 0 to 2999"),
        ("indices", 5, -1, "expected indices from 0 to 2999"),
        ("data", 7, np.nan, "expected a finite number"),
        ("indptr", 9, 0, "expected it to rise"),
        ("indices", 5, None, "is given twice"),
    ],
)
def test_wrong_numbers_are_named(
    tmp_path: pathlib.Path, member: str, place: int, value: float | None, message: str
) -> None:
    csr = matrix("weights")
    array = getattr(csr, member)
    array[place] = array[place - 1] if value is None else value
    scipy.sparse.save_npz(tmp_path / "m.npz", csr)
    with pytest.raises(ValueError, match=message):
        srgw.read(tmp_path / "m.npz")
