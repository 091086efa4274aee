"""``paddle.distributed.communication``: groups, and what their processes exchange."""

from minipaddle.engine.core.later import front
from minipaddle.paddle.distributed.communication import collectives, group, stream
from minipaddle.paddle.distributed.communication.collectives import *
from minipaddle.paddle.distributed.communication.group import (
    Group,
    barrier,
    destroy_process_group,
    get_backend,
    get_group,
    is_initialized,
    wait,
)

__all__ = [
    "Group", "barrier", "destroy_process_group", "get_backend", "get_group", "is_initialized", "stream",
    "wait", *collectives.__all__,
]  # fmt: skip
__getattr__ = front(globals())
