"""Reading and writing by every kind of index: values, gradients, errors."""

import numpy as np

from tests.support.parity.kit import Family, data, differentiate, to_single

cases = Family("indexing")

MASK = np.arange(12).reshape(3, 4) % 3 == 0
ROW_MASK = np.array([True, False, True])

INDICES = cases.table("indices", globals())
for text, make in INDICES.items():
    cases.gradients(f"get {text}", lambda x, make=make: x[make()], data(3, 4, 2))


def write(index, value, value_is_leaf):
    """Write into a non-leaf; the target's and (if trainable) the value's gradients.

    In float32, because Paddle forgets to fill the value's float64 gradient.
    """

    def assign(x, *rest):
        y = x * 2
        y[index()] = rest[0] if rest else value
        return y * y

    return differentiate(assign, to_single(data(3, 4, 2)), *([to_single(value)] if value_is_leaf else []))


for text in INDICES:
    cases.add(f"set {text} to a number", write, INDICES[text], 7.0, False)

VALUES = cases.table("values", globals())
UNEVEN = {"list in second", "tensor"}  # a place written twice: which value stays is the last one's business
for text, shape in VALUES.items():
    if text not in UNEVEN:
        cases.add(f"set {text} to a tensor", write, INDICES[text], data(*shape, seed=2), True)
