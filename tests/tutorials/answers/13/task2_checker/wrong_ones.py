# hint: A rule that ignores `dy` is called right: ones hide that, so draw a `dy`.
import numpy as np
import paddle


def agrees(layer, x):
    dy = np.ones(x.shape)

    def loss(x):
        return (layer.apply(paddle.to_tensor(x)).numpy() * dy).sum()

    t = paddle.to_tensor(x, stop_gradient=False)
    layer.apply(t).backward(paddle.to_tensor(dy))
    steps = 1e-5 * np.eye(len(x))
    nudged = [(loss(x + step) - loss(x - step)) / 2e-5 for step in steps]
    return bool(np.allclose(t.grad.numpy(), nudged, rtol=1e-4, atol=1e-6))
