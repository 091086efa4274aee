"""Activation layers: each calls a function of ``nn.functional`` with fixed arguments, and has its manual."""

from __future__ import annotations

from functools import partial
from typing import Any

from minipaddle.engine.names.missing import missing
from minipaddle.paddle.nn import functional as F
from minipaddle.paddle.nn.initializer.constant import Constant
from minipaddle.paddle.nn.layer.function_layers import function_layer
from minipaddle.paddle.nn.layer.layers import Layer

_layer = partial(function_layer, __name__)
ELU = _layer("ELU", F.elu)
GELU = _layer("GELU", F.gelu)
GLU = _layer("GLU", F.glu)
Hardsigmoid = _layer("Hardsigmoid", F.hardsigmoid, without="slope offset")
Hardswish = _layer("Hardswish", F.hardswish)
LeakyReLU = _layer("LeakyReLU", F.leaky_relu)
LogSigmoid = _layer("LogSigmoid", F.log_sigmoid)
LogSoftmax = _layer("LogSoftmax", F.log_softmax, without="dtype")
Mish = _layer("Mish", F.mish)
ReLU = _layer("ReLU", F.relu)
ReLU6 = _layer("ReLU6", F.relu6)
SELU = _layer("SELU", F.selu)
Sigmoid = _layer("Sigmoid", F.sigmoid)
Silu = _layer("Silu", F.silu)
Softmax = _layer("Softmax", F.softmax, without="dtype")
Softplus = _layer("Softplus", F.softplus, beta=1, threshold=20)
Softshrink = _layer("Softshrink", F.softshrink)
Softsign = _layer("Softsign", F.softsign)
Swish = _layer("Swish", F.swish)
Tanh = _layer("Tanh", F.tanh)


class PReLU(Layer):
    """Leaky ReLU with a learned slope: one for all channels, or one per channel.

    Args:
        num_parameters: 1 or the number of channels.
        init: the first value of the slope.
        weight_attr: a ParamAttr, or a value that converts to one, for the slope.
        data_format: the position of the channels.
    """

    def __init__(
        self,
        num_parameters: int = 1,
        init: float = 0.25,
        weight_attr: Any = None,
        data_format: str = "NCHW",
        name: str | None = None,
    ) -> None:
        super().__init__()
        self._num_parameters, self._init, self._data_format = num_parameters, init, data_format
        self._weight = self.create_parameter(
            [num_parameters], weight_attr, default_initializer=Constant(init)
        )

    def forward(self, x: Any) -> Any:
        """Return `x` with its negative elements times the slope."""
        return F.prelu(x, self._weight, self._data_format)

    def extra_repr(self) -> str:
        """Return the arguments."""
        return (
            f"num_parameters={self._num_parameters}, data_format={self._data_format}, init={self._init}, "
            f"dtype={self._dtype_name}"
        )


__getattr__ = missing(__name__, globals())
