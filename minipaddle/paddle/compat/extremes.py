"""``max`` and ``min`` as PyTorch has them: of everything, along an axis with the places, or of two tensors."""

from __future__ import annotations

from typing import Any, NamedTuple

from minipaddle import ops
from minipaddle.engine.autograd.tensor import Tensor
from minipaddle.engine.core.errors import failure
from minipaddle.ops.indexing.take_along_axis import take_along_axis
from minipaddle.paddle.compat.arguments import check_out, not_paddles, put

_INTEGERS = ("int32", "int64", "uint8", "int16")
_WITHOUT_KERNEL = ("float16", "bfloat16", "int16")


class MinMaxRetType(NamedTuple):
    """The extremes along an axis, and where they are."""

    values: Any
    indices: Any


@not_paddles("x axis", "max")
def max(input: Any, *args: Any, out: Any = None, **kwargs: Any) -> Any:
    """Return the largest of all, with `dim` (and `keepdim`) those along an axis and their places, or of two tensors.

    Raises:
        TypeError: **Invalid arguments**, **should stop gradient** (integers).
    """
    return _extreme("max", input, args, kwargs, out)


@not_paddles("x axis", "min")
def min(input: Any, *args: Any, out: Any = None, **kwargs: Any) -> Any:
    """Return the smallest of all, with `dim` (and `keepdim`) those along an axis and their places, or of two tensors.

    Raises:
        TypeError: **Invalid arguments**, **should stop gradient** (integers).
    """
    return _extreme("min", input, args, kwargs, out)


def _extreme(name: str, x: Any, args: tuple[Any, ...], told: dict[str, Any], out: Any) -> Any:
    if not isinstance(x, Tensor):
        raise failure(
            TypeError, f"input should be a tensor, but got an instance with type '{type(x).__name__}'"
        )
    if x.dtype.name in _INTEGERS and not x.stop_gradient:
        raise failure(TypeError, f"Tensors with integral type: '{x.dtype}' should stop gradient.")
    asked, keepdim = _asked(name, args, told)
    check_out(out, two=isinstance(asked, int))
    if asked is None:
        return put(getattr(ops, name)(x), out)
    if isinstance(asked, Tensor):
        return put(getattr(ops, f"{name}imum")(x, asked), out)
    return put(_along(name, x, asked, keepdim), out)


def _along(name: str, x: Any, dim: int, keepdim: bool) -> MinMaxRetType:
    """Return the extremes along an axis; all of a gradient goes to the first place where one is."""
    if not x.ndim:
        return MinMaxRetType(x, ops.zeros([], "int64"))
    if x.dtype.name in _WITHOUT_KERNEL:
        raise failure(
            TypeError,
            f"Non-CUDA GPU placed Tensor does not have '{x.dtype}' op registered.\n"
            "Paddle support following DataTypes: int32, int64, float64, float32, uint8",
        )
    indices = getattr(ops, f"arg{name}")(x, axis=dim, keepdim=True)
    values = take_along_axis(x, indices, axis=dim)
    if keepdim:
        return MinMaxRetType(values, indices)
    return MinMaxRetType(ops.squeeze(values, dim), ops.squeeze(indices, dim))


def _asked(name: str, args: tuple[Any, ...], told: dict[str, Any]) -> tuple[Any, Any]:
    """Return the axis or the other tensor, None if there is neither, and whether the axis stays."""

    def refused(opening: str = "") -> Exception:
        kinds = [type(value).__name__ for value in args]
        got = ", ".join([*kinds, *(f"{key}={type(value).__name__}" for key, value in told.items())])
        return failure(
            TypeError,
            f"Invalid arguments for `paddle.compat.{name}`:\n{opening}"
            f"Got: (paddle.Tensor input, {got}), but expect one of:\n"
            f" - (input: paddle.Tensor) for reduce_{name} on all dims.\n"
            f" - (input: paddle.Tensor, other: paddle.Tensor) -> see paddle.{name}imum\n"
            " - (input: paddle.Tensor, int dim (cannot be None), bool keepdim = False)\n",
        )

    if not args and not told:
        return None, False
    values = [*args, *(told[key] for key in ("dim", "other", "keepdim") if key in told)]
    if len(values) != len(args) + len(told) or len(values) > 2 or values[0] is None:
        raise refused()
    first_by_name = not args and not {"dim", "other"} & set(told)
    misnamed = "other" in told and not isinstance(told["other"], Tensor)
    if first_by_name or misnamed or (len(values) == 2 and isinstance(values[0], Tensor)):
        raise refused()
    if not isinstance(values[0], Tensor) and type(values[0]) is not int:
        raise refused(
            f"The second input must be int or Tensor or implicit None in compat.{name}, "
            f"but received {type(values[0])}.\n"
        )
    return values[0], values[1] if len(values) == 2 else False
