"""paddle.utils.unique_name: the counters behind ``fc_0``, ``fc_1``; see :mod:`minipaddle.engine.names.unique`."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.names import unique
from minipaddle.engine.names.missing import missing
from minipaddle.engine.names.unique import Names, guard
from minipaddle.engine.names.unique import unique_name as generate

__all__ = ["UniqueNameGenerator", "generate", "guard", "switch"]

UniqueNameGenerator = Names


def switch(new_generator: Names | None = None, new_para_name_checker: Any = None) -> tuple[Names, None]:
    """Count with `new_generator` (None: a new one) from now on; return the previous one, and None.

    The second is Paddle's list of used parameter names; here there is none.
    """
    return unique.switch(new_generator), None


__getattr__ = missing(__name__, __all__)
