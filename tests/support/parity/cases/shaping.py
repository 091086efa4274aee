"""Shape changers, joiners and splitters."""

import paddle

from tests.support.parity.kit import Family, data

cases = Family("shaping")

ONE = cases.table("one", globals())
for text, fn in ONE.items():
    cases.gradients(text, fn, data(2, 3, 4))

UNIT = cases.table("unit", globals())
for text, fn in UNIT.items():
    cases.gradients(f"unit axes: {text}", fn, data(1, 3, 1), single=True)

ZERO_D = cases.table("zero d", globals())
for text, fn in ZERO_D.items():
    cases.gradients(f"0-D: {text}", fn, data())
cases.gradients("to 0-D", lambda x: paddle.reshape(x, []), data(1))
cases.gradients(
    "concat of three", lambda *xs: paddle.concat(xs), data(2, 2), data(1, 2, seed=2), data(3, 2, seed=3)
)
cases.gradients("stack of two", lambda *xs: paddle.stack(xs, 1), data(2, 2), data(2, 2, seed=2))
