"""Section 2: variables, parameters, placeholders, operators between variables, shapes found while building."""

import operator

import numpy as np
import paddle

from tests.parity.graph_details import details
from tests.parity.graphs import feed, names, ones, run, types, var_line, weight
from tests.parity.kit import Family, data, raises, refusal

cases = Family("static_variables")
S = paddle.static


def block():
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


@cases
def create_var():
    plain = block().create_var(name="a", shape=[2, 3], dtype="float32")
    other = block().create_var(name="b", shape=(4,), dtype="int64", persistable=True, stop_gradient=True)
    return [facts(plain), facts(other), plain.op is None, plain.block is block(), plain.name, types()]


@cases
def create_var_without_a_name():
    def two():
        return names(block().create_var(shape=[1], dtype="float32") for _ in range(2))

    first = two()
    with S.program_guard(S.Program()):
        second = two()
    return [first, second, two()]


@cases
def create_var_again():
    first = block().create_var(name="a", shape=[2, 3], dtype="float32")
    block().create_var(name="a", shape=[2, 3], dtype="float32")
    return {
        "entries": list(block().vars),
        "shape": raises(lambda: block().create_var(name="a", shape=[3], dtype="float32"), "a", "shape"),
        "dtype": raises(lambda: block().create_var(name="a", shape=[2, 3], dtype="int64"), "a", "data type"),
        "still": var_line(first),
    }


@cases
def create_var_of_an_unknown_dtype():
    return raises(lambda: block().create_var(name="a", shape=[2], dtype="float31"))


# -- parameters ---------------------------------------------------------------------------------------------------


@cases
def block_create_parameter():
    made = block().create_parameter(name="w", shape=[2, 3], dtype="float32")
    still = block().create_parameter(name="f", shape=[2], dtype="float32", trainable=False)
    return [facts(made), facts(still), made.trainable, still.trainable, names(block().all_parameters())]


@cases
def block_create_parameter_refuses():
    make = block().create_parameter
    return [
        raises(lambda: make(name="a", shape=[-1, 3], dtype="float32"), "greater than 0"),
        raises(lambda: make(name="b", shape=None, dtype="float32"), "shape"),
        raises(lambda: make(name="c", shape=[2], dtype=None), "dtype"),
    ]


@cases
def create_parameter():
    w = S.create_parameter([2, 3], "float32")
    b = S.create_parameter([3], "float32", is_bias=True)
    named = S.create_parameter([3], "float64", name="mine")
    return {"facts": [facts(p) for p in (w, b, named)], "startup": details(S.default_startup_program())}


@cases
def create_parameter_initializers():
    init = paddle.nn.initializer
    by_default = S.create_parameter([2], "float32", default_initializer=init.Constant(1.0))
    attr = paddle.ParamAttr(name="mine", initializer=init.Constant(2.0), trainable=False)
    by_attr = S.create_parameter([2], "float32", attr=attr, default_initializer=init.Constant(1.0))
    return [facts(by_default), facts(by_attr), run([by_default, by_attr])]


@cases
def create_parameter_of_a_taken_name():
    first = S.create_parameter([2], "float32", name="w")
    second = S.create_parameter([2], "float32", name="w")
    return {
        "names": [first.name, second.name, list(block().vars)],
        "startup": [op.type for op in S.default_startup_program().global_block().ops],
        "other shape": raises(lambda: S.create_parameter([3], "float32", name="w"), "w"),
    }


@cases
def create_parameter_refuses():
    return [
        raises(lambda: S.create_parameter([2], "int64"), "dtype"),
        raises(lambda: S.create_parameter(2, "float32"), "shape"),
    ]


@cases
def create_global_var():
    made = S.create_global_var([2, 2], 3.0, "float32", persistable=True, name="total")
    other = S.create_global_var([1], 0, "int64")
    values = run([made, other])
    return [facts(made), facts(other), values, details(S.default_startup_program()), types()]


# -- placeholders -------------------------------------------------------------------------------------------------


@cases
def placeholder():
    made = [
        S.data("a", [None, 3], "float32"),
        S.data("b", [-1, 4, None], "int64"),
        S.data("c", [2]),
        S.data("d", (2, 3), "float64"),
        S.data("e", []),
    ]
    return {"facts": [facts(v) for v in made], "is_data": [bool(v.is_data) for v in made], "ops": types()}


@cases
def placeholder_of_the_default_dtype():
    paddle.set_default_dtype("float64")
    try:
        return facts(S.data("x", [2]))
    finally:
        paddle.set_default_dtype("float32")


@cases
def placeholder_again():
    S.data("x", [None, 3], "float32")
    S.data("x", [None, 3], "float32")
    return {
        "entries": list(block().vars),
        "shape": raises(lambda: S.data("x", [None, 4], "float32"), "x", "shape"),
        "dtype": raises(lambda: S.data("x", [None, 3], "int64"), "x", "data type"),
    }


@cases
def placeholder_refuses():
    return [raises(lambda: S.data(3, [2]), "name"), raises(lambda: S.data("x", 3), "shape")]


# -- what a variable answers --------------------------------------------------------------------------------------


@cases
def links():
    x = feed("x", 2)
    y = paddle.exp(x)
    before = y.op.type
    block().append_op(type="assign", inputs={"X": x}, outputs={"Out": y})
    return [x.grad_name, y.grad_name, x.op is None, before, y.op.type, y.block is x.block]


@cases
def flags_are_settable():
    x = S.data("x", [2])
    before = [x.stop_gradient, x.persistable]
    x.stop_gradient, x.persistable = False, True
    return [*before, x.stop_gradient, x.persistable]


@cases
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
    return bool(feed("x", 2))


@cases
def equality_builds_an_operator():
    x, y = feed("x", 2), feed("y", 2)
    found = x == y
    return [types(), found.name, str(found.dtype), {x: 1, y: 2}[y], x in {x: 1}, len({x, y, x})]


@cases
def values_in_the_scope():
    w = weight(2, 2)
    run()
    before = np.array(w.get_value())
    w.set_value(np.full([2, 2], 5.0, "float32"))
    return [before, np.array(w.get_value()), np.array(S.global_scope().find_var("w").get_tensor())]


@cases
def values_in_another_scope():
    w = weight(2)
    mine = S.Scope()
    S.Executor().run(S.default_startup_program(), scope=mine)
    w.set_value(np.full([2], 3.0, "float32"), scope=mine)
    return [np.array(w.get_value(scope=mine)), raises(lambda: w.get_value(), "w")]


@cases
def value_of_another_shape():
    w = weight(2)
    run()
    return raises(lambda: w.set_value(np.ones([3], "float32")), "shape")


@cases
def value_before_startup():
    return raises(lambda: weight(2).get_value(), "w")


@cases
def layers_refuse_arrays():
    return [raises(lambda: paddle.exp(ones(2))), raises(lambda: S.nn.fc(ones(2, 3), 2))]


# -- stop_gradient ------------------------------------------------------------------------------------------------


@cases
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


@cases
def stop_gradient_is_decided_when_appended():
    x = feed("x", 2)
    y = paddle.exp(x)
    x.stop_gradient = True
    z = paddle.exp(x)
    return [y.stop_gradient, z.stop_gradient]


# -- operators ----------------------------------------------------------------------------------------------------


def listed(fn):
    """Result, all operators and values of `fn(x, y, i)` with i an int64 variable."""
    x, y, i = feed("x", -1, 3), feed("y", -1, 3), feed("i", -1, 3, dtype="int64", stop=True)
    out = fn(x, y, i)
    program = details()
    fed = {"x": data(2, 3, low=0.5).astype("float32"), "y": data(2, 3, seed=2, low=0.5).astype("float32")}
    fed["i"] = np.arange(1, 7).reshape(2, 3)
    return {"out": var_line(out).replace(" bool stop", " bool"), "listing": program, "value": run([out], fed)}


BINARY = {
    "x + y": lambda x, y, i: x + y,
    "x - y": lambda x, y, i: x - y,
    "x * y": lambda x, y, i: x * y,
    "x / y": lambda x, y, i: x / y,
    "x ** y": lambda x, y, i: x**y,
    "x // y": lambda x, y, i: x // y,
    "x % y": lambda x, y, i: x % y,
    "x @ y.T": lambda x, y, i: x @ paddle.transpose(y, [1, 0]),
    "x < y": lambda x, y, i: x < y,
    "x <= y": lambda x, y, i: x <= y,
    "x > y": lambda x, y, i: x > y,
    "x >= y": lambda x, y, i: x >= y,
    "x == y": lambda x, y, i: x == y,
    "x != y": lambda x, y, i: x != y,
    "x + 2": lambda x, y, i: x + 2,
    "2 + x": lambda x, y, i: 2 + x,
    "x - 2": lambda x, y, i: x - 2,
    "2 - x": lambda x, y, i: 2 - x,
    "x * 2": lambda x, y, i: x * 2,
    "2 * x": lambda x, y, i: 2 * x,
    "x * 0.1": lambda x, y, i: x * 0.1,
    "x / 2": lambda x, y, i: x / 2,
    "-x": lambda x, y, i: -x,
    "x ** 2": lambda x, y, i: x**2,
    "x // 2": lambda x, y, i: x // 2,
    "x % 2": lambda x, y, i: x % 2,
    "x < 0": lambda x, y, i: x < 0,
    "0 < x": lambda x, y, i: operator.lt(0, x),
    "x == 1": lambda x, y, i: x == 1,
    "2 / x": lambda x, y, i: 2 / x,
    "2 ** x": lambda x, y, i: 2**x,
    "i + 1": lambda x, y, i: i + 1,
    "i * 2": lambda x, y, i: i * 2,
    "i - 1": lambda x, y, i: i - 1,
    "-i": lambda x, y, i: -i,
    "i + 1.5": lambda x, y, i: i + 1.5,
    "i * 0.5": lambda x, y, i: i * 0.5,
    "i < 1.5": lambda x, y, i: i < 1.5,
    "i / 2": lambda x, y, i: i / 2,
    "i / i": lambda x, y, i: i / i,
    "i ** 2": lambda x, y, i: i**2,
    "i // 2": lambda x, y, i: i // 2,
    "i % 2": lambda x, y, i: i % 2,
    "x + i": lambda x, y, i: x + i,
    "astype": lambda x, y, i: x.astype("int64"),
    "chained": lambda x, y, i: (x * 2 + 1) ** 2 / y,
}
for text, fn in BINARY.items():
    cases.add(text, listed, fn)


def fixed_shape(fn):
    """`fn` of a variable without -1 in its shape."""
    x = feed("x", 2, 3)
    out = fn(x)
    return {"listing": details(), "value": run([out], {"x": data(2, 3, low=0.5).astype("float32")})}


cases.add("2 / x of a fixed shape", fixed_shape, lambda x: 2 / x)
cases.add("2 ** x of a fixed shape", fixed_shape, lambda x: 2**x)


@cases.ours([1.5, "float32"])
def integer_plus_float_variable():
    out = feed("i", 1, dtype="int64", stop=True) + feed("x", 1)
    (value,) = run([out], {"i": np.array([1]), "x": np.array([0.5], "float32")})
    return [float(value[0]), str(out.dtype).rpartition(".")[2]]


@cases
def text_operands_are_refused():
    x = feed("x", 2)
    return raises(lambda: x + "a")


@cases
def methods_are_the_functions():
    x = feed("x", -1, 3)
    outs = [
        x.exp(),
        x.tanh(),
        x.sum(),
        x.mean(axis=1),
        x.reshape([-1]),
        x.max(),
        x.matmul(x.transpose([1, 0])),
    ]
    return [names(outs), types()]


# -- shapes -------------------------------------------------------------------------------------------------------


@cases
def shapes_are_inferred():
    x, y = feed("x", -1, 3), feed("y", 3, 5)
    z, cube = feed("z", -1, 3), feed("cube", -1, 2, 3)
    outs = {
        "matmul": x @ y,
        "mean": paddle.mean(x),
        "sum": paddle.sum(x, axis=1),
        "sum keepdim": paddle.sum(x, axis=0, keepdim=True),
        "concat": paddle.concat([x, z]),
        "concat axis": paddle.concat([x, z], axis=1),
        "concat of known": paddle.concat([y, y], axis=1),
        "transpose": paddle.transpose(cube, [2, 0, 1]),
        "add": x + z,
        "add broadcast": cube + feed("row", 3),
        "add one": x + feed("one", 1, 3),
        "known and unknown": feed("known", 4, 3) + x,
        "reshape": paddle.reshape(x, [-1, 1, 3]),
        "reshape zero": paddle.reshape(x, [0, 3, 1]),
        "flatten": paddle.reshape(cube, [-1]),
        "stack": paddle.stack([x, z], axis=1),
        "unsqueeze": paddle.unsqueeze(x, [0, 2]),
        "split": paddle.split(cube, 2, axis=1)[0],
        "slice": x[:, 1:],
        "row": x[0],
        "softmax": paddle.nn.functional.softmax(x),
        "fc": S.nn.fc(x, 7),
        "fc of a cube": S.nn.fc(cube, 7),
        "batched": paddle.matmul(cube, y),
        "cast": paddle.cast(x, "int64"),
        "expand": paddle.expand(feed("f", 1, 3), [4, 3]),
        "one_hot": paddle.nn.functional.one_hot(feed("ids", -1, dtype="int64", stop=True), 6),
        "argmax": paddle.argmax(x, axis=1),
        "where": paddle.where(x > 0, x, z),
        "gather": paddle.gather(x, feed("index", 5, dtype="int64", stop=True)),
        "square_error_cost": paddle.nn.functional.square_error_cost(x, z),
    }
    return {name: [list(out.shape), str(out.dtype)] for name, out in outs.items()}


@cases
def shapes_that_conflict():
    return [
        raises(lambda: feed("a", 2, 3) + feed("b", 2, 4)),
        raises(lambda: paddle.concat([feed("c", 2, 3), feed("d", 3, 4)], axis=0)),
        raises(lambda: paddle.reshape(feed("e", 2, 3), [4, 2])),
    ]


@cases.ours(refusal("ValueError"))
def matmul_of_shapes_that_conflict():
    return raises(lambda: feed("a", 2, 3) @ feed("b", 4, 5))
