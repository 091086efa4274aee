"""paddle.tensor.array: lists of tensors by number."""

import numpy as np
import paddle

from tests.support.parity.kit import Family, raises

cases = Family("tensor_arrays")
T = paddle.tensor


def number(value, *shape):
    return paddle.full([*shape] or [1], value, "int64")


def filled():
    array = T.create_array("float32")
    for place in range(3):
        T.array_write(paddle.full([2, 1 + place], float(place)), number(place), array)
    return array


@cases
def written_and_read():
    array = filled()
    T.array_write(paddle.ones([2, 1]), number(1), array)
    new = T.array_write(paddle.ones([1]), number(0))
    return [T.array_read(array, number(place)) for place in range(3)], int(T.array_length(array)), len(new)


@cases
def gradients_pass():
    x = paddle.to_tensor([[1.0], [2.0]], stop_gradient=False)
    array = T.array_write(x * 2, number(0))
    T.array_write(x * x, number(1), array)
    joined, sizes = T.manipulation.tensor_array_to_tensor(array, axis=1)
    (joined * paddle.to_tensor([[1.0, 10.0]])).sum().backward()
    return joined, sizes, x.grad


@cases
def joined_and_stacked():
    T_ = T.manipulation.tensor_array_to_tensor
    same = [paddle.to_tensor(np.full((2, 3), one, "float32")) for one in (1, 2)]
    return T_(filled(), axis=1), T_(same, axis=0), T_(same, axis=1, use_stack=True)


@cases
def given_at_the_start():
    array = T.create_array("float32", [paddle.ones([1]), paddle.zeros([2])])
    return int(T.array_length(array)), array


@cases
def refused():
    return [
        raises(lambda: T.array_write(paddle.ones([1]), number(2), T.create_array("float32")), "index"),
        raises(lambda: T.array_write(paddle.ones([1]), number(0, 2)), "shape"),
        raises(lambda: T.array_read(filled(), number(7))),
        raises(lambda: T.create_array("float32", 3), "initialized_list"),
        raises(lambda: T.manipulation.tensor_array_to_tensor(3), "input"),
    ]
