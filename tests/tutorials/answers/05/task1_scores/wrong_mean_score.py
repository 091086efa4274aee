# hint: It is the mean of the scores; ask of each whether it is above zero, and take the mean of that.
import paddle


def build(x, w):
    scores = paddle.matmul(x, w)
    return scores, paddle.mean(scores)
