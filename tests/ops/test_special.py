"""erf without SciPy: as good as float32 can be."""

import numpy as np
import pytest
from scipy import special as scipy_special

from minipaddle.ops.math.erf_tanh import erf


def test_float32_is_exact_to_its_last_digit_but_one():
    x = np.linspace(-6, 6, 100_001, dtype=np.float32)
    np.testing.assert_allclose(erf(x), scipy_special.erf(x.astype(np.float64)), rtol=0, atol=1.5e-7)


def test_float32_keeps_its_relative_precision_near_zero():
    x = np.logspace(-30, -1, 1000, dtype=np.float32)
    np.testing.assert_allclose(erf(x), scipy_special.erf(x.astype(np.float64)), rtol=4e-7)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_limits(dtype: str):
    found = erf(np.array([-np.inf, -100, 0.0, 100, np.inf, np.nan], dtype))
    assert found.dtype == dtype
    np.testing.assert_array_equal(found, [-1, -1, 0, 1, 1, np.nan])


def test_float64_is_scipys():
    x = np.linspace(-3, 3, 50)
    np.testing.assert_array_equal(erf(x), scipy_special.erf(x))


def test_a_single_number_is_welcome():
    assert erf(np.float32(0.5)) == pytest.approx(0.5204999)
    assert erf(np.array(0.5, np.float32)).shape == ()
