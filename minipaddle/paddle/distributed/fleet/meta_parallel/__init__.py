"""Layers that several processes would share; one process holds them whole."""

from minipaddle.engine.core.errors import guard_all
from minipaddle.paddle.distributed.fleet.layers.mpu.mp_layers import (
    ColumnParallelLinear,
    ParallelCrossEntropy,
    RowParallelLinear,
    VocabParallelEmbedding,
)

__all__ = ["ColumnParallelLinear", "ParallelCrossEntropy", "RowParallelLinear", "VocabParallelEmbedding"]

guard_all(globals())
