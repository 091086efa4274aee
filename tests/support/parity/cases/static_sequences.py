"""Section 3: sequences of different lengths in one tensor: LoD, and the layers static.nn.sequence_*."""

import numpy as np
import paddle
from paddle import base

from tests.support.parity.kit import Family, data, raises

cases = Family("static_sequences")
S, nn = paddle.static, paddle.static.nn
ROWS = data(5, 2)
FILTER = data(6, 2)


def tensor(array, *lengths):
    """A tensor with sequences of these lengths; floats are single."""
    array = np.asarray(array)
    array = array.astype("float32") if array.dtype == "float64" else array
    return base.create_lod_tensor(array, [list(level) for level in lengths], paddle.CPUPlace())


def told(value):
    return [np.array(value), value.lod(), value.recursive_sequence_lengths()]


def given(**tensors):
    """Placeholders for these tensors, as many levels as they have, and what to feed."""
    found = {}
    for name, value in tensors.items():
        array = np.array(value)
        levels = len(value.lod()) if hasattr(value, "lod") else 0
        found[name] = S.data(name, [-1, *array.shape[1:]], str(array.dtype), lod_level=levels)
        found[name].stop_gradient = array.dtype.kind != "f"
    return list(found.values())


def single(*shape):
    return data(*shape).astype("float32")


def results(build, **tensors):
    """What `build` gives, its shape, levels and attributes, and the gradients of what is fed."""
    places = given(**tensors)
    outs = build(*places)
    outs = list(outs) if isinstance(outs, (list, tuple)) else [outs]
    wanted = [one for one in [*places, *S.default_main_program().all_parameters()] if not one.stop_gradient]
    grads = S.gradients([outs[0] * outs[0]], wanted) if wanted else []
    fetched = [*outs, *[one for one in grads if one is not None]]
    exe = S.Executor()
    exe.run(S.default_startup_program())
    found = exe.run(feed=tensors, fetch_list=fetched, return_numpy=False)
    return [[one.name, one.lod_level, one.stop_gradient] for one in outs], [told(value) for value in found]


def case(name, build, **tensors):
    cases.add(name, lambda: results(build, **tensors))


def refused(name, build, *words, **tensors):
    cases.add(name, lambda: raises(lambda: results(build, **tensors), *words))


# -- the layers -----------------------------------------------------------------------------------------------------

for kind in ("sum", "average", "sqrt", "max", "first", "LAST"):
    case(
        f"pool {kind}",
        lambda x, kind=kind: nn.sequence_pool(x, kind, pad_value=7.0),
        x=tensor(ROWS, [2, 0, 3]),
    )
case("pool of two levels", lambda x: nn.sequence_pool(x, "sum"), x=tensor(ROWS, [2, 1], [2, 1, 2]))
case("first step", nn.sequence_first_step, x=tensor(ROWS, [2, 3]))
case("last step", nn.sequence_last_step, x=tensor(ROWS, [2, 3]))
case("softmax", nn.sequence_softmax, x=tensor(ROWS[:, :1], [2, 3]))
case("reverse", nn.sequence_reverse, x=tensor(ROWS, [2, 3]))
case("concat", lambda x, y: nn.sequence_concat([x, y]), x=tensor(ROWS, [2, 3]), y=tensor(data(3, 2), [1, 2]))
case("expand", lambda x, y: nn.sequence_expand(x, y, ref_level=0), x=tensor(ROWS[:4], [2, 2]),
     y=tensor(data(8, 1), [2, 2], [3, 3, 1, 1]))  # fmt: skip
case("expand rows", nn.sequence_expand, x=single(3, 2), y=tensor(data(5, 1), [2, 0, 3]))
case("expand of other lengths", nn.sequence_expand, x=tensor(ROWS[:4], [1, 3]), y=tensor(ROWS, [2, 3]))
case("expand as", nn.sequence_expand_as, x=single(4, 2), y=tensor(data(8, 1), [3, 3, 1, 1]))
case("pad", lambda x: nn.sequence_pad(x, paddle.full([1], 9.0)), x=tensor(ROWS, [2, 3]))
case("pad to four", lambda x: nn.sequence_pad(x, paddle.full([2], 9.0), maxlen=4), x=tensor(ROWS, [2, 3]))
case("unpad", nn.sequence_unpad, x=single(2, 4, 3), length=np.array([3, 2]))
case("unpad numbers", nn.sequence_unpad, x=single(2, 4), length=np.array([3, 2]))
case("reshape", lambda x: nn.sequence_reshape(x, 4), x=tensor(data(6, 2), [2, 4]))
case("enumerate", lambda x: nn.sequence_enumerate(x, 2, 9), x=tensor([[1], [2], [3], [4], [5]], [3, 2]))
case("conv", lambda x: nn.sequence_conv(x, 2, 3, param_attr=assigned(FILTER)), x=tensor(ROWS, [2, 3]))
case("conv that looks back", lambda x: nn.sequence_conv(x, 2, 3, padding_start=-2, bias_attr=False, act="tanh",
     param_attr=assigned(FILTER)), x=tensor(ROWS, [2, 3]))  # fmt: skip


def assigned(array):
    return paddle.ParamAttr(initializer=paddle.nn.initializer.Assign(array.astype("float32")))


@cases
def piece():
    found = results(
        nn.sequence_slice, x=tensor(ROWS, [2, 3]), offset=np.array([[0], [1]]), length=np.array([[1], [2]])
    )
    return found[1]  # Paddle learns only in the run that there are sequences


@cases
def scatter():
    ids = tensor(np.array([[0], [1], [2], [1], [1]]), [3, 2])
    found = results(nn.sequence_scatter, x=single(2, 4), ids=ids, updates=tensor(data(5, 1), [3, 2]))
    return found[0], [value for value, *_ in found[1]]


@cases
def chain():
    table = paddle.ParamAttr(initializer=paddle.nn.initializer.Constant(0.5))

    def build(x):
        rows = nn.fc(nn.embedding(x, [6, 4], param_attr=table), 1, weight_attr=table, activation="tanh")
        return nn.sequence_pool(nn.sequence_softmax(rows * 2.0) + rows, "average")

    return results(build, x=tensor([[1], [2], [3], [4], [0]], [3, 2]))


HANDED_ON = {
    "exp": paddle.exp, "scale": lambda x: x * 2.0 + 1.0, "add": lambda x: x + x, "cast": lambda x: x.astype("float64"),
    "concat": lambda x: paddle.concat([x, x], 1), "reshape": lambda x: x.reshape([-1, 2, 1]), "abs": paddle.abs,
    "transpose": lambda x: x.transpose([0, 1]), "sum": lambda x: x.sum(1), "max": lambda x: x.max(1, keepdim=True),
    "matmul": lambda x: paddle.matmul(x, paddle.ones([2, 3])), "fc": lambda x: nn.fc(x, 3), "clip": paddle.nn.ReLU6(),
    "softmax": paddle.nn.functional.softmax, "layer_norm": nn.layer_norm, "argmax": lambda x: x.argmax(1),
    "columns": lambda x: x[:, :1], "topk": lambda x: x.topk(1)[0], "greater": lambda x: x > 0, "shape": paddle.shape,
    "constant first": lambda x: paddle.ones([5, 2]) + x, "dropout": lambda x: paddle.nn.functional.dropout(x, 0.0),
    "rows": lambda x: x[0:5], "rows and columns": lambda x: paddle.slice(x, [0, 1], [0, 0], [5, 1]),
    "fewer rows": lambda x: x[1:], "einsum": lambda x: paddle.einsum("ij,jk->ik", x, paddle.ones([2, 3])),
    "dot": lambda x: paddle.dot(x, x), "kron": lambda x: paddle.kron(x, paddle.ones([1, 2])),
    "var": lambda x: paddle.var(x, 1), "amax": lambda x: paddle.amax(x, 1), "isclose": lambda x: paddle.isclose(x, x),
    "kl_div": lambda x: paddle.nn.functional.kl_div(x, x, reduction="none"),
    "diag_embed": paddle.nn.functional.diag_embed, "expand_as": lambda x: paddle.expand_as(x, x),
    "masked": lambda x: paddle.masked_select(x, x > 0.5),
    "convolution": lambda x: nn.conv2d(x.reshape([-1, 2, 1, 1]), 3, 1),
    "maxout": lambda x: paddle.nn.functional.maxout(x.reshape([-1, 2, 1, 1]), 2),
    "unfold": lambda x: paddle.nn.functional.unfold(x.reshape([-1, 1, 2, 1]), 1),
    "resized": lambda x: paddle.nn.functional.interpolate(x.reshape([-1, 1, 2, 1]), [4, 2]),
    "diagonal": lambda x: paddle.diagonal(x.reshape([-1, 2, 1]), 0, 1, 2),
    "mask": lambda x: paddle.nn.functional.sequence_mask(paddle.cast(x[:, 0], "int64"), 4),
}  # fmt: skip


@cases
def who_hands_sequences_on():
    (x,) = given(x=tensor(ROWS, [2, 3]))
    outs = {name: function(x) for name, function in HANDED_ON.items()}
    exe = S.Executor()
    exe.run(S.default_startup_program())
    found = exe.run(feed={"x": tensor(ROWS, [2, 3])}, fetch_list=list(outs.values()), return_numpy=False)
    return {
        name: [one.lod_level, value.lod()] for (name, one), value in zip(outs.items(), found, strict=True)
    }


# -- by hand --------------------------------------------------------------------------------------------------------


def by_hand(type, outs, tensors, **attrs):
    """What a call of `type` gives, with tensors by slot, and the gradient of its first input."""
    places = dict(
        zip(tensors, given(**{slot.lower(): value for slot, value in tensors.items()}), strict=True)
    )
    block = S.default_main_program().global_block()
    made = [block.create_var(name=slot, shape=[2], dtype=dtype) for slot, dtype in outs.items()]
    block.append_op(type=type, inputs=places, outputs=dict(zip(outs, made, strict=True)), attrs=attrs)
    grads = S.gradients([made[0]], [next(iter(places.values()))])
    fed = {slot.lower(): value for slot, value in tensors.items()}
    found = S.Executor().run(feed=fed, fetch_list=[made[0], *grads], return_numpy=False)
    return made[0].lod_level, [told(value) for value in found]


POOLED = {"Out": "float32", "MaxIndex": "int32"}
OUT = {"Out": "float32"}
for _name, _arguments, _attrs in (
    ("max", ("sequence_pool", POOLED, {"X": tensor(ROWS, [2, 3])}), {"pooltype": "MAX"}),
    ("sum", ("sequence_pool", POOLED, {"X": tensor(ROWS, [2, 3])}), {"pooltype": "SUM"}),
    (
        "expand",
        ("sequence_expand", OUT, {"X": tensor(ROWS[:4], [2, 2]), "Y": tensor(ROWS, [3, 2])}),
        {"ref_level": 0},
    ),
    (
        "expand rows",
        ("sequence_expand", OUT, {"X": single(2, 2), "Y": tensor(ROWS, [3, 2])}),
        {"ref_level": 0},
    ),
    ("reverse", ("sequence_reverse", {"Y": "float32"}, {"X": tensor(ROWS, [2, 3])}), {}),
    ("reshape", ("sequence_reshape", OUT, {"X": tensor(ROWS, [2, 3])}), {"new_dim": 1}),
):
    cases.add(f"append_op {_name}", lambda arguments=_arguments, attrs=_attrs: by_hand(*arguments, **attrs))


@cases
def append_op_of_several():
    x, y = given(x=tensor(ROWS, [2, 3]), y=tensor(data(5, 2), [1, 4]))
    out = S.default_main_program().global_block().create_var(name="out", shape=[2], dtype="float32")
    out.block.append_op(type="sequence_concat", inputs={"X": [x, y]}, outputs={"Out": out})
    pooled = nn.sequence_pool(paddle.exp(out), "last")
    fed = {"x": tensor(ROWS, [2, 3]), "y": tensor(data(5, 2), [1, 4])}
    found = S.Executor().run(
        feed=fed, fetch_list=[out, pooled, *S.gradients([pooled], [y])], return_numpy=False
    )
    return [told(value) for value in found]


# -- refusals -------------------------------------------------------------------------------------------------------

LOD = {"x": tensor(ROWS, [2, 3])}
refused("pool of another kind", lambda x: nn.sequence_pool(x, "middle"), "MIDDLE", "enum container", **LOD)
refused("pool without sequences", lambda x: nn.sequence_pool(x, "sum"), "LoD level", x=single(5, 2))
refused(
    "pool of integers",
    lambda x: nn.sequence_pool(x, "sum"),
    "data type",
    "input",
    x=tensor([[1], [2]], [1, 1]),
)
refused("softmax of two columns", nn.sequence_softmax, "number of elements", **LOD)
refused("concat of no list", nn.sequence_concat, "type", "list", **LOD)
refused("reshape with a rest", lambda x: nn.sequence_reshape(x, 4), "remainder", x=tensor(data(6, 2), [1, 5]))
refused(
    "pad too short", lambda x: nn.sequence_pad(x, paddle.full([1], 9.0), maxlen=2), "padded_length", **LOD
)
refused("slice beyond the end", nn.sequence_slice, "end index", **LOD, offset=np.array([[0], [1]]),
        length=np.array([[1], [3]]))  # fmt: skip
refused("conv with a stride", lambda x: nn.sequence_conv(x, 2, 3, filter_stride=2), "contextStride", **LOD)
refused("expand as of other rows", nn.sequence_expand_as, x=single(3, 2), y=tensor(data(8, 1), [3, 3, 1, 1]))


@cases
def an_array_without_sequences():
    (x,) = given(x=tensor(ROWS, [2, 3]))
    y = nn.sequence_pool(x, "sum")
    exe = S.Executor()
    return raises(lambda: exe.run(feed={"x": single(5, 2)}, fetch_list=[y]), "LoD information")


@cases
def sequences_that_were_not_declared():
    x = S.data("x", [-1, 2])
    y, exe = x * 2.0, S.Executor()
    plain = exe.run(feed={"x": single(5, 2)}, fetch_list=[y])
    (found,) = exe.run(feed={"x": tensor(ROWS, [2, 3])}, fetch_list=[y], return_numpy=False)
    return [plain, told(found), exe.run(feed={"x": single(5, 2)}, fetch_list=[y])]


@cases
def sequences_are_no_array():
    (x,) = given(x=tensor(ROWS, [2, 3]))
    y = paddle.exp(x)
    return raises(
        lambda: S.Executor().run(feed={"x": tensor(ROWS, [2, 3])}, fetch_list=[y]), "LoD", "return_numpy"
    )


# -- tensors --------------------------------------------------------------------------------------------------------


@cases
def lod_tensors():
    made = tensor(ROWS, [2, 1], [2, 1, 2])
    seen = [told(made), made.shape(), made.has_valid_recursive_sequence_lengths()]
    made.set_recursive_sequence_lengths([[1, 4]])
    seen.append(made.lod())
    made.set_lod([[0, 3, 5]])
    return [
        *seen,
        made.recursive_sequence_lengths(),
        told(base.create_lod_tensor(made, [[5]], paddle.CPUPlace())),
    ]


@cases
def printed():
    made = tensor(np.array([[1.0, 0.1], [2.25, 1e-7], [1e8, -3.0]]), [1, 2])
    (x,) = given(x=made)
    (found,) = S.Executor().run(feed={"x": made}, fetch_list=[x * 1.5], return_numpy=False)
    return [str(made), str(found), str(tensor([[1], [2]], [1, 1], [1, 1]))]


@cases
def lod_tensor_of_lists():
    return told(base.create_lod_tensor([[1, 2, 3], [4, 5]], [[3, 2]], paddle.CPUPlace()))


@cases
def random_lod_tensor():
    made = base.create_random_int_lodtensor([[2, 3]], [30], paddle.CPUPlace(), 4, 4)
    return told(made)


@cases
def an_empty_lod_tensor():
    made = base.core.LoDTensor()
    seen = [made.lod(), made._is_initialized()]
    made.set(ROWS, paddle.CPUPlace())
    return [*seen, made.lod(), made._is_initialized(), np.array(made)]


@cases
def lengths_that_do_not_fit():
    made = tensor(ROWS, [2, 3])
    place = paddle.CPUPlace()
    return [
        raises(lambda: tensor(ROWS, [1, 1]), "is invalid"),
        raises(lambda: tensor(ROWS, [2, 3], [1, 1]), "is invalid"),
        raises(lambda: made.set_recursive_sequence_lengths([[4]]), "invalid"),
        raises(lambda: base.create_lod_tensor([[1, 2], [3]], [[1, 2]], place), "do not match"),
        raises(lambda: base.create_lod_tensor(3, [[3]], place), "LoDTensor"),
        raises(lambda: base.create_random_int_lodtensor([[3]], 4, place, 0, 1), "list"),
    ]
