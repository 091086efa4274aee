# hint: The walk goes the wrong way: a rule is asked before the gradient of its result is there.
import numpy as np


def backward(result):
    behind, waiting = {result}, [result]
    while waiting:
        new = set(waiting.pop().operands) - behind
        behind |= new
        waiting += new
    result.grad = np.ones_like(result.data)
    for value in sorted(behind, key=lambda value: value.number):
        for operand, rule in zip(value.operands, value.rules):
            operand.accumulate(rule(value.grad))
