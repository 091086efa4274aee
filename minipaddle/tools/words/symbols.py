"""Symbols for the terminal, each with one in ASCII for encodings that lack it (GBK, cp1252, plain ASCII)."""

from dataclasses import dataclass, fields


@dataclass(frozen=True)
class Symbols:
    """One set of symbols; those of Unicode, unless there are others."""

    branch: str = "├ "
    last: str = "└ "
    pipe: str = "│ "
    blank: str = "  "
    bars: str = "▁▂▃▄▅▆▇█"
    dot: str = "·"
    arrow: str = "→"
    pointer: str = "►"
    ellipsis: str = "…"
    times: str = "×"
    top: str = "┌ "
    side: str = "│ "
    bottom: str = "└ "

    def fits(self, encoding: str) -> bool:
        """Return whether `encoding` has all of them."""
        try:
            "".join(getattr(self, one.name) for one in fields(self)).encode(encoding)
        except (UnicodeEncodeError, LookupError):
            return False
        return True


UNICODE = Symbols()
GBK = Symbols(pointer=">")
ASCII = Symbols(
    branch="|- ",
    last="`- ",
    pipe="|  ",
    blank="   ",
    bars="_.-=+*#@",
    dot="-",
    arrow="->",
    pointer=">",
    ellipsis="...",
    times="x",
    top="+ ",
    side="| ",
    bottom="+ ",
)


def symbols_for(encoding: str | None) -> Symbols:
    """Return the richest set that `encoding` can carry."""
    return next((one for one in (UNICODE, GBK) if one.fits(encoding or "ascii")), ASCII)
