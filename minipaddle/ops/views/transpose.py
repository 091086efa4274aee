"""The order of axes. All are views, as in Paddle."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from minipaddle.engine.mode.eager import current
from minipaddle.ops.definition import Array, Meta, Value, invalid, mark, operator, tried_with
from minipaddle.ops.definition.arguments import integers, several_axes
from minipaddle.ops.definition.program_printing import Listing, listed, of


def _transposed(x: Meta, perm: tuple[int, ...]) -> Meta:
    if len(perm) != x.ndim or sorted(several_axes(perm, x.ndim)) != list(range(x.ndim)):
        raise invalid(
            "The input tensor's dimension should be equal to the axis's size and each axis named once. But received "
            f"input tensor's dimension is {x.ndim}, axis's size is {len(perm)}: perm = {list(perm)}."
        )
    return Meta(tuple([x.shape[axis] for axis in perm]), x.dtype)


@listed(Listing(axis=of("perm")), kind="transpose", grad_keeps="XShape", shape_slot="XShape")
@tried_with((2, 3, 2), perm=(2, 0, 1))
@operator("transpose2", name="transpose", infer=_transposed, view=True)
def transpose2(x: Array, *, perm: Any) -> Array:
    """Put axis ``perm[i]`` of the input at place i."""
    return x.transpose(perm)


mark("same numbers", transpose2)
transpose2.gradient("x")(lambda dy, perm: transpose2(dy, _inverse(perm)))


def _inverse(perm: tuple[int, ...]) -> tuple[int, ...]:
    """Return the permutation that undoes `perm`."""
    places = [0] * len(perm)
    for place, axis in enumerate(perm):
        places[axis] = place
    return tuple(places)


def exchanged(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of an order of axes that also takes two axes to exchange: by name, or one by one."""

    @functools.wraps(function)
    def of_two(x: Any, *args: Any, **given: Any) -> Any:
        two = [given.pop(name) for name in ("dim0", "axis0", "dim1", "axis1") if name in given]
        two = [*(one for one in args[:2] if isinstance(one, int)), *two]
        if len(two) < 2:
            return function(x, *args, **given)
        first, second = several_axes(two, x.ndim)
        perm = list(range(x.ndim))
        perm[first], perm[second] = second, first
        return transpose2(x, tuple(perm))

    return of_two


@exchanged
def transpose(x: Any, perm: Any, name: str | None = None) -> Any:
    """Return `x` with its axes in the order `perm`, or two (`dim0`, `dim1`) exchanged, in the same memory."""
    return transpose2(x, integers(perm))


def t(input: Value, name: str | None = None) -> Value:
    """Return the transpose of a matrix; vectors and numbers stay as they are."""
    if input.ndim > 2:
        raise invalid(
            f"Input(input) only support N-D (N<=2) tensor, but received length of Input(input) is {input.ndim}.",
            "paddle.transpose takes the order of any number of axes",
        )
    if input.ndim < 2 and current.get().dynamic:
        return input
    return transpose2(input, tuple(range(input.ndim))[::-1])


def moveaxis(x: Value, source: Any, destination: Any, name: str | None = None) -> Value:
    """Return `x` with the axes `source` moved to the places `destination`; the others keep their order."""
    sources, places = (several_axes(integers(axes), x.ndim) for axes in (source, destination))
    assert len(sources) == len(places), "'source' must have the same number with 'destination'"
    assert len({*sources}) == len(sources), "Each elemment of 'source' must be unique!"
    assert len({*places}) == len(places), "Each elemment of 'destination' must be unique!"
    perm = [axis for axis in range(x.ndim) if axis not in sources]
    for place, axis in sorted(zip(places, sources, strict=True)):
        perm.insert(place, axis)
    return transpose2(x, tuple(perm))


swapaxes = transpose
