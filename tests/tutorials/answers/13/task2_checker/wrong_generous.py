# hint: A rule that is wrong by one part in a hundred is called right: the tolerance is too large.
import numpy as np
import paddle


def agrees(layer, x):
    dy = np.random.default_rng(0).uniform(1, 2, x.shape)

    def loss(x):
        return (layer.apply(paddle.to_tensor(x)).numpy() * dy).sum()

    t = paddle.to_tensor(x, stop_gradient=False)
    layer.apply(t).backward(paddle.to_tensor(dy))
    steps = 1e-5 * np.eye(len(x))
    nudged = [(loss(x + step) - loss(x - step)) / 2e-5 for step in steps]
    return bool(np.allclose(t.grad.numpy(), nudged, rtol=0.1, atol=1e-6))
