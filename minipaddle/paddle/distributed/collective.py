"""``paddle.distributed.collective``: groups, by the path that older scripts use."""

from minipaddle.engine.core.errors import guard_all
from minipaddle.paddle.distributed.communication.group import (
    Group,
    destroy_process_group,
    is_available,
    new_group,
)

__all__ = ["Group", "destroy_process_group", "is_available", "new_group"]

guard_all(globals())
