# hint: A NaN comes back from the row of zeros: mask what goes into the root, too.
import paddle


def norms(x):
    squares = (x * x).sum(axis=1)
    return paddle.sqrt(squares)
