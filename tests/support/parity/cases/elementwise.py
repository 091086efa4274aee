"""Unary and binary mathematics: values and gradients, with broadcasting, 0-D tensors and Python scalars."""

from tests.support.parity.kit import Family, api, data

cases = Family("elementwise")

UNARY = cases.table("unary", globals())
for name, (low, high) in UNARY.items():
    for shape in [(2, 3), (), (0, 2)]:
        arrays = [data(*shape, low=low, high=high)]
        cases.gradients(f"{name} {list(shape)}", api(name), *arrays, single=shape == (2, 3))

BINARY = ["add", "subtract", "multiply", "divide", "maximum", "minimum", "pow"]
SHAPES = [
    ((2, 3), (2, 3)),
    ((2, 3), (3,)),
    ((3,), (2, 3)),
    ((2, 1), (1, 3)),
    ((2, 1, 2), (3, 1)),
    ((2, 3), ()),
    ((), (2, 3)),
    ((), ()),
    ((1,), (2, 2)),
]
for name in BINARY:
    for left, right in SHAPES:
        arrays = data(*left, low=0.3, high=2), data(*right, seed=2, low=0.3, high=2)
        cases.gradients(
            f"{name} {list(left)} {list(right)}", api(name), *arrays, single=left == right == (2, 3)
        )

EXPRESSIONS = cases.table("expressions", globals())
for text, fn in EXPRESSIONS.items():
    cases.gradients(text, fn, data(2, 3, low=0.3, high=2), single=True)

METHODS = ["exp", "log", "sqrt", "square", "abs", "tanh", "sin", "reciprocal", "floor", "sign"]
