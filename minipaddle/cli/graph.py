"""`minipaddle graph`: draw the last backward pass of a script."""

from __future__ import annotations

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


def graph(
    words: Words = None,
    module: Module = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="File to draw into: .svg, .png, .pdf or .dot.", show_default=False),
    ] = None,
    pass_number: Annotated[
        int | None, typer.Option("--pass", min=1, help="Which backward pass (the last one).", show_default=False)
    ] = None,
    seed: Seed = None,
    max_mb: MaxMb = 256,
) -> None:
    """Run a script and draw its last backward pass: forward down the left, backward up the right.

    Without -o, the picture is a tree in the terminal.

    Exit code 5: PNG or PDF was asked for, and no Graphviz is here.
    """
    from minipaddle.viz.mirror import NoBackward, mirror

    if output is not None:
        _check_target(output)
    trace = recorded(words, module, seed, max_mb)
    try:
        picture = mirror(trace, pass_number)
    except NoBackward as error:
        fail(str(error), ExitCode.SCRIPT_RAISED)
    if output is None:
        _print_tree(picture, trace)
    else:
        _draw(picture, output)


def _check_target(output: Path) -> None:
    """Refuse a place that cannot be written before the script runs: it may run for long."""
    from minipaddle.viz.render import FORMATS

    if output.suffix.removeprefix(".").lower() not in FORMATS:
        fail(f"{output}: no picture format {output.suffix or 'without a suffix'}; there are: .{', .'.join(FORMATS)}")
    if output.is_dir() or not output.parent.is_dir():
        fail(f"{output}: {'is a directory' if output.is_dir() else f'there is no directory {output.parent}'}")


def _draw(picture: Graph, output: Path) -> None:
    from minipaddle.viz.render import NoRenderer, save

    try:
        rendered = save(picture, output)
    except NoRenderer as error:
        fail(str(error), ExitCode.NO_RENDERER)
    except OSError as error:
        fail(f"{output}: {error.strerror or error}")
    for remark in rendered.remarks:
        note(remark)
    note(f"drew {output} ({picture.subtitle}; engine: {rendered.engine})")


def _print_tree(picture: Graph, trace: Trace) -> None:
    from rich.table import Table

    from minipaddle.viz.glyphs import glyphs_for
    from minipaddle.viz.tree import tree_rows

    console = results()
    signs = glyphs_for(console.encoding)
    console.print(f"{picture.title} {signs.dot} {picture.subtitle}")
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for row in tree_rows(picture, trace, signs):
        table.add_row(*row)
    console.print(table)
