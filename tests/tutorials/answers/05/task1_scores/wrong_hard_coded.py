# hint: The share of the rows above zero is not right.
import paddle


def build(x, w):
    scores = paddle.matmul(x, w)
    return scores, paddle.full([], 0.5)
