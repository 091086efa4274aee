"""`x[...]` built in a Program has the same result; its operators are those of Paddle 2.6.2."""

import numpy as np
import pytest

from minipaddle.engine.mode.eager import Eager, current, within
from minipaddle.engine.mode.mode import Around
from minipaddle.ops.indexing.index import getitem
from minipaddle.paddle.autograd.grad import grad
from minipaddle.paddle.static.program.indexing import indexed

A = np.arange(24.0).reshape(2, 3, 4)
L = np.array([1, 0, -1])
NONE = slice(None)
TWO = slice(None, None, 2)
BASIC = {
    "slice": [0, -1, (0, 1), (..., 0), (NONE, slice(1, None)), slice(0, 1), (0, ..., -2)],
    "strided_slice": [TWO, (NONE, slice(None, None, -1)), (0, slice(2, 0, -1)), (TWO, 0)],
    "slice unsqueeze2": [(0, None), (..., None, slice(0, 2)), (None, 0, None)],
    "unsqueeze2": [None, (NONE, None), (None, ..., None)],
    "": [NONE, ..., (NONE, NONE)],
}  # fmt: skip
PICKING = {
    "unsqueeze2 gather_nd": [L, (L, ...), (L.reshape(3, 1),)],
    "slice unsqueeze2 gather_nd": [(L, 0), (L, NONE, 0), (L, NONE, slice(0, 2))],
    "transpose2 unsqueeze2 gather_nd transpose2": [(NONE, L), (NONE, NONE, L), (NONE, L.reshape(3, 1))],
    "slice transpose2 unsqueeze2 gather_nd transpose2": [(slice(1, None), L), (0, NONE, L)],
    "where_index gather_nd": [A > 5, np.array([True, False]), A[:, :, 0] > 5],
    "slice where_index gather_nd": [(np.array([True, False]), 0), (A[:, :, 0] > 5, 1)],
    "getitem": [(L, L), (NONE, np.array([True, False, True])), (L, None), (..., L)],
}


class Noting(Around):
    """Records the types of the applied operators."""

    def __init__(self):
        super().__init__(current.get())
        self.types = []

    def apply(self, op, inputs, attrs):
        self.types.append(op.type)
        return super().apply(op, inputs, attrs)


def cut(op, x, text):
    return op(x, text)


def cases(table):
    return [pytest.param(types, index, id=str(index)) for types, found in table.items() for index in found]


def with_tensors(index):
    if isinstance(index, tuple):
        return tuple(with_tensors(item) for item in index)
    return Eager.tensor(index) if isinstance(index, np.ndarray) else index


@pytest.mark.parametrize(("types", "index"), cases(BASIC) + cases(PICKING))
def test_it_is_what_indexing_means(types, index):
    index = with_tensors(index)
    x, twin = Eager.tensor(A.copy()), Eager.tensor(A.copy())
    x.stop_gradient = twin.stop_gradient = False
    with within(Noting()) as mode:
        found = indexed(x, index, cut)
    expected = getitem(twin, index)
    np.testing.assert_array_equal(found.array, expected.array)
    assert " ".join(mode.types) == types
    np.testing.assert_array_equal(
        grad([found * found], [x])[0].array, grad([expected * expected], [twin])[0].array
    )
