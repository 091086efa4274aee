# hint: That is the step alone: take it away from `x`.
import paddle


def newton(function, x):
    t = paddle.to_tensor(x, stop_gradient=False)
    (slope,) = paddle.grad(function(t).sum(), t, create_graph=True)
    (curvature,) = paddle.grad(slope.sum(), t)
    return (slope / curvature).numpy()
