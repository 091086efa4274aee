"""A walk through a recording, shown in a notebook as plain HTML."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from minipaddle.tools.debug.cards import card, headline, why_lines
from minipaddle.tools.debug.session import Session
from minipaddle.tools.words.language import say
from minipaddle.tools.words.symbols import UNICODE

_MOST = 200
"""Stops that are shown: `goto` leads to the others."""


def _card(session: Session, position: int) -> str:
    """Return what happened at a stop, and why, as HTML."""
    session.position = position
    lines = [*card(session, UNICODE), *why_lines(session)]
    return f"<pre>{escape(chr(10).join(lines))}</pre>"


class Cards:
    """The events of a session as a list that opens: it needs no script, and is there in a printed notebook, too."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._first = session.position

    def _repr_html_(self) -> str:
        return "".join(self._parts())

    def __repr__(self) -> str:
        """One line for each event."""
        return "\n".join(headline(self._session, position) for position in self._shown())

    def _shown(self) -> range:
        first = max(0, min(self._first, len(self._session.stops) - _MOST))
        return range(first, min(first + _MOST, len(self._session.stops)))

    def _parts(self) -> Iterator[str]:
        shown = self._shown()
        for position in shown:
            is_open = " open" if position == self._first else ""
            title = f"<code style='white-space:pre'>{escape(headline(self._session, position))}</code>"
            inside = _card(self._session, position)
            yield f"<details{is_open}><summary>{title}</summary>{inside}</details>"
        left = len(self._session.stops) - len(shown)
        if left:
            said = say("{count} events more: %step -c 'goto N' shows one", count=left)
            yield f"<p>{escape(said)}</p>"
