# hint: The number of rounds is built in: what is fed decides.
import paddle


def build(x):
    return x / 16, paddle.full_like(x, 4.0)
