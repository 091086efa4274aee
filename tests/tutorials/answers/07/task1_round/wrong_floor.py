# hint: Forward does not give the nearest whole numbers.
import paddle


def rounded(x):
    def backward(dy):
        return dy * (paddle.abs(x) <= 4).astype(x.dtype)

    return paddle.static.nn.static_pylayer(paddle.floor, [x], backward)
