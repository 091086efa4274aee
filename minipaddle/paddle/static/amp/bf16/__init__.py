"""``paddle.static.amp.bf16``: bfloat16 in Programs, as a CPU has it."""

from minipaddle.engine.core.later import front
from minipaddle.paddle.static.amp.bf16.casting import (
    AutoMixedPrecisionListsBF16,
    bf16_guard,
    cast_model_to_bf16,
    cast_parameters_to_bf16,
    convert_float_to_uint16,
    decorate_bf16,
    rewrite_program_bf16,
)

__all__ = [
    "AutoMixedPrecisionListsBF16", "bf16_guard", "cast_model_to_bf16", "cast_parameters_to_bf16",
    "convert_float_to_uint16", "decorate_bf16", "rewrite_program_bf16",
]  # fmt: skip
__getattr__ = front(globals())
