# hint: Backward ignores the gradient that comes in: multiply by it.
import paddle


def rounded(x):
    def backward(dy):
        return (paddle.abs(x) <= 4).astype(x.dtype)

    return paddle.static.nn.static_pylayer(paddle.round, [x], backward)
