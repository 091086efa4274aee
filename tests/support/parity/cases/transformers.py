"""Transformer layers: values and gradients with masks, attrs; what is refused."""

import numpy as np
import paddle

from tests.support.parity.kit import Family, data, frozen, leaf, trainable

cases = Family("transformers")
nn = paddle.nn


def known(layer):
    """The layer with known weights, evaluating."""
    for place, parameter in enumerate(trainable(layer)):
        size = 0.5 if len(parameter.shape) > 1 else 1.0
        parameter.set_value(data(*parameter.shape, seed=50 + place, low=-size, high=size).astype("float32"))
    layer.eval()
    return layer


def _x(*shape, seed=1):
    return data(*shape, seed=seed).astype("float32")


def looking_back(length):
    return np.tril(np.ones((length, length)))


MASKS = cases.table("masks", globals())


def passed(layer, *arrays, **others):
    """Outputs, and gradients of the inputs and of the first and last parameter."""
    inputs = [leaf(array) for array in arrays]
    out = known(layer)(*inputs, **{key: None if v is None else frozen(v) for key, v in others.items()})
    outs = list(out) if isinstance(out, tuple) else [out]
    (outs[0] * frozen(_x(*outs[0].shape, seed=9))).sum().backward()
    parameters = trainable(layer)
    return [outs, [one.grad for one in inputs], parameters[0].grad, parameters[-1].grad, len(parameters)]


for text, mask in MASKS.items():
    cases.add(f"encoder layer, mask {text}", lambda mask=mask: passed(
        nn.TransformerEncoderLayer(4, 2, 6), _x(2, 3, 4), src_mask=mask))  # fmt: skip
CALLS = cases.table("calls", globals())
for text, call in CALLS.items():
    cases.add(text, call)
