"""`minipaddle diff`: two runs side by side, or a run against a real Paddle."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from minipaddle.cli.console import fail, results
from minipaddle.cli.exits import ExitCode
from minipaddle.cli.language import Lang, Language, speak_as_told
from minipaddle.cli.record import MaxMb, Passes, PassNumber, WhichPasses, one_step, recorded, show
from minipaddle.cli.script import Seed

__all__ = ["diff"]


def diff(
    first: Annotated[str, typer.Argument(metavar="A", help="A script or a recording.")],
    second: Annotated[
        str | None, typer.Argument(metavar="B", help="Another one.", show_default=False)
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(metavar="paddle", help="Compare with a run on the real Paddle.", show_default=False),
    ] = None,
    python: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="The interpreter that has the real Paddle.", show_default=False),
    ] = None,
    tol: Annotated[float, typer.Option(min=0, help="Relative difference that counts.")] = 1e-4,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
    pass_number: PassNumber = None,
    passes: Passes = WhichPasses.first,
    seed: Seed = 0,
    max_mb: MaxMb = 256,
    lang: Lang = Language.auto,
) -> None:
    """Show the first operator whose value or gradient differs between two scripts or recordings.

    With --against paddle, the script runs here and, in another interpreter, on the real Paddle: gradients of parameters
    and values fetched are compared. Both runs start from the same parameters. Exit code 3: they differ.
    """
    from minipaddle.debug.compare import compare, compare_lines, compare_object

    speak_as_told(lang)
    if against is not None:
        _against_paddle(first, against, python, tol, as_json)
    if second is None:
        fail("compare with what? diff A B, or diff A --against paddle --python PATH")
    step = one_step(pass_number, passes)
    a, b = (recorded([name], None, seed, max_mb, as_json, step) for name in (first, second))
    found = compare(a, b, tol)
    show(results(), compare_lines(found), compare_object(found) if as_json else None)
    raise typer.Exit(a.exit_code or b.exit_code or (ExitCode.FINDING if found else ExitCode.OK))


def _against_paddle(script: str, against: str, python: Path | None, tol: float, as_json: bool) -> None:
    from minipaddle.compat.twin import TwinFailed, run_both

    if against != "paddle":
        fail(f"--against {against}: only paddle is known")
    if python is None:
        fail("--against paddle needs --python PATH: the interpreter that has the real Paddle")
    try:
        found = run_both(script, python)
    except TwinFailed as error:
        fail(str(error), ExitCode.SCRIPT_RAISED)
    different = [one for one in found if not one.gap <= tol]
    lines = [f"{one.name}  {one.said}" for one in (different or found)]
    lines.append(f"{len(found)} arrays compared, {len(different)} differ")
    data = [{"name": one.name, "difference": str(one.gap), "said": one.said} for one in found]
    show(results(), lines, {"diff": data} if as_json else None)
    raise typer.Exit(ExitCode.FINDING if different else ExitCode.OK)
