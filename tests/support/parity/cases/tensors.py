"""Section 1: what a Tensor says about itself; repr of many."""

import operator

import numpy as np
import paddle

from tests.support.parity.kit import Family, data

cases = Family("tensors")


def shown(array, dtype=None, trainable=False):
    return repr(paddle.to_tensor(array, dtype=dtype, stop_gradient=not trainable))


REPRS = {
    "0-D float": 3.5,
    "0-D int": 3,
    "0-D bool": True,
    "0-D negative": -2.0,
    "vector": [1.0, 2.5, -3.0],
    "vector positive": [1.0, 2.5],
    "whole numbers": [1.0, 2.0, 3.0],
    "ints": [1, -20, 300],
    "bools": [True, False],
    "matrix": [[1.5, 2.0], [-3.0, 4.25]],
    "column": [[1.0], [22.5]],
    "cube": np.arange(8.0).reshape(2, 2, 2),
    "four axes": np.arange(8).reshape(2, 1, 2, 2),
    "wide range": [0.001, 1000.5, 123456.0],
    "large": [1e10, 1.5],
    "small": [1e-10, 1.5],
    "nan": [float("nan"), 1.0],
    "inf": [float("inf"), -float("inf"), 1.0],
    "nan only": [float("nan")],
    "empty": np.zeros((0,)),
    "empty matrix": np.zeros((0, 3)),
    "long": np.arange(1001.0),
    "long ints": np.arange(2000),
    "thousand": np.arange(1000),
    "big matrix": np.arange(1600.0).reshape(40, 40),
    "tall": np.arange(2002).reshape(1001, 2),
    "line of 30": np.arange(30.0),
    "wide row": np.arange(60).reshape(2, 30),
    "random": data(3, 3),
    "mixed signs": [[1, -1], [10, -10]],
}
for text, value in REPRS.items():
    cases.add(f"repr {text}", shown, value)
for dtype in ["float64", "float16", "int32", "int16", "int8", "uint8"]:
    cases.add(f"repr {dtype}", shown, [1.5, 2.0], dtype)


SHAPES = {
    "list behind": lambda s: operator.add(s[:-1], [7]),
    "list before": lambda s: operator.add([7], s),
    "tuple behind": lambda s: operator.add(s, (7,)),
    "tuple before": lambda s: operator.add((7,), s),
    "twice": lambda s: s * 2,
    "twice before": lambda s: 2 * s,
    "slice": lambda s: s[:1],
    "item": lambda s: s[-1],
    "compared": lambda s: [
        s[:1] == [2],
        s == (2, 3),
        operator.eq((2, 3), s),
        s != (2, 3),
        s != [2, 3],
        s == (3, 2),
    ],
    "kind": lambda s: [isinstance(s, list), isinstance(s, tuple), isinstance(s[:1], paddle.Size)],
    "numel": lambda s: s.numel(),
    "unpacked": lambda s: (lambda rows, columns: rows * columns)(*s),
}
for text, use in SHAPES.items():
    cases.add(f"shape {text}", lambda use: [(found := use(paddle.ones([2, 3]).shape)), repr(found)], use)


VIEWS = {
    "slice": lambda x: x[1:],
    "reshape": lambda x: x.reshape([3, 2]),
    "T": lambda x: x.T,
    "transpose": lambda x: x.transpose([1, 0]),
    "squeeze": lambda x: x.squeeze(),
    "unsqueeze": lambda x: x.unsqueeze(0),
    "flatten": lambda x: x.flatten(),
    "unbind": lambda x: x.unbind()[0],
    "view": lambda x: x.view([6]),
    "detach": lambda x: x.detach(),
    "clone": lambda x: x.clone(),
    "assign": paddle.assign,
    "list index": lambda x: x[[0, 1]],
    "mask": lambda x: x[x > -100],
    "expand": lambda x: x.expand([2, 2, 3]),
    "split": lambda x: x.split(2)[0],
    "chunk": lambda x: x.chunk(2)[0],
    "mul": lambda x: x * 1,
    "astype": lambda x: x.astype("float32"),
}
