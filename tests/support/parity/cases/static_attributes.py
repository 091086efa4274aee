"""What Variables are called by, and what a run returns."""

import numpy as np
import paddle

from tests.support.parity.graphs import S, feed, run, weight
from tests.support.parity.kit import Family

cases = Family("static_attributes")


def casts():
    x = feed("x", 2, 3)
    return [x.cast("int64").name, x.astype("int64").name, x.cast(dtype="float64").name]


def backward_with_a_context():
    x, w = feed("x", 2, 3, stop=True), weight(3, 2)
    loss = paddle.mean(paddle.matmul(x, w))
    return [grad.name for _, grad in S.append_backward(loss, distop_context=None)]


def the_kind_of_a_variable():
    kind = feed("x", 2).type
    return str(kind), int(kind), kind == paddle.base.core.VarDesc.VarType.LOD_TENSOR


def integers_that_a_run_returns():
    found = run([feed("x", 2, dtype="int64") + 1, paddle.full([1], 3, "int32")], {"x": np.array([1, 2])})
    return [repr(one) for one in found]
