# hint: The second walk wipes out what the first one left at the leaf: it is added, as in Paddle.
import numpy as np


def backward(result):
    behind, waiting = {result}, [result]
    while waiting:
        new = set(waiting.pop().operands) - behind
        behind |= new
        waiting += new
    for value in behind:
        value.grad = 0.0
    result.grad = np.ones_like(result.data)
    for value in sorted(behind, key=lambda value: value.number, reverse=True):
        for operand, rule in zip(value.operands, value.rules):
            operand.accumulate(rule(value.grad))
