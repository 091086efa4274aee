"""The error function is SciPy's, in the type of its input."""

import numpy as np
import pytest
from scipy import special

from minipaddle import paddle


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("shape", [(), (0,), (1,), (7, 11)])
def test_erf_is_scipys(dtype, shape):
    x = np.random.default_rng(0).normal(0, 2, shape).astype(dtype)
    found = paddle.erf(paddle.to_tensor(x)).numpy()
    assert (found.dtype, found.shape) == (x.dtype, shape)
    np.testing.assert_array_equal(found, special.erf(x).astype(dtype))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_limits(dtype):
    found = paddle.erf(paddle.to_tensor(np.array([-np.inf, -100, 0.0, 100, np.inf, np.nan], dtype)))
    np.testing.assert_array_equal(found.numpy(), [-1, -1, 0, 1, 1, np.nan])
