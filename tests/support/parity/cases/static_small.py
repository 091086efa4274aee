"""Section 16: Print, accuracy, fc, writing in place, layers in static mode, seeds, modes."""

import numpy as np
import paddle

from tests.support.parity.kit import Family

F = paddle.nn.functional
cases = Family("static_small")
X = np.array([1.0, 2.0], "float32")


def constant(number):
    return paddle.ParamAttr(initializer=paddle.nn.initializer.Constant(number))
