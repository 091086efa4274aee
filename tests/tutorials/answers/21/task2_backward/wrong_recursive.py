# hint: A value is visited before all its users: visit the last made first.
import numpy as np


def backward(result):
    result.grad = np.ones_like(result.data)
    seen, waiting = {result}, [result]
    while waiting:
        value = waiting.pop()
        for operand, rule in zip(value.operands, value.rules):
            operand.accumulate(rule(value.grad))
            if operand not in seen:
                seen.add(operand)
                waiting.append(operand)
