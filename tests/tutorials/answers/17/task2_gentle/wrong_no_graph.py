# hint: The slopes are off the tape: ask for them with `create_graph=True`.
import paddle


def loss_of(curve, x, weight):
    t = x.detach()
    t.stop_gradient = False
    y = curve(t)
    (slope,) = paddle.grad(y.sum(), t, retain_graph=True)
    return (y**2).mean() + weight * (slope**2).mean()
