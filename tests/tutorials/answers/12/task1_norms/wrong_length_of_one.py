# hint: The length of a row of zeros is 0.
import paddle


def norms(x):
    squares = (x * x).sum(axis=1)
    some = squares > 0
    harmless = paddle.where(some, squares, paddle.ones_like(squares))
    return paddle.sqrt(harmless)
