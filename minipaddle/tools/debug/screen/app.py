"""The screen: panes around one session, and the keys that move it.

Every pane has a method ``show`` that draws the event under the cursor. A line after ``:`` is a command of the prompt;
its answer stands where the explanation stood, until the next move.
"""

import signal
from asyncio import Event
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import partial

from textual import on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingsMap
from textual.containers import Horizontal, Vertical
from textual.widgets import DataTable, Footer, Input, Tree

from minipaddle.tools.debug.cards import why_lines
from minipaddle.tools.debug.line_stops import says
from minipaddle.tools.debug.prompt import Prompt
from minipaddle.tools.debug.screen.panes import Answer, Source, Timeline, ValueTable
from minipaddle.tools.debug.screen.tape import Group, Tape
from minipaddle.tools.debug.session import Session
from minipaddle.tools.debug.stop_spec import parse
from minipaddle.tools.explain.why_of_value import explain_value
from minipaddle.tools.record.checked import BadRecording
from minipaddle.tools.words.language import say
from minipaddle.tools.words.terminal import Symbols


def _keys() -> Iterator[Binding]:
    """Yield the keys: VS Code's with a letter of pudb's beside each; with Alt, or as a capital, backwards.

    The screen takes each before any pane: keys that are typed ahead keep their order.
    """
    yield Binding("question_mark", "help", say("help"), key_display="?")
    yield Binding("q", "leave", say("quit"))
    yield Binding("colon", "ask(':')", say("command"), key_display=":")
    yield Binding("slash", "ask('/')", say("search"), key_display="/")
    yield Binding("f10,n", "move('next')", say("next"))
    yield Binding("f11,s", "move('step')", say("into"))
    yield Binding("shift+f11,f", "move('finish')", say("out of"))
    yield Binding("f5,c", "move('continue')", say("continue"))
    yield Binding("alt+f10,N,upper_n", "move('rnext')", say("back"))
    yield Binding("alt+f11,S,upper_s", "move('back')", say("back into"), show=False)
    yield Binding("alt+f5,C,upper_c", "move('rcontinue')", say("continue back"), show=False)
    yield Binding("g", "move('begin')", say("begin"), show=False)
    yield Binding("G,upper_g", "move('end')", say("end"), show=False)
    yield Binding("f9,b", "toggle_break", say("breakpoint"))
    yield Binding("l", "move('step line')", say("next line"))
    yield Binding("L,upper_l", "move('back line')", say("line before"), show=False)
    yield Binding("t", "change_theme", say("theme"), show=False)
    yield Binding("enter", "submit", show=False)
    yield Binding("escape", "close_line", show=False)


_ACTIONS = {key.action.partition("(")[0] for key in _keys()}


class _Prompt(Prompt):
    """The prompt behind the panes: these show the event, so no card is written."""

    def show(self) -> None:
        """Write nothing."""


class FullScreen(App[None]):
    """The debugger of one recording."""

    CSS_PATH = "screen.tcss"
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, session: Session, symbols: Symbols) -> None:
        super().__init__()
        self.session = session
        self.HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]
        self.VERTICAL_BREAKPOINTS = [(0, "-low"), (30, "-high")]
        self._said: list[str] = []
        self.prompt = _Prompt(session, symbols, self._said.append)
        self._asked, self._is_asking = ":", False
        keys = (replace(key, priority=True) for key in _keys())
        self._bindings.key_to_bindings.update(BindingsMap(keys).key_to_bindings)

    def compose(self) -> ComposeResult:
        """Yield the panes."""
        with Horizontal(id="panes"):
            with Vertical(id="left"):
                yield Source(self.session)
                yield Answer()
            with Vertical(id="right"):
                yield Tape(self.session)
                yield ValueTable(self.session)
        yield Timeline(self.session, self.go_to)
        yield Input(id="line")
        yield Footer()

    def on_mount(self) -> None:
        """Draw the event under the cursor, and the answers to commands that were carried out before."""
        self.title = self.session.trace.script
        self.query_one("#line").display = False
        self.query_one(Tape).focus()
        self.show()

    def show(self) -> None:
        """Draw the event under the cursor; below the source stands what was said, or why the event is as it is."""
        try:
            self.query_one(Source).show()
            self.query_one(Tape).show()
            self.query_one(ValueTable).show()
            self.query_one(Timeline).refresh()
            notes = map(say, self.session.event.note.splitlines())
            of_line = None if self.session.at_line is None else [*says(self.session, "→")]
            why = why_lines(self.session)
            self.query_one(Answer).tell(self._take() or of_line or [*dict.fromkeys((*notes, *why))])
        except BadRecording as error:
            self.query_one(Answer).tell([str(error)])

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return whether a key is for the screen now: while a line is typed, only those that end it."""
        if action in ("submit", "close_line"):
            return self._is_asking
        return action not in _ACTIONS or not self._is_asking

    # -- keys ----------------------------------------------------------------------------------------------------------

    def action_move(self, move: str) -> None:
        """Move by a command of the prompt; a remark if that is impossible."""
        session = self.session
        before = session.position, session.at_line
        self.prompt.run(move)
        if self.prompt.failed or (session.position, session.at_line) == before:
            self.notify("\n".join(self._take()).removeprefix("*** "), timeout=3)
        self.show()

    def action_toggle_break(self) -> None:
        """Set a breakpoint at the line that is shown, or take it away."""
        where, there = self.query_one(Source).where, self.session.breakpoints
        found = [one.number for one in there.values() if where is not None and one.spec.is_at(where)]
        for number in found:
            del there[number]
        if where is not None and not found:
            self.session.stop_at(partial(parse, f"line:{where.number}"))
        self.show()

    def action_ask(self, what: str) -> None:
        """Open the line for a command, or for a search."""
        self._asked = what
        line = self.query_one("#line", Input)
        line.display = True
        line.placeholder = (
            say("a command of the prompt") if what == ":" else say("a name or an operator, * stands for any")
        )
        self._is_asking = True
        self.refresh_bindings()
        self.screen.set_focus(line)  # at once: the next key is its first letter

    def action_change_theme(self) -> None:
        """Go on to the next of Textual's themes."""
        names = sorted(self.available_themes)
        self.theme = names[(names.index(self.theme) + 1) % len(names)]

    def action_help(self) -> None:
        """List the keys, and the commands that may follow a colon."""
        shown = ((key.key_display or key.key.partition(",upper")[0], key.description) for key in _keys())
        keys = [f"{key.replace(',', '  '):<15}{does}" for key, does in shown if does]
        self.prompt.run("help")
        self.query_one(Answer).tell([*keys, "", *self._take()])

    # -- what the user says and clicks ---------------------------------------------------------------------------------

    async def action_submit(self) -> None:
        """Carry out the line, once it has taken all keys that were typed before."""
        line, typed = self.query_one("#line", Input), Event()
        line.call_later(typed.set)
        await typed.wait()
        text = line.value if self._asked == ":" else f"goto {line.value}"
        self.action_close_line()
        again = text.endswith("--rerun") and not self.is_headless
        with self._terminal_for_script() if again else nullcontext():
            ended = bool(text.strip()) and self.prompt.run(text)
        if ended:
            self.exit()
        else:
            self.show()

    @contextmanager
    def _terminal_for_script(self) -> Iterator[None]:
        """Leave the terminal to a script in a ``with`` block: it prints, and Ctrl-C ends it."""
        with self.suspend():
            was = signal.signal(signal.SIGINT, signal.default_int_handler)
            try:
                yield
            finally:
                signal.signal(signal.SIGINT, was)

    def action_close_line(self) -> None:
        """Close the line, whatever was typed."""
        line = self.query_one("#line", Input)
        line.value, line.display, self._is_asking = "", False, False
        self.refresh_bindings()
        self.screen.set_focus(self.query_one(Tape))

    def action_leave(self) -> None:
        """End the session."""
        self.exit()

    def _take(self) -> list[str]:
        said, self._said[:] = list(self._said), []
        return said

    def go_to(self, position: int) -> None:
        """Go to a stop by its number, unless the cursor is there."""
        if position != self.session.position or self.session.at_line is not None:
            self.session.goto(str(position))
            self.show()

    @on(Tree.NodeSelected)
    def _go_to_row(self, chosen: "Tree.NodeSelected[Group | int]") -> None:
        if isinstance(chosen.node.data, int):
            self.go_to(chosen.node.data)

    @on(DataTable.RowSelected)
    def _explain(self, chosen: DataTable.RowSelected) -> None:
        values, trace = self.query_one(ValueTable).values, self.session.trace
        at = chosen.cursor_row  # what is displayed has no explanation
        for value in values[at : at + 1]:
            why = explain_value(trace, value, trace.pass_around(self.session.event))
            self.query_one(Answer).tell([value.name, *why_lines(self.session, why)])
