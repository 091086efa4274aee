# hint: Each row has a largest number of its own: `axis=1`, `keepdim=True`.
import paddle


def log_sum_exp(x):
    largest = x.max()
    return paddle.log(paddle.exp(x - largest).sum(axis=1)) + largest
