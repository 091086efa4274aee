"""The input of commands: a script and how it is run, a recording of the run, or a saved recording."""

from __future__ import annotations

import re
import sys
import threading
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext, redirect_stdout
from contextvars import ContextVar
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from typer import Exit

from minipaddle.tools.cli.console import ExitCode, exit_code_of, fail, failing_at, note
from minipaddle.tools.cli.options import HowMuch
from minipaddle.tools.words.language import phrase, spoken

if TYPE_CHECKING:
    from minipaddle.engine.errors import Line
    from minipaddle.tools.record.events import Trace
    from minipaddle.tools.run.runner import ScriptEnd


class Script:
    """The script on the command line, its arguments, and its environment.

    With `stdout_is_ours`, the script's own output goes to standard error.
    """

    def __init__(
        self, words: list[str] | None, module: str | None, seed: int | None, stdout_is_ours: bool = False
    ) -> None:
        self.words, self.module, self.seed, self.stdout_is_ours = words or [], module, seed, stdout_is_ours

    @property
    def name(self) -> str:
        """The script or module as the user wrote it."""
        return f"-m {self.module}" if self.module else "".join(self.words[:1])

    @property
    def recording(self) -> Path | None:
        """Return the path if the script is a recording (.mpt), else None."""
        is_one = self.module is None and self.name.lower().endswith(".mpt")
        return Path(self.name) if is_one else None

    def run(self) -> ScriptEnd:
        """Run the script or module, print its error as Python would, and return how it ended.

        Raises UnusableScript if it does not exist. Exits with USAGE if none was named.
        """
        if not self.name:
            fail("name the script to run: SCRIPT [-- ARGS], or a module: -m MODULE [-- ARGS]")
        from minipaddle.tools.run.runner import run_module, run_script

        if self.seed is not None:
            from minipaddle.paddle.framework.settings import random_generators

            for seed_one, _, _ in random_generators():
                seed_one(self.seed)
        with redirect_stdout(sys.stderr) if self.stdout_is_ours else nullcontext():
            if self.module is not None:
                end = run_module(self.module, self.words)
            else:
                end = run_script(self.name, self.words[1:])
        end.show()
        return end


# -- the recording -----------------------------------------------------------------------------------------------------

at_hand: ContextVar[Trace | None] = ContextVar("at_hand", default=None)
"""The recording that a command looks at if no script is named: the recording of a notebook."""


def one_step(pass_number: int | None, passes: HowMuch) -> int | None:
    """Return the number of the one training step to record; None: all."""
    return pass_number or (None if passes == "all" else 1)


def recorded(
    script: Script,
    max_mb: float,
    step: int | None = None,
    with_locals: bool = False,
    first: str | None = None,
    changes: Mapping[tuple[int, int], str] = MappingProxyType({}),
) -> Trace:
    """Run the script with a recorder watching, and return what was recorded, even if the script raised.

    If the script is an ``.mpt``, it is read. With `step`, the script ends after that training step, and with the
    SPEC `first` after the first in which it holds. Python's own variables are recorded `with_locals`; `changes` are
    statements to carry out before lines of theirs.
    Exits as the script did, if it ended before anything was recorded. Without a script, returns the recording at
    hand, if there is one.
    """
    if script.recording is not None:
        return loaded(script.recording, step)
    kept = at_hand.get()
    if kept is not None and not script.name:
        _insist_on_pass(step, kept.pass_numbers)
        return kept
    from minipaddle.engine.watch.watched_mode import watching
    from minipaddle.paddle.framework.settings import random_generators
    from minipaddle.tools.record import Recorder

    recorder = Recorder(script.name, max_mb, 250_000, step, True)
    if first:
        from minipaddle.tools.debug.first_pass import FirstPass

        recorder = FirstPass(script.name, max_mb, first)
    recorder.lines.changes = dict(changes)
    modules, generators = set(sys.modules), [(to, at()) for _, at, to in random_generators()]
    noting, lines = threads_and_warnings(), recorder.lines.followed(with_locals)
    with watching(recorder), noting as (threads, warned), lines:
        end = script.run()
    if recorder.ending not in (None, end.exception):
        recorder.went_on()
    if end.exception is not None and not isinstance(end.exception, SystemExit):
        recorder.failed(end.exception)
        kind = type(end.exception).__name__
        note("the script ended with {error}; what was recorded until then is kept", error=kind)
    _insist_on_pass(step, list(range(1, recorder.passes + 1)))
    trace = recorder.finish()
    trace.exit_code = exit_code_of(end)
    trace.threads, trace.warned = threads, warned

    def again(line: int, statement: str) -> Trace:
        """Return the recording of a run from the same start, with a statement before a line."""
        from minipaddle.paddle.utils.clean_start import begun_anew, forget_modules_of_scripts
        from minipaddle.tools.debug import NoMove

        key = recorder.lines.begun, line
        both = filter(None, (changes.get(key), statement))
        forget_modules_of_scripts(modules)
        with begun_anew():
            for restore, state in generators:
                restore(state)
            try:
                return recorded(script, max_mb, step, with_locals, first, {**changes, key: "\n".join(both)})
            except Exit as error:
                raise NoMove("nothing was recorded: the script applied no operator") from error

    trace.again = again
    if threads:
        names = ", ".join(threads[:3]) + ", ..." * (len(threads) > 3)
        trace.notes.append(
            phrase(
                "threads were started ({names}): what they computed is not recorded, only what the script's own "
                "thread did",
                names=names,
            )
        )
    nothing = all(event.kind == "error" for event in trace.events)
    if nothing and end.exit_code:
        raise Exit(exit_code_of(end))
    for text in trace.notes:
        note(spoken(text))
    if nothing:
        own = phrase("the script's own thread") if threads else phrase("the script")
        fail("{who} applied no operator of paddle: there is nothing to show", ExitCode.SCRIPT_RAISED, who=own)
    return trace


def loaded(path: Path, step: int | None = None) -> Trace:
    """Read a recording; exits with USAGE if that is impossible, or if backward pass `step` is not in it."""
    from minipaddle.tools.record import load

    with failing_at(path):
        trace = load(path)
    if not trace.events:
        fail("{path}: nothing was recorded in it", path=path)
    _insist_on_pass(step, trace.pass_numbers)
    trace.exit_code = 0  # the run that recorded it has reported its exit code
    return trace


def _insist_on_pass(step: int | None, numbers: list[int]) -> None:
    """Exit with USAGE if backward pass `step` was asked for and is not among those that ran."""
    if step is None or step == 1 or step in numbers:
        return
    from minipaddle.tools.picture.model.mirror import there_are

    if numbers:
        fail("there is no pass {step}: {there_are}", step=step, there_are=there_are(numbers))
    fail("there is no pass {step}: the script ran no backward pass", step=step)


def insist_on_pattern(option: str, pattern: str) -> None:
    """Exit with USAGE unless `pattern` is a regular expression; called before the script, which may run long."""
    try:
        re.compile(pattern)
    except re.error as error:
        fail("{option} {pattern}: {error}", option=option, pattern=pattern, error=error)


def write_recording(trace: Trace, path: Path, shown: Path) -> None:
    """Write a recording and report it, calling it `shown`; exits with USAGE if that is impossible."""
    from minipaddle.tools.record import save

    with failing_at(shown):
        save(trace, path)
    size = f"{path.stat().st_size / 1e6:.1f}"
    note("wrote {path} ({count} events, {size} MB)", path=shown, count=len(trace.events), size=size)


@contextmanager
def threads_and_warnings() -> Iterator[tuple[list[str], list[Line]]]:
    """Yield lists that get the name of each thread started in the ``with`` block, and the line of NumPy's warnings.

    (An audit hook would run at every look at a frame, and a recording has many; nor can it be removed.)
    """
    from minipaddle.engine.errors import Line

    threads: Any = threading.Thread
    told: Any = warnings
    start, names = threads.start, list[str]()
    shows, lines = told.showwarning, list[Line]()

    def started(thread: threading.Thread) -> None:
        start(thread)
        names.append(thread.name)

    def shown(message: Warning, category: type[Warning], file: str, number: int, *more: Any) -> None:
        shows(message, category, file, number, *more)
        lines.extend([Line(file, number, str(message))] if issubclass(category, RuntimeWarning) else [])

    threads.start, told.showwarning = started, shown
    try:
        yield names, lines
    finally:
        threads.start, told.showwarning = start, shows
