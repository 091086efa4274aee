"""paddle.incubate.nn.functional: what Paddle computes in one kernel, as the operators that it stands for."""

from minipaddle.engine.core.later import front

__getattr__ = front(
    globals(),
    {
        "attention": "fused_feedforward fused_multi_head_attention fused_rotary_position_embedding",
        "linear": "fused_bias_act fused_dropout_add fused_linear fused_linear_activation fused_matmul_bias",
        "norm": "fused_bias_dropout_residual_layer_norm fused_layer_norm fused_rms_norm",
    },
    elsewhere={"swiglu": "minipaddle.paddle.nn.functional.extension"},
)
