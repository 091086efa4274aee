"""`minipaddle program`: the Programs of a script as trees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from typer import Exit, Option

from minipaddle.tools.cli import options as common
from minipaddle.tools.cli.console import ExitCode, exit_code_of, fail, note, results, width_of
from minipaddle.tools.cli.record import Script, at_hand

if TYPE_CHECKING:
    from minipaddle.tools.record.events import Trace
    from minipaddle.tools.record.sources.program.registry import Found


def program(
    words: common.Words = None,
    module: common.Module = None,
    name: Annotated[str, Option("--name", metavar="NAME", help="Only the Program of that name.")] = "",
    diff_backward: Annotated[
        bool, Option("--diff-backward", help="Mark what append_backward, gradients and minimize added.")
    ] = False,
    seed: common.Seed = None,
) -> None:
    """Run a script and show every Program that it built or ran: Blocks, operators, the Blocks that these run.

    A Program goes by the script's variable for it, or by the function that to_static made it of; else the default ones
    are main and startup. A second main is main_2. If the script raises, what it has built until then is shown, and the
    exit code is the script's.
    """
    from minipaddle.tools.record.sources.program.registry import added_names

    found, exit_code = programs_of(Script(words, module, seed))
    _print(_called(found, name), diff_backward, added_names(one.program for one in found))
    raise Exit(exit_code)


def programs_of(script: Script) -> tuple[list[Found], int]:
    """Run the script; return its Programs, each with a unique name, and its exit code.

    Without a script, in a notebook: the Programs that ran there. Exits as the script did if it built none.
    """
    from minipaddle.engine.watch.watched_mode import watching
    from minipaddle.tools.record.sources.program.registry import Registry

    if script.recording is not None:
        fail("a recording has what ran, and no Program: name the script")
    kept = at_hand.get()
    if kept is not None and not script.name:
        return kept.programs or fail("no Program has run here"), 0
    registry = Registry()
    with watching(registry):
        end = script.run()
        found = registry.finish()
    if not found:
        fail(
            "the script built no Program: a static script calls paddle.enable_static()",
            exit_code_of(end) or ExitCode.SCRIPT_RAISED,
        )
    return found, exit_code_of(end)


def sketched(script: Script, name: str = "") -> Trace:
    """Run the script; return a recording without numbers of one of its Programs.

    It is the Program called `name`, else the one that is trained, or the largest. Exits with USAGE if there is none.
    """
    from minipaddle.tools.record.sources.program.events import sketch
    from minipaddle.tools.record.sources.program.registry import the_main_one

    found, exit_code = programs_of(script)
    chosen = _called(found, name)[0] if name else the_main_one(found)
    if len(found) > 1 and not name:
        note("of {names}: {name}", names=", ".join(one.name for one in found), name=chosen.name)
    trace = sketch(chosen.program, chosen.name)
    trace.exit_code = exit_code
    return trace


def _called(found: list[Found], name: str) -> list[Found]:
    """Return the Program of that name, or all of them; exits with USAGE if there is none."""
    chosen = [one for one in found if name in ("", one.name)]
    if not chosen:
        names = ", ".join(one.name for one in found)
        fail("no Program is called {name}; there are {names}", name=repr(name), names=names)
    return chosen


def _print(chosen: list[Found], diff: bool, elsewhere: frozenset[str]) -> None:
    from minipaddle.tools.picture.program import heading, program_lines
    from minipaddle.tools.words.numbers import cut_cells
    from minipaddle.tools.words.terminal import symbols_for

    console = results()
    signs, width = symbols_for(console.encoding), width_of(console)
    for number, found in enumerate(chosen):
        if number:
            console.print()
        title = heading(found, signs)
        if width is not None:
            title = cut_cells(title, width, signs.ellipsis)
        for line in (title, *program_lines(found.program, diff, elsewhere, signs, width)):
            console.print(line, soft_wrap=True)
