"""Which part of a sum of gradients each term is, and what is left of terms that cancel."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minipaddle.tools.record.events import Value
from minipaddle.tools.record.term_shares import cancels, left_of, shares


def value(numbers, dtype="float64"):
    array = np.array(numbers, dtype)
    return Value(0, "g", "gradient", array.shape, dtype, True, array)


def summed(*terms, dtype="float64"):
    return [value(term, dtype) for term in terms], value(np.sum(terms, axis=0), dtype)


def test_a_share_is_of_the_sizes_of_all_terms():
    terms, total = summed([3.0, 0.0], [0.0, 4.0])
    assert shares(terms, total) == pytest.approx([3 / 7, 4 / 7])
    assert left_of(terms, total) == pytest.approx(5 / 7)


def test_what_points_the_other_way_or_is_at_right_angles_has_its_share():
    terms, total = summed([4.0, 1.0], [-2.0, 0.0], [0.0, -1.0])
    assert shares(terms, total) == pytest.approx([5 / 8, 2 / 8, 1 / 8])


@given(st.lists(st.lists(st.integers(-9, 9), min_size=3, max_size=3), min_size=2, max_size=6))
def test_shares_add_up_to_one(terms):
    values, total = summed(*terms)
    parts = shares(values, total)
    if not np.any(total.array):
        assert parts is None
    else:
        assert sum(parts) == pytest.approx(1.0)


@given(st.integers(-9, 9), st.integers(-9, 9))
def test_complex_terms_have_real_shares(a, b):
    terms, total = summed([a + 1j], [1 - b * 1j], dtype="complex128")
    parts = shares(terms, total)
    assert parts is None or sum(parts) == pytest.approx(1.0)


def test_terms_that_cancel():
    terms, total = summed([1.0, 1.0], [-1.05, -1.05])
    assert cancels(terms, total)
    assert left_of(terms, total) == pytest.approx(0.05 / 2.05)
    assert not cancels(*summed([1.0, 1.0], [-0.5, -0.5]))
    assert left_of(*summed([1.0], [-1.0])) == 0.0
    assert shares(*summed([1.0], [-1.0])) == [0.5, 0.5]
    assert left_of(*summed([0.0], [0.0])) is None, "nothing cancels where nothing came"


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_of_numbers_that_are_not_finite_nothing_is_said(bad):
    terms, total = summed([1.0, bad], [1.0, 2.0])
    assert shares(terms, total) is None
    assert not cancels(terms, total)


def test_numbers_that_were_not_kept_have_no_share():
    terms, total = summed([1.0], [2.0])
    terms[0].kept = None
    assert shares(terms, total) is None
