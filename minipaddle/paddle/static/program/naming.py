"""Names for the outputs of Operators: ``exp_0.tmp_0``, ``elementwise_add_0``, ``tmp_0``, ``fc_0.tmp_1``.

An operator applied by itself is a layer, ``KIND_N``, and its outputs are ``KIND_N.tmp_K``. A function
that appends several operators is one layer (:class:`layer`). Arithmetic (``x + y``) and ``astype`` number all their
outputs with one counter, ``tmp_N`` (:class:`overloaded`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import unwrap
from types import FrameType
from typing import Any

from minipaddle.engine.names.unique import numbered, take_back, unique_name
from minipaddle.ops.definition.program_printing import Printed
from minipaddle.ops.linalg.product import mm
from minipaddle.ops.search.sort import sort
from minipaddle.ops.views.reshape import reshape
from minipaddle.ops.views.transpose import moveaxis, t
from minipaddle.paddle.nn import functional as F
from minipaddle.paddle.nn.parameter.create import named_after

Namer = Callable[[Printed, int], list[str]]
_stack: list[Namer] = []


def _in_layer(name: str) -> Namer:
    return lambda shown, count: _arranged(shown, [numbered(f"{name}.tmp") for _ in range(count)])


class _naming:
    """A ``with`` block in which outputs get their names from `namer`."""

    def __init__(self, namer: Namer) -> None:
        self.namer = namer

    def __enter__(self) -> None:
        _stack.append(self.namer)

    def __exit__(self, *exc_info: object) -> None:
        _stack.pop()


def layer(name: str) -> _naming:
    """Return a naming in which all outputs belong to the layer `name`: ``NAME.tmp_K``."""
    return _naming(_in_layer(name))


named_after.filled(layer)

LAYERS = {
    unwrap(F.linear).__code__: "linear",
    unwrap(F.square_error_cost).__code__: "square_error_cost",
    unwrap(F.conv2d).__code__: "conv2d",
    t.__code__: "t",
    moveaxis.__code__: "moveaxis",
    mm.__code__: "mm",
    sort.__code__: "sort",
    reshape.__code__: None,  # inside one of them it is a separate layer
}
"""Functions that are one layer each, by their code: eager execution, which needs no names, calls them too."""
_last: list[tuple[FrameType, str]] = []  # holding the frame keeps another call from getting its id


def layer_of(frame: FrameType, named: FrameType | None = None) -> str | None:
    """Return the name of the layer whose call is `frame`: given to the call `named`; None if it is not a layer."""
    kind = LAYERS.get(frame.f_code)
    if kind is None or (kind == "conv2d" and frame.f_locals["axes"] != 2):  # conv1d and conv3d share its code
        return None
    if named is not None:
        return str(named.f_locals["name"])
    if not _last or _last[0][0] is not frame:
        _last[:] = [(frame, unique_name(kind))]
    return _last[0][1]


def overloaded() -> _naming:
    """Return a naming in which all outputs are ``tmp_N``."""
    return _naming(_temporary)


def _temporary(shown: Printed, count: int) -> list[str]:
    return [unique_name("tmp") for _ in range(count)]


def exactly(*names: str) -> _naming:
    """Return a naming with these output names."""
    return _naming(lambda shown, count: list(names))


def unnamed(placeholder: Callable[[], str]) -> _naming:
    """Return a naming in which outputs get placeholders, to be named later."""
    return _naming(lambda shown, count: [placeholder() for _ in range(count)])


def name_outputs(
    shown: Printed, count: int, named: FrameType | None = None, part_of: str | None = None
) -> list[str]:
    """Return names for `count` outputs of an operator.

    `named` is the running call that the user gave a ``name=``, `part_of` the layer of the running function.
    """
    namer = _stack[-1] if _stack else _own
    if named is not None and namer in (_own, _temporary):
        _give_up(named)
        name, function = named.f_locals["name"], named.f_code.co_name
        if shown.type in _TAKERS.get(function, (shown.type,)):
            alone = shown.bare and count == 1 and part_of is None and function not in _IN_A_LAYER
            names = [name] if alone else _in_layer(name)(shown, count)
            return [name, *names[1:]] if function in _ITSELF else names
    return _in_layer(part_of)(shown, count) if part_of is not None and namer is _own else namer(shown, count)


def _own(shown: Printed, count: int) -> list[str]:
    """Return the names of an operator that is a layer of its own."""
    own = unique_name(shown.kind)
    if shown.type == "fill_constant":  # Paddle counts twice: the first zeros() is fill_constant_1.tmp_0
        own = unique_name(shown.kind)
    return [own] if shown.bare and count == 1 else _in_layer(own)(shown, count)


# -- name=: Paddle's functions give it to the last of their operators, but for these ----------------------------------

_ITSELF = ("dot", "dropout2d", "flip")  # their result has the name itself, as that of arithmetic
_IN_A_LAYER = ("outer",)  # its result is NAME.tmp_0, though made by arithmetic
_TO_NONE = ("cdist", "clone", "cond", "masked_fill", "median", "nan_to_num", "randint_like", "sgn", "std", "var",
            "while_loop")  # fmt: skip
_TAKERS: dict[str, Sequence[str]] = dict.fromkeys(_TO_NONE, ()) | {
    "avg_pool1d": ("pool2d",),
    "binary_cross_entropy_with_logits": ("sigmoid_cross_entropy_with_logits", "reduce_mean", "reduce_sum"),
    "conv": ("conv2d", "conv3d", "elementwise_add"),
    "cross_entropy": ("softmax_with_cross_entropy", "reduce_mean", "reduce_sum"),
    "kl_div": ("kldiv_loss",),
    "log_softmax": ("cast", "log_softmax"),
    "max_pool1d": ("pool2d", "max_pool2d_with_index"),
    "normalize": ("p_norm", "elementwise_div"),
    "smooth_l1_loss": ("huber_loss",),
    "softmax": ("cast", "softmax"),
}
"""The types of the operators that take the name."""
_last_named: list[tuple[FrameType, Any, Namer]] = []
"""The last operator of a call with a name, and how it is named if another one follows in this call."""


def has_name(call: FrameType, op: Any) -> None:
    """Note that `op` has the name that the user gave to `call`."""
    namer = _stack[-1] if _stack else _own
    if namer in (_own, _temporary) and call.f_code.co_name not in _TAKERS:
        _last_named[:] = [(call, op, namer)]


def _give_up(call: FrameType) -> None:
    """Give the outputs of the operator before in `call` the names that they have without the user's."""
    if _last_named and _last_named[0][0] is call:
        (_, op, namer), name = _last_named.pop(), call.f_locals["name"]
        outs = op.writes()
        if outs[0].name != name:
            take_back(f"{name}.tmp", len(outs))
        for variable, own in zip(outs, namer(op.shown, len(outs)), strict=True):
            variable.block.rename(variable, own)


def _arranged(shown: Printed, names: list[str]) -> list[str]:
    """Return `names`, numbered in the order in which Paddle makes the outputs, in the order of the slots."""
    order = shown.numbering
    if order == sorted(order):
        return names
    return [names[order.index(place)] for place in range(len(order))] + names[len(order) :]
