# hint: The loss is the sum of the squares, and not their mean.
import paddle


def loss_of(w):
    y = paddle.tanh(w) * 2.0 + w
    return (y * y).mean()
