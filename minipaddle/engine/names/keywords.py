"""Keywords that functions of Paddle's take besides the parameters that they are written with.

Second names of parameters (``paddle.sum(input=x, dim=0)``), and result options (``out=``).
Which functions take which was measured (``tables/``); :mod:`minipaddle.engine.core.calling.keywords` does it.
"""

from __future__ import annotations

from collections.abc import Iterable

from minipaddle.engine.names.tables import heads_of

SECOND_NAMES = {
    name: {second: first for first, second in (pair.split("=") for pair in pairs.split())}
    for name, pairs in heads_of("second_names").items()
}
"""The parameter that each second name means, by function or layer."""
RESULT_OPTIONS = {name: options.split() for name, options in heads_of("result_options").items()}
"""The result options that a function takes, in Paddle's order."""


def second_names(name: str, parameters: Iterable[str]) -> dict[str, str]:
    """Return what else the parameters of a function may be called: the second name, and the parameter that it means.

    >>> second_names("unfold", ["x", "axis", "size"]), second_names("unfold", ["x", "kernel_sizes"])
    ({'dimension': 'axis'}, {})
    """
    taken = set(parameters)
    return {
        second: first
        for second, first in SECOND_NAMES.get(name, {}).items()
        if first in taken and second not in taken
    }
