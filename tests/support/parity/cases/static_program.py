"""Section 1: programs, blocks, and which program is the current one."""

import paddle

from tests.support.parity.graph_details import details
from tests.support.parity.graphs import feed, types
from tests.support.parity.kit import Family

cases = Family("static_program")
S = paddle.static


def _two_layers():
    x = feed("x", -1, 3)
    return S.nn.fc(S.nn.fc(x, 4, activation="tanh"), 1)


INITIALIZERS = cases.table("initializers", globals())


def initialized(make):
    S.create_parameter([2, 2], "float32", name="w", default_initializer=make(paddle.nn.initializer))
    startup = S.default_startup_program()
    main = S.default_main_program().global_block()
    return {"startup": details(startup), "main": [sorted(main.vars), types()]}


for text, make in INITIALIZERS.items():
    cases.add(f"initializer {text}", initialized, make)
