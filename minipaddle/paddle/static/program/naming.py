"""Names for the outputs of Operators: ``exp_0.tmp_0``, ``elementwise_add_0``, ``tmp_0``, ``fc_0.tmp_1``.

An operator applied by itself is a layer, ``KIND_N``, and its outputs are ``KIND_N.tmp_K``. A function
that appends several operators is one layer (:class:`layer`). Arithmetic (``x + y``) and ``astype`` number all their
outputs with one counter, ``tmp_N`` (:class:`overloaded`).
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import unwrap
from types import FrameType

from minipaddle.engine.names.unique import numbered, unique_name
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
_last: list[tuple[FrameType, str]] = []  # holding the frame keeps another call from getting its identity


def layer_of(frame: FrameType) -> str | None:
    """Return the name of the layer whose call is `frame`; None if it is not a layer."""
    kind = LAYERS.get(frame.f_code)
    if kind is None or (kind == "conv2d" and frame.f_locals["axes"] != 2):  # conv1d and conv3d share its code
        return None
    if not _last or _last[0][0] is not frame:
        _last[:] = [(frame, unique_name(kind))]
    return _last[0][1]


def overloaded() -> _naming:
    """All outputs are ``tmp_N``."""
    return _naming(lambda shown, count: [unique_name("tmp") for _ in range(count)])


def exactly(*names: str) -> _naming:
    """Return a naming with these output names."""
    return _naming(lambda shown, count: list(names))


def unnamed(placeholder: Callable[[], str]) -> _naming:
    """Return a naming in which outputs get placeholders, to be named later."""
    return _naming(lambda shown, count: [placeholder() for _ in range(count)])


def name_outputs(
    shown: Printed, count: int, name: str | None = None, part_of: str | None = None
) -> list[str]:
    """Return names for `count` outputs of an operator.

    `name` is the user's ``name=``, `part_of` the layer of the running function.
    """
    if _stack:
        return _stack[-1](shown, count)
    alone = shown.bare and count == 1
    if part_of is not None:
        return _in_layer(name or part_of)(shown, count)
    if name is not None:
        return [name] if alone else _in_layer(name)(shown, count)
    own = unique_name(shown.kind)
    if shown.type == "fill_constant":  # Paddle counts twice: the first zeros() is fill_constant_1.tmp_0
        own = unique_name(shown.kind)
    return [own] if alone else _in_layer(own)(shown, count)


def _arranged(shown: Printed, names: list[str]) -> list[str]:
    """Return `names`, numbered as Paddle makes the outputs, in the order of the slots."""
    order = shown.numbering
    if order == sorted(order):
        return names
    return [names[order.index(place)] for place in range(len(order))] + names[len(order) :]
