"""The common part of Tensor and Variable is one class; its methods are the functions of ``paddle``."""

import inspect

import pytest

from minipaddle import ops, paddle
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.value.value import Value
from minipaddle.ops.methods import InplaceMethods, Methods
from minipaddle.ops.signs import SIGNS
from minipaddle.paddle.static.program import Variable

FIRST = {"x", "input", "arr", "condition"}
"""A function whose first argument is a tensor, by one of these names, is a method too, as in Paddle."""
NO_METHODS = {"cat", "hstack", "randint_like", "vstack"}
"""Functions whose `x` is a list of tensors, or only gives its shape."""


def test_every_function_of_a_tensor_is_a_method_of_tensors_and_variables():
    functions = {name: value for name, value in vars(ops).items() if callable(value) and name[0] != "_"}
    of_tensors = {
        name for name, one in functions.items() if next(iter(inspect.signature(one).parameters), "") in FIRST
    } - NO_METHODS
    assert len(of_tensors) > 130
    assert {name for name in of_tensors if not hasattr(Tensor, name)} == set()
    assert {name for name in of_tensors if not hasattr(Variable, name)} == set()


def test_methods_are_the_functions_of_their_names():
    for name in [*vars(Methods)]:
        if not name.startswith("__") and name != "T" and hasattr(ops, name):
            assert getattr(Methods, name).__name__ == getattr(ops, name).__name__, name
    for name in [*vars(InplaceMethods)]:
        if not name.startswith("__"):
            assert getattr(InplaceMethods, name).__name__ == name


def test_no_sign_is_attached_from_outside():
    for cls in (Tensor, Variable):
        assert issubclass(cls, Value)
        owner = next(one for one in cls.__mro__ if "beside" in vars(one))
        assert owner is not Value
        assert cls.beside.__qualname__ == f"{owner.__name__}.beside"
    assert Tensor.__rmul__ is Variable.__rmul__ is Value.__rmul__


@pytest.mark.parametrize("sign", sorted(SIGNS))
def test_a_sign_means_the_same_on_both_sides(sign):
    """Including those for which Tensor has a shorter way."""
    integers = sign in ("&", "|", "^", "<<", ">>")
    x = paddle.to_tensor([[1, 2], [3, 4]] if integers else [[1.0, 2.0], [3.0, 4.0]])
    y = paddle.to_tensor([[5, 4], [3, 3]] if integers else [[5.0, 4.0], [3.0, 3.0]])
    space = {"x": x, "y": y}
    written = eval(f"x {sign} y", {}, space)
    assert written.tolist() == SIGNS[sign](x, y).tolist()
    assert written.tolist() == x.beside(sign, y).tolist() == y.beside(sign, x, reflected=True).tolist()
    if sign != "@":
        number = eval(f"x {sign} 2", {}, space)
        assert number.tolist() == x.beside(sign, 2).tolist()


def test_nothing_is_equal_to_none():
    x = paddle.ones([2])
    assert x.__eq__(None) is False
    assert x.__ne__(None) is True
