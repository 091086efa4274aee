"""`minipaddle flow`: how large the gradients are on their way back, culprits first."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from minipaddle.cli.console import ExitCode, note, results
from minipaddle.cli.options import (
    MAX_MB,
    AsJson,
    Lang,
    Language,
    MaxMb,
    Passes,
    PassNumber,
    WhichPasses,
    speak_as_told,
)
from minipaddle.cli.record import insist_on_numbers, one_step, recorded, show
from minipaddle.cli.script import Module, Seed, Words


class Size(StrEnum):
    """How the size of a gradient is told."""

    rms = "rms"
    norm = "norm"


class Order(StrEnum):
    """What stands first in the table."""

    culprit = "culprit"
    as_it_ran = "pass"
    size = "size"
    name = "name"


def flow(
    words: Words = None,
    module: Module = None,
    by: Annotated[Size, typer.Option(help="What counts as the size of a gradient.")] = Size.rms,
    low: Annotated[float, typer.Option(help="A smaller gradient vanishes.")] = 1e-7,
    high: Annotated[float, typer.Option(help="A larger gradient explodes.")] = 1e3,
    sort: Annotated[
        Order,
        typer.Option(help="What stands first: where it begins, what ran first, the smallest, or by name."),
    ] = Order.culprit,
    as_json: AsJson = False,
    pass_number: PassNumber = None,
    passes: Passes = WhichPasses.first,
    seed: Seed = None,
    max_mb: MaxMb = MAX_MB,
    lang: Lang = Language.auto,
) -> None:
    """Run a script and show how the gradient flows through its last recorded backward pass.

    Exit code 3: a parameter learns nothing (vanishing, dead, unused), or too much (exploding), or NaN.
    """
    from minipaddle.checks.flow import flow_lines, flow_object, gradient_flow

    speak_as_told(lang)
    trace = recorded(words, module, seed, max_mb, as_json, one_step(pass_number, passes))
    if not trace.passes:
        note("there was no backward pass")
        raise typer.Exit(trace.exit_code or ExitCode.SCRIPT_RAISED)
    insist_on_numbers(trace)
    chosen = pass_number if pass_number in trace.pass_numbers else None
    found = gradient_flow(trace, chosen, by=by.value, low=low, high=high, order=sort.value)
    show(results(), flow_lines(found), flow_object(found) if as_json else None)
    raise typer.Exit(trace.exit_code or (ExitCode.FINDING if found.findings else ExitCode.OK))
