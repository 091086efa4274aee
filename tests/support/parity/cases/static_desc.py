"""What scripts read by `.desc`: types, names by slot, attributes, Blocks; and Variables that nothing has written."""

import numpy as np
import paddle

from tests.support.parity.graphs import S, feed, run
from tests.support.parity.kit import Family

cases = Family("static_desc")


def program():
    """A small net, with a branch."""
    x = feed("x", -1, 3)
    y = paddle.concat([paddle.tanh(x), x * 2.0], axis=1)
    out = S.nn.cond(y.sum() > 0, lambda: y + 1.0, lambda: y - 1.0)
    return S.default_main_program(), x, out


def held(names, read):
    """The slots that hold something."""
    return {name: list(read(name)) for name in names if read(name)}


@cases
def operators():
    made, _, _ = program()
    descs = [op.desc for op in made.global_block().ops[:5]]
    return [
        [
            one.type(),
            held(one.input_names(), one.input),
            held(one.output_names(), one.output),
            one.input_arg_names(),
            one.output_arg_names(),
            one.has_attr("op_role"),
            one.has_attr("nothing"),
            one.attr("op_role"),
            one.block().id,
        ]
        for one in descs
    ]


@cases
def attributes():
    made, _, _ = program()
    joined = next(op.desc for op in made.global_block().ops if op.type == "concat")
    return (
        joined.attr("axis"),
        int(joined.attr_type("axis")),
        "axis" in joined.attr_names(),
        joined.get_attr_map()["axis"],
    )


@cases
def blocks():
    made, _, _ = program()
    desc = made.desc
    numbers = [
        (desc.block(n).id, desc.block(n).parent, desc.block(n).op_size()) for n in range(desc.num_blocks())
    ]
    first = desc.block(0)
    return [
        numbers,
        first.op(0).type(),
        sorted(one.name() for one in first.all_vars() if "TENSOR" in str(one.type())),
        first.find_var(b"x").name(),
        first.find_var(b"nobody") is None,
    ]


@cases
def variables():
    weight = S.create_parameter([3, 2], "float64", name="w")
    feed("x", -1, 3)
    found = [one.desc for one in (S.default_main_program().global_block().var("x"), weight)]
    return [
        [one.name(), one.shape(), str(one.dtype()), str(one.type()), one.persistable(), one.stop_gradient(),
         one.is_parameter(), one.lod_level()]
        for one in found
    ]  # fmt: skip


@cases
def a_program_by_its_text():
    made, _, out = program()
    again = S.Program.parse_from_string(made.desc.serialize_to_string())
    values = {"x": np.array([[0.1, 0.2, -0.5]], "float32")}
    ran = S.Executor().run(again, feed=values, fetch_list=[out.name])
    return [op.type for op in again.global_block().ops], ran


@cases
def the_kind_of_a_variable():
    kind = feed("x", 2).type
    return str(kind), int(kind), kind == paddle.base.core.VarDesc.VarType.LOD_TENSOR


@cases
def integers_that_a_run_returns():
    found = run([feed("x", 2, dtype="int64") + 1, paddle.full([1], 3, "int32")], {"x": np.array([1, 2])})
    return [repr(one) for one in found]
