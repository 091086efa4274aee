"""Normalisations as functions."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.errors import invalid
from minipaddle.engine.names.missing import missing
from minipaddle.engine.value.value import Value
from minipaddle.ops.creation.assign import assign
from minipaddle.ops.nn import group_norm as grouped
from minipaddle.ops.nn import norm as normalization
from minipaddle.ops.stat.norm import p_norm
from minipaddle.ops.views.reshape import reshape
from minipaddle.paddle.nn.functional.window import channels_first, channels_last


def layer_norm(
    x: Value,
    normalized_shape: Any,
    weight: Value | None = None,
    bias: Value | None = None,
    epsilon: float = 1e-5,
    name: str | None = None,
) -> Any:
    """Normalise over the last axes, then scale and shift.

    Args:
        x: any shape.
        normalized_shape: the sizes of the last axes, or of the last one.
        weight: flat, with as many elements as `normalized_shape`, optional.
        bias: the same.
        epsilon: keeps the root from 0; between 0 and 0.001.

    Raises:
        ValueError: **normalized_shape**, if the shape of `x` does not end so; **epsilon**, if it is too large.
    """
    wanted = list(normalized_shape) if isinstance(normalized_shape, (list, tuple)) else [normalized_shape]
    begin = len(x.shape) - len(wanted)
    if begin < 0 or list(x.shape[begin:]) != wanted:
        ending = ", ".join(["*", *map(str, wanted)])
        raise invalid(
            f"Given normalized_shape is {wanted}, expected input with shape [{ending}], but got input "
            f"shape {list(x.shape)}"
        )
    if not 0 <= epsilon <= 0.001:
        raise invalid(
            f"'epsilon' in Op(LayerNorm) should be between 0.0 and 0.001, But received [{epsilon}]."
        )
    weight, bias = (p if p is None or len(p.shape) == 1 else reshape(p, [-1]) for p in (weight, bias))
    return normalization.layer_norm(x, weight, bias, begin_norm_axis=begin, epsilon=epsilon)[0]


def batch_norm(
    x: Value,
    running_mean: Value,
    running_var: Value,
    weight: Value | None = None,
    bias: Value | None = None,
    training: bool = False,
    momentum: float = 0.9,
    epsilon: float = 1e-5,
    data_format: str = "NCHW",
    use_global_stats: bool | None = None,
    name: str | None = None,
) -> Any:
    """Normalise every channel: over the batch while `training`, with the running averages otherwise.

    Args:
        x: [N, C] or [N, C, ...] (channels last for NLC, NHWC).
        running_mean: [C]; while training it becomes ``momentum * old + (1 - momentum) * batch``.
        running_var: [C]; the same. The variance of the batch is the biased one.
        weight: [C], optional.
        bias: [C], optional.
        training: whether to use the batch's statistics.
        momentum: the part of the old averages that stays.
        epsilon: keeps the root from 0.
        data_format: the position of the channels.
        use_global_stats: True: use the running averages even while training.

    Raises:
        AssertionError: if `x` has fewer than 2 axes.
        ValueError: if a parameter has another number of channels.
    """
    assert len(x.shape) >= 2, "input dim must be larger than 1"
    is_test = use_global_stats if use_global_stats is not None else not training
    y, new_mean, new_variance, _, _ = normalization.batch_norm(
        x, weight, bias, running_mean, running_var,
        momentum=momentum, epsilon=epsilon, is_test=is_test, data_layout=data_format,
    )  # fmt: skip
    if not is_test:
        assign(new_mean, running_mean)
        assign(new_variance, running_var)
    return y


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
        epsilon: keeps the root from 0.
        weight: [C], optional.
        bias: [C], optional.
        data_format: the position of the channels.

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
    """Normalise every channel of every image by itself; the running averages are not used, as in Paddle."""
    found = grouped.instance_norm(channels_first(x, data_format), weight, bias, epsilon=eps)[0]
    return channels_last(found, data_format)


def normalize(x: Value, p: float = 2, axis: int = 1, epsilon: float = 1e-12, name: str | None = None) -> Any:
    """Divide by the p-norm along `axis`, or by `epsilon` where the norm is smaller.

    A zero vector stays zero, and its gradient is finite: ``dy / epsilon``. As in Paddle, an `epsilon` other than the
    default is used in the gradient of the norm, too.
    """
    return x / p_norm(x, float(p), axis, True, epsilon).clip(epsilon)


__getattr__ = missing(__name__, globals())
