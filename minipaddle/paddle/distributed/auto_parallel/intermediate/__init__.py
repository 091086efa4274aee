"""``paddle.distributed.auto_parallel.intermediate``: plans by the names of layers."""

from minipaddle.engine.names.missing import missing
from minipaddle.paddle.distributed.auto_parallel.intermediate import parallelize

__all__ = ["parallelize"]
__getattr__ = missing(__name__, __all__)
