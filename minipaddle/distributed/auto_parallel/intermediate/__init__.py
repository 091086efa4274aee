"""``paddle.distributed.auto_parallel.intermediate``: plans by the names of layers."""

from minipaddle.distributed.auto_parallel.intermediate import parallelize
from minipaddle.names.missing import missing

__all__ = ["parallelize"]
__getattr__ = missing(__name__, __all__)
