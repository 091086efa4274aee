"""Which dtype a mixture of operands gives, as a table, and what gradients do with it."""

import operator

import numpy as np
import paddle

from tests.parity.kit import Family, dtype_name, leaf

cases = Family("dtypes")

DTYPES = ["bool", "int32", "int64", "float16", "float32", "float64"]
TENSORS = {
    f"{dtype}{list(shape)}": lambda dtype=dtype, shape=shape: paddle.ones(shape, dtype=dtype)
    for dtype in DTYPES
    for shape in [(2,), ()]
}
SCALARS = {"True": lambda: True, "2": lambda: 2, "1.5": lambda: 1.5}
ARRAYS = {f"numpy {d}": lambda d=d: np.ones(2, dtype=d) for d in ["int64", "float32", "float64"]}
KINDS = TENSORS | SCALARS | ARRAYS
OPERATORS = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "<": operator.lt,
    "==": operator.eq,
}


def outcome(call):
    """The dtype of the result, or the name of the exception."""
    try:
        return dtype_name(call())
    except Exception as error:
        return type(error).__name__


def row(left, fn):
    """The outcome against every kind of right operand; two that are no tensors teach nothing."""
    rights = KINDS if left in TENSORS else TENSORS
    return {right: outcome(lambda right=right: fn(KINDS[left](), KINDS[right]())) for right in rights}


for symbol, fn in OPERATORS.items():
    for left in KINDS:
        cases.add(f"{left} {symbol}", row, left, fn)

UNARY = [
    "exp",
    "log",
    "sqrt",
    "square",
    "abs",
    "sin",
    "tanh",
    "floor",
    "sign",
    "sum",
    "mean",
    "max",
    "prod",
    "cumsum",
]
UNARY += ["argmax", "sort", "isnan", "zeros_like", "ones_like", "logsumexp", "var", "reciprocal", "round"]
for name in UNARY:

    def each_dtype(name=name):
        fn = getattr(paddle, name)
        return {dtype: outcome(lambda dtype=dtype: fn(paddle.ones([2], dtype))) for dtype in DTYPES}

    cases.add(f"{name} of each dtype", each_dtype)

BINARY = ["add", "multiply", "maximum", "pow", "matmul", "equal"]
for name in BINARY:

    def each_pair(name=name):
        fn = getattr(paddle, name)
        pairs = [(a, b) for a in DTYPES for b in DTYPES]
        return {
            f"{a} {b}": outcome(lambda a=a, b=b: fn(paddle.ones([2], a), paddle.ones([2], b)))
            for a, b in pairs
        }

    cases.add(f"paddle.{name} of each pair", each_pair)


@cases
def not_a_number():
    x = paddle.ones([2])
    bad = {"list": [1.0, 2.0], "None": None, "str": "a", "dict": {}}
    return {name: outcome(lambda value=value: x + value) for name, value in bad.items()}


@cases
def gradients_have_the_operands_dtype():
    found = {}
    for left, right in [("float32", "float64"), ("float64", "float16"), ("float16", "float32")]:
        x, y = leaf([1.0, 2.0], left), leaf([3.0, 4.0], right)
        (x * y).sum().backward()
        found[f"{left} * {right}"] = [x.grad, y.grad]
    return found


@cases
def cast_sends_its_gradient_back():
    x = leaf([1.0, 2.0])
    (x.astype("float64") * 3).sum().backward()
    y = leaf([1.5, 2.5])
    (y.astype("int64").astype("float64") * 3).sum().backward()
    return [x.grad, y.grad]


@cases
def integer_leaf():
    x = leaf([1, 2])
    (x * 3).sum().backward()
    return x.grad


@cases
def scalar_operand_of_another_dtype():
    x, s = leaf([1.0, 2.0], "float32"), leaf(2.0, "float64")
    (x * s).sum().backward()
    return [x.grad, s.grad]
