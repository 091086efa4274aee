"""Section 2: shapes and dtypes found while building."""

import paddle

from tests.support.parity.graphs import feed
from tests.support.parity.kit import Family, raises, refusal

cases = Family("static_shapes")
S = paddle.static


@cases.ours(refusal("ValueError"))
def matmul_of_shapes_that_conflict():
    return raises(lambda: feed("a", 2, 3) @ feed("b", 4, 5))
