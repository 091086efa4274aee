# hint: That step leads to where the function is zero; the minimum is where its slope is.
import paddle


def newton(function, x):
    t = paddle.to_tensor(x, stop_gradient=False)
    (slope,) = paddle.grad(function(t).sum(), t, create_graph=True)
    (_curvature,) = paddle.grad(slope.sum(), t)
    return (t - function(t) / slope).numpy()
