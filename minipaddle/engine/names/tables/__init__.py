"""Tables of names, as text files: a list of names is data, not code.

A table is a file of this folder. A line that ends with a colon is a head; the indented lines below have the names that
it is for. A line that begins with # is a comment.
"""

from __future__ import annotations

import os


def heads_of(table: str) -> dict[str, str]:
    """Return the head of each name in a table; "" for the head ``-``."""
    found, head = {}, ""
    with open(os.path.join(os.path.dirname(__file__), f"{table}.txt"), encoding="utf-8") as file:
        lines = file.read().splitlines()
    for line in lines:
        if line.startswith(" "):
            found.update(dict.fromkeys(line.split(), head))
        elif not line.startswith("#"):
            head = line.removesuffix(":").removeprefix("-")
    return found
