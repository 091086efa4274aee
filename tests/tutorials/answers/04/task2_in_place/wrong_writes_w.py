# hint: `w` was written over: make a new value instead.
import paddle


def loss_of(w):
    w.set_value(w.numpy() * 2)
    y = paddle.tanh(w) * 2.0 + w
    return (y * y).sum()
