"""The timeline: the whole recording in one line, to be dragged."""

from rich.text import Text
from textual import events
from textual.message import Message
from textual.widget import Widget

from minipaddle.tools.debug.session import Session
from minipaddle.tools.words.events import phase

_SIGNS = {"forward": ("─", "blue"), "backward": ("═", "red"), "": ("┄", "green")}
"""How a cell looks whose first event is in that direction; "": an update, or an error."""


class Timeline(Widget):
    """Shows where the cursor is; a click or a drag moves it."""

    class Dragged(Message):
        """The user asks for a position."""

        def __init__(self, position: int) -> None:
            super().__init__()
            self.position = position

    def __init__(self, session: Session) -> None:
        super().__init__(id="timeline")
        self.session = session

    def show(self) -> None:
        """Draw the cursor's position."""
        self.refresh()

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
        self.post_message(self.Dragged(min(max(cell * last // (cells - 1), 0), last)))
