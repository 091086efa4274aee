"""paddle.incubate.nn.functional: what Paddle computes in one kernel, as the operators that it stands for."""

from minipaddle.core.errors import guard_all
from minipaddle.incubate.nn.functional.attention import (
    fused_feedforward,
    fused_multi_head_attention,
    fused_rotary_position_embedding,
)
from minipaddle.incubate.nn.functional.linear import (
    fused_bias_act,
    fused_dropout_add,
    fused_linear,
    fused_linear_activation,
    fused_matmul_bias,
)
from minipaddle.incubate.nn.functional.norm import (
    fused_bias_dropout_residual_layer_norm,
    fused_layer_norm,
    fused_rms_norm,
)
from minipaddle.names.missing import missing
from minipaddle.nn.functional.extension import swiglu

__all__ = [
    "fused_bias_act",
    "fused_bias_dropout_residual_layer_norm",
    "fused_dropout_add",
    "fused_feedforward",
    "fused_layer_norm",
    "fused_linear",
    "fused_linear_activation",
    "fused_matmul_bias",
    "fused_multi_head_attention",
    "fused_rms_norm",
    "fused_rotary_position_embedding",
    "swiglu",
]

guard_all(globals())
__getattr__ = missing(__name__, __all__)
