"""`minipaddle check`: every gradient of a run, or of one operator, against how the outputs really change."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from minipaddle.cli import options as common
from minipaddle.cli.console import ExitCode, results
from minipaddle.cli.record import insist_on_numbers, insist_on_pattern, one_step, recorded, show

if TYPE_CHECKING:
    from minipaddle.trace import Trace


def check(
    words: common.Words = None,
    module: common.Module = None,
    eps: Annotated[
        float | None, typer.Option(min=1e-12, help="How far an input is moved (1e-5; in float32 1e-2).")
    ] = None,
    tol: Annotated[
        float | None,
        typer.Option(min=0, help="Relative difference that is a mistake (1e-3; in float32 2e-2)."),
    ] = None,
    dtype: Annotated[
        Literal["float64", "float32"],
        typer.Option(help="In what precision the operators run when an input is moved."),
    ] = "float64",
    node: Annotated[str, typer.Option(metavar="RE", help="Only operators with such a name.")] = "",
    as_json: common.AsJson = False,
    pass_number: common.PassNumber = None,
    passes: common.Passes = "first",
    seed: common.Seed = None,
    max_mb: common.MaxMb = common.MAX_MB,
    lang: common.Lang = "auto",
) -> None:
    """Check every PyLayer and operator that a script differentiates, or one operator by its name.

    Each input is moved a little, at the numbers that the run met; what the output does is compared with the gradient
    that was computed. Exit code 3: one is wrong. What cannot be checked is said to be unchecked, and is no finding.
    """
    from minipaddle.checks.check import check_event, check_line, check_object, check_summary, gradient_events

    common.speak_as_told(lang)
    insist_on_pattern("--node", node)
    trace = _of_operator(words) or recorded(
        words, module, seed, max_mb, as_json, one_step(pass_number, passes)
    )
    insist_on_numbers(trace)
    events = [event for event in gradient_events(trace) if re.search(node, event.title)]
    found = [one for event in events for one in check_event(trace, event, eps, tol, dtype)]
    wrong = [one for one in found if one.verdict == "wrong"]
    ordered = wrong + [one for one in found if one.verdict != "wrong"]
    lines = [check_line(trace, one) for one in ordered]
    lines.append(check_summary(found))
    show(results(), lines, {"check": [check_object(trace, one) for one in ordered]} if as_json else None)
    raise typer.Exit(trace.exit_code or (ExitCode.FINDING if wrong else ExitCode.OK))


def _of_operator(words: list[str] | None) -> Trace | None:
    """Return a recording of one call of an operator, if the only word is the name of one and of no file."""
    if not words or len(words) > 1 or not words[0].isidentifier() or Path(words[0]).exists():
        return None
    from minipaddle.checks.example import record_operator
    from minipaddle.explain.catalogue import find

    op = find(words[0])
    return None if op is None else record_operator(op.type)
