"""Section 4: the names of everything that nobody named."""

import paddle

from tests.support.parity.graphs import feed, names
from tests.support.parity.kit import Family

cases = Family("static_names")
S = paddle.static
F = paddle.nn.functional
unique_name = paddle.utils.unique_name


def _block():
    return S.default_main_program().global_block()


def made(fn):
    """Names of all variables that two calls of `fn(x, y)` make, in their order."""
    x, y = feed("x", -1, 3), feed("y", -1, 3)
    before = set(_block().vars)
    outs = [fn(x, y), fn(x, y)]
    return {
        "outs": [names(out) if isinstance(out, list) else out.name for out in outs],
        "vars": fresh(before),
    }


def fresh(before):
    return [name for name in _block().vars if name not in before]


def _label(*shape):
    return feed("label", *shape, dtype="int64", stop=True)


CALLS = {
    **{name: lambda x, y, name=name: getattr(paddle, name)(x) for name in (
        "exp", "tanh", "square", "sqrt", "log", "abs", "mean", "sum", "max", "min", "sin", "cos", "assign", "argmax",
        "ones_like",
    )},
    **{name: lambda x, y, name=name: getattr(F, name)(x) for name in (
        "sigmoid", "relu", "softmax", "log_softmax", "dropout",
    )},
    **{name: lambda x, y, name=name: getattr(paddle, name)(x, y) for name in (
        "add", "subtract", "multiply", "divide", "maximum", "minimum", "equal", "less_than", "floor_divide",
    )},
    **cases.table("calls", globals()),
}  # fmt: skip
for text, fn in CALLS.items():
    cases.add(text, made, fn)
