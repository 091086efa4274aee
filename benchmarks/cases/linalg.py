"""Likelihoods of Gaussians: the Cholesky triangle of a covariance, its inverse times a vector, forward and backward."""

import paddle

from benchmarks import data


def setup():
    covariance, seen = (paddle.to_tensor(array, stop_gradient=False) for array in data.gaussians())

    def step():
        covariance.clear_grad()
        seen.clear_grad()
        distance = (seen * paddle.linalg.solve(covariance, seen)).sum()
        triangle = paddle.linalg.cholesky(covariance)
        volume = paddle.log(paddle.einsum("bii->bi", triangle)).sum()
        loss = distance + 2 * volume
        loss.backward()
        return covariance.grad.sum() + seen.grad.sum()

    return step
