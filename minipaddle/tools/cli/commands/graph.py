"""`minipaddle graph`: draw the last backward pass of a script."""

from __future__ import annotations

import tempfile
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Exit, Option

from minipaddle.tools.cli import options as common
from minipaddle.tools.cli.commands.program import sketched
from minipaddle.tools.cli.console import ExitCode, fail, failing_at, note, results, target_for, width_of
from minipaddle.tools.cli.record import Script, recorded
from minipaddle.tools.picture.choices import Format, Options
from minipaddle.tools.words.language import reason, spoken

if TYPE_CHECKING:
    from minipaddle.tools.picture.picture import Picture
    from minipaddle.tools.record.events import Trace

_BYTES = ("png", "pdf")
"""Formats that a terminal cannot show."""


@common.taking_options("program")
def graph(
    words: common.Words = None,
    module: common.Module = None,
    output: Annotated[
        Path | None,
        Option("-o", "--output", help="File to draw into: .html, .svg, .png, .pdf, .tex, .dot or .json."),
    ] = None,
    format: Annotated[
        Format | None, Option(help="What to draw; the suffix says it, too. A text may go without -o.")
    ] = None,
    show: Annotated[bool, Option("--show", help="Open what was drawn.")] = False,
    program: Annotated[
        bool, Option("--program", help="Draw the Program as it is written, without numbers, run or not.")
    ] = False,
    name: Annotated[
        str,
        Option(
            metavar="NAME", help="The same, of the Program of that name: `minipaddle program` lists them."
        ),
    ] = "",
    pass_number: common.DrawnPass = None,
    seed: common.Seed = None,
    max_mb: common.MaxMb = common.MAX_MB,
    **look: Any,
) -> None:
    """Run a script and draw its last backward pass: forward down the left, backward up the right.

    Without -o, the picture is a tree in the terminal. If the script raises, what ran until then is drawn; if it has
    no backward pass, its forward run is. The exit code is the script's. A recording (.mpt) may stand in the place of
    the script.

    Exit code 5: SVG, PNG, PDF or TeX was asked for, and no Graphviz is here.
    """
    options = Options(**look)
    if output is None and show:
        output = Path(tempfile.mkdtemp(prefix="minipaddle-")) / f"graph.{format or 'html'}"
    if output is None and format in _BYTES:
        fail("--format {format} is no text: -o FILE says where it goes", format=format)
    script = Script(words, module, seed, stdout_is_ours=output is None and format is not None)
    target = None if output is None else _target(output, script.name, format)
    written = program or bool(name)
    trace = sketched(script, name) if written else recorded(script, max_mb)
    picture = _picture(trace, pass_number, options)
    if target is not None and output is not None:
        _draw(picture, target, output, format)
        if show:
            webbrowser.open(target.as_uri())
    elif format is not None:
        typer.echo(picture.rendered(format).data.decode(), nl=False)
    else:
        from minipaddle.tools.words.terminal import symbols_for

        console = results()
        for line in picture.lines(symbols_for(console.encoding), width_of(console)):
            console.print(line, soft_wrap=True)
    raise Exit(trace.exit_code)


def _picture(trace: Trace, pass_number: int | None, options: Options) -> Picture:
    from minipaddle.tools.picture.api import graph
    from minipaddle.tools.picture.model.mirror import NoBackward

    forward = not trace.passes and pass_number is None and options.view != "backward"
    if forward and not (trace.exit_code or trace.notes):
        note("backward has not run, so the forward run is drawn: call loss.backward() or paddle.grad(...)")
    try:
        return graph(trace, pass_number, **vars(options))
    except NoBackward as error:
        fail(reason(error), trace.exit_code or (ExitCode.USAGE if pass_number else ExitCode.SCRIPT_RAISED))


def _target(output: Path, script: str, format: Format | None) -> Path:
    """Return the output file; exits with USAGE for an unknown format."""
    from minipaddle.tools.picture.draw.render import format_of

    try:
        _ = format or format_of(output)
    except ValueError as error:
        fail("{path}: {error}", path=output, error=error)
    return target_for(output, script=script)


def _draw(picture: Picture, target: Path, shown: Path, format: Format | None) -> None:
    from minipaddle.tools.picture.draw.render import format_of

    with failing_at(shown):
        drawn = picture.save(target, format)
    seen = picture.seen(format or format_of(target))
    for remark in drawn.remarks:
        note(spoken(remark))
    note("drew {path} ({what}; engine: {engine})", path=shown, what=seen.subtitle, engine=drawn.engine)
    if seen.closed:
        note(spoken(seen.closed))
