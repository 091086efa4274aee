"""Section 3: what an operator answers, and appending operators by hand."""

import paddle

from tests.support.parity.graphs import feed
from tests.support.parity.kit import Family

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


# -- append_op ----------------------------------------------------------------------------------------------------
