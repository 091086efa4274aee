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


OPERATORS = cases.table("operators", globals())


def texts(fn):
    fn(feed("x", -1, 3))
    return [steady(str(op)) for op in _block().ops]


for name, fn in OPERATORS.items():
    cases.add(f"operator {name}", texts, fn)
