"""paddle.utils.unique_name: the counters behind ``fc_0``, ``fc_1``; see :mod:`minipaddle.names.unique`.

(https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/utils/unique_name/generate_en.html)
"""

from __future__ import annotations

from minipaddle.names.missing import missing
from minipaddle.names.unique import guard, switch
from minipaddle.names.unique import unique_name as generate

__all__ = ["generate", "guard", "switch"]

__getattr__ = missing(__name__, __all__)
