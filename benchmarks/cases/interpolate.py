"""Images twice as large, bilinear, forward and backward."""

import paddle

from benchmarks import data


def setup():
    images = paddle.to_tensor(data.images(), stop_gradient=False)

    def step():
        images.clear_grad()
        larger = paddle.nn.functional.interpolate(images, scale_factor=2, mode="bilinear")
        larger.sum().backward()
        return images.grad.sum()

    return step
