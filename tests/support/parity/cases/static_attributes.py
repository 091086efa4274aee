"""What Blocks, Variables, Operators and Scopes are asked for by those who rewrite Programs."""

import numpy as np
import paddle

from tests.support.parity.graphs import S, feed, listing, run, weight
from tests.support.parity.kit import Family, raises

cases = Family("static_attributes")
X = np.float32([[1, 2, 3], [4, 5, 6]])


@cases
def kinds_of_attributes():
    x = feed("x", 2, 3)
    ops = [paddle.scale(x, 2.0).op, paddle.reshape(x, [3, 2]).op, paddle.mean(x).op]
    asked = ["scale", "bias_after_scale", "shape", "dim", "reduce_all", "axis", "op_role", "op_callstack"]
    asked += ["op_namescope", "op_role_var"]
    return [[op.type, *[str(op.attr_type(name)) for name in asked if op.has_attr(name)]] for op in ops]


@cases
def unknown_attribute():
    op = paddle.scale(feed("x", 2, 3), 2.0).op
    return [op.has_attr("nope"), raises(lambda: op.attr_type("nope"), "nope").kind]


@cases
def operators_changed():
    x, _ = feed("x", 2, 3), feed("z", 2, 3)
    out = paddle.scale(x, 2.0)
    out.op._set_attr("scale", 3.0)
    out.op._rename_input("x", "z")
    return {"program": listing(), "values": run([out], {"z": X})}


@cases
def operators_inserted():
    block = S.default_main_program().global_block()
    x = feed("x", 2, 3)
    y = paddle.exp(x)
    first, between = (block.create_var(name=name, shape=[2, 3], dtype="float32") for name in ("a", "b"))
    block._prepend_op(type="scale", inputs={"X": [x]}, outputs={"Out": [first]}, attrs={"scale": 2.0})
    block._insert_op(1, type="scale", inputs={"X": [first]}, outputs={"Out": [between]}, attrs={"scale": 3.0})
    block._remove_var("b") if block.has_var("nope") else None
    return {"program": listing(), "values": run([between, y], {"x": X})}


@cases
def variables_of_a_block():
    block = S.default_main_program().global_block()
    made = block.create_var(
        name="a", shape=[2], dtype="float32", lod_level=0, need_check_feed=True, is_data=True, capacity=None,
        type=paddle.base.core.VarDesc.VarType.LOD_TENSOR, error_clip=None, belong_to_optimizer=True,
    )  # fmt: skip
    block.create_var(name="b", shape=[2], dtype="float32")
    block._remove_var("b")
    block._rename_var("a", "c")
    return [
        made.is_data,
        block.has_var("b"),
        block._var_recursive("c").name,
        raises(lambda: block._var_recursive("b"), "is not found recursively"),
    ]


@cases
def casts():
    x = feed("x", 2, 3)
    return [x.cast("int64").name, x.astype("int64").name, x.cast(dtype="float64").name]


@cases
def scopes():
    scope = S.Scope()
    for name in ("a", "b", "c"):
        scope.var(name)
    scope.erase(["a", "nope"])
    kid = scope.new_scope()
    answers = [scope.size(), scope.find_var("a") is None, kid.size(), kid.find_var("b") is not None]
    scope.drop_kids()
    return answers


@cases
def backward_with_a_context():
    x, w = feed("x", 2, 3, stop=True), weight(3, 2)
    loss = paddle.mean(paddle.matmul(x, w))
    return [grad.name for _, grad in S.append_backward(loss, distop_context=None)]


@cases
def the_kind_of_a_variable():
    kind = feed("x", 2).type
    return str(kind), int(kind), kind == paddle.base.core.VarDesc.VarType.LOD_TENSOR


@cases
def integers_that_a_run_returns():
    found = run([feed("x", 2, dtype="int64") + 1, paddle.full([1], 3, "int32")], {"x": np.array([1, 2])})
    return [repr(one) for one in found]
