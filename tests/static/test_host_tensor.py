"""HostTensor: the type of py_func's arguments and of `return_numpy=False` behaves as a read-only array."""

import numpy as np
import pytest

from minipaddle.paddle.static.host_tensor import HostTensor

X = np.array([[1.0, 4.0, 9.0], [16.0, 25.0, 36.0]])


@pytest.fixture
def tensor():
    return HostTensor(X)


def test_the_shape_is_a_tuple_and_can_be_called(tensor):
    assert tensor.shape == (2, 3)
    assert tensor.shape() == [2, 3]


@pytest.mark.parametrize(
    "make", [np.array, np.asarray, lambda t: t.numpy(), lambda t: np.array(t, dtype="float64")]
)
def test_an_array_made_from_it_is_a_copy(tensor, make):
    array = make(tensor)
    assert type(array) is np.ndarray
    array[0, 0] = 7.0
    assert X[0, 0] == 1.0


def test_it_has_the_attributes_and_methods_of_an_array(tensor):
    assert (tensor.dtype, tensor.ndim, tensor.size) == (X.dtype, 2, 6)
    assert tensor.mean() == X.mean()
    assert tensor.T.tolist() == X.T.tolist()
    assert np.array_equal(tensor.astype("int64"), X.astype("int64"))
    with pytest.raises(AttributeError, match="no_such_thing"):
        tensor.no_such_thing


def test_arithmetic_and_functions_of_numpy_take_it(tensor):
    for found, wanted in (
        (tensor + 1, X + 1),
        (2 * tensor, 2 * X),
        (np.sqrt(tensor), np.sqrt(X)),
        (tensor[1], X[1]),
    ):
        np.testing.assert_array_equal(found, wanted)


def test_it_cannot_be_written_to(tensor):
    with pytest.raises(ValueError, match="read-only"):
        tensor.fill(0)
    assert X[0, 0] == 1.0
