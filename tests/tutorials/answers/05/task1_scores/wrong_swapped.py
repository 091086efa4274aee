# hint: The scores come first, and then the share.
import paddle


def build(x, w):
    scores = paddle.matmul(x, w)
    return paddle.mean((scores > 0).astype("float32")), scores
