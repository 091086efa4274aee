# hint: It is the share of the rows below zero.
import paddle


def build(x, w):
    scores = paddle.matmul(x, w)
    return scores, paddle.mean((scores < 0).astype("float32"))
