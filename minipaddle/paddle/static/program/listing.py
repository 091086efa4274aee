"""How Programs print: ``repr`` gives Paddle's listings."""

from __future__ import annotations

from typing import Any


class Listed:
    """The base of objects in a Program's listing: the Program itself, Blocks, Operators, Variables."""

    def to_string(self, throw_on_error: bool, with_details: bool = False) -> str:
        """Return the listing, whatever the arguments.

        Raises:
            AssertionError: naming the argument that is no bool.
        """
        for name, value in (("throw_on_error", throw_on_error), ("with_details", with_details)):
            assert isinstance(value, bool), (
                f"The type of {name} parameter is wrong, expected bool, but received {type(value)}."
            )
        return repr(self)


def attr_text(value: Any) -> str:
    """Return the printed text of an attribute: a Block as its number."""
    if isinstance(value, list) and value and isinstance(value[0], Listed):
        return f"blocks[{', '.join(str(block.idx) for block in value)}]"
    number = getattr(value, "idx", None)
    return str(value) if number is None else f"block[{number}]"
