"""Section 3: what an operator answers, and appending operators by hand."""

import numpy as np
import paddle

from tests.support.parity.graph_details import op_details
from tests.support.parity.graphs import feed, ones, run, types, var_line, weight
from tests.support.parity.kit import Family, raises

cases = Family("static_operators")
S = paddle.static


def _block():
    return S.default_main_program().global_block()


def append(type, inputs, outputs, **attrs):
    return _block().append_op(type=type, inputs=inputs, outputs=outputs, attrs=attrs)


def _result(name="out", **spec):
    return _block().create_var(name=name, **({"shape": [2], "dtype": "float32"} | spec))


def filled(slots, read):
    """Slots with something in them: empty optional ones are Paddle's own affair."""
    return {slot: read(slot) for slot in sorted(slots) if read(slot)}


def slots():
    x, y = feed("x", -1, 3), feed("y", 3, 5)
    op = paddle.matmul(x, y).op
    return {
        "place": [op.type, op.idx, op.block is _block()],
        "inputs": filled(op.input_names, op.input),
        "outputs": filled(op.output_names, op.output),
        "flat": [op.input_arg_names, op.output_arg_names],
    }


def slots_of_lists():
    x, y = feed("x", -1, 3), feed("y", -1, 3)
    op = paddle.concat([x, y, x]).op
    split = paddle.split(x, 3, axis=1)[0].op
    return [filled(op.input_names, op.input), filled(split.output_names, split.output), op.input_arg_names]


def unknown_slots_and_attributes():
    op = paddle.exp(feed("x", 2)).op
    return [
        raises(lambda: op.input("Nothing"), "Nothing"),
        raises(lambda: op.output("Nothing"), "Nothing"),
        raises(lambda: op.attr("nothing"), "nothing"),
    ]


def attributes():
    op = (feed("x", 2) * 3 + 1).op
    wanted = ["scale", "bias", "bias_after_scale", "op_role", "op_role_var", "op_namescope"]
    return {
        "has": [op.has_attr(name) for name in (*wanted, "op_callstack", "nothing")],
        "values": {name: op.attr(name) for name in wanted},
        "in attr_names": [name in op.attr_names for name in wanted],
        "all_attrs": {name: op.all_attrs()[name] for name in wanted},
        "is a dict": isinstance(op.all_attrs(), dict),
        "sorted": sorted(op.attr_names) == sorted(op.all_attrs()),
    }


def attributes_are_float32():
    op = paddle.nn.functional.dropout(feed("x", 2), 0.3).op
    return [abs(op.attr("dropout_prob") - 0.3) < 1e-7, op.attr("is_test"), op.attr("dropout_implementation")]


def callstack_quotes_the_line():
    y = paddle.exp(feed("x", 2))
    lines = y.op.attr("op_callstack")
    text = "\n".join(lines)
    return ['File "' in text, "static_operators.py" in text, "y = paddle.exp(feed" in text, ", line " in text]


def block_attributes_are_blocks():
    x = feed("x", 2)
    S.nn.cond(paddle.mean(x) > 0, lambda: x + 1, lambda: x - 1)
    op = next(op for op in _block().ops if op.type == "conditional_block")
    inner = op.all_attrs()["sub_block"]
    return [inner is S.default_main_program().block(1), inner.idx, types(inner)]


def roles():
    x, w = feed("x", -1, 3, stop=True), weight(3, 1)
    loss = paddle.mean(x @ w)
    paddle.optimizer.SGD(0.1).minimize(loss)
    return [[op.type, op.attr("op_role"), op.attr("op_role_var")] for op in _block().ops]


def role_of_a_forward_operator():
    return paddle.exp(feed("x", 2)).op.attr("op_role")


# -- append_op ----------------------------------------------------------------------------------------------------


def append_op():
    x, out = feed("x", -1, 3), _result("out", shape=[1], dtype="float32")
    op = append("scale", {"X": x}, {"Out": out}, scale=3.0, bias=1.0)
    (value,) = run([out], {"x": ones(2, 3)})
    return {"op": op_details(op), "out": var_line(out), "out.op": out.op is op, "value": value}


def append_op_by_names():
    feed("x", -1, 3), _result("out")
    op = append("exp", {"X": "x"}, {"Out": "out"})
    return [op_details(op), var_line(_block().var("out")), run(["out"], {"x": ones(2, 3)})]


def append_op_by_lists():
    x, y = feed("x", 2), feed("y", 3)
    out = _result("out")
    op = append("concat", {"X": [x, y]}, {"Out": [out]}, axis=0)
    return [op_details(op), var_line(out), run([out], {"x": ones(2), "y": ones(3)})]


def append_op_infers_shape_and_dtype():
    x, y = feed("x", -1, 3), feed("y", 3, 5)
    out, flag = _result("out"), _result("flag")
    append("matmul_v2", {"X": x, "Y": y}, {"Out": out})
    append("less_than", {"X": x, "Y": x}, {"Out": flag})
    return [var_line(out), var_line(flag).replace(" stop", "")]


def append_op_fill_constant():
    out = _result("out")
    op = append("fill_constant", {}, {"Out": out}, shape=[2], dtype=out.dtype, value=4.0)
    return [op_details(op), run([out])]


def append_op_with_gradient():
    x, out = feed("x", 2), _result("out")
    append("square", {"X": x}, {"Out": out})
    (grad,) = S.gradients([out], [x])
    return [types(), run([grad], {"x": np.array([1, 3], "float32")})]


def append_op_into_a_parameter():
    w = weight(2)
    append("scale", {"X": w}, {"Out": w}, scale=2.0)
    exe = S.Executor()
    exe.run(S.default_startup_program())
    seen = [exe.run(fetch_list=[w])[0] for _ in range(2)]
    return [seen, w.op.type]


def append_op_unknown_type():
    return raises(
        lambda: append("no_such_operator", {"X": feed("x", 2)}, {"Out": _result()}), "no_such_operator"
    )


def append_op_without_an_input():
    return raises(lambda: append("matmul_v2", {"X": feed("x", 2)}, {"Out": _result()}), "Input Y not found")


def append_op_without_an_output():
    return raises(lambda: append("exp", {"X": feed("x", 2)}, {}), "Out")


def index_moves_with_the_list():
    x = feed("x", 2)
    ops = [(x + 1).op, paddle.exp(x).op, (x * 2).op]
    return [op.idx for op in ops]
