"""The screen: panes around one session, and the keys that move it.

Every pane has a method ``show`` that draws the event under the cursor. A line after ``:`` is a command of the prompt;
its answer stands where the explanation stood, until the next move.
"""

from collections.abc import Iterator

from rich.text import Text
from textual import on
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import DataTable, Footer, Input, Static, Tree

from minipaddle.tools.debug.cards import why_lines, why_name
from minipaddle.tools.debug.cursor import NoMove
from minipaddle.tools.debug.prompt import Prompt
from minipaddle.tools.debug.screen.around import Around
from minipaddle.tools.debug.screen.source import Source
from minipaddle.tools.debug.screen.tape import Group, Tape
from minipaddle.tools.debug.screen.timeline import Timeline
from minipaddle.tools.debug.session import Session
from minipaddle.tools.debug.stop_spec import parse
from minipaddle.tools.words.language import say
from minipaddle.tools.words.terminal import Symbols


def _keys() -> Iterator[Binding]:
    """Yield the keys: VS Code's with a letter of pudb's beside each; with Alt, or as a capital, backwards."""
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
    yield Binding("colon", "ask(':')", say("command"), key_display=":")
    yield Binding("slash", "ask('/')", say("search"), key_display="/")
    yield Binding("t", "change_theme", say("theme"), show=False)
    yield Binding("question_mark", "help", say("help"), key_display="?")
    yield Binding("q", "quit", say("quit"))


class FullScreen(App[None]):
    """The debugger of one recording."""

    CSS_PATH = "screen.tcss"
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, session: Session, symbols: Symbols) -> None:
        super().__init__()
        self.session, self.symbols = session, symbols
        self.HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]
        self.VERTICAL_BREAKPOINTS = [(0, "-low"), (30, "-high")]
        self._said: list[str] = []
        self._prompt = Prompt(session, symbols, self._said.append)
        self._asked = ":"
        for key in _keys():
            self._bindings.key_to_bindings.update(_bound(key))

    def compose(self) -> ComposeResult:
        """Yield the panes."""
        with Horizontal(id="panes"):
            with Vertical(id="left"):
                yield Source(self.session)
                with VerticalScroll(id="answer"):
                    yield Static(id="said")
            with Vertical(id="right"):
                yield Tape(self.session)
                yield Around(self.session)
        yield Timeline(self.session)
        yield Input(id="line")
        yield Footer()

    def on_mount(self) -> None:
        """Draw the first event."""
        self.title = self.session.trace.script
        self.query_one("#line").display = False
        self.query_one(Tape).focus()
        self.show()

    def show(self, answer: list[str] | None = None) -> None:
        """Draw the event under the cursor; below the source stands `answer`, or why the event is as it is."""
        self.query_one(Source).show()
        self.query_one(Tape).show()
        self.query_one(Around).show()
        self.query_one(Timeline).show()
        self.answer(list(why_lines(self.session)) if answer is None else answer)

    def answer(self, lines: list[str]) -> None:
        """Show lines where the explanation stands."""
        self.query_one("#said", Static).update(Text("\n".join(lines)))

    # -- keys ----------------------------------------------------------------------------------------------------------

    def action_move(self, move: str) -> None:
        """Move by a command of the prompt; a remark if that is impossible."""
        before = self.session.position
        self._prompt.run(move)
        said = "\n".join(self._take())
        if self._prompt.failed or self.session.position == before:
            self.notify(said.removeprefix("*** "), timeout=3)
        self.show()

    def action_toggle_break(self) -> None:
        """Set a breakpoint at the line that is shown, or take it away."""
        line = self.query_one(Source).line
        spec = f"line:{line}"
        found = [one.number for one in self.session.breakpoints.values() if one.spec.text == spec]
        if found:
            del self.session.breakpoints[found[0]]
        elif line:
            self.session.breakpoints.add(parse(spec, self.session))
        self.show()

    def action_ask(self, what: str) -> None:
        """Open the line for a command, or for a search."""
        self._asked = what
        line = self.query_one("#line", Input)
        line.display = True
        line.placeholder = (
            say("a command of the prompt") if what == ":" else say("a name or an operator, * stands for any")
        )
        self.screen.set_focus(line)  # at once: the next key is its first letter

    def action_change_theme(self) -> None:
        """Go on to the next of Textual's themes."""
        names = sorted(self.available_themes)
        self.theme = names[(names.index(self.theme) + 1) % len(names)]

    def action_help(self) -> None:
        """List the keys, and the commands that may follow a colon."""
        keys = [
            f"{key.key.split(',')[0]:<10} {key.key.split(',')[1:2]}  {key.description}" for key in _keys()
        ]
        self._prompt.run("help")
        self.answer([*keys, "", *self._take()])

    # -- what the user says and clicks ---------------------------------------------------------------------------------

    @on(Input.Submitted)
    def _carry_out(self, line: Input.Submitted) -> None:
        text = line.value if self._asked == ":" else f"goto {line.value}"
        self._close_line()
        ended = self._prompt.run(text) if text.strip() else False
        said = self._take()
        if ended:
            self.exit()
        else:
            is_answer = self._asked == ":" or self._prompt.failed  # not the card of a search
            self.show(said if said and is_answer else None)

    def on_key(self, event: object) -> None:
        """Close the line on Escape."""
        if getattr(event, "key", "") == "escape":
            self._close_line()

    def _close_line(self) -> None:
        line = self.query_one("#line", Input)
        line.value, line.display = "", False
        self.query_one(Tape).focus()

    def _take(self) -> list[str]:
        said, self._said[:] = list(self._said), []
        return said

    @on(Tree.NodeSelected)
    def _go_to(self, chosen: "Tree.NodeSelected[Group | int]") -> None:
        if isinstance(chosen.node.data, int) and chosen.node.data != self.session.position:
            self.session.position = chosen.node.data
            self.show()

    @on(DataTable.RowSelected)
    def _explain(self, chosen: DataTable.RowSelected) -> None:
        name = self.query_one(Around).names.get(chosen.row_key.value or "", "")
        try:
            self.answer([name, *why_lines(self.session, why_name(self.session, name))])
        except NoMove as error:
            self.answer([str(error)])

    @on(Timeline.Dragged)
    def _drag(self, to: Timeline.Dragged) -> None:
        self.session.position = to.position
        self.show()


def _bound(key: Binding) -> dict[str, list[Binding]]:
    return {one.key: [one] for one in Binding.make_bindings([key])}
