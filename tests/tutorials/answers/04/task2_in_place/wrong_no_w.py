# hint: `w` is no longer added: `add_` did that.
import paddle


def loss_of(w):
    y = paddle.tanh(w) * 2.0
    return (y * y).sum()
