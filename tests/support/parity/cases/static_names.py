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
    "matmul": lambda x, y: paddle.matmul(x, y, transpose_y=True),
    "reshape": lambda x, y: paddle.reshape(x, [-1]),
    "transpose": lambda x, y: paddle.transpose(x, [1, 0]),
    "concat": lambda x, y: paddle.concat([x, y]),
    "split": lambda x, y: paddle.split(x, 3, axis=1),
    "stack": lambda x, y: paddle.stack([x, y]),
    "unsqueeze": lambda x, y: paddle.unsqueeze(x, 0),
    "squeeze": lambda x, y: paddle.squeeze(feed("one", 1, 3), 0),
    "scale": lambda x, y: paddle.scale(x, 2.0),
    "cast": lambda x, y: paddle.cast(x, "float64"),
    "clip": lambda x, y: paddle.clip(x, 0.0, 1.0),
    "pow number": lambda x, y: paddle.pow(x, 2),
    "accuracy": lambda x, y: S.accuracy(x, _label(-1, 1)),
    "print": lambda x, y: S.Print(x),
    "where": lambda x, y: paddle.where(paddle.less_than(x, y), x, y),
    "gather": lambda x, y: paddle.gather(x, _label(2)),
    "expand": lambda x, y: paddle.expand(feed("one", 1, 3), [4, 3]),
    "square_error_cost": lambda x, y: F.square_error_cost(x, y),
    "cross_entropy": lambda x, y: F.cross_entropy(x, _label(-1, 1)),
    "detach": lambda x, y: x.detach(),
    "clone": lambda x, y: x.clone(),
    "slice": lambda x, y: x[0],
    "fc": lambda x, y: S.nn.fc(x, 4, activation="tanh"),
    "fc without bias": lambda x, y: S.nn.fc(x, 4, bias_attr=False),
    "fc of a list": lambda x, y: S.nn.fc([x, y], 4),
    "fc of a cube": lambda x, y: S.nn.fc(feed("cube", -1, 2, 3), 4),
    "operators": lambda x, y: [x + y, x * 2, -x, x - 1, x @ paddle.transpose(y, [1, 0])],
    "constants count": lambda x, y: [x**2, x < 0, 2 / x],
    "astype": lambda x, y: x.astype("float64"),
    "name": lambda x, y: paddle.exp(x, name="grow"),
    "name of add": lambda x, y: paddle.add(x, y, name="grow"),
}  # fmt: skip
for text, fn in CALLS.items():
    cases.add(text, made, fn)
