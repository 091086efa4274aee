"""``paddle.amp.debugging``: is there a NaN or an Inf in a tensor?

`minipaddle nan SCRIPT` says more: where it was born, and where it goes.
"""

from __future__ import annotations

import sys
from enum import Enum
from typing import Any

from minipaddle.engine.autograd.tensor import Tensor, host
from minipaddle.engine.core.later import front
from minipaddle.paddle.framework.nan_inf import Checks, Count

__all__ = ["DebugMode", "check_numerics"]


class DebugMode(Enum):
    """What to do with a NaN or an Inf."""

    CHECK_NAN_INF_AND_ABORT = 0
    CHECK_NAN_INF = 1
    CHECK_ALL_FOR_OVERFLOW = 2
    CHECK_ALL = 3


def checks_for(mode: DebugMode, **more: Any) -> Checks:
    """Return what a mode checks."""
    return Checks(
        aborts=mode is DebugMode.CHECK_NAN_INF_AND_ABORT,
        large=mode is DebugMode.CHECK_ALL_FOR_OVERFLOW,
        all=mode is DebugMode.CHECK_ALL,
        **more,
    )


def check_numerics(
    tensor: Tensor, op_type: str, var_name: str, debug_mode: DebugMode = DebugMode.CHECK_NAN_INF_AND_ABORT
) -> tuple[Tensor, Tensor]:
    """Count what is not finite in a tensor, and raise or tell.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/amp/debugging/check_numerics_en.html)

    Args:
        tensor: what to look at.
        op_type: what to call the operator in the message.
        var_name: what to call the tensor.
        debug_mode: whether to raise, or only to write a line to standard output.

    Returns:
        int64 [3]: how many NaN, Inf and zeros; float32 [3]: maximum, minimum and mean.

    Raises:
        RuntimeError: **There are NAN or INF**, in the mode that aborts.
    """
    array = host(tensor, "check_numerics")
    count = Count.of(array)
    if (count.nans or count.infs) and debug_mode is DebugMode.CHECK_NAN_INF_AND_ABORT:
        sys.stdout.write(count.line(op_type, var_name) + "\n")
    checks_for(debug_mode).look(array, op_type, var_name)
    return Tensor(count.counts()), Tensor(count.sizes())


__getattr__ = front(
    globals(),
    {
        "operator_stats": "check_layer_numerics collect_operator_stats disable_operator_stats_collection "
        "enable_operator_stats_collection",
        "accuracy": "compare_accuracy",
        "tensor_checker": "TensorCheckerConfig disable_tensor_checker enable_tensor_checker",
    },
    "minipaddle.paddle.amp",
)
