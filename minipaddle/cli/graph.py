"""`minipaddle graph`: draw the last backward pass of a script."""

from __future__ import annotations

import tempfile
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from minipaddle.cli.console import fail, note, results
from minipaddle.cli.exits import ExitCode
from minipaddle.cli.record import MaxMb, recorded
from minipaddle.cli.script import Module, Seed, Words

if TYPE_CHECKING:
    from minipaddle.trace.events import Trace
    from minipaddle.viz.graph import Graph

__all__ = ["graph"]


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
            "-o", "--output", help="File to draw into: .svg, .png, .pdf or .dot.", show_default=False
        ),
    ] = None,
    engine: Annotated[
        EngineName,
        typer.Option(help="Who draws: the first that can, or the one named (tape: our own, svg only)."),
    ] = EngineName.auto,
    pass_number: Annotated[
        int | None,
        typer.Option("--pass", min=1, help="Which backward pass (the last one).", show_default=False),
    ] = None,
    seed: Seed = None,
    max_mb: MaxMb = 256,
) -> None:
    """Run a script and draw its last backward pass: forward down the left, backward up the right.

    Without -o, the picture is a tree in the terminal. If the script raises, what ran until then is drawn, and the
    exit code is the script's.

    Exit code 5: PNG or PDF was asked for, and no Graphviz is here.
    """
    from minipaddle.viz.mirror import NoBackward, mirror

    target = None if output is None else _checked(output)
    trace = recorded(words, module, seed, max_mb)
    try:
        picture = mirror(trace, pass_number)
    except NoBackward as error:
        note(str(error))
        raise typer.Exit(trace.exit_code or ExitCode.SCRIPT_RAISED) from None
    if target is None or output is None:
        _print_tree(picture, trace)
    else:
        _draw(picture, target, output, engine)
    raise typer.Exit(trace.exit_code)


def _checked(output: Path) -> Path:
    """Refuse a place that cannot be written before the script runs: it may run for long, or change directory."""
    from minipaddle.viz.render import format_of

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


def _draw(picture: Graph, target: Path, shown: Path, engine: EngineName) -> None:
    from minipaddle.viz.render import NoRenderer, save

    try:
        rendered = save(picture, target, engine.value)
    except NoRenderer as error:
        fail(str(error), ExitCode.NO_RENDERER)
    except OSError as error:
        fail(f"{shown}: {error.strerror or error}")
    for remark in rendered.remarks:
        note(remark)
    note(f"drew {shown} ({picture.subtitle}; engine: {rendered.engine})")


def _print_tree(picture: Graph, trace: Trace) -> None:
    from minipaddle.viz.glyphs import glyphs_for
    from minipaddle.viz.tree import tree_lines

    console = results()
    signs = glyphs_for(console.encoding)
    width = console.width if console.is_terminal else None
    console.print(f"{picture.title} {signs.dot} {picture.subtitle}")
    for line in tree_lines(picture, trace, signs, width):
        console.print(line, soft_wrap=True)
