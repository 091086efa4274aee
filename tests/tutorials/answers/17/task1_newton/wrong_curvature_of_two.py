# hint: A parabola's bottom is not reached in one step.
import paddle


def newton(function, x):
    t = paddle.to_tensor(x, stop_gradient=False)
    (slope,) = paddle.grad(function(t).sum(), t, create_graph=True)
    (_curvature,) = paddle.grad(slope.sum(), t)
    return (t - slope / 2).numpy()
