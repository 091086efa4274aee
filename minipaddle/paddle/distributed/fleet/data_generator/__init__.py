"""``paddle.distributed.fleet.data_generator``: text becomes numbers."""

from minipaddle.engine.core.errors import guard_all
from minipaddle.paddle.distributed.fleet.data_generator.data_generator import (
    DataGenerator,
    MultiSlotDataGenerator,
    MultiSlotStringDataGenerator,
)

__all__ = ["DataGenerator", "MultiSlotDataGenerator", "MultiSlotStringDataGenerator"]

guard_all(globals())
