"""paddle.static.nn: layers, control flow and operators of your own for Programs."""

from typing import Any

from minipaddle.engine.core.extension import walk_in_program
from minipaddle.engine.core.later import front
from minipaddle.paddle.nn.parameter.create import create_parameter
from minipaddle.paddle.static.control_flow.cond import case, cond, switch_case
from minipaddle.paddle.static.control_flow.while_loop import while_loop
from minipaddle.paddle.static.custom.py_func import py_func
from minipaddle.paddle.static.custom.static_pylayer import static_pylayer
from minipaddle.paddle.static.nn.common import embedding, fc
from minipaddle.paddle.static.nn.conv import conv2d
from minipaddle.paddle.static.nn.norm import batch_norm, layer_norm

__all__ = [
    "batch_norm", "case", "cond", "conv2d", "create_parameter", "embedding", "fc", "layer_norm", "py_func",
    "static_pylayer", "switch_case", "while_loop",
]  # fmt: skip


@walk_in_program.filled
def _walked(*how: Any) -> Any:
    """Return what ``static.nn.decode.walked_in_program`` does; few scripts decode."""
    from minipaddle.paddle.static.nn.decode import walked_in_program

    return walked_in_program(*how)


__getattr__ = front(
    globals(),
    {
        "sequence_lod": "sequence_concat sequence_conv sequence_enumerate sequence_expand sequence_expand_as "
        "sequence_first_step sequence_last_step sequence_mask sequence_pad sequence_pool sequence_reshape "
        "sequence_reverse sequence_scatter sequence_slice sequence_softmax sequence_unpad"
    },
)
