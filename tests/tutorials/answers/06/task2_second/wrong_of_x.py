# hint: The derivative of `x` by itself is asked: take the derivative of `y`.
import paddle


def slopes(y, x):
    (first,) = paddle.static.gradients(x * 1.0, x)
    second = first
    return first, second
