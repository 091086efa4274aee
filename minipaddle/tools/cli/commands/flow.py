"""`minipaddle flow`: how large the gradients are on their way back, culprits first."""

from typing import Annotated

from typer import Exit, Option

from minipaddle.tools.cli import options as common
from minipaddle.tools.cli.console import ExitCode, fail, show
from minipaddle.tools.cli.record import Script, one_step, recorded


def flow(
    words: common.Words = None,
    module: common.Module = None,
    low: Annotated[float, Option(help="A smaller gradient vanishes.")] = 1e-7,
    high: Annotated[float, Option(help="A larger gradient explodes.")] = 1e3,
    as_json: common.AsJson = False,
    pass_number: common.PassNumber = None,
    passes: common.Passes = "first",
    seed: common.Seed = None,
    max_mb: common.MaxMb = common.MAX_MB,
) -> None:
    """Run a script and show how the gradient flows through its last recorded backward pass.

    With --passes all: a timeline of all passes, and the mistakes of the training loop.

    Exit code 3: a parameter learns nothing (vanishing, dead, unused), or too much (exploding), or NaN; or the loop has
    a mistake.
    """
    from minipaddle.tools.checks.flow import flow_lines, flow_object, gradient_flow, why_lines
    from minipaddle.tools.checks.training.no_progress import why_no_pass
    from minipaddle.tools.checks.training.timeline import timeline, timeline_lines, timeline_object
    from minipaddle.tools.words.language import say

    trace = recorded(Script(words, module, seed, as_json), max_mb, one_step(pass_number, passes))
    if not trace.passes:
        code = trace.exit_code or ExitCode.SCRIPT_RAISED
        fail("no backward pass was recorded{why}", code, why=why_no_pass(trace))
    chosen = pass_number if pass_number in trace.pass_numbers else None
    loop = timeline(trace)
    whole = passes == "all" and pass_number is None and trace.passes > 1
    found = gradient_flow(trace, chosen, low, high, loop.mistakes, in_table=not whole)
    is_finding = found.findings or any(one.sure for one in found.mistakes)
    if whole:
        lines = [*timeline_lines(loop), *why_lines(found), found.summary]
    else:
        lines = flow_lines(found)
        if passes == "first" and pass_number is None and trace.cut_off and not is_finding:
            lines[-1] = say(
                "{summary} in training step 1; --passes all looks at the whole loop", summary=lines[-1]
            )
    show(lines, flow_object(found) | (timeline_object(loop) if whole else {}) if as_json else None)
    raise Exit(trace.exit_code or (ExitCode.FINDING if is_finding else ExitCode.OK))
