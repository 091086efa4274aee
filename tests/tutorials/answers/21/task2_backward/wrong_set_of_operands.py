# hint: A value that is both operands of one operator counts twice; yours counts once.
import numpy as np


def backward(result):
    behind, waiting = {result}, [result]
    while waiting:
        new = set(waiting.pop().operands) - behind
        behind |= new
        waiting += new
    result.grad = np.ones_like(result.data)
    for value in sorted(behind, key=lambda value: value.number, reverse=True):
        for operand, rule in dict(zip(value.operands, value.rules)).items():
            operand.accumulate(rule(value.grad))
