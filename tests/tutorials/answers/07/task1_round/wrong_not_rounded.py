# hint: Forward has to round: it is backward alone that pretends not to.
import paddle


def rounded(x):
    def backward(dy):
        return dy * (paddle.abs(x) <= 4).astype(x.dtype)

    return paddle.static.nn.static_pylayer(paddle.assign, [x], backward)
