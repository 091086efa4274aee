"""static.nn: layers of Paddle 2.6 for models of clicks, whose statistics an optimizer adds up."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.core.errors import failure
from minipaddle.ops.stat import counting
from minipaddle.paddle.nn.initializer import Constant
from minipaddle.paddle.nn.parameter.param_attr import ParamAttr
from minipaddle.paddle.static.build import check_variable, layer
from minipaddle.paddle.static.nn.common import NewLayer, activated
from minipaddle.paddle.static.program import Variable


def data_norm(
    input: Any,
    act: str | None = None,
    epsilon: float = 1e-05,
    param_attr: Any = None,
    data_layout: str = "NCHW",
    in_place: bool = False,
    name: str | None = None,
    moving_mean_name: str | None = None,
    moving_variance_name: str | None = None,
    do_model_average_for_mean_and_var: bool = True,
    slot_dim: int = -1,
    sync_stats: bool = False,
    summary_decay_rate: float = 0.9999999,
    enable_scale_and_shift: bool = False,
) -> Variable:
    """Subtract the mean of all that was counted so far, and divide by the root of the mean square.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/2.6/api/paddle/static/nn/data_norm_en.html)

    Args:
        input: floats [N, width].
        act: name of a function in ``paddle.nn.functional``.
        epsilon: what a batch adds to the squares for each row; at most 0.001.
        param_attr: a dict of first values: batch_size, batch_sum, batch_square, scale_w, bias.
        data_layout: "NCHW" or "NHWC".
        in_place: accepted.
        name: beginning of the names of the parameters; "dn".
        moving_mean_name: accepted.
        moving_variance_name: accepted.
        do_model_average_for_mean_and_var: accepted.
        slot_dim: the width of a slot, whose first number says how often it was seen; 0: it is left out.
        sync_stats: accepted.
        summary_decay_rate: accepted.
        enable_scale_and_shift: whether a scale and a bias follow, which are learned.

    Raises:
        ValueError: **Input < 2**, **unsupported data layout**, **epsilon**.
    """
    new = NewLayer("data_norm", input, None)
    if new.x.ndim < 2:
        raise failure(
            ValueError, f"The shape pf Input < 2 (got {new.x.ndim}D input, input shape is: {new.x.shape})"
        )
    if data_layout not in ("NCHW", "NHWC"):
        raise failure(ValueError, f"unsupported data layout:{data_layout}")
    width = new.x.shape[1 if data_layout == "NCHW" else -1]
    first = param_attr if isinstance(param_attr, dict) else {}

    def parameter(suffix: str, key: str, usual: float) -> Any:
        attr = ParamAttr(f"{name or 'dn'}.{suffix}", Constant(float(first.get(key, usual))))
        return new.parameter([width], attr)

    learned: list[Any] = [None, None]
    if enable_scale_and_shift:
        learned = [parameter("scale_w", "scale_w", 1.0), parameter("bias", "bias", 0.0)]
    counts = [
        parameter("batch_size", "batch_size", 1e4),
        parameter("batch_sum", "batch_sum", 0.0),
        parameter("batch_square_sum", "batch_square", 1e4),
    ]
    settings = {"epsilon": epsilon, "slot_dim": slot_dim, "enable_scale_and_shift": enable_scale_and_shift}
    y, means, scales = counting.data_norm(new.x, *counts, *learned, **settings)
    y.op.printed |= {
        "data_layout": data_layout,
        "sync_stats": sync_stats,
        "summary_decay_rate": summary_decay_rate,
    }
    _unnamed(means, scales, y)
    with layer(new.name):
        return activated(y, act)


def continuous_value_model(input: Any, cvm: Any, use_cvm: bool = True) -> Variable:
    """Return rows whose first two columns are the logarithms of views, and of clicks for each; or are left out.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/2.6/api/paddle/static/nn/continuous_value_model_en.html)

    Args:
        input: floats [N, width], views and clicks first.
        cvm: views and clicks [N, 2], which go back as the gradients of their columns.
        use_cvm: False: without these columns.

    Raises:
        TypeError: **data type**, if `input` is no Variable of floats.
    """
    x = check_variable(input, "input", "cvm", "f")
    found: Variable = counting.cvm(x, check_variable(cvm, "cvm", "cvm"), use_cvm)
    _unnamed(found)
    return found


def _unnamed(*variables: Variable) -> None:
    """Give results the names that Paddle's helper makes where a layer gives none."""
    for one in variables:
        one.block.rename(one, one.block.program.generated_name())
