# hint: The lengths of small rows are not exact.
import paddle


def norms(x):
    squares = (x * x).sum(axis=1)
    return paddle.sqrt(squares + 1e-9)
