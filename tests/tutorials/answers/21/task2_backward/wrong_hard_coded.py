# hint: `result.grad` begins as ones in the shape of the result, and stays so.


def backward(result):
    result.grad = 26.0
    for operand in result.operands:
        operand.grad = 26.0
