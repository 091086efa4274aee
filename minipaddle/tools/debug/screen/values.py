"""The pane of the values: what goes in, what comes out, what is kept for backward, each with its gradient beside it."""

from textual.widgets import DataTable

from minipaddle.tools.debug.cards import display_lines
from minipaddle.tools.debug.session import Session
from minipaddle.tools.record.events import Trace, Value
from minipaddle.tools.words.events import title
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import glance, shape_text
from minipaddle.tools.words.terminal import word


class ValueTable(DataTable[str]):
    """A table of the values around the event; Enter on a row explains it."""

    def __init__(self, session: Session) -> None:
        super().__init__(id="values", cursor_type="row", zebra_stripes=True)
        self.session = session
        self.values: list[Value] = []
        """The value in each row; rows below are expressions that are displayed."""
        self._gradients: tuple[Trace, dict[int, Value]] = Trace(), {}
        """The last gradient of each value, by its id, in the recording that is looked at."""

    def on_mount(self) -> None:
        """Add the columns."""
        for column in ("", say("name"), word("shape"), word("value"), word("gradient")):
            self.add_column(column)

    def show(self) -> None:
        """Draw the values of the event under the cursor; what it made is marked."""
        trace, event = self.session.trace, self.session.event
        self.border_title = title(event)
        self.clear()
        self.values = []
        kept = list(trace.known((trace.differentiated(event) or event).saved))
        for role, values in (
            (word("in"), trace.known(event.inputs)),
            (f"*{word('out')}", trace.known(event.outputs)),
            (say("saved"), kept),
        ):
            for value in values:
                self._add(role, value)
        for text, line in display_lines(self.session):
            self.add_row("", text, "", line.removeprefix(f"{text} ="), "")

    def _add(self, role: str, value: Value) -> None:
        gradient = self._gradient(value)
        self.values.append(value)
        beside = "" if gradient is None else glance(gradient)
        self.add_row(role, value.name, shape_text(value), glance(value), beside)

    def _gradient(self, value: Value) -> Value | None:
        """Return the gradient that a value gets, at whatever time; None if it gets none."""
        trace = self.session.trace
        if self._gradients[0] is not trace:
            of = {one.of: one for one in trace.values if one.kind == "gradient"}
            self._gradients = trace, {owner: one for owner, one in of.items() if owner is not None}
        return self._gradients[1].get(value.id)
