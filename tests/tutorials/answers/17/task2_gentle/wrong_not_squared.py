# hint: It is the squares of the slopes that count: a slope below zero is steep as well.
import paddle


def loss_of(curve, x, weight):
    t = x.detach()
    t.stop_gradient = False
    y = curve(t)
    (slope,) = paddle.grad(y.sum(), t, create_graph=True)
    return (y**2).mean() + weight * slope.mean()
