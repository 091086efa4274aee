"""Statistics of an array, by the short way and the long."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minipaddle.trace.stats import stats_of


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40), st.sampled_from(["float32", "float64"]))
def test_plain_numbers(numbers, dtype):
    array = np.array(numbers, dtype)
    stats = stats_of(array)
    wide = array.astype("float64")
    assert (stats.size, stats.nans, stats.infs) == (array.size, 0, 0)
    assert (stats.min, stats.max) == (wide.min(), wide.max())
    assert stats.zeros == (wide == 0).sum()
    assert stats.norm == pytest.approx(np.linalg.norm(wide), rel=1e-5)
    assert stats.rms == pytest.approx(np.sqrt((wide**2).mean()), rel=1e-5)
    assert stats.mean == pytest.approx(wide.mean(), rel=1e-4, abs=1e-6 * abs(wide).max())


def test_what_is_not_finite_is_counted_and_left_out():
    stats = stats_of(np.array([[1.0, np.nan], [np.inf, -3.0], [0.0, -np.inf]], "float32"))
    assert (stats.nans, stats.infs, stats.zeros, stats.size) == (1, 2, 1, 6)
    assert (stats.min, stats.max) == (-3, 1)
    assert stats.mean == pytest.approx(-2 / 3)


def test_large_numbers_do_not_overflow_the_norm():
    stats = stats_of(np.full(4, 1e30, "float32"))
    assert stats.norm == pytest.approx(2e30)
    assert stats.infs == 0


@pytest.mark.parametrize("array", [np.zeros(0, "float32"), np.full(2, np.nan)])
def test_nothing_finite_has_no_mean(array):
    assert np.isnan(stats_of(array).mean)


def test_integers_bools_and_complex_numbers():
    assert stats_of(np.array([1, 2, 3])).mean == 2
    assert stats_of(np.array([True, False])).mean == 0.5
    assert stats_of(np.array([3 + 4j])).norm == pytest.approx(5)
