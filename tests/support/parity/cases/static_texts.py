"""Section 5: what programs, blocks, operators and variables look like."""

import paddle

from tests.support.parity.graph_details import steady
from tests.support.parity.graphs import feed
from tests.support.parity.kit import Family

cases = Family("static_texts")
S = paddle.static


def _program():
    return S.default_main_program()


def _block():
    return _program().global_block()


OPERATORS = {
    "exp": lambda x: paddle.exp(x),
    "scale": lambda x: x * 2,
    "matmul": lambda x: x @ paddle.transpose(x, [1, 0]),
    "mean": lambda x: paddle.mean(x),
    "sum": lambda x: paddle.sum(x, axis=1),
    "split": lambda x: paddle.split(x, 3, axis=1)[0],
    "concat": lambda x: paddle.concat([x, x]),
    "cast": lambda x: paddle.cast(x, "int64"),
    "clip": lambda x: paddle.clip(x, 0.0, 1.0),
    "reshape": lambda x: paddle.reshape(x, [-1]),
    "dropout": lambda x: paddle.nn.functional.dropout(x, 0.5),
    "fc": lambda x: S.nn.fc(x, 2, activation="relu"),
    "constant": lambda x: paddle.full([2], 3.0),
    "comparison": lambda x: x < 0,
}


def texts(fn):
    fn(feed("x", -1, 3))
    return [steady(str(op)) for op in _block().ops]


for name, fn in OPERATORS.items():
    cases.add(f"operator {name}", texts, fn)
