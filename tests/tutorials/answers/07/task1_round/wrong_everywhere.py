# hint: Beyond 4 no gradient shall pass.
import paddle


def rounded(x):
    def backward(dy):
        return dy * 1.0

    return paddle.static.nn.static_pylayer(paddle.round, [x], backward)
