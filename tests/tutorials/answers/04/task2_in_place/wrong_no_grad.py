# hint: No gradient arrives at `w`: the tape was not written.
import paddle


def loss_of(w):
    with paddle.no_grad():
        y = paddle.tanh(w).scale_(2.0).add_(w)
        return (y * y).sum()
