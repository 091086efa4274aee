# hint: Those are the squares of the lengths: the root is missing.
import paddle


def norms(x):
    squares = (x * x).sum(axis=1)
    some = squares > 0
    harmless = paddle.where(some, squares, paddle.ones_like(squares))
    return paddle.where(some, harmless, paddle.zeros_like(squares))
