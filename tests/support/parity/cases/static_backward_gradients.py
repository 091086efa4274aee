"""Section 9: `gradients`: seeds, several targets and inputs, what has no gradient, refusals."""

import numpy as np
import paddle

from tests.support.parity.graphs import S, feed, listing, run
from tests.support.parity.kit import Family

cases = Family("static_backward_gradients")
X = np.array([1.0, 2.0], "float32")


BUILT = {  # op: what is differentiated; listings of the gradient operators of section 10
    "div": lambda x, y: x / y,
    "pow": lambda x, y: x**y,
    "maximum": lambda x, y: paddle.maximum(x, y),
    "where": lambda x, y: paddle.where(x > y, x, y),
    "broadcast": lambda x, y: x * paddle.sum(y),
    "max": lambda x, y: paddle.max(x) * y,
    "softmax": lambda x, y: paddle.nn.functional.softmax(x) * y,
    "concat": lambda x, y: paddle.concat([x, y, x]),
    "stack": lambda x, y: paddle.stack([x, y]),
    "reshape": lambda x, y: paddle.reshape(x, [2, 1]) * y,
    "transpose": lambda x, y: paddle.transpose(paddle.reshape(x, [1, 2]), [1, 0]) * y,
    "unsqueeze": lambda x, y: paddle.unsqueeze(x, 0) * y,
    "slice": lambda x, y: x[0] * y,
    "cast": lambda x, y: x.astype("float64"),
    "assign": lambda x, y: paddle.assign(x) * y,
    "clip": lambda x, y: paddle.clip(x, 0.0, 1.5) * y,
    "relu": lambda x, y: paddle.nn.functional.relu(x) * y,
    "square log abs": lambda x, y: paddle.square(x) + paddle.log(x) * paddle.abs(y),
    "sub of numbers": lambda x, y: (2.0 - x) / 4.0 - y,
    "reciprocal": lambda x, y: 2.0 / x + y,
}


def built(make):
    x, y = feed("x", 2), feed("y", 2)
    found = [g for g in S.gradients(make(x, y), [x, y]) if g is not None]
    return {"program": listing(), "values": run(found, {"x": X, "y": X[::-1].copy()})}


for text, make in BUILT.items():
    cases.add(f"through {text}", built, make)
