"""Functions of networks that few scripts need, written on operators."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.autograd.grad_mode import no_grad
from minipaddle.engine.core.dtype import as_numpy
from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.later import of_front
from minipaddle.engine.core.value import Value
from minipaddle.ops.activation.gates import maxout, swiglu
from minipaddle.ops.common.arguments import integer
from minipaddle.ops.creation.full import ones_like
from minipaddle.ops.creation.range import arange
from minipaddle.ops.indexing.gather import index_select
from minipaddle.ops.indexing.scatter import scatter
from minipaddle.ops.linalg.bilinear import bilinear as bilinear_operator
from minipaddle.ops.logic.mask import sequence_mask as mask_operator
from minipaddle.ops.manipulation.diagonal import diag_embed
from minipaddle.ops.math.arithmetic import divide, multiply
from minipaddle.ops.math.exponential import rsqrt, square
from minipaddle.ops.nn import group_norm as grouped
from minipaddle.ops.nn.pad import pad as border
from minipaddle.ops.reduction.mean import mean
from minipaddle.ops.search.unique import unique
from minipaddle.ops.search.where import masked_select, where
from minipaddle.ops.stat.norm import norm
from minipaddle.ops.views.reshape import reshape, squeeze, unsqueeze
from minipaddle.paddle.nn.functional.pooling import avg_pool2d
from minipaddle.paddle.nn.functional.window import channels_first, channels_last

__all__ = [
    "bilinear", "diag_embed", "embedding_renorm_", "group_norm", "instance_norm", "local_response_norm", "maxout",
    "pdist", "rms_norm", "sequence_mask", "swiglu",
]  # fmt: skip


def sequence_mask(x: Value, maxlen: Any = None, dtype: Any = "int64", name: str | None = None) -> Any:
    """Return rows of ones as long as `x` says, then zeros: lengths [...] give [..., maxlen].

    Args:
        x: lengths, integers.
        maxlen: how long the rows are; by default as the longest length.
        dtype: of the result.
        name: not used.
    """
    return mask_operator(x, -1 if maxlen is None else integer(maxlen), as_numpy(dtype))


def bilinear(x1: Value, x2: Value, weight: Value, bias: Any = None, name: str | None = None) -> Any:
    """Return ``x1 @ weight[k] @ x2`` for each `k`: [N, I], [N, J] and [K, I, J] give [N, K].

    `bias` is [1, K], optional.

    Raises:
        ValueError: if the sizes do not match.
    """
    return bilinear_operator(x1, x2, weight, bias)


def rms_norm(
    input: Value,
    normalized_shape: Any,
    weight: Value | None = None,
    eps: float = 1e-5,
    name: str | None = None,
) -> tuple[Value, ...]:
    """Divide by the root of the mean square over the last axes, then scale.

    Args:
        input: any float type.
        normalized_shape: sizes of the last axes, over which is averaged.
        weight: of that shape, optional.
        eps: keeps the root away from 0.
        name: not used.

    Returns:
        the result in the shape of `input`, and one over the root, in the shape of the other axes.

    Raises:
        ValueError: **normalized_shape**, if it is not the end of the shape.
    """
    sizes = [normalized_shape] if isinstance(normalized_shape, int) else list(normalized_shape)
    if list(input.shape[-len(sizes) :]) != sizes:
        raise failure(
            ValueError,
            f"The normalized_shape of rms_norm is {sizes}, but the last axes of the input are "
            f"{list(input.shape[-len(sizes) :])}.",
        )
    axes = list(range(len(input.shape) - len(sizes), len(input.shape)))
    inverse = rsqrt(mean(square(input), axes, keepdim=True) + eps)
    y = multiply(input, inverse)
    return y if weight is None else multiply(y, weight), squeeze(inverse, axes)


def group_norm(
    x: Value,
    num_groups: int,
    epsilon: float = 1e-5,
    weight: Value | None = None,
    bias: Value | None = None,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Any:
    """Normalise each image over groups of channels.

    Args:
        x: [N, C, ...].
        num_groups: divides C.
        epsilon: keeps the root away from 0.
        weight: [C], optional.
        bias: [C], optional.
        data_format: where the channels are.
        name: not used.

    Raises:
        ValueError: **divisible by num_groups**.
    """
    return grouped.group_norm(x, weight, bias, groups=num_groups, epsilon=epsilon, data_layout=data_format)[0]


def instance_norm(
    x: Value,
    running_mean: Any = None,
    running_var: Any = None,
    weight: Value | None = None,
    bias: Value | None = None,
    use_input_stats: bool = True,
    momentum: float = 0.9,
    eps: float = 1e-5,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Value:
    """Normalise every channel of every image on its own; the running averages are not used, as in Paddle."""
    found = grouped.instance_norm(channels_first(x, data_format), weight, bias, epsilon=eps)[0]
    return channels_last(found, data_format)


def local_response_norm(
    x: Any,
    size: int,
    alpha: float = 1e-4,
    beta: float = 0.75,
    k: float = 1.0,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Any:
    """Divide by ``(k + alpha * mean of the squares of `size` neighbouring channels) ** beta``.

    Args:
        x: [N, C, ...], any float type.
        size: how many channels are neighbours; beyond the first and last stand zeros.
        alpha: how much the neighbours count.
        beta: exponent.
        k: summand.
        data_format: where the channels are.
        name: not used.

    Raises:
        ValueError: **3D or higher**, **data_format**.
    """
    if len(x.shape) < 3:
        raise failure(
            ValueError, f"Expected 3D or higher dimensionality input, but got {len(x.shape)} dimensions"
        )
    if data_format not in ("NCL", "NLC", "NCHW", "NHWC", "NCDHW", "NDHWC"):
        raise failure(
            ValueError,
            f"data_format should be in one of [NCL, NCHW, NCDHW, NLC, NHWC, NDHWC], but got {data_format}",
        )
    x = channels_first(x, data_format)
    squares = reshape(square(x), [-1, 1, x.shape[1], _rest(x)])
    padded = border(squares, paddings=((0, 0), (0, 0), (size // 2, (size - 1) // 2), (0, 0)))
    near = reshape(avg_pool2d(padded, [size, 1], 1), [-1 if one < 0 else one for one in x.shape])
    return channels_last(divide(x, (near * alpha + k) ** beta), data_format)


def _rest(x: Any) -> int:
    """Return how many elements a channel has."""
    count = 1
    for size in x.shape[2:]:
        count *= size
    return count


def pdist(x: Any, p: float = 2.0, name: str | None = None) -> Any:
    """Return the p-norm distances of all pairs of rows [N, D], each pair once: N (N - 1) / 2 numbers.

    Raises:
        AssertionError: **2-dimensional**.
    """
    assert len(x.shape) == 2, "The x must be 2-dimensional"
    distances = norm(unsqueeze(x, [1]) - unsqueeze(x, [0]), float(p), -1)
    places = arange(0, x.shape[0])
    return masked_select(distances, unsqueeze(places, [1]) < places)


def embedding_renorm_(x: Any, weight: Any, max_norm: float, norm_type: float = 2.0) -> Any:
    """Shorten, in place, those rows of a table that `x` names and that are longer than `max_norm`; return the table."""
    with no_grad():
        rows = unique(x)
        chosen = index_select(weight, rows)
        lengths = norm(chosen, float(norm_type), 1, keepdim=True)
        factor = where(lengths > max_norm, max_norm / (lengths + 1e-7), ones_like(lengths))
        weight.set_value(scatter(weight, rows, multiply(chosen, factor)))
    return weight


__getattr__ = of_front(globals(), "minipaddle.paddle.nn.functional")
