"""Section 5: what programs, blocks, operators and variables look like."""

import paddle

from tests.support.parity.graph_details import steady
from tests.support.parity.graphs import feed, ones, run, weight
from tests.support.parity.kit import Family, raises

cases = Family("static_texts")
S = paddle.static


def _program():
    return S.default_main_program()


def _block():
    return _program().global_block()


def empty_program():
    return str(_program())


def scaled_placeholder():
    x = feed("x", -1, 3, stop=True)
    x * 2 + 1
    return [steady(str(_program())), steady(str(_block()))]


def each_kind_of_variable():
    made = [
        feed("x", -1, 3, stop=True),
        weight(3, name="w"),
        _block().create_parameter(name="f", shape=[2, 2], dtype="float64", trainable=False),
        _block().create_var(name="v", shape=[2], dtype="int64"),
        _block().create_var(name="p", shape=[], dtype="bool", persistable=True, stop_gradient=True),
        S.create_global_var([1], 1.0, "float32", persistable=True, name="g"),
    ]
    return [str(v) for v in made] + [repr(made[0]) == str(made[0]), repr(made[1]) == str(made[1])]


def the_texts_are_pieces_of_each_other():
    y = paddle.exp(feed("x", -1, 3))
    whole = str(_program())
    return {
        "program is block": whole == str(_block()) + "\n",
        "block has op": str(y.op) in str(_block()),
        "block has var": str(y) in str(_block()),
        "repr": [repr(thing) == str(thing) for thing in (_program(), _block(), y.op, y)],
    }


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


def trained_net():
    x, label = feed("x", -1, 3, stop=True), feed("label", -1, 1, stop=True)
    loss = paddle.mean(paddle.nn.functional.square_error_cost(S.nn.fc(x, 1), label))
    paddle.optimizer.SGD(0.1).minimize(loss)
    return [steady(str(_program())).splitlines(), steady(str(S.default_startup_program())).splitlines()]


def gradient_operators():
    x = feed("x", 2)
    S.gradients([paddle.exp(x) * x], [x])
    return [steady(str(op)) for op in _block().ops]


def sub_blocks():
    x = feed("x", 2)
    S.nn.cond(paddle.mean(x) > 0, lambda: x + 1, lambda: x - 1)
    whole = steady(str(_program()))
    return {
        "headers": [line for line in whole.splitlines() if line.startswith("{ //")],
        "attributes": ["sub_block = block[1]" in whole, "sub_block = block[2]" in whole],
        "pieces": whole == "".join(steady(str(b)) + "\n" for b in _program().blocks),
    }


def pylayer_blocks():
    x = feed("x", 2)
    y = S.nn.static_pylayer(lambda a: paddle.exp(a), [x], lambda g: g * 2)
    S.gradients([y], [x])
    whole = str(_program())
    return {
        "attributes": ["blocks = blocks[1, 2]" in whole, "backward_block = block[2]" in whole],
        "headers": [line for line in whole.splitlines() if line.startswith("{ //")],
    }


def running_does_not_change_it():
    x = feed("x", -1, 3)
    y = S.nn.fc(x, 2)
    before = str(_program())
    run([y], {"x": ones(1, 3)})
    return str(_program()) == before


def to_string_refuses():
    return [
        raises(lambda: _program().to_string("yes"), "throw_on_error"),
        raises(lambda: _program().to_string(True, "yes"), "with_details"),
    ]


@cases.ours("var _generated_var_1 : STEP_SCOPES")
def variable_that_is_no_tensor():
    S.nn.static_pylayer(lambda a: paddle.exp(a), [feed("x", 2)], lambda g: g)
    return str(_block().var("_generated_var_1")).strip()
