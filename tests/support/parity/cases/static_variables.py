"""Section 2: variables, parameters, placeholders, and when gradients stop."""

import numpy as np
import paddle

from tests.support.parity.graph_details import details
from tests.support.parity.graphs import feed, names, ones, run, types, var_line, weight
from tests.support.parity.kit import Family, raises, refusal

cases = Family("static_variables")
S = paddle.static


def _block():
    return S.default_main_program().global_block()


def facts(variable):
    """What can be read of a variable."""
    return {
        "line": var_line(variable),
        "dtype is": variable.dtype == getattr(paddle, str(variable.dtype).rpartition(".")[2]),
        "str": str(variable.dtype),
        "shape": [isinstance(variable.shape, tuple), list(variable.shape), variable.ndim],
        "class": type(variable).__name__,
    }


# -- create_var ---------------------------------------------------------------------------------------------------


def create_var():
    plain = _block().create_var(name="a", shape=[2, 3], dtype="float32")
    other = _block().create_var(name="b", shape=(4,), dtype="int64", persistable=True, stop_gradient=True)
    return [facts(plain), facts(other), plain.op is None, plain.block is _block(), plain.name, types()]


def create_var_without_a_name():
    def two():
        return names(_block().create_var(shape=[1], dtype="float32") for _ in range(2))

    first = two()
    with S.program_guard(S.Program()):
        second = two()
    return [first, second, two()]


def create_var_again():
    first = _block().create_var(name="a", shape=[2, 3], dtype="float32")
    _block().create_var(name="a", shape=[2, 3], dtype="float32")
    return {
        "entries": list(_block().vars),
        "shape": raises(lambda: _block().create_var(name="a", shape=[3], dtype="float32"), "a", "shape"),
        "dtype": raises(lambda: _block().create_var(name="a", shape=[2, 3], dtype="int64"), "a", "data type"),
        "still": var_line(first),
    }


def create_var_of_an_unknown_dtype():
    return raises(lambda: _block().create_var(name="a", shape=[2], dtype="float31"))


# -- parameters ---------------------------------------------------------------------------------------------------


def block_create_parameter():
    made = _block().create_parameter(name="w", shape=[2, 3], dtype="float32")
    still = _block().create_parameter(name="f", shape=[2], dtype="float32", trainable=False)
    return [facts(made), facts(still), made.trainable, still.trainable, names(_block().all_parameters())]


def block_create_parameter_refuses():
    make = _block().create_parameter
    return [
        raises(lambda: make(name="a", shape=[-1, 3], dtype="float32"), "greater than 0"),
        raises(lambda: make(name="b", shape=None, dtype="float32"), "shape"),
        raises(lambda: make(name="c", shape=[2], dtype=None), "dtype"),
    ]


def create_parameter():
    w = S.create_parameter([2, 3], "float32")
    b = S.create_parameter([3], "float32", is_bias=True)
    named = S.create_parameter([3], "float64", name="mine")
    return {"facts": [facts(p) for p in (w, b, named)], "startup": details(S.default_startup_program())}


def create_parameter_initializers():
    init = paddle.nn.initializer
    by_default = S.create_parameter([2], "float32", default_initializer=init.Constant(1.0))
    attr = paddle.ParamAttr(name="mine", initializer=init.Constant(2.0), trainable=False)
    by_attr = S.create_parameter([2], "float32", attr=attr, default_initializer=init.Constant(1.0))
    return [facts(by_default), facts(by_attr), run([by_default, by_attr])]


def create_parameter_of_a_taken_name():
    first = S.create_parameter([2], "float32", name="w")
    second = S.create_parameter([2], "float32", name="w")
    return {
        "names": [first.name, second.name, list(_block().vars)],
        "startup": [op.type for op in S.default_startup_program().global_block().ops],
        "other shape": raises(lambda: S.create_parameter([3], "float32", name="w"), "w"),
    }


def create_parameter_refuses():
    return [
        raises(lambda: S.create_parameter([2], "int64"), "dtype"),
        raises(lambda: S.create_parameter(2, "float32"), "shape"),
    ]


def create_global_var():
    made = S.create_global_var([2, 2], 3.0, "float32", persistable=True, name="total")
    other = S.create_global_var([1], 0, "int64")
    return [facts(made), facts(other), run([made]), details(S.default_startup_program()), types()]


# -- placeholders -------------------------------------------------------------------------------------------------


def placeholder():
    made = [
        S.data("a", [None, 3], "float32"),
        S.data("b", [-1, 4, None], "int64"),
        S.data("c", [2]),
        S.data("d", (2, 3), "float64"),
        S.data("e", []),
    ]
    return {"facts": [facts(v) for v in made], "is_data": [bool(v.is_data) for v in made], "ops": types()}


def placeholder_of_the_default_dtype():
    paddle.set_default_dtype("float64")
    try:
        return facts(S.data("x", [2]))
    finally:
        paddle.set_default_dtype("float32")


def placeholder_again():
    S.data("x", [None, 3], "float32")
    S.data("x", [None, 3], "float32")
    return {
        "entries": list(_block().vars),
        "shape": raises(lambda: S.data("x", [None, 4], "float32"), "x", "shape"),
        "dtype": raises(lambda: S.data("x", [None, 3], "int64"), "x", "data type"),
    }


def placeholder_refuses():
    return [raises(lambda: S.data(3, [2]), "name"), raises(lambda: S.data("x", 3), "shape")]


# -- what a variable answers --------------------------------------------------------------------------------------


def links():
    x = feed("x", 2)
    y = paddle.exp(x)
    before = y.op.type
    _block().append_op(type="assign", inputs={"X": x}, outputs={"Out": y})
    return [x.grad_name, y.grad_name, x.op is None, before, y.op.type, y.block is x.block]


def number_of_axes_and_elements():
    x = feed("x", -1, 3)
    size = x.size()
    return [x.dim(), x.ndimension(), var_line(size), size.op.type, run([size], {"x": ones(2, 3)})]


def flags_are_settable():
    x = S.data("x", [2])
    before = [x.stop_gradient, x.persistable]
    x.stop_gradient, x.persistable = False, True
    return [*before, x.stop_gradient, x.persistable]


def what_needs_values():
    x = feed("x", 2)
    return {
        "numpy": raises(lambda: x.numpy(), "dynamic"),
        "backward": raises(lambda: x.backward(), "dynamic"),
        "float": raises(lambda: float(x)),
        "len": raises(lambda: len(x)),
    }


@cases.ours(refusal("TypeError"))
def truth():
    return raises(lambda: bool(feed("x", 2)))


def equality_builds_an_operator():
    x, y = feed("x", 2), feed("y", 2)
    found = x == y
    return [types(), found.name, str(found.dtype), {x: 1, y: 2}[y], x in {x: 1}, len({x, y, x})]


def values_in_the_scope():
    w = weight(2, 2)
    run()
    before = np.array(w.get_value())
    w.set_value(np.full([2, 2], 5.0, "float32"))
    return [before, np.array(w.get_value()), np.array(S.global_scope().find_var("w").get_tensor())]


def values_in_another_scope():
    w = weight(2)
    mine = S.Scope()
    S.Executor().run(S.default_startup_program(), scope=mine)
    w.set_value(np.full([2], 3.0, "float32"), scope=mine)
    return [np.array(w.get_value(scope=mine)), raises(lambda: w.get_value(), "w")]


def value_of_another_shape():
    w = weight(2)
    run()
    return raises(lambda: w.set_value(np.ones([3], "float32")), "shape")


def value_before_startup():
    return raises(lambda: weight(2).get_value(), "w")


def layers_refuse_arrays():
    return [raises(lambda: paddle.exp(ones(2))), raises(lambda: S.nn.fc(ones(2, 3), 2))]


# -- stop_gradient ------------------------------------------------------------------------------------------------


def stop_gradient_of_outputs():
    x, s, w = feed("x", 2), feed("s", 2, stop=True), weight(2)
    outs = {
        "flowing": paddle.exp(x),
        "stopped": paddle.exp(s),
        "mixed": x * s,
        "stopped pair": s + s,
        "parameter": s * w,
        "constant": paddle.full([2], 1.0),
        "comparison": paddle.less_than(x, s),
        "detached": x.detach(),
        "like": paddle.ones_like(x),
        "argmax": paddle.argmax(x),
    }
    return {name: out.stop_gradient for name, out in outs.items()}


def stop_gradient_is_decided_when_appended():
    x = feed("x", 2)
    y = paddle.exp(x)
    x.stop_gradient = True
    z = paddle.exp(x)
    return [y.stop_gradient, z.stop_gradient]
