"""Section 11: what the functions of a static_pylayer may return, and what comes back."""

import numpy as np
import paddle

from tests.support.parity.graphs import S, feed, listing, run, skeleton
from tests.support.parity.kit import Family

cases = Family("static_pylayer_results")
X = np.array([1.0, 2.0], "float32")
layer = S.nn.static_pylayer


STRUCTURES = {
    "tuple": lambda x: (x * 1, x * 2),
    "list": lambda x: [x * 1, x * 2],
    "tuple of one": lambda x: (x * 1,),
    "dict": lambda x: {"b": x * 1, "a": x * 2},
    "nested": lambda x: [x * 1, (x * 2, {"k": x * 3})],
    "others": lambda x: (x * 1, 3, "text", None),
    "none": lambda x: None,
    "number": lambda x: 3,
    "same twice": lambda x: (lambda y: (y, y))(x * 1),
}


def structure(make):
    x = feed("x", 2, stop=True)
    return {"result": skeleton(layer(make, [x])), "program": listing()}


for text, make in STRUCTURES.items():
    cases.add(f"result {text}", structure, make)


def nested_results_with_gradients():
    x, y = feed("x", 2), feed("y", 2)
    outs = layer(lambda x, y: {"k": [x * y, 3], "l": (x,)}, [x, y], lambda d, e: (d * 3.0, e * 5.0))
    loss = paddle.sum(outs["k"][0]) + paddle.sum(outs["l"][0] * 2.0)
    found = S.gradients(loss, [x, y])
    return {"program": listing(), "values": run(found, {"x": X, "y": X})}


def backward_returns_nothing():
    x = feed("x", 2)
    found = S.gradients(layer(lambda t: t * 2, [x], lambda d: None), x)
    return {"program": listing(), "values": run(found, {"x": X})}


def backward_returns_a_list():
    x, y = feed("x", 2), feed("y", 2)
    found = S.gradients(layer(lambda x, y: x * y, [x, y], lambda d: [d * 2.0, d * 3.0]), [x, y])
    return run(found, {"x": X, "y": X})


def result_twice_and_input_itself():
    x = feed("x", 2)
    a, b, c = layer(lambda t: (t, t, t * 2), [x], lambda da, db, dc: da + db * 10.0 + dc * 100.0)
    found = S.gradients(paddle.sum(a + b * 2.0 + c * 3.0), x)
    return run([a, b, c, *found], {"x": X})
