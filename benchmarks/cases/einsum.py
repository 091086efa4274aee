"""The scores of attention and what they pick, said by einsum: two batches of products, forward and backward."""

import paddle

from benchmarks import data


def setup():
    query, key = (paddle.to_tensor(heads, stop_gradient=False) for heads in data.heads())

    def step():
        query.clear_grad()
        key.clear_grad()
        scores = paddle.einsum("bhqd,bhkd->bhqk", query, key)
        paddle.einsum("bhqk,bhkd->bhqd", scores, key).sum().backward()
        return key.grad.sum()

    return step
