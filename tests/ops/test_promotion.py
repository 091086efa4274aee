"""The common type of two operands, measured on PaddlePaddle 3.3.1."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.value.dtype import as_numpy
from minipaddle.ops import signs as arithmetic
from minipaddle.ops.creation.convert import number_dtype
from minipaddle.ops.creation.promotion import common_dtype
from minipaddle.ops.logic.compare import less_than
from minipaddle.ops.math.arithmetic import add, divide, multiply
from minipaddle.ops.math.exponential import exp, square
from minipaddle.ops.math.rounding import floor_divide
from minipaddle.paddle.autograd.grad import grad


def tensor(dtype: str, ndim: int = 1) -> Tensor:
    return Tensor(np.ones([2] * ndim, dtype))


MEETINGS = [  # left, its ndim, right, its ndim, result (None: refused)
    ("float32", 1, "float32", 1, "float32"),
    ("float32", 1, "float64", 1, "float64"),
    ("float16", 1, "float32", 1, "float32"),
    ("int32", 1, "int64", 1, None),
    ("int64", 1, "float32", 1, None),
    ("bool", 1, "int64", 1, None),
    ("uint8", 1, "int8", 1, None),
    ("int64", 1, "float32", 0, "float32"),
    ("int64", 1, "float64", 0, "float64"),
    ("float32", 1, "float64", 0, "float32"),
    ("float64", 0, "float16", 1, "float16"),
    ("int32", 1, "int64", 0, "int32"),
    ("int64", 0, "float32", 1, "float32"),
    ("bool", 1, "int32", 0, "int32"),
    ("int64", 0, "bool", 1, "int64"),
    ("int64", 0, "float32", 0, "float32"),
    ("float32", 0, "float64", 0, "float64"),
    ("uint8", 0, "int8", 0, "int16"),
    ("complex64", 1, "float32", 1, "complex64"),
    ("complex64", 1, "int64", 1, "complex64"),
    ("complex64", 1, "float64", 1, "complex128"),
    ("complex64", 1, "complex128", 0, "complex64"),
    ("bool", 1, "complex128", 1, "complex128"),
]


@pytest.mark.parametrize(("x", "x_ndim", "y", "y_ndim", "result"), MEETINGS)
def test_two_tensors(x, x_ndim, y, y_ndim, result):
    if result is None:
        with pytest.raises(TypeError, match=f"Type promotion only support .* x: {x}, y: {y}"):
            common_dtype(np.dtype(x), x_ndim, np.dtype(y), y_ndim)
    else:
        assert common_dtype(np.dtype(x), x_ndim, np.dtype(y), y_ndim) == result
        assert common_dtype(np.dtype(y), y_ndim, np.dtype(x), x_ndim) == result


@pytest.mark.parametrize(("x", "x_ndim", "y", "y_ndim", "result"), [case for case in MEETINGS if case[4]])
def test_an_operator_computes_in_the_common_type(x, x_ndim, y, y_ndim, result):
    found = add(tensor(x, x_ndim), tensor(y, y_ndim))
    assert found.array.dtype == result
    assert less_than(tensor(x, x_ndim), tensor(y, y_ndim)).array.dtype == bool


def test_refusal_names_the_operator_and_the_line():
    with pytest.raises(TypeError, match="elementwise_mul") as caught:
        multiply(tensor("int64"), tensor("float32"))  # this line is quoted
    assert "this line is quoted" in str(caught.value)


def test_gradients_are_cast_back():
    x, y = tensor("float32"), tensor("float64")
    x.stop_gradient = y.stop_gradient = False
    out = multiply(x, y)
    assert out.array.dtype == "float64"
    assert [found.array.dtype for found in grad(out, [x, y])] == ["float32", "float64"]


def test_division_is_never_whole():
    assert divide(tensor("int64"), tensor("int64")).array.dtype == "float32"
    assert arithmetic.over(tensor("int32"), 2).array.tolist() == [0.5, 0.5]


def test_floor_division_lets_a_scalar_tensor_widen():
    assert floor_divide(tensor("float32"), tensor("float64", 0)).array.dtype == "float64"
    assert floor_divide(tensor("int64", 0), tensor("int32")).array.dtype == "int64"
    assert floor_divide(tensor("int32"), tensor("float32", 0)).array.dtype == "float32"


@pytest.mark.parametrize(("x", "x_ndim", "y", "y_ndim", "result"), MEETINGS)
def test_a_tensor_without_axes_is_no_scalar_where_one_of_two_is_taken(x, x_ndim, y, y_ndim, result):
    """It gave the type of the other: float32 beside a float64, and an integer beside a float."""
    if "complex" in x + y or "int8" in x + y:
        return
    here, there = tensor(x, x_ndim), tensor(y, y_ndim)
    chosen = tensor("bool")
    calls = [paddle.maximum, paddle.minimum, lambda one, other: paddle.where(chosen, one, other)]
    for call in calls:
        for pair in ((here, there), (there, here)):
            if x == y or {x[:5], y[:5]} == {"float"}:
                assert call(*pair).array.dtype == np.result_type(x, y)
            else:
                with pytest.raises(TypeError, match="Type promotion only support"):
                    call(*pair)


@pytest.mark.parametrize("dtype", ["bool", "int32", "int64"])
def test_functions_of_integers_are_float32(dtype):
    assert exp(tensor(dtype)).array.dtype == "float32"


def test_square_of_an_integer_stays_one():
    assert square(tensor("int32")).array.dtype == "int32"


NUMBERS = [  # tensor, number, type that the number takes
    ("float16", 2, "float16"),
    ("float32", 1.5, "float32"),
    ("float64", True, "float64"),
    ("int32", 2, "int32"),
    ("int64", 1.5, "float32"),
    ("bool", True, "bool"),
    ("bool", 2, "int64"),
    ("bool", 1.5, "float32"),
    ("float32", 1j, "complex64"),
    ("float64", 1j, "complex128"),
    ("int64", 1j, "complex64"),
]


@pytest.mark.parametrize(("dtype", "number", "result"), NUMBERS)
def test_python_numbers(dtype, number, result):
    assert number_dtype(np.dtype(dtype), number) == as_numpy(result)
    for operate in (arithmetic.plus, arithmetic.times):
        assert operate(tensor(dtype), number).array.dtype == result
        assert operate(number, tensor(dtype)).array.dtype == result


def test_numbers_outside_of_a_types_range_wrap_around_where_they_are_written():
    written = paddle.to_tensor(np.array([1, 200], "uint8"))
    written[0] = 300
    written[1] = -1
    assert written.tolist() == [44, 255]
    assert written.fill_(300).tolist() == [44, 44]
    assert paddle.full([1], -1, "uint8").tolist() == [255]
    with pytest.raises(ValueError, match="range of uint8"):
        paddle.full_like(written, 300)
