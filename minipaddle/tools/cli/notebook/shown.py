"""A walk through a recording, shown in a notebook: with a slider where ipywidgets is installed, else as plain HTML."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from importlib.util import find_spec
from typing import Any

from minipaddle.tools.debug.cards import card, headline, why_lines
from minipaddle.tools.debug.session import Session
from minipaddle.tools.words.language import say
from minipaddle.tools.words.symbols import UNICODE

_MOST = 200
"""Stops that are shown where no slider leads to the others."""


def stepper(session: Session) -> Any:
    """Return what shows the events of a session one by one, beginning where its cursor is."""
    return _slider(session) if find_spec("ipywidgets") is not None else Cards(session)


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


def _slider(session: Session) -> Any:
    """Return a slider over the events, with a button to either side."""
    import ipywidgets

    first, last = session.position, len(session.stops) - 1
    slider = ipywidgets.IntSlider(first, 0, last, description=say("event"), layout={"width": "60%"})
    shown = ipywidgets.HTML(_card(session, first))
    back, forward = (ipywidgets.Button(description=sign, layout={"width": "3em"}) for sign in ("◀", "▶"))

    def moved(change: Any) -> None:
        shown.value = _card(session, change["new"])

    def go(by: int) -> None:
        slider.value = min(max(slider.value + by, 0), last)

    slider.observe(moved, names="value")
    back.on_click(lambda _: go(-1))
    forward.on_click(lambda _: go(1))
    return ipywidgets.VBox([ipywidgets.HBox([back, slider, forward]), shown])
