"""The pane of the source: the line behind the event, with the value that it made, and the breakpoints."""

from functools import lru_cache

from rich.syntax import Syntax
from rich.text import Text
from textual.containers import VerticalScroll
from textual.widgets import Static

from minipaddle.engine.errors import Line, file_title
from minipaddle.tools.debug.session import Session
from minipaddle.tools.words.events import blamed
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import look, shape_text, spaced

_VALUES = 3
"""Values shown in a line: more than an operator usually makes."""


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
        trace, event = self.session.trace, self.session.event
        where = self.where = blamed(trace, event).where
        code = trace.sources.get(where.file, "") if where is not None else ""
        text = self.query_one("#text", Static)
        if where is None or not code:
            text.update(say("no line of the user's is behind this event"))
            return
        self.border_title = file_title(where.file)
        text.update(self._numbered(list(_lines(code)), where))
        height = max(self.size.height, 1)
        self.scroll_to(y=max(where.number - height // 2, 0), animate=False)

    def _numbered(self, lines: list[Text], where: Line) -> Text:
        """Return the file with numbers, breakpoints, the pointer, and the values that the line made."""
        event, trace = self.session.event, self.session.trace
        specs = [one.spec for one in self.session.breakpoints.values()]
        called = event.where.number if event.where is not None and event.where.file == where.file else 0
        shown = Text(no_wrap=True)
        for number, line in enumerate(lines, 1):
            pointer = "►" if number == where.number else "·" if number == called else " "
            stops = any(spec.is_at(where._replace(number=number)) for spec in specs)
            shown.append(f"{'●' if stops else ' '}{pointer}{number:>4}  ", "dim")
            if number == where.number:
                made = trace.known(event.outputs)[:_VALUES]
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
