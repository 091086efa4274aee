# hint: The gradient is zero: that is the slope of `round`, and a backward of its own is asked for.
import paddle


def rounded(x):
    return paddle.round(x)
