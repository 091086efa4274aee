# hint: On a curve that is no parabola the step is another.
import paddle


def newton(function, x):
    t = paddle.to_tensor(x)
    low, middle, high = (function(t + by).numpy() for by in (-1.0, 0.0, 1.0))
    return x - (high - low) / 2 / (high - 2 * middle + low)
