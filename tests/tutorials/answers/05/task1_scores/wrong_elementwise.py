# hint: The scores are `x` times `w`, one for each row.
import paddle


def build(x, w):
    scores = paddle.matmul(x, w) * 2
    return scores, paddle.mean((scores > 0).astype("float32"))
