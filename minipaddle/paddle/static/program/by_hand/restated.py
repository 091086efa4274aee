"""Attributes of 2.6.2 that our definitions hold constant: a call by hand says them in other operators' words.

``pool2d`` on ``NHWC`` is a ``transpose2``, the ``pool2d`` that there is, and a ``transpose2`` back. Each function here
is one such sentence: it changes the :class:`Call` before it is appended, or leaves word what is to follow it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minipaddle.engine.core.dtype import default_float
from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Attrs
from minipaddle.ops.common.dtype_code import code_of, dtype_of_code
from minipaddle.ops.common.listed import listed_operator, printed, read_plain
from minipaddle.ops.creation.cast import cast
from minipaddle.ops.creation.full import full_like
from minipaddle.ops.indexing.take_along_axis import neutral, put_along_axis_op, take_along_axis
from minipaddle.ops.logic.compare import not_equal
from minipaddle.ops.math.exponential import log
from minipaddle.ops.reduction.mean import mean
from minipaddle.ops.reduction.sum import sum
from minipaddle.ops.search.where import where
from minipaddle.ops.views.reshape import reshape, unsqueeze
from minipaddle.paddle.nn.functional.window import channels_first, channels_last, pads
from minipaddle.paddle.static.program.operator import Slots


class Call:
    """What is asked for, by printed names: `given`, and what is `listed` of it in the end.

    `after` holds what to do with outputs, by slot.
    """

    def __init__(self, type: str, ins: Slots, outs: Slots, listed: Attrs) -> None:
        self.type, self.ins, self.outs, self.listed = type, ins, outs, listed
        self.given = dict(listed)
        self.after: dict[str, Callable[[Any], Any]] = {}

    def first(self, slot: str) -> Any:
        """Return the Variable in an input slot."""
        return self.ins[slot][0]

    def put(self, slot: str, value: Any) -> None:
        """Read `value` in an input slot."""
        self.ins[slot] = [value]

    @property
    def image(self) -> str:
        """The slot of what windows slide over."""
        return "Input" if "Input" in self.ins else "X"


Sentence = Callable[[Call, Any], None]


def restate(call: Call) -> Attrs:
    """Change `call` into one that our definitions know; return the attributes that are to be printed as given."""
    if call.type in _ALWAYS:
        _ALWAYS[call.type](call)
    definition = listed_operator(call.type, {})
    constants = {} if definition is None else printed(definition).listing.constants
    for name, sentence in _SENTENCES.items():
        here, usual = call.listed.get(name), constants.get(name)
        if name in constants and name in call.listed and read_plain(here) != read_plain(usual):
            sentence(call, call.listed.pop(name))
    if call.type in _LAST:
        _LAST[call.type](call)
    return {name: value for name, value in call.given.items() if call.listed.get(name) != value}


# -- windows ------------------------------------------------------------------------------------------------------


def _layout(call: Call, data_format: str) -> None:
    unread = call.type in ("unpool", "unpool3d", "prelu") or (call.type, data_format) == (
        "conv3d_transpose",
        "NDHWC",
    )
    if unread or not data_format.endswith("C"):
        return  # Paddle does not look at it there; ``AnyLayout``
    call.put(call.image, channels_first(call.first(call.image), data_format))
    axes = call.first(call.image).ndim
    for slot in call.outs:
        call.after[slot] = lambda out: channels_last(out, data_format) if out.ndim == axes else out


def _padding(call: Call, algorithm: str) -> None:
    x, attrs = call.first(call.image), call.listed
    ksize = call.first("Filter").shape[2:] if "Filter" in call.ins else attrs["ksize"]
    strides = attrs.get("strides", [1] * len(ksize))
    attrs["paddings"] = list(pads(algorithm, x.shape[2:], tuple(ksize), tuple(strides)))
    if algorithm == "SAME" and "Filter" in call.ins:
        attrs["dilations"] = [1] * len(ksize)


def _adaptive(call: Call, adaptive: bool) -> None:
    if not adaptive:
        return
    kind = call.listed.get("pooling_type", "max")
    call.listed = {"ksize": call.listed["ksize"], "adaptive": True, "pooling_type": kind}
    if kind == "max" and "_with_index" not in call.type:
        call.type = f"max_{call.type}_with_index"


def _whole(call: Call, whole: bool) -> None:
    call.listed["ksize"] = [1] * (call.first(call.image).ndim - 2)
    _adaptive(call, whole)


def _output_size(call: Call) -> None:
    """Say how large the image of a transposed convolution is, as our operators are told."""
    x, ksize, attrs = call.first("Input"), call.first("Filter").shape[2:], call.listed
    if attrs.get("output_size"):
        return
    axes = len(ksize)
    more = call.given.get("output_padding") or [0] * axes
    strides, dilations = attrs.get("strides", [1] * axes), attrs.get("dilations", [1] * axes)
    border = pads(attrs.get("paddings", 0), None, tuple(ksize), tuple(strides))
    attrs["output_size"] = [
        (x.shape[2 + one] - 1) * strides[one] - border[2 * one] - border[2 * one + 1]
        + dilations[one] * (ksize[one] - 1) + 1 + more[one]
        for one in range(axes)
    ]  # fmt: skip


def _pad(call: Call) -> None:
    """Take ``[left, right, top, bottom, front, back]`` for a pair for each axis; a constant border is another type."""
    sides = call.listed["paddings"]
    borders = [0] * 4 + [size for side in (4, 2, 0) for size in sides[side : side + 2]]
    if call.listed.pop("mode", "constant") == "constant":
        call.type = "pad"
        call.listed = {"paddings": borders, "pad_value": call.given.get("value", 0.0)}
    else:
        pairs = list(zip(borders[::2], borders[1::2], strict=True))
        call.listed = {"paddings": pairs, "mode": call.given["mode"]}


def _method(call: Call, method: str) -> None:
    call.type = f"{method}_interp_v2"


# -- axes and types -----------------------------------------------------------------------------------------------


def _operand_axis(call: Call, axis: int) -> None:
    """Put axes of size 1 behind Y, so that its first is number `axis` of X."""
    x, y = call.first("X"), call.first("Y")
    behind = x.ndim - axis - y.ndim
    if axis < 0 or behind < 0:
        raise failure(
            ValueError,
            f"Broadcast dimension mismatch: Y of {y.ndim} axes does not fit into X of {x.ndim} axes at axis {axis}.",
        )
    if behind and x.ndim != y.ndim:
        call.put("Y", unsqueeze(y, list(range(y.ndim, y.ndim + behind))))


def _whole_sum(call: Call, whole: bool) -> None:
    call.listed["dim"] = []


def _flatten(call: Call, flat: bool) -> None:
    call.put("X", reshape(call.first("X"), [-1]))
    call.listed["axis"] = 0


def _exclusive(call: Call, exclusive: bool) -> None:
    from minipaddle.ops.math.cumulative import shift

    x = call.first("X")
    nothing = 0.0 if call.type == "cumsum" else float(np.finfo(x.meta.dtype).min)
    axis, reverse = call.listed.get("axis", -1), bool(call.listed.get("reverse"))
    call.put("X", shift(x, axis, reverse, nothing))


def _reverse(call: Call, reverse: bool) -> None:
    from minipaddle.ops.manipulation.flip import flip

    axis = call.listed.get("axis", -1)
    call.put("X", flip(call.first("X"), axis))
    call.after["Out"] = lambda out: flip(out, axis)


def _out_dtype(call: Call, code: int) -> None:
    if call.type == "reduce_sum":  # Paddle asks for it nowhere else
        call.put("X", cast(call.first("X"), dtype_of_code(code)))


def _one_hot(call: Call) -> None:
    code = call.listed.get("dtype", code_of(default_float()))
    if code != code_of(default_float()):
        call.after["Out"] = lambda out: cast(out, dtype_of_code(code))


def _prelu(call: Call) -> None:
    x, last = call.first("X"), call.listed.get("data_format", "NCHW").endswith("C")
    if call.listed.get("mode") == "channel":
        ones = [1] * (x.ndim - 2)
        call.put("Alpha", reshape(call.first("Alpha"), [*ones, -1] if last else [-1, *ones]))


# -- losses and others --------------------------------------------------------------------------------------------


def _reduction(call: Call, reduction: str) -> None:
    every: dict[str, Callable[[Any], Any]] = {
        "mean": mean,
        "sum": sum,
        "batchmean": lambda loss: mean(sum(loss, axis=list(range(1, loss.ndim)))),
    }
    call.after["Loss"] = every[reduction]


def _ignore(call: Call, unused: Any) -> None:
    label = call.first("Label")
    counts = not_equal(label, full_like(label, call.given.get("ignore_index", -100)))

    def weighed(out: Any) -> Any:
        kept = where(counts, out, full_like(out, 0.0))
        return kept / sum(cast(counts, out.dtype)) if call.given.get("normalize") else kept

    call.after["Out"] = weighed


def _no_softmax(call: Call, softmax: bool) -> None:
    """Take the logits for the probabilities: the operator's two results are made of them, and its own are not used."""
    chances, label, attrs = call.first("Logits"), call.first("Label"), call.listed
    axis = attrs.get("axis", -1)

    def loss(unused: Any) -> Any:
        if attrs.get("soft_label"):
            return -sum(label * log(chances), axis=axis, keepdim=True)
        ignored = full_like(label, attrs.get("ignore_index", -100))
        counts = not_equal(label, ignored)
        known = where(counts, label, full_like(label, 0))
        found = log(take_along_axis(chances, known, axis))
        return where(counts, -found, full_like(found, 0.0))

    call.after |= {"Loss": loss, "Softmax": lambda unused: chances * 1.0}


def _threshold(call: Call, threshold: float) -> None:
    from minipaddle.ops.activation.sigmoids import softplus
    from minipaddle.ops.math.trigonometry import tanh

    if call.type == "mish":
        x = call.first("X")
        call.type, call.ins = "elementwise_mul", {"X": [x], "Y": [tanh(softplus(x, 1.0, threshold))]}


def _put_along_axis(call: Call) -> None:
    attrs = call.listed
    reduce: str = attrs.get("Reduce", "assign")
    include = attrs.get("Include_self", True)
    if reduce == "assign" or (reduce == "add" and include):
        attrs.pop("Include_self", None)
        return
    x, index, axis = call.first("Input"), call.first("Index"), attrs.get("Axis", 0)
    reduce = "mul" if reduce == "multiply" else reduce
    if not include:
        nothing = full_like(call.first("Value"), neutral(reduce, x.meta.dtype))
        call.put("Input", put_along_axis_op(x, index, nothing, axis))
    if reduce == "add":
        attrs.pop("Include_self")
    else:
        call.type = "reduce_along_axis"
        call.listed = {"axis": axis, "reduce": reduce, "include_self": include}


def _count(call: Call, count: int) -> None:
    call.listed |= {"num": count, "sections": []}


def _trainable(call: Call, trains: bool) -> None:
    if not call.listed.get("use_global_stats"):
        call.listed["is_test"] = False


def _nothing(call: Call, value: Any) -> None:
    """Do nothing, as Paddle does."""


def _batch_norm(call: Call) -> None:
    if call.listed.get("use_global_stats"):
        call.listed["is_test"] = True


_ALWAYS: dict[str, Callable[[Call], Any]] = {
    "batch_norm": _batch_norm,
    "one_hot_v2": _one_hot,
    "prelu": _prelu,
    "put_along_axis": _put_along_axis,
    "unique": lambda call: call.listed.setdefault("is_sorted", False),
}

_LAST: dict[str, Callable[[Call], None]] = {
    "conv2d_transpose": _output_size,
    "conv3d_transpose": _output_size,
    "pad3d": _pad,
}

_WITHOUT_EFFECT = [
    "allow_out_of_range", "diag_num", "diag_step", "diag_val", "epmap", "height_sections", "in_dtype", "is_test",
    "nranks", "numeric_stable_mode", "offset", "output_padding", "rank", "remote_prefetch", "ring_id", "scale",
    "table_names", "trainer_id", "unpooling_type", "value",
]  # fmt: skip
"""As in Paddle: of ``uniform_random_inplace`` the diagonal, of ``hard_swish`` all three numbers."""

_SENTENCES: dict[str, Sentence] = {
    "data_format": _layout,
    "data_layout": _layout,
    "interp_method": _method,
    "global_pooling": _whole,
    "adaptive": _adaptive,
    "padding_algorithm": _padding,
    "axis": _operand_axis,
    "reduce_all": _whole_sum,
    "flatten": _flatten,
    "exclusive": _exclusive,
    "reverse": _reverse,
    "out_dtype": _out_dtype,
    "num": _count,
    "reduction": _reduction,
    "normalize": _ignore,
    "ignore_index": _ignore,
    "use_softmax": _no_softmax,
    "threshold": _threshold,
    "trainable_statistics": _trainable,
    **dict.fromkeys(_WITHOUT_EFFECT, _nothing),
}
"""What to do for an attribute that is given another value than the constant one, in this order."""
