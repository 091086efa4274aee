"""`minipaddle step`: record a script, then walk through its events, both ways."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Exit, Option

from minipaddle.tools.cli import options as common
from minipaddle.tools.cli.console import ExitCode, fail, failing_at, note, print_line, results, width_of
from minipaddle.tools.cli.record import Script, one_step, recorded

if TYPE_CHECKING:
    from minipaddle.tools.debug import Prompt
    from minipaddle.tools.record import Trace


def step(
    words: common.Words = None,
    module: common.Module = None,
    commands: Annotated[
        list[str] | None,
        Option("-c", metavar="CMD", help="Carry out a command, instead of asking. May be repeated."),
    ] = None,
    file: Annotated[
        Path | None, Option("-x", metavar="FILE", help="Carry out the commands in a file.")
    ] = None,
    breaks: Annotated[
        list[str] | None, Option("--break", metavar="SPEC", help="Set a breakpoint first. May be repeated.")
    ] = None,
    first: Annotated[
        str | None,
        Option(
            "--first", metavar="SPEC", help="Run to the first training step in which SPEC holds; begin there."
        ),
    ] = None,
    full_screen: Annotated[
        bool, Option("--tui", help="On the whole screen: source, tape and numbers at once.")
    ] = False,
    as_json: Annotated[bool, Option("--json", help="One JSON object a line, for programs.")] = False,
    pass_number: common.PassNumber = None,
    passes: common.Passes = "first",
    seed: common.Seed = None,
    max_mb: common.MaxMb = common.MAX_MB,
    with_locals: common.Locals = True,
) -> None:
    """Record a script and step through its gradient computation, forwards and backwards.

    Commands come from -x, then from -c, or else are asked for; `help` lists them. From a pipe they are read line by
    line: those that the script itself has left, for standard input is the script's first.
    """
    given = _given(commands, file)
    if full_screen:
        _insist_on_screen(as_json)
    script = Script(words, module, seed, as_json)
    trace = recorded(script, max_mb, None if first else one_step(pass_number, passes), with_locals, first)
    begun = [*(f"break {spec}" for spec in breaks or []), *([f"first {first}"] if first else [])]
    if full_screen:
        _open_screen(trace, [*begun, *(given or [])])
        raise Exit(trace.exit_code)
    prompt = _opened(trace, as_json)
    failed = _carry_out(prompt, begun)
    if not first:
        prompt.begin()
    elif not trace.cut_off and script.recording is None:
        count = max(trace.pass_numbers, default=0)
        note("{count} training steps ran; the last one is recorded", count=count)
    if given is None and sys.stdin.isatty():
        prompt.cmdloop()
    else:
        lines = (line.rstrip("\n") for line in sys.stdin) if given is None else given
        failed = _carry_out(prompt, lines) or failed
    if trace.exit_code or failed:
        raise Exit(trace.exit_code or ExitCode.USAGE)


def _insist_on_screen(as_json: bool) -> None:
    """Exit with USAGE unless a full screen can be drawn; asked before the script runs, which may be long."""
    if find_spec("textual") is None:
        fail("--tui needs Textual (pip install textual); without --tui there is the prompt")
    if as_json or not (sys.stdin.isatty() and sys.stdout.isatty()):
        fail("--tui needs a terminal: not a pipe, a file or --json")


def _open_screen(trace: Trace, given: list[str]) -> None:
    """Carry out the commands that were given, then show their answers on the full screen, until the user quits."""
    from minipaddle.tools.debug import Session
    from minipaddle.tools.debug.screen.app import FullScreen
    from minipaddle.tools.words.terminal import symbols_for

    gc.freeze()  # else a full collection asks each event of a long recording, between two keys
    screen = FullScreen(Session(trace), symbols_for(results().encoding))
    _carry_out(screen.prompt, given)
    screen.run()


def _opened(trace: Trace, as_json: bool) -> Prompt:
    """Return a prompt at the beginning of a recording."""
    from minipaddle.tools.debug import Prompt, Session
    from minipaddle.tools.words.terminal import symbols_for

    console = results()
    return Prompt(
        Session(trace),
        symbols_for(console.encoding),
        lambda line: print_line(console, line) if not as_json else console.print(line, soft_wrap=True),
        as_json=as_json,
        room=lambda: width_of(console) or 0,
    )


def _given(commands: list[str] | None, file: Path | None) -> list[str] | None:
    """Return the commands from the command line; None if there are none. Read before the script runs."""
    given = list(commands or [])
    if file is not None:
        try:
            with failing_at(file):
                given = file.read_text(encoding="utf-8").splitlines() + given
        except UnicodeDecodeError:
            fail("{file}: not UTF-8 text", file=file)
    return given if commands or file is not None else None


def _carry_out(prompt: Prompt, lines: Iterable[str]) -> bool:
    """Carry out commands in order; a failure is answered. Return whether any failed."""
    failed = False
    for line in lines:
        if not prompt.as_json and (not line.strip() or line.lstrip().startswith("#")):
            continue
        ended = prompt.run(line)
        failed = failed or prompt.failed
        if ended:
            break
    return failed
