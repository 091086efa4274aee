"""Which dtype a mixture of operands gives, as a table, and what gradients do with it."""

import operator
from functools import partial

import numpy as np
import paddle

from tests.support.parity.kit import Family, dtype_name

cases = Family("dtypes")

DTYPES = ["bool", "int32", "int64", "float32", "float64"]
NUMBERS = DTYPES[1:]


def tensors(dtypes):
    """Makers of a [2] and a 0-D tensor of ones of each dtype."""
    kinds = [(dtype, shape) for dtype in dtypes for shape in [(2,), ()]]
    return {f"{dtype}{list(shape)}": partial(paddle.ones, shape, dtype) for dtype, shape in kinds}


SCALARS = {"True": lambda: True, "2": lambda: 2, "1.5": lambda: 1.5}
ARRAYS = {f"numpy {d}": partial(np.ones, 2, d) for d in ["int64", "float32", "float64"]}
EVERY_KIND = {"+": operator.add, "*": operator.mul, "<": operator.lt, "==": operator.eq}
NO_BOOLS = cases.table("no bools", globals())


def outcome(call):
    """The dtype of the result, or the name of the exception."""
    try:
        return dtype_name(call())
    except Exception as error:
        return type(error).__name__


def row(left, rights, fn):
    """The outcome against every kind of right operand."""
    return {name: outcome(lambda right=right: fn(left(), right())) for name, right in rights.items()}


for symbol, fn in (EVERY_KIND | NO_BOOLS).items():
    mine = tensors(DTYPES if symbol in EVERY_KIND else NUMBERS)
    for name, left in (mine | SCALARS | ARRAYS).items():
        others = mine | SCALARS | ARRAYS if name in mine else mine
        cases.add(f"{name} {symbol}", row, left, others, fn)

ONE = """
    exp log sqrt square abs sin tanh floor sign max prod cumsum argmax sum mean sort isnan zeros_like ones_like
    logsumexp reciprocal round
"""
for name in ONE.split():
    rows = {dtype: partial(paddle.ones, [2], dtype) for dtype in NUMBERS}
    cases.add(f"{name} of each dtype", lambda name, rows: row(lambda: name, rows, call_named), name, rows)


def call_named(name, x):
    return getattr(paddle, name)(x)


PAIRS = [(a, b) for a in NUMBERS for b in NUMBERS]


def each_pair(name):
    fn = getattr(paddle, name)
    return {
        f"{a} {b}": outcome(lambda a=a, b=b: fn(paddle.ones([2], a), paddle.ones([2], b))) for a, b in PAIRS
    }


for name in ["add", "multiply", "maximum", "pow", "equal"]:
    cases.add(f"paddle.{name} of each pair", each_pair, name)
