"""Section 16: Print, accuracy, fc, writing in place, layers in static mode, seeds, modes."""

import numpy as np
import paddle

from tests.support.parity.graphs import feed
from tests.support.parity.kit import Family

F = paddle.nn.functional
cases = Family("static_small")
X = np.array([1.0, 2.0], "float32")


def constant(number):
    return paddle.ParamAttr(initializer=paddle.nn.initializer.Constant(number))


@cases.ours("int64")
def the_type_of_sizes():
    return str(paddle.shape(feed("x", -1, 3)).dtype).rpartition(".")[2].lower()
