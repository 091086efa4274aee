"""Making tensors: values, dtypes, shapes."""

import numpy as np
import paddle

from tests.support.parity.kit import Family

cases = Family("creation")

MADE = {
    "zeros": lambda: paddle.zeros([2, 3]),
    "zeros int": lambda: paddle.zeros([2], dtype="int64"),
    "ones": lambda: paddle.ones([2]),
    "ones 0-D": lambda: paddle.ones([]),
    "full float": lambda: paddle.full([2], 1.5),
    "full int": lambda: paddle.full([2], 3),
    "full bool": lambda: paddle.full([2], True),
    "full dtype": lambda: paddle.full([2], 3, dtype="float64"),
    "eye": lambda: paddle.eye(3),
    "eye wide": lambda: paddle.eye(2, 3, dtype="int32"),
    "arange 3": lambda: paddle.arange(3),
    "arange float": lambda: paddle.arange(0, 1, 0.25),
    "arange step": lambda: paddle.arange(7, 1, -2),
    "arange dtype": lambda: paddle.arange(3, dtype="float64"),
    "linspace": lambda: paddle.linspace(0, 1, 5),
    "linspace 1": lambda: paddle.linspace(2, 3, 1),
    "ones_like": lambda: paddle.ones_like(paddle.to_tensor([1, 2])),
    "zeros_like": lambda: paddle.zeros_like(paddle.to_tensor([1.0, 2.0])),
    "full_like": lambda: paddle.full_like(paddle.to_tensor([1.0, 2.0]), 7),
    "to_tensor float": lambda: paddle.to_tensor(1.5),
    "to_tensor int": lambda: paddle.to_tensor(3),
    "to_tensor bool": lambda: paddle.to_tensor(True),
    "to_tensor mixed": lambda: paddle.to_tensor([1, 2.5]),
    "to_tensor nested": lambda: paddle.to_tensor([[1, 2], [3, 4]]),
    "to_tensor np.float64": lambda: paddle.to_tensor(np.float64(1.5)),
    "to_tensor list of np.float64": lambda: paddle.to_tensor([np.float64(1.5)]),
    "to_tensor np.int32": lambda: paddle.to_tensor(np.array([1, 2], dtype="int32")),
    "to_tensor float16": lambda: paddle.to_tensor(np.array([1, 2], dtype="float16")),
    "to_tensor of tensors": lambda: paddle.to_tensor([paddle.to_tensor(1.0), paddle.to_tensor(2.0)]),
    "to_tensor dtype": lambda: paddle.to_tensor([1, 2], dtype="float64"),
    "to_tensor tensor": lambda: paddle.to_tensor(paddle.to_tensor([1.0], stop_gradient=False)),
    "to_tensor empty": lambda: paddle.to_tensor([]),
    "to_tensor bools": lambda: paddle.to_tensor([True, False]),
    "cast trunc": lambda: paddle.cast(paddle.to_tensor([1.7, -1.7]), "int64"),
    "cast bool": lambda: paddle.to_tensor([0.0, 0.5]).astype("bool"),
    "assign list": lambda: paddle.assign([1.0, 2.0]),
    "assign numpy": lambda: paddle.assign(np.array([1, 2])),
    "one_hot": lambda: paddle.nn.functional.one_hot(paddle.to_tensor([0, 2]), 3),
}
for text, fn in MADE.items():
    cases.add(text, lambda fn=fn: {"made": fn(), "stop_gradient": fn().stop_gradient})
