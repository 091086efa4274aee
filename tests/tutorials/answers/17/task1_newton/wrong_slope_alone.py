# hint: The step is the slope, divided by the curvature.
import paddle


def newton(function, x):
    t = paddle.to_tensor(x, stop_gradient=False)
    (slope,) = paddle.grad(function(t).sum(), t, create_graph=True)
    (_curvature,) = paddle.grad(slope.sum(), t)
    return (t - slope).numpy()
