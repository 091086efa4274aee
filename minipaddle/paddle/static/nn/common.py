"""static.nn: layers as functions that make their parameters in each call."""

from __future__ import annotations

import math
from typing import Any

from minipaddle.engine.errors import failure, invalid
from minipaddle.engine.names.unique import unique_name
from minipaddle.engine.value.meta import Meta
from minipaddle.ops.linalg.matmul import mul
from minipaddle.ops.linalg.product import add_n
from minipaddle.ops.math.arithmetic import add
from minipaddle.ops.nn.norm import layer_norm as layer_norm_operator
from minipaddle.ops.search.sort import accuracy_op, top_k_v2
from minipaddle.ops.views.reshape import reshape
from minipaddle.paddle.nn import functional as F
from minipaddle.paddle.nn.functional.window import sizes
from minipaddle.paddle.nn.initializer.constant import Constant
from minipaddle.paddle.nn.initializer.random import Normal
from minipaddle.paddle.nn.parameter.create import ParamAttr, make_parameter
from minipaddle.paddle.static.build import check_variable, layer, static_only
from minipaddle.paddle.static.program import Variable


class NewLayer:
    """A layer while it is built: its input, its name, and a maker of its parameters.

    Args:
        name: the user's name of the layer; by default ``FUNCTION_N``.
        argument: the function's name for its input.

    Raises:
        AssertionError: in dynamic mode, mentioning **enable_static**.
        TypeError: **input**, if it is no Variable of floats.
    """

    def __init__(self, function: str, given: Any, name: str | None, argument: str = "input") -> None:
        static_only(function)
        self.x = check_variable(given, argument, function, "f")
        self.name = name or unique_name(function)

    def parameter(self, shape: Any, attr: Any, is_bias: bool = False, default_initializer: Any = None) -> Any:
        """Make a parameter; None, if `attr` is False."""
        return make_parameter(lambda: self.name, shape, attr, self.x.meta.dtype, is_bias, default_initializer)


def activated(y: Variable, activation: str | None) -> Variable:
    """Return the function of that name of `y`."""
    if activation is None:
        return y
    function = getattr(F, activation, None)
    if function is None:
        raise invalid(f"There is no activation {activation!r} in paddle.nn.functional.")
    found: Variable = function(y)
    return found


def fc(
    x: Any,
    size: int,
    num_flatten_dims: int = 1,
    weight_attr: Any = None,
    bias_attr: Any = None,
    activation: str | None = None,
    name: str | None = None,
) -> Variable:
    """Make a fully connected layer: ``activation(x @ w + b)``.

    Args:
        x: any float Variable, or a list of them: each gets its own weight, and the products are summed.
        num_flatten_dims: number of axes to keep, the others are merged; -1: all but the last.
        weight_attr: a ``ParamAttr``; for a list of inputs possibly a list.
        activation: name of a function in ``paddle.nn.functional``.
        name: prefix of all names; by default ``fc_N``.

    Raises:
        TypeError: **input** is no Variable of floats.
        IndexError: `num_flatten_dims` is 0 or below -1.
    """
    if num_flatten_dims < 1 and num_flatten_dims != -1:
        raise failure(IndexError, f"num_flatten_dims must be -1, 1 or greater, but is {num_flatten_dims}.")
    inputs = x if isinstance(x, (list, tuple)) else [x]
    new = NewLayer("fc", inputs[0], name)
    for one in inputs[1:]:
        check_variable(one, "input", "fc", "f")
    attrs = weight_attr if isinstance(weight_attr, (list, tuple)) else [weight_attr] * len(inputs)
    with layer(new.name):
        parts = []
        for one, attr in zip(inputs, attrs, strict=True):
            kept = one.ndim - 1 if num_flatten_dims == -1 else num_flatten_dims
            weight = new.parameter([_width(one.meta, kept), size], attr)
            parts.append(mul(one, weight, x_num_col_dims=kept))
        y = parts[0] if len(parts) == 1 else add_n(parts)
        bias = new.parameter([size], bias_attr, is_bias=True)
        if bias is not None:
            y = add(y, bias)
            y.op.printed["axis"] = kept
        return activated(y, activation)


def _width(meta: Meta, kept: int) -> int:
    """Return the product of the sizes of the axes from `kept` on."""
    if -1 in meta.shape[kept:]:
        raise invalid(
            f"fc needs to know the sizes of the axes from {kept} on, but the shape of the input is {list(meta.shape)}.",
            "declare them in paddle.static.data; only the first num_flatten_dims axes may be -1",
        )
    return math.prod(meta.shape[kept:])


def accuracy(input: Any, label: Any, k: int = 1, correct: Any = None, total: Any = None) -> Variable:
    """Return the share of rows of `input` whose `label` is among the `k` best: a 0-D float32.

    Raises:
        TypeError: **input** is no Variable of floats.
    """
    static_only("accuracy")
    check_variable(input, "input", "accuracy", "f")
    with layer(unique_name("accuracy")):
        best, indices = top_k_v2(input, k, sorted=False)
        found: Variable = accuracy_op(best, indices, label)[0]
        return found


def conv2d(
    input: Any,
    num_filters: int,
    filter_size: Any,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int | None = None,
    param_attr: Any = None,
    bias_attr: Any = None,
    use_cudnn: bool = True,
    act: str | None = None,
    name: str | None = None,
    data_format: str = "NCHW",
) -> Variable:
    """Make filters and a bias, and return their convolution with images; see ``paddle.nn.functional.conv2d``.

    The filters are initialized as by He et al.

    Raises:
        TypeError: **input** is no Variable of floats.
        ValueError: the channels are not **divisible by groups**.
    """
    new = NewLayer("conv2d", input, name)
    window, parts = sizes(filter_size, 2, "filter_size"), groups or 1
    channels_last = data_format.endswith("C")
    channels = new.x.meta.shape[-1 if channels_last else 1]
    if channels % parts:
        raise invalid(
            f"the channel of input must be divisible by groups, received: the channel of input is {channels}, the "
            f"shape of input is {new.x.shape}, the groups is {parts}"
        )
    spread = Normal(0.0, math.sqrt(2.0 / (math.prod(window) * channels)))
    weight = new.parameter([num_filters, channels // parts, *window], param_attr, default_initializer=spread)
    with layer(new.name):
        y = F.conv2d(new.x, weight, None, stride, padding, dilation, parts, data_format)
    bias = new.parameter([num_filters], bias_attr, is_bias=True)
    if bias is not None:
        bias = reshape(bias, [1, 1, 1, -1] if channels_last else [1, -1, 1, 1])
    with layer(new.name):
        return activated(y if bias is None else add(y, bias), act)


_ONES = Constant(1.0)


def batch_norm(
    input: Any,
    act: str | None = None,
    is_test: bool = False,
    momentum: float = 0.9,
    epsilon: float = 1e-5,
    param_attr: Any = None,
    bias_attr: Any = None,
    data_layout: str = "NCHW",
    in_place: bool = False,
    name: str | None = None,
    moving_mean_name: str | None = None,
    moving_variance_name: str | None = None,
    do_model_average_for_mean_and_var: bool = True,
    use_global_stats: bool = False,
) -> Variable:
    """Make scale, shift and running averages; return normalised channels; see ``paddle.nn.functional.batch_norm``.

    Raises:
        TypeError: **input** is no Variable of floats.
    """
    new = NewLayer("batch_norm", input, name)
    x = new.x
    size = [x.shape[-1 if data_layout.endswith("C") else 1]]
    scale = new.parameter(size, param_attr, default_initializer=_ONES)
    shift = new.parameter(size, bias_attr, is_bias=True)
    mean, variance = (
        new.parameter(size, ParamAttr(name=given, initializer=Constant(start), trainable=False))
        for given, start in ((moving_mean_name, 0.0), (moving_variance_name, 1.0))
    )
    with layer(new.name):
        y = F.batch_norm(
            x, mean, variance, scale, shift, not is_test, momentum, epsilon, data_layout, use_global_stats or None
        )  # fmt: skip
        return activated(y, act)


def layer_norm(
    input: Any,
    scale: bool = True,
    shift: bool = True,
    begin_norm_axis: int = 1,
    epsilon: float = 1e-5,
    param_attr: Any = None,
    bias_attr: Any = None,
    act: str | None = None,
    name: str | None = None,
) -> Variable:
    """Make scale and shift; return the input normalised over all axes from `begin_norm_axis` on.

    Raises:
        TypeError: **input** is no Variable of floats.
    """
    new = NewLayer("layer_norm", input, name)
    x = new.x
    size = [math.prod(x.shape[begin_norm_axis:])]
    weight = new.parameter(size, param_attr, default_initializer=_ONES) if scale else None
    bias = new.parameter(size, bias_attr, is_bias=True) if shift else None
    with layer(new.name):
        y = layer_norm_operator(x, weight, bias, begin_norm_axis=begin_norm_axis, epsilon=epsilon)[0]
        return activated(y, act)
