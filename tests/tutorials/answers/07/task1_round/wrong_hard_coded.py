# hint: The gradient is not right.
import paddle


def rounded(x):
    def backward(dy):
        return dy * paddle.assign([1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 0.0, 0.0]).astype(x.dtype)

    return paddle.static.nn.static_pylayer(paddle.round, [x], backward)
