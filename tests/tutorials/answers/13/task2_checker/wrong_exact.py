# hint: A right rule is called wrong: nudging is exact to some digits only, so compare with a tolerance.
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
    return bool(np.allclose(t.grad.numpy(), nudged, rtol=0, atol=1e-13))
