"""Section 11: static_pylayer inside and around control flow, other pylayers and host functions."""

import numpy as np
import paddle

from tests.support.parity.graphs import S
from tests.support.parity.kit import Family

cases = Family("static_pylayer_nested")
X = np.array([1.0, 2.0], "float32")
layer = S.nn.static_pylayer


def count(value):
    return paddle.full([1], value, "int64")
