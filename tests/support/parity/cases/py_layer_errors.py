"""Section 10: every refusal of a PyLayer."""

import numpy as np
import paddle

from tests.support.parity.kit import Family, frozen, leaf, raises
from tests.support.parity.kit import py_layer as layer

cases = Family("py_layer_errors")


WRONG_BACKWARD = {  # the answer of backward to two trainable inputs
    "one for two": lambda ctx, g: g,
    "three for two": lambda ctx, g: (g, g, g),
    "surplus None": lambda ctx, g: (g, g, None),
    "number": lambda ctx, g: (g, 1.0),
    "numpy": lambda ctx, g: (g, np.ones(1)),
    "string": lambda ctx, g: ("a", g),
    "raising": lambda ctx, g: {}["the lost key"],
    "wrong arity": lambda ctx: None,
}
KEY_WORDS = {
    "one for two": ["should not return empty at 1 position"],
    "three for two": ["should be 2, but received 3"],
    "surplus None": ["should be 2, but received 3"],
    "number": ["We can only support Tensor or None", "float"],
    "numpy": ["We can only support Tensor or None"],
    "string": ["We can only support Tensor or None"],
    "raising": ["KeyError", "the lost key"],
    "wrong arity": ["TypeError"],
}
for text, backward in WRONG_BACKWARD.items():

    def _wrong(backward=backward, words=KEY_WORDS[text]):
        x, y, other = leaf([1.0]), leaf([2.0]), leaf([3.0])
        out = layer(lambda ctx, a, b: a * b, backward).apply(x, y) * other
        found = raises(out.backward, *words)
        return {"raised": found, "mode": paddle.is_grad_enabled(), "grads": [x.grad, y.grad]}

    cases.add(f"backward answers {text}", _wrong)


WRONG_OUTPUT = {
    "None": None,
    "number": 1.0,
    "numpy": np.ones(1),
    "dict": {},
    "empty tuple": (),
    "strings": ("a", "b"),
}


def no_tensor(value):
    Custom = layer(lambda ctx, x: value, lambda ctx, g: g)
    words = ["At least one output", "Tensor"]
    trainable = raises(lambda: Custom.apply(leaf([1.0])), *words)
    return [trainable, raises(lambda: Custom.apply(frozen([1.0])), *words)]


for text, value in WRONG_OUTPUT.items():
    cases.add(f"forward returns {text}", no_tensor, value)
