"""The linalg case by hand: the same routines of LAPACK, and the formulas of a textbook."""

import numpy as np
from scipy.linalg import solve_triangular

from benchmarks import data


def solve_each(triangles, right):
    """Solve for each transposed lower triangle of a batch."""
    return np.stack([solve_triangular(a, b, trans=1, lower=True) for a, b in zip(triangles, right)])


def setup():
    covariance, seen = data.gaussians()

    def step():
        solved = np.linalg.solve(covariance, seen)
        triangle = np.linalg.cholesky(covariance)
        diagonal = np.einsum("bii->bi", triangle)
        (seen * solved).sum() + 2 * np.log(diagonal).sum()
        dseen = np.linalg.solve(covariance.swapaxes(-1, -2), seen)
        grad = -dseen @ solved.swapaxes(-1, -2)
        dseen += solved
        dtriangle = np.zeros_like(triangle)
        np.einsum("bii->bi", dtriangle)[:] = 2 / diagonal
        inner = np.tril(triangle.swapaxes(-1, -2) @ dtriangle)
        inner = inner + np.tril(inner, -1).swapaxes(-1, -2)
        half = solve_each(triangle, inner).swapaxes(-1, -2)
        grad += solve_each(triangle, half) * 0.5
        return grad.sum() + dseen.sum()

    return step
