# hint: It is the number of rows; divide it by how many rows there are, or take a mean.
import paddle


def build(x, w):
    scores = paddle.matmul(x, w)
    return scores, paddle.sum((scores > 0).astype("float32"))
