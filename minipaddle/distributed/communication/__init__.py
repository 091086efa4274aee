"""``paddle.distributed.communication``: groups, and what their processes exchange."""

from minipaddle.core.errors import guard_all
from minipaddle.distributed.communication import collectives, group, stream
from minipaddle.distributed.communication.collectives import *
from minipaddle.distributed.communication.group import (
    Group,
    barrier,
    destroy_process_group,
    get_backend,
    get_group,
    is_initialized,
    wait,
)
from minipaddle.names.missing import missing

__all__ = [
    "Group",
    "barrier",
    "destroy_process_group",
    "get_backend",
    "get_group",
    "is_initialized",
    "stream",
    "wait",
    *collectives.__all__,
]

guard_all(globals())
__getattr__ = missing(__name__, __all__)
