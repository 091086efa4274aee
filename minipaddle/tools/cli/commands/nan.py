"""`minipaddle nan`: where a NaN or an Inf is born, spreads, is masked or heals."""

from typing import Annotated

from typer import Exit, Option

from minipaddle.tools.cli import options as common
from minipaddle.tools.cli.console import ExitCode, show
from minipaddle.tools.cli.record import Script, insist_on_pattern, one_step, recorded


def nan(
    words: common.Words = None,
    module: common.Module = None,
    infinite_too: Annotated[bool, Option("--inf", help="An Inf is a finding wherever it stays.")] = False,
    ignored: Annotated[
        str, Option("--except", metavar="RE", help="Operators that may make NaN or Inf.")
    ] = "",
    first: Annotated[bool, Option("--first", help="Only where the first one is born.")] = False,
    as_json: common.AsJson = False,
    pass_number: common.PassNumber = None,
    passes: common.Passes = "all",
    seed: common.Seed = None,
    max_mb: common.MaxMb = common.MAX_MB,
) -> None:
    """Run a script and follow everything that is not finite, from its birth to where it arrives.

    Exit code 3: a NaN was born, or an Inf arrives at a loss, a gradient or a parameter.
    """
    from minipaddle.tools.checks.nan import hunt, hunt_lines, hunt_object

    insist_on_pattern("--except", ignored)
    trace = recorded(Script(words, module, seed, as_json), max_mb, one_step(pass_number, passes))
    found = hunt(trace, infinite_too, ignored)
    show(hunt_lines(found, trace, first), hunt_object(found, trace) if as_json else None)
    raise Exit(trace.exit_code or (ExitCode.FINDING if found.is_finding else ExitCode.OK))
