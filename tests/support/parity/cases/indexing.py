"""Reading and writing by every kind of index: values, gradients, errors."""

import numpy as np
import paddle

from tests.support.parity.kit import Family, data, differentiate, to_single

cases = Family("indexing")

MASK = np.arange(12).reshape(3, 4) % 3 == 0
ROW_MASK = np.array([True, False, True])

INDICES = {  # of a [3, 4, 2] tensor
    "int": lambda: 1,
    "negative int": lambda: -1,
    "full": lambda: (2, 1, 0),
    "two ints": lambda: (0, -2),
    "slice": lambda: slice(1, None),
    "slice step": lambda: (slice(None), slice(0, 4, 2)),
    "slice reversed": lambda: (slice(None), slice(None, None, -1)),
    "slice reversed from 2 by 2": lambda: (0, slice(2, None, -2)),
    "slice beyond": lambda: slice(1, 99),
    "slice empty": lambda: slice(2, 1),
    "ellipsis": lambda: (..., 0),
    "ellipsis between": lambda: (0, ..., 1),
    "all": lambda: slice(None),
    "None first": lambda: None,
    "None between": lambda: (slice(None), None, 1),
    "None last": lambda: (..., None),
    "list": lambda: [0, 2],
    "list repeated": lambda: [1, 1, 0],
    "list in second": lambda: (slice(None), [3, 0, 3]),
    "numpy": lambda: np.array([2, 0]),
    "numpy 2-D": lambda: np.array([[0, 1], [2, 2]]),
    "tensor": lambda: paddle.to_tensor([2, 0, 2]),
    "tensor int32": lambda: paddle.to_tensor([2, 0], dtype="int32"),
    "tensor 0-D": lambda: paddle.to_tensor(1),
    "tensor 2-D": lambda: paddle.to_tensor([[0, 1], [1, 2]]),
    "tensor negative": lambda: paddle.to_tensor([-1, 0]),
    "two lists": lambda: ([0, 2], [1, 3]),
    "two tensors": lambda: (paddle.to_tensor([0, 2, 0]), paddle.to_tensor([1, 3, 1])),
    "two broadcast": lambda: (paddle.to_tensor([[0], [2]]), paddle.to_tensor([1, 3])),
    "apart": lambda: ([0, 2], slice(None), [1, 0]),
    "list and int": lambda: ([0, 2], 1),
    "list and slice": lambda: ([0, 2], slice(1, 3)),
    "mask": lambda: paddle.to_tensor(MASK),
    "mask numpy": lambda: MASK,
    "mask of rows": lambda: paddle.to_tensor(ROW_MASK),
    "mask list": lambda: ROW_MASK.tolist(),
    "mask then int": lambda: (paddle.to_tensor(MASK), 1),
}
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

VALUES = {  # index kind: shape of a value that fits, broadcast or not
    "int": (4, 2),
    "full": (),
    "slice": (4, 2),
    "slice step": (3, 2, 2),
    "slice reversed": (4, 2),
    "ellipsis": (3, 4),
    "all": (2,),
    "list": (2, 4, 2),
    "list in second": (3, 3, 2),
    "numpy": (2,),
    "tensor": (3, 4, 2),
    "two lists": (2, 2),
    "mask": (4, 2),
    "mask of rows": (2, 4, 2),
    "two ints": (2,),
}
UNEVEN = {"list in second", "tensor"}  # a place written twice: which value stays is the last one's business
for text, shape in VALUES.items():
    if text not in UNEVEN:
        cases.add(f"set {text} to a tensor", write, INDICES[text], data(*shape, seed=2), True)
