"""`minipaddle graph`: draw the last backward pass of a script."""

from __future__ import annotations

import tempfile
import webbrowser
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from minipaddle.cli.commands.program import sketched
from minipaddle.cli.console import ExitCode, fail, note, results
from minipaddle.cli.options import MAX_MB, MaxMb
from minipaddle.cli.picture_options import (
    Collapse,
    ColorBy,
    Depth,
    Direction,
    DirectionName,
    Edges,
    EdgesName,
    Focus,
    Fold,
    FoldName,
    Highlight,
    Layout,
    LayoutName,
    OfProgram,
    ProgramName,
    Saved,
    ShareSafe,
    Theme,
    ThemeName,
    Unfold,
    Values,
    ValuesName,
    View,
    ViewName,
    options_from,
)
from minipaddle.cli.record import recorded
from minipaddle.cli.script import Module, Seed, Words

if TYPE_CHECKING:
    from minipaddle.trace.events import Trace
    from minipaddle.viz.options import Options
    from minipaddle.viz.picture import Picture


class EngineName(StrEnum):
    """Who may be asked to draw."""

    auto = "auto"
    dot = "dot"
    pygraphviz = "pygraphviz"
    tape = "tape"


def graph(
    words: Words = None,
    module: Module = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            help="File to draw into: .html, .svg, .png, .pdf, .dot, .mmd or .json.",
            show_default=False,
        ),
    ] = None,
    show: Annotated[bool, typer.Option("--open", help="Open what was drawn.")] = False,
    view: View = ViewName.both,
    layout: Layout = LayoutName.mirror,
    direction: Direction = DirectionName.TB,
    values: Values = ValuesName.stats,
    depth: Depth = None,
    fold: Fold = FoldName.auto,
    collapse: Collapse = "",
    focus: Focus = "",
    highlight: Highlight = "",
    color_by: ColorBy = "role",
    saved: Saved = False,
    edges: Edges = EdgesName.names,
    theme: Theme = ThemeName.light,
    share_safe: ShareSafe = False,
    program: OfProgram = False,
    name: ProgramName = "",
    unfold: Unfold = False,
    engine: Annotated[
        EngineName,
        typer.Option(help="Who draws: the first that can, or the one named (tape: our own, svg only)."),
    ] = EngineName.auto,
    pass_number: Annotated[
        int | None,
        typer.Option("--pass", min=1, help="Which backward pass (the last one).", show_default=False),
    ] = None,
    seed: Seed = None,
    max_mb: MaxMb = MAX_MB,
) -> None:
    """Run a script and draw its last backward pass: forward down the left, backward up the right.

    Without -o, the picture is a tree in the terminal. If the script raises, what ran until then is drawn; if it has
    no backward pass, its forward run is. The exit code is the script's. A recording (.mpt) may stand in the place of
    the script.

    Exit code 5: PNG or PDF was asked for, and no Graphviz is here.
    """
    options = options_from(
        view=view,
        layout=layout,
        direction=direction,
        values=values,
        depth=depth,
        fold=fold,
        collapse=collapse,
        focus=focus,
        highlight=highlight,
        color_by=color_by,
        saved=saved,
        edges=edges,
        theme=theme,
        share_safe=share_safe,
    )
    if output is None and show:
        output = Path(tempfile.mkdtemp(prefix="minipaddle-")) / "graph.html"
    target = None if output is None else checked_target(output)
    written = program or unfold or bool(name)
    trace = sketched(words, module, seed, unfold, name) if written else recorded(words, module, seed, max_mb)
    picture = _picture(trace, pass_number, options, engine)
    if target is None or output is None:
        _print_tree(picture)
    else:
        _draw(picture, target, output)
        if show:
            webbrowser.open(target.as_uri())
    raise typer.Exit(trace.exit_code)


def _picture(trace: Trace, pass_number: int | None, options: Options, engine: EngineName) -> Picture:
    from minipaddle.viz.model.mirror import NoBackward, mirror_or_forward
    from minipaddle.viz.picture import Picture

    if (
        not trace.passes
        and pass_number is None
        and options.view != "backward"
        and not (trace.exit_code or trace.notes)
    ):
        note("backward has not run, so the forward run is drawn: call loss.backward() or paddle.grad(...)")
    try:
        whole = mirror_or_forward(trace, pass_number, options.view)
    except NoBackward as error:
        note(str(error))
        wrong = ExitCode.SCRIPT_RAISED if pass_number is None else ExitCode.USAGE
        raise typer.Exit(trace.exit_code or wrong) from None
    return Picture(whole, trace, options, engine.value)


def checked_target(output: Path) -> Path:
    """Refuse a place that cannot be written before the script runs: it may run for long, or change directory."""
    from minipaddle.viz.digraph import format_of

    try:
        format_of(output)
    except ValueError as error:
        fail(f"{output}: {error}")
    if output.is_dir() or not output.parent.is_dir():
        fail(f"{output}: {'is a directory' if output.is_dir() else f'there is no directory {output.parent}'}")
    try:
        with tempfile.TemporaryFile(dir=output.parent):
            return output.absolute()
    except OSError as error:
        fail(f"{output}: {error.strerror or error}")


def _draw(picture: Picture, target: Path, shown: Path) -> None:
    from minipaddle.viz.digraph import format_of
    from minipaddle.viz.draw.render import NoRenderer
    from minipaddle.viz.options import BadOption

    try:
        drawn = picture.save(target)
        subtitle = picture.seen(format_of(target)).subtitle
    except BadOption as error:
        fail(str(error))
    except NoRenderer as error:
        fail(str(error), ExitCode.NO_RENDERER)
    except OSError as error:
        fail(f"{shown}: {error.strerror or error}")
    for remark in drawn.remarks:
        note(remark)
    note(f"drew {shown} ({subtitle}; engine: {drawn.engine})")


def _print_tree(picture: Picture) -> None:
    from minipaddle.viz.options import BadOption
    from minipaddle.words.symbols import glyphs_for

    console = results()
    try:
        for line in picture.lines(
            glyphs_for(console.encoding), console.width if console.is_terminal else None
        ):
            console.print(line, soft_wrap=True)
    except BadOption as error:
        fail(str(error))
