"""Names of Paddle that are refused on purpose, each with one sentence: what it is, and where it works.

A name stands for all that is below it. Errors (:mod:`minipaddle.engine.names.missing`) and ``minipaddle coverage`` say
the same sentence. What is built leaves the table (``tables/refused.txt``).
"""

from __future__ import annotations

from minipaddle.engine.names.tables import heads_of

REFUSED = heads_of("refused")
"""The sentence of each name."""


def refusal(name: str) -> str | None:
    """Return why a full name is refused, be it by the name of its module; None if it is not.

    >>> refusal("paddle.onnx.export") == refusal("paddle.onnx"), refusal("paddle.onnxy")
    (True, None)
    """
    while name and name not in REFUSED:
        name = name.rpartition(".")[0]
    return REFUSED.get(name)
