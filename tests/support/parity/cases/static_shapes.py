"""Section 2: shapes and dtypes found while building."""

import paddle

from tests.support.parity.kit import Family

cases = Family("static_shapes")
S = paddle.static
