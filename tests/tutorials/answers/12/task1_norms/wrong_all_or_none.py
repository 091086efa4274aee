# hint: The other rows have lost their gradient.
import paddle


def norms(x):
    squares = (x * x).sum(axis=1)
    some = paddle.logical_and(squares > 0, (squares > 0).all())
    harmless = paddle.where(some, squares, paddle.ones_like(squares))
    return paddle.where(some, paddle.sqrt(harmless), paddle.sqrt(squares).detach())
