import paddle


def log_sum_exp(x):
    largest = x.max(axis=1, keepdim=True)
    return paddle.log(paddle.exp(x - largest).sum(axis=1)) + largest.squeeze(1)
