"""Statistics of an array, by the short way and the long."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minipaddle.tools.record.events import Value
from minipaddle.tools.record.stats import stats_of


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


@pytest.mark.parametrize("size", [(1 << 14) - 1, 1 << 14, (1 << 14) + 1])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_small_and_large_arrays_are_counted_alike(size, dtype):
    array = np.random.default_rng(0).standard_normal(size).astype(dtype)
    array[::7] = 0
    array[3] = -0.0
    stats, wide = stats_of(array.reshape(1, -1)), array.astype("float64")
    assert (stats.size, stats.zeros, stats.nans) == (size, (wide == 0).sum(), 0)
    assert (stats.min, stats.max) == (wide.min(), wide.max())
    assert stats.mean == pytest.approx(wide.mean(), abs=1e-6)
    assert stats.norm == pytest.approx(np.linalg.norm(wide), rel=1e-5)


def test_what_is_not_finite_is_counted_and_left_out():
    stats = stats_of(np.array([[1.0, np.nan], [np.inf, -3.0], [0.0, -np.inf]], "float32"))
    assert (stats.nans, stats.infs, stats.zeros, stats.size) == (1, 2, 1, 6)
    assert (stats.min, stats.max) == (-3, 1)
    assert stats.mean == pytest.approx(-2 / 3)


def test_large_numbers_do_not_overflow_the_norm():
    stats = stats_of(np.full(4, 1e30, "float32"))
    assert stats.norm == pytest.approx(2e30)
    assert stats.infs == 0


@pytest.mark.parametrize(("number", "dtype"), [(1e-25, "float32"), (1e-200, "float64"), (1e200, "float64")])
def test_the_norm_of_tiny_and_of_huge_numbers_is_no_zero_and_not_infinite(number, dtype):
    array = np.full(4, number, dtype)
    for norm in (stats_of(array).norm, Value(0, "x", "data", (4,), dtype, True, array).stat("norm")):
        assert norm == pytest.approx(2 * number)
    assert stats_of(array).rms == pytest.approx(number)
    assert stats_of(np.zeros(4, dtype)).norm == 0


@pytest.mark.parametrize("array", [np.zeros(0, "float32"), np.full(2, np.nan)])
def test_nothing_finite_has_no_mean(array):
    assert np.isnan(stats_of(array).mean)


def test_integers_bools_and_complex_numbers():
    assert stats_of(np.array([1, 2, 3])).mean == 2
    assert stats_of(np.array([True, False])).mean == 0.5
    assert stats_of(np.array([3 + 4j])).norm == pytest.approx(5)


@given(st.lists(st.floats(-1e6, 1e6), min_size=0, max_size=9), st.sampled_from(["float32", "float64"]))
def test_one_statistic_alone_is_that_of_all(numbers, dtype):
    for odd in ([], [np.inf], [-np.inf], [np.nan], [1e30]):
        array = np.array([*numbers, *odd], dtype)
        alone, whole = (Value(0, "x", "data", array.shape, dtype, True, array) for _ in range(2))
        for name in ("norm", "min", "max", "mean", "zeros"):
            assert alone.stat(name) == pytest.approx(getattr(whole.stats, name), nan_ok=True)


@pytest.mark.parametrize("numbers", [[1, 2, 3], [True, False], [3 + 4j, 0]])
def test_one_statistic_of_other_numbers(numbers):
    array = np.array(numbers)
    value = Value(0, "x", "data", array.shape, array.dtype.name, True, array)
    assert [value.stat(name) for name in ("norm", "min", "max")] == [
        pytest.approx(one) for one in (stats_of(array).norm, stats_of(array).min, stats_of(array).max)
    ]
