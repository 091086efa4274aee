"""Mixed precision in Programs: calls are cast to float16 or bfloat16 by Paddle's lists, the loss is scaled.

A build for the CPU has no such kernels, so that Paddle 2.6.2 casts nothing there, and neither do we: the loss is
scaled all the same. To see what a GPU would do, set the flag ``FLAGS_emulate_amp``
(:mod:`minipaddle.paddle.amp.casting`), or hand over lists with an empty ``unsupported_list``.
"""

from minipaddle.engine.core.later import front
from minipaddle.paddle.static.amp import bf16
from minipaddle.paddle.static.amp.casting import cast_model_to_fp16, cast_parameters_to_fp16, fp16_guard
from minipaddle.paddle.static.amp.decorator import decorate
from minipaddle.paddle.static.amp.lists import AutoMixedPrecisionLists, CustomOpLists

__all__ = [
    "AutoMixedPrecisionLists", "CustomOpLists", "bf16", "cast_model_to_fp16", "cast_parameters_to_fp16",
    "decorate", "fp16_guard",
]  # fmt: skip
__getattr__ = front(globals())
