"""paddle.utils.unique_name: the counters behind ``fc_0``, ``fc_1``; see :mod:`minipaddle.core.names`.

(https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/utils/unique_name/generate_en.html)
"""

from __future__ import annotations

from minipaddle.core.missing import missing
from minipaddle.core.names import guard, switch
from minipaddle.core.names import unique_name as generate

__all__ = ["generate", "guard", "switch"]

__getattr__ = missing(__name__, __all__)
