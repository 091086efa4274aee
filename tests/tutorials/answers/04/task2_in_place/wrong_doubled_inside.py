# hint: It is the result of `tanh` that is doubled, and not its operand.
import paddle


def loss_of(w):
    y = paddle.tanh(w * 2.0) + w
    return (y * y).sum()
