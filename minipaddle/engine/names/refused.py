"""Names of Paddle that are refused on purpose, each with a sentence: its purpose, and where it works.

A table of names is text, in the folder ``tables``: a line that ends with a colon is a head; the indented lines below
have its names. A line that begins with # is a comment.

A refused name covers all names below it. Errors (:mod:`minipaddle.engine.names.missing`) and
``minipaddle coverage`` say the same sentence. A name that gets built leaves the table (``tables/refused.txt``).
"""

from __future__ import annotations

import os


def heads_of(table: str) -> dict[str, str]:
    """Return the head of each name in a table; "" for the head ``-``."""
    found, head = {}, ""
    with open(os.path.join(os.path.dirname(__file__), "tables", f"{table}.txt"), encoding="utf-8") as file:
        lines = file.read().splitlines()
    for line in lines:
        if line.startswith(" "):
            found.update(dict.fromkeys(line.split(), head))
        elif not line.startswith("#"):
            head = line.removesuffix(":").removeprefix("-")
    return found


REFUSED = heads_of("refused")
"""The sentence of each name."""


def refusal(name: str) -> str | None:
    """Return the reason why a full name, or its module's name, is refused; None if it is not.

    >>> refusal("paddle.onnx.export") == refusal("paddle.onnx"), refusal("paddle.onnxy")
    (True, None)
    """
    while name and name not in REFUSED:
        name = name.rpartition(".")[0]
    return REFUSED.get(name)
