"""Section 1: what a Tensor says about itself; repr of many."""

import paddle

from tests.support.parity.kit import Family

cases = Family("tensors")


def shown(array, dtype=None, trainable=False):
    return repr(paddle.to_tensor(array, dtype=dtype, stop_gradient=not trainable))


REPRS = cases.table("reprs", globals())
for text, value in REPRS.items():
    cases.add(f"repr {text}", shown, value)
for dtype in ["float64", "float16", "int32", "int16", "int8", "uint8"]:
    cases.add(f"repr {dtype}", shown, [1.5, 2.0], dtype)


SHAPES = cases.table("shapes", globals())
for text, use in SHAPES.items():
    cases.add(f"shape {text}", lambda use: [(found := use(paddle.ones([2, 3]).shape)), repr(found)], use)


VIEWS = cases.table("views", globals())
