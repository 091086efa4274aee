# hint: Only the largest number gets a gradient: the sum of exponentials was cut off from the tape.
import paddle


def log_sum_exp(x):
    largest = x.max(axis=1, keepdim=True)
    return paddle.log(paddle.exp(x - largest).sum(axis=1).detach()) + largest.squeeze(1)
