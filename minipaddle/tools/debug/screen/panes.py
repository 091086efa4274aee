"""The panes of the source, of the values and of the timeline; that of the tape is in :mod:`.tape`.

The source has the line behind the event, with the value that it made, and the breakpoints. Of values it shows what goes
in, what comes out, what is kept for backward, each with its gradient beside it. The timeline is the whole recording in
one line, to be dragged.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache

from rich.cells import cell_len
from rich.syntax import Syntax
from rich.text import Text
from textual import events
from textual.containers import VerticalScroll
from textual.widget import Widget
from textual.widgets import DataTable, Static

from minipaddle.engine.errors import Line, file_title
from minipaddle.tools.debug.cards import display_lines
from minipaddle.tools.debug.cursor import NoMove
from minipaddle.tools.debug.line_stops import shown
from minipaddle.tools.debug.session import Session
from minipaddle.tools.record.events import Value
from minipaddle.tools.words.events import phase, title
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import glance, look, shape_text, spaced
from minipaddle.tools.words.terminal import word

_VALUES = 3
"""Values shown in a line: more than an operator usually makes."""


_ROW = re.compile(r"(?:^|\S)  +\S.*  +\S")
"""A line of a table: two gaps or more, or one after an empty cell."""
_NARROWEST = 16
"""Cells to which sentences are wrapped at least."""


class Source(VerticalScroll):
    """Shows the file of the current line."""

    def __init__(self, session: Session) -> None:
        super().__init__(Static(id="text"), id="source")
        self.session = session
        self.border_title = say("source")
        self.where: Line | None = None
        """The line behind the event."""

    def show(self) -> None:
        """Draw the event's line (of a gradient: the forward line) amid its file, and scroll to it."""
        trace = self.session.trace
        where = self.where = self.session.where
        code = trace.sources.get(where.file, "") if where is not None else ""
        text = self.query_one("#text", Static)
        if where is None or not code:
            text.update(say("no line of the user's is behind this event"))
            return
        self.border_title = file_title(where.file)
        text.update(self._numbered(list(_lines(code)), where))
        self.on_resize()

    def on_resize(self) -> None:
        """Scroll to the line."""
        if self.where is not None:
            self.scroll_to(y=max(self.where.number - 1 - self.size.height // 2, 0), animate=False)

    def _numbered(self, lines: list[Text], where: Line) -> Text:
        """Return the file with numbers, breakpoints, the pointer, and the values that the line made."""
        event, trace, at_event = self.session.event, self.session.trace, self.session.at_line is None
        specs = [one.spec for one in self.session.breakpoints.values()]
        called = event.where.number if at_event and event.where and event.where.file == where.file else 0
        shown = Text(no_wrap=True)
        for number, line in enumerate(lines, 1):
            pointer = "►" if number == where.number else "·" if number == called else " "
            stops = any(spec.is_at(where._replace(number=number)) for spec in specs)
            shown.append(f"{'●' if stops else ' '}{pointer}{number:>4}  ", "dim")
            if number == where.number:
                made = trace.known(event.outputs if at_event else ())[:_VALUES]
                shown.append(line.plain, "reverse")
                shown.append("   → " * bool(made), "bold green")
                shown.append(
                    ", ".join(spaced(one.name, shape_text(one), look(one)) for one in made), "bold green"
                )
            else:
                shown.append_text(line)
            shown.append("\n")
        return shown


@lru_cache(maxsize=8)  # a script, and the files that it imports
def _lines(code: str) -> tuple[Text, ...]:
    """Return the highlighted lines of a file."""
    text = Syntax("", "python", theme="ansi_dark").highlight(code.expandtabs(4))
    return tuple(text.split("\n", allow_blank=True))


class Answer(VerticalScroll):
    """Shows lines of text: sentences are wrapped, a table can be scrolled."""

    def __init__(self) -> None:
        super().__init__(Static(id="said"), id="answer")
        self._lines: list[str] = []

    def tell(self, lines: list[str]) -> None:
        """Draw lines."""
        self._lines, width = lines, max(self.size.width - 2, _NARROWEST)
        parts = (
            [Text(one)] if _ROW.search(one) else Text(one).wrap(self.app.console, width) for one in lines
        )
        text = Text("\n", no_wrap=True).join(part for line in parts for part in line)
        self.query_one("#said", Static).update(text)

    def on_resize(self) -> None:
        """Wrap the lines anew."""
        self.tell(self._lines)


class ValueTable(DataTable[str]):
    """A table of the values around the event; Enter on a row explains it."""

    def __init__(self, session: Session) -> None:
        super().__init__(id="values", cursor_type="row", zebra_stripes=True)
        self.session = session
        self.values: list[Value] = []
        """The value in each row; rows below are expressions that are displayed."""

    def show(self) -> None:
        """Draw the values of the event under the cursor, each with the last gradient that it gets."""
        trace, event, at_event = self.session.trace, self.session.event, self.session.at_line is None
        self.border_title = title(event) if at_event else say("line")
        gradients = {one.of: one for one in trace.values if one.kind == "gradient"}
        saved = (trace.differentiated(event) or event).saved
        groups = (word("in"), event.inputs), (f"*{word('out')}", event.outputs), (say("saved"), saved)
        found = [(role, one) for role, ids in groups for one in trace.known(ids if at_event else ())]
        self.values = [one for _, one in found]
        rows = [["", say("name"), word("shape"), word("value"), word("gradient")]]
        for role, value in found:
            beside = glance(gradients[value.id]) if value.id in gradients else ""
            rows.append([role, value.name, shape_text(value), glance(value), beside])
        with suppress(NoMove):  # no lines were followed
            rows += [[say("local"), name, "", shown(one), ""] for name, one in self.session.locals().items()]
        for text, line in display_lines(self.session):
            rows.append(["", text, "", line.removeprefix(f"{text} ="), ""])
        self.clear(columns=True)
        for column in zip(*rows):
            self.add_column(column[0], width=max(map(cell_len, column)))
        self.add_rows(rows[1:])


_SIGNS = {"forward": ("─", "blue"), "backward": ("═", "red"), "": ("┄", "green")}
"""How a cell looks whose first event is in that direction; "": an update, or an error."""


class Timeline(Widget):
    """Shows where the cursor is; a click or a drag moves it."""

    def __init__(self, session: Session, go_to: Callable[[int], None]) -> None:
        super().__init__(id="timeline")
        self.session = session
        self.go_to = go_to
        """The screen's: called with the position that the user asks for."""

    def render(self) -> Text:
        """Return a cell for each equal part of the recording, and the cursor in its place."""
        session, cells = self.session, max(self.size.width, 2)
        last = len(session.stops) - 1
        here = session.position * (cells - 1) // max(last, 1)
        line = Text(no_wrap=True)
        for cell in range(cells):
            event = session.trace.events[session.stops[cell * last // (cells - 1)]]
            sign, style = _SIGNS[phase(event)]
            line.append("●" if cell == here else sign, "bold" if cell == here else style)
        return line

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Go where the mouse is, and follow it."""
        self.capture_mouse()
        self._go(event.x)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Follow the mouse while its button is down."""
        if event.button:
            self._go(event.x)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """End a drag."""
        self.release_mouse()

    def _go(self, cell: int) -> None:
        last, cells = len(self.session.stops) - 1, max(self.size.width, 2)
        self.go_to(min(max(cell * last // (cells - 1), 0), last))
