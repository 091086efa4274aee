"""Constants beside Variables of which several sizes, or not the first one, are known only when the Program runs."""

import numpy as np
import pytest

import minipaddle as paddle

S = paddle.static
pytestmark = pytest.mark.usefixtures("building")


@pytest.mark.parametrize("shape", [[-1, 3], [2, -1], [-1, -1], [2, 3]])
def test_a_number_over_a_variable(shape):
    x = S.data("x", shape)
    given = np.arange(1, 7, dtype="float32").reshape(2, 3)
    found = S.Executor().run(feed={"x": given}, fetch_list=[6.0 / x, 2.0**x])
    np.testing.assert_allclose(found[0], 6.0 / given, rtol=1e-6)
    np.testing.assert_allclose(found[1], 2.0**given, rtol=1e-6)
