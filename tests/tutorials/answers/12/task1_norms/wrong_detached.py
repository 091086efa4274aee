# hint: No gradient comes back: the tape was left.
import paddle


def norms(x):
    squares = (x * x).sum(axis=1).detach() + 0 * x.sum()
    some = squares > 0
    harmless = paddle.where(some, squares, paddle.ones_like(squares))
    return paddle.where(some, paddle.sqrt(harmless), paddle.zeros_like(squares))
