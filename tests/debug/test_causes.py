"""The likely cause of a wrong gradient, by the numbers alone."""

import numpy as np

from minipaddle.tools.checks.gradient.by_numbers import causes

RANDOM = np.random.default_rng(0)
A, B, G = (RANDOM.standard_normal(shape) for shape in ((2, 3), (3, 3), (2, 3)))


def cause(given, right, **named):
    return next(causes(given, right, named), ("", ""))[1]


def test_the_matrix_that_was_to_be_transposed():
    assert cause(G @ B, G @ B.T, a=A, b=B, g=G).startswith("transposed")
    square = RANDOM.standard_normal((3, 3))
    assert cause(square @ B, square.T @ B, a=square, b=B).startswith("transposed")
    assert cause(G @ B + 1, G @ B.T, a=A, b=B, g=G) == ""


def test_one_slice_in_the_place_of_a_sum():
    wide = RANDOM.standard_normal((4, 3))
    for taken in (wide[0], wide[2]):
        assert "un-broadcast" in cause(taken, wide.sum(0), g=wide)
    assert "un-broadcast" not in cause(wide[0] * 2, wide.sum(0), g=wide)


def test_a_factor_of_two_is_no_axis_of_two():
    assert {said for _, said in causes(G / 2, G, {"g": G})} == {"missing factor 2"}
    whole, wide = G.sum() * np.ones(7), RANDOM.standard_normal((3, 5))
    assert "as many as an axis has elements" in cause(whole / 7, whole, x=np.ones(7))
    assert "15 times too large, as many as a tensor has elements" in cause(15 * wide, wide, x=wide)
