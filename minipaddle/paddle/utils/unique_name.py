"""paddle.utils.unique_name: the counters behind ``fc_0``, ``fc_1``; see :mod:`minipaddle.engine.names.unique`."""

from minipaddle.engine.names.missing import missing
from minipaddle.engine.names.unique import guard
from minipaddle.engine.names.unique import unique_name as generate

__all__ = ["generate", "guard"]

__getattr__ = missing(__name__, __all__)
