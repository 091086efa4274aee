# hint: `tanh` is cut off from the tape: no gradient goes through it.
import paddle


def loss_of(w):
    y = paddle.tanh(w).detach() * 2.0 + w
    return (y * y).sum()
