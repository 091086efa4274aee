# hint: The mean of the squared slopes is asked for, and not their sum.
import paddle


def loss_of(curve, x, weight):
    t = x.detach()
    t.stop_gradient = False
    y = curve(t)
    (slope,) = paddle.grad(y.sum(), t, create_graph=True)
    return (y**2).mean() + weight * (slope**2).sum()
