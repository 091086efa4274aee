"""`minipaddle diff`: two runs side by side."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Exit, Option

from minipaddle.tools.cli import options as common
from minipaddle.tools.cli.console import ExitCode, fail, show
from minipaddle.tools.cli.record import Script, one_step, recorded

if TYPE_CHECKING:
    from minipaddle.tools.record.events import Trace


def diff(
    first: Annotated[
        str, Argument(metavar="A", help="A script or a recording; 'net.py eager' gives arguments too.")
    ],
    second: Annotated[
        str | None, Argument(metavar="B", help="Another one; with --pass-b it may be A itself.")
    ] = None,
    tol: Annotated[float, Option(min=0, help="Relative difference that counts.")] = 1e-4,
    as_json: common.AsJson = False,
    pass_number: common.PassNumber = None,
    pass_b: Annotated[
        int | None, Option("--pass-b", min=1, help="The training step of B, if it is another.")
    ] = None,
    passes: common.Passes = "first",
    seed: common.Seed = 0,
    max_mb: common.MaxMb = common.MAX_MB,
) -> None:
    """Show what two scripts or recordings do not have in common, then where values or gradients begin to differ.

    With --pass and --pass-b, two training steps of one script are compared, such as an eager and a static one.

    Exit code 3: they differ.
    """
    from minipaddle.tools.checks.diff import compare, compare_lines, compare_object

    if second is None and pass_b is None:
        fail("compare with what? diff A B, or diff A --pass 1 --pass-b 2")
    numbers = pass_number, pass_b or pass_number
    a, b = (
        _recorded_alone(words, seed, max_mb, as_json, one_step(number, passes))
        for words, number in zip((first, second or first), numbers)
    )
    found = compare(a, b, tol, *numbers)
    show(compare_lines(found), compare_object(found) if as_json else None)
    raise Exit(a.exit_code or b.exit_code or (ExitCode.FINDING if found else ExitCode.OK))


def _words(text: str) -> list[str]:
    """Return a script and its arguments as words; a file whose name has spaces is one word."""
    if Path(text).exists():
        return [text]
    try:
        return shlex.split(text)
    except ValueError as error:
        fail("{text}: {error}", text=text, error=error)


def _recorded_alone(words: str, seed: int | None, max_mb: float, as_json: bool, step: int | None) -> Trace:
    """Return a recording of a script that starts as in a new process: nothing of the other script is left."""
    from minipaddle.paddle.utils.clean_start import begun_anew

    with begun_anew():
        return recorded(Script(_words(words), None, seed, as_json), max_mb, step)
