"""The magics of a notebook: ``%%graph``, ``%%step``, ``%why w.grad``, ``%check Sign``, and the checks of a whole run.

They look at the recorded cells (``kernel``): line magics at all of them, cell magics at their cell. A magic named
like a command of the command line has its options, and without an expression runs it.
"""

import re
import secrets
import shlex
import sys
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from typer import Option

from minipaddle.tools.checks.gradient.check import check_group, groups
from minipaddle.tools.checks.gradient.results import check_line, check_summary
from minipaddle.tools.cli.commands.grade import show_grade
from minipaddle.tools.cli.console import note
from minipaddle.tools.cli.notebook.kernel import Kernel
from minipaddle.tools.cli.notebook.variables import asked_of_graph, picture_of, picture_of_cell, why_of
from minipaddle.tools.cli.record import at_hand
from minipaddle.tools.course import tasks
from minipaddle.tools.course.grading import grade_inside
from minipaddle.tools.debug import NoMove, Prompt, Session
from minipaddle.tools.debug.cards import headline, why_lines
from minipaddle.tools.explain.catalogue import find
from minipaddle.tools.picture.picture import Page, Picture
from minipaddle.tools.words.language import say, speak
from minipaddle.tools.words.setting import setting
from minipaddle.tools.words.terminal import UNICODE

_FIRST_OPTION = re.compile(r"(^|\s)--?[a-z]")
_OF_CELLS = ("graph", "step")
_COMMANDS = ("flow", "nan", "program")
_MOST = 200
"""Events that `%step` lists, a screen or two of scrolling: `goto` leads to the others."""


def register(shell: InteractiveShell) -> Kernel:
    """Add the magics to a shell of IPython; return the kernel that records its cells."""
    magics = Magics(shell)
    for name in (*_OF_CELLS, "why", "check", "grade", "language", *_COMMANDS):
        function: Any = magics.command(name) if name in _COMMANDS else getattr(magics, name)
        kind = "line_cell" if name in _OF_CELLS else "line"
        shell.register_magic_function(_plainly()(function), kind, name)
    return magics


def _step(
    commands: Annotated[list[str] | None, Option("-c", metavar="CMD", help="Carry out a command.")] = None,
) -> list[str]:
    """Walk through what happened, all of it; above a cell, from its beginning. Without -c, as a list."""
    return commands or []


class Magics(Kernel):
    """A kernel with its magics."""

    def graph(self, line: str, cell: str | None = None) -> Any:
        """Draw the last backward pass; of an EXPRESSION, its own; above a cell, the pass of the cell.

        It takes the options of ``minipaddle graph``; ``--page`` shows the page.
        """
        expression, options = _parts(line)
        asked = _carried_out(asked_of_graph, "graph", options)
        if not asked:  # --help
            return None
        page, how = asked
        before = self.recorder.passes
        result = None if cell is None else self.run(cell)
        if cell is None:
            picture: Picture | None = picture_of(self, how, expression)
        else:
            picture = picture_of_cell(self, how, result, self.recorder.passes > before)
        return Page(picture.html()) if picture is not None and page else picture

    def step(self, line: str, cell: str | None = None) -> None:
        """Walk through what happened: all of it; above a cell, from its beginning. ``-c CMD`` carries out a command."""
        commands = _carried_out(_step, "step", shlex.split(line))
        if not isinstance(commands, list):
            return
        if cell is not None:
            self.run(cell)
        session = Session(self.trace)
        if cell is not None and self.begun < len(session.trace.events):
            first = bisect_left(session.stops, self.begun)  # the first stop from there on
            session.position = min(first, len(session.stops) - 1)
        if commands:
            self.aside(_walk, session, commands)
        else:
            _write_all(_headlines(session))

    def why(self, line: str) -> None:
        """Say why a variable, its gradient (``w.grad``) or one element of that (``w.grad[0, 1]``) is what it is."""
        session = Session(self.trace)
        session.goto("end")
        answer = self.aside(why_of, self, session, line.strip())
        _write_all(self.aside(lambda: list(why_lines(session, answer))))

    def check(self, line: str) -> None:
        """Check the gradients of all that ran, of the calls of a PyLayer or function, or of an operator."""
        name, _ = _parts(line)
        if not name or (name.isidentifier() and name not in self.shell.user_ns and find(name)):
            self.command("check")(line)
            return
        mine, trace = self.holds(name), self.trace
        calls = {index for index, (called, _) in trace.calls.items() if called is mine}
        every = ([event for event in group if event.origin in calls] for group in groups(trace))
        chosen = [group for group in every if group]
        if not chosen:
            raise NoMove(
                f"no gradient of {name} was computed since it was defined: apply it, run backward, then check it"
            )
        found = [one for group in chosen for one in self.aside(check_group, trace, group)]
        _write_all([*(check_line(trace, one) for one in found), check_summary(found)])

    def grade(self, line: str) -> int:
        """Count the points of a task (``task1_cube.py``) for what the notebook's variables hold now."""
        task = next((one for one in tasks() if line.strip() in (one.name, one.stem)), None)
        if task is None:
            raise NoMove(
                "no task is called {name}; minipaddle lesson 3 --exercise --notebook writes "
                "those of lesson 3",
                name=line.strip(),
            )
        names, typed = self.shell.user_ns, "\n\n".join(self.shell.user_ns.get("In", ()))
        seed = secrets.randbelow(1 << 32)
        done = self.aside(grade_inside, task, names, Path(task.name), typed, seed)
        show_grade(done)
        note(
            "judged within this notebook, where nothing keeps a cell from the judge; for marks: minipaddle grade"
        )
        return int(done.points)

    def language(self, line: str) -> None:
        """Speak ``en`` or ``zh`` from here on."""
        speak(line.strip() or "en")

    def command(self, name: str) -> Callable[[str], None]:
        """Return a magic that applies the command of this name to the recording of the cells."""

        def call(line: str) -> None:
            from minipaddle.tools.cli.app import app

            with setting(at_hand, self.trace):
                self.aside(_called, app, "%", [name, *shlex.split(line)])

        call.__doc__ = f"Do what ``minipaddle {name}`` does, on all that the cells have done."
        return call

    def run(self, cell: str) -> Any:
        """Run the body of a cell magic, with the line numbers and the file of its cell; return IPython's result."""
        self.begun = len(self.recorder.trace.events)
        shell = self.shell
        following = shell.execution_count  # IPython 9 counts the next cell before this one runs
        shell.execution_count = len(shell.history_manager.input_hist_parsed) - 1
        try:
            return shell.run_cell("#\n" + cell)  # an empty line would be dropped
        finally:
            shell.execution_count = following


def _parts(line: str) -> tuple[str, list[str]]:
    """Return the expression at the beginning of a line, and the options after it."""
    first = _FIRST_OPTION.search(line)
    end = len(line) if first is None else first.start()
    return line[:end].strip(), shlex.split(line[end:])


def _carried_out(command: Callable[..., Any], name: str, words: list[str]) -> Any:
    """Return the result of a command for its words; 0 if its help was printed.

    Raises UsageError for an unknown option.
    """
    one = typer.Typer(add_completion=False, rich_markup_mode=None)
    one.command(name)(command)
    return _called(one, f"%{name}", words)


def _called(app: typer.Typer, name: str, words: list[str]) -> Any:
    """Return the result of an application for its words."""
    return typer.main.get_command(app).main(words, prog_name=name, standalone_mode=False)


@contextmanager
def _plainly() -> Iterator[None]:
    """Report an error in one line, as IPython does."""
    try:
        yield
    except (NoMove, NameError, SyntaxError, AttributeError, ValueError, TypeError) as error:
        raise UsageError(str(error)) from None
    except Exception as error:
        told = getattr(error, "format_message", None)  # Typer hides its click, which has such errors
        if told is None:
            raise
        raise UsageError(told()) from None


def _walk(session: Session, commands: list[str]) -> None:
    """Carry out commands of the debugger. Raises NoMove if one of them was refused."""
    prompt = Prompt(session, UNICODE)
    prompt.begin()
    for command in commands:
        ended = prompt.run(command)
        if prompt.failed:
            raise NoMove(f"{command} was refused")
        if ended:
            return


def _headlines(session: Session) -> Iterator[str]:
    """Yield a line for each event from the cursor on."""
    places = range(session.position, len(session.stops))
    yield from (headline(session, place) for place in places[:_MOST])
    if len(places) > _MOST:
        yield say("{count} events more: %step -c 'goto N' shows one", count=len(places) - _MOST)


def _write_all(lines: Iterable[str]) -> None:
    sys.stdout.writelines(f"{line}\n" for line in lines)
