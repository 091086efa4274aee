# hint: Numbers below -4 are beyond 4, too: compare `|x|`.
import paddle


def rounded(x):
    def backward(dy):
        return dy * (x <= 4).astype(x.dtype)

    return paddle.static.nn.static_pylayer(paddle.round, [x], backward)
