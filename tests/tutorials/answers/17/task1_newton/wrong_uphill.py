# hint: The step goes down: it is taken away from `x`.
import paddle


def newton(function, x):
    t = paddle.to_tensor(x, stop_gradient=False)
    (slope,) = paddle.grad(function(t).sum(), t, create_graph=True)
    (curvature,) = paddle.grad(slope.sum(), t)
    return (t + slope / curvature).numpy()
