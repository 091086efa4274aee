"""Unary and binary mathematics: values and gradients, with broadcasting, 0-D tensors and Python scalars."""

import paddle

from tests.support.parity.kit import Family, api, data

cases = Family("elementwise")

UNARY = {  # operator: domain
    "exp": (-1.5, 1.5),
    "log": (0.2, 3),
    "log2": (0.2, 3),
    "log1p": (-0.5, 2),
    "sqrt": (0.2, 3),
    "rsqrt": (0.2, 3),
    "square": (-1.5, 1.5),
    "reciprocal": (0.3, 2),
    "abs": (-1.5, 1.5),
    "sin": (-3, 3),
    "cos": (-3, 3),
    "tanh": (-2, 2),
    "erf": (-2, 2),
    "floor": (-3, 3),
    "round": (-3, 3),
    "sign": (-1, 1),
}
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

EXPRESSIONS = {
    "x + 2": lambda x: x + 2,
    "2 + x": lambda x: 2 + x,
    "x - 2": lambda x: x - 2,
    "2 - x": lambda x: 2 - x,
    "x * 2.5": lambda x: x * 2.5,
    "2.5 * x": lambda x: 2.5 * x,
    "x / 3": lambda x: x / 3,
    "3 / x": lambda x: 3 / x,
    "x ** 3": lambda x: x**3,
    "x ** 0.5": lambda x: x**0.5,
    "x ** -1": lambda x: x**-1,
    "x ** 0": lambda x: x**0,
    "2 ** x": lambda x: 2**x,
    "-x": lambda x: -x,
    "abs(x)": abs,
    "x // 0.4": lambda x: x // 0.4,
    "x % 0.4": lambda x: x % 0.4,
    "pow int": lambda x: paddle.pow(x, 2),
    "pow float": lambda x: paddle.pow(x, 1.5),
    "scale": lambda x: paddle.scale(x, scale=2.0, bias=1.0),
    "scale bias first": lambda x: paddle.scale(x, scale=2.0, bias=1.0, bias_after_scale=False),
    "clip both": lambda x: paddle.clip(x, 0.5, 1.0),
    "clip min": lambda x: paddle.clip(x, min=0.8),
    "clip max": lambda x: paddle.clip(x, max=0.8),
    "x used twice": lambda x: x * x + x,
    "diamond": lambda x: paddle.exp(x) * paddle.sin(x),
    "cast float32": lambda x: paddle.cast(x, "float32"),
    "astype": lambda x: x.astype("float32") * 2,
    "assign": lambda x: paddle.assign(x) * 2,
    "clone": lambda x: x.clone() * 2,
    "add_n": lambda x: paddle.add_n([x, x * 2, x]),
    "add_n one": lambda x: paddle.add_n([x]),
}
for text, fn in EXPRESSIONS.items():
    cases.gradients(text, fn, data(2, 3, low=0.3, high=2), single=True)

METHODS = ["exp", "log", "sqrt", "square", "abs", "tanh", "sin", "reciprocal", "floor", "sign"]
