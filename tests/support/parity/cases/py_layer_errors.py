"""Section 10: every refusal of a PyLayer."""

import paddle

from tests.support.parity.kit import Family, frozen, leaf, raises
from tests.support.parity.kit import py_layer as layer

cases = Family("py_layer_errors")


WRONG_BACKWARD = cases.table("wrong backward", globals())
KEY_WORDS = cases.table("key words", globals())
for text, backward in WRONG_BACKWARD.items():

    def _wrong(backward=backward, words=KEY_WORDS[text]):
        x, y, other = leaf([1.0]), leaf([2.0]), leaf([3.0])
        out = layer(lambda ctx, a, b: a * b, backward).apply(x, y) * other
        found = raises(out.backward, *words)
        return {"raised": found, "mode": paddle.is_grad_enabled(), "grads": [x.grad, y.grad]}

    cases.add(f"backward answers {text}", _wrong)


WRONG_OUTPUT = cases.table("wrong output", globals())


def no_tensor(value):
    Custom = layer(lambda ctx, x: value, lambda ctx, g: g)
    words = ["At least one output", "Tensor"]
    trainable = raises(lambda: Custom.apply(leaf([1.0])), *words)
    return [trainable, raises(lambda: Custom.apply(frozen([1.0])), *words)]


for text, value in WRONG_OUTPUT.items():
    cases.add(f"forward returns {text}", no_tensor, value)
