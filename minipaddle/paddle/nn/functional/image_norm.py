"""Normalisation of each image on its own: over groups of channels, or over each channel."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.value.value import Value
from minipaddle.ops.nn import group_norm as grouped
from minipaddle.paddle.nn.functional.window import channels_first, channels_last


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
