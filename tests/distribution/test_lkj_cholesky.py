"""Draws of LKJCholesky: rows have length 1, and correlations spread as the distribution says."""

import numpy as np
import pytest

from minipaddle import paddle


def correlations(method):
    paddle.seed(1)
    triangles = paddle.distribution.LKJCholesky(4, 2.0, method).sample((4000,)).numpy()
    assert (np.triu(triangles, 1) == 0).all()
    return triangles @ triangles.swapaxes(-1, -2)


@pytest.mark.parametrize("method", ["onion", "cvine"])
def test_rows_have_length_1(method):
    np.testing.assert_allclose(np.diagonal(correlations(method), axis1=-2, axis2=-1), 1, rtol=1e-5)


def test_correlations_spread_as_the_distribution_says():
    rows, columns = np.tril_indices(4, -1)
    below = correlations("cvine")[:, rows, columns]
    np.testing.assert_allclose(below.mean(0), 0, atol=0.03)
    np.testing.assert_allclose(below.var(0), 1 / 7, atol=0.015)  # each is Beta(3, 3), from -1 to 1
