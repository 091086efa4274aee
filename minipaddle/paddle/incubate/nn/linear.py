"""A linear layer, and dropouts, as layers."""

from __future__ import annotations

from typing import Any

from minipaddle.paddle.incubate.nn.functional.linear import fused_dropout_add, fused_linear
from minipaddle.paddle.nn import Dropout, Layer


class FusedLinear(Layer):
    """``x @ weight + bias``.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/incubate/nn/FusedLinear_en.html)

    Args:
        in_features: columns of the input.
        out_features: columns of the result.
        weight_attr: a ParamAttr, or what becomes one.
        bias_attr: the same; False for no bias.
        transpose_weight: whether the weight is [out_features, in_features].
        name: ignored.
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        weight_attr: Any = None,
        bias_attr: Any = None,
        transpose_weight: bool = False,
        name: str | None = None,
    ) -> None:
        super().__init__()
        shape = [out_features, in_features] if transpose_weight else [in_features, out_features]
        self.weight = self.create_parameter(shape, attr=weight_attr)
        self.bias = self.create_parameter([out_features], attr=bias_attr, is_bias=True)
        self.transpose_weight = transpose_weight

    def forward(self, input: Any) -> Any:
        """Return the product."""
        return fused_linear(input, self.weight, self.bias, self.transpose_weight)


class FusedDropoutAdd(Layer):
    """``dropout(x) + y``.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/incubate/nn/FusedDropoutAdd_en.html)

    Args:
        p: how likely an element is dropped.
        mode: "upscale_in_train" or "downscale_in_infer".
        name: ignored.
    """

    def __init__(self, p: float = 0.5, mode: str = "upscale_in_train", name: str | None = None) -> None:
        super().__init__()
        self.p, self.mode = p, mode

    def forward(self, x: Any, y: Any) -> Any:
        """Return the sum."""
        return fused_dropout_add(x, y, self.p, self.training, self.mode)

    def extra_repr(self) -> str:
        """Return the options, for the listing."""
        return f"p={self.p}, mode={self.mode}"


class FusedDropout(Dropout):
    """:class:`paddle.nn.Dropout`, by another name."""
