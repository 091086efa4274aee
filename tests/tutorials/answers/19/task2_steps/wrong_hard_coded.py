# hint: It is always the same, whatever is fed.
import paddle


def build(x):
    return paddle.full_like(x, 0.625), paddle.full_like(x, 4.0)
