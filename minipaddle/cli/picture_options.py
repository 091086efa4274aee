"""The options of `minipaddle graph` that say what is to be seen, and how."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from minipaddle.cli.console import fail
from minipaddle.viz import choices

if TYPE_CHECKING:
    from minipaddle.viz.options import Options

View = Annotated[choices.View, typer.Option(help="Both sides of the mirror, or one.")]
Layout = Annotated[
    choices.Layout,
    typer.Option(
        help="mirror: twins on one row. stack: backward below forward. tape: one step a row, as it ran."
    ),
]
Direction = Annotated[choices.Direction, typer.Option(help="Forward runs down (TB) or to the right (LR).")]
Values = Annotated[
    choices.Detail, typer.Option(help="Numbers in the nodes: none, a glance, or all there is.")
]
Depth = Annotated[int | None, typer.Option(min=0, help="Close the layers within so many others; 0: all.")]
Fold = Annotated[
    choices.Fold, typer.Option(help="Draw repeats once (×12), where a picture would be too large.")
]
Collapse = Annotated[str, typer.Option(metavar="RE", help="Close the layers whose title matches.")]
Focus = Annotated[
    str, typer.Option(metavar="NAME±K", help="Only what is at most K steps (2) from that name.")
]
Highlight = Annotated[str, typer.Option(metavar="RE", help="Point out the nodes whose text matches.")]
ColorBy = Annotated[
    str,
    typer.Option(help="role, grad, value, rms, time, bytes, nan, or py:EXPRESSION over g, out, norm, ..."),
]
Saved = Annotated[bool, typer.Option("--saved", help="Say how many bytes are kept for backward, and where.")]
Edges = Annotated[
    choices.Labels,
    typer.Option(help="At arrows: names where there are several, or the shape of what flows, too."),
]
Theme = Annotated[choices.ThemeName, typer.Option(help="Colours; cb: for colour-blind people.")]
ShareSafe = Annotated[bool, typer.Option("--share-safe", help="No number of yours in the file.")]
OfProgram = Annotated[
    bool, typer.Option("--program", help="Draw the Program as it is written, without numbers, run or not.")
]
ProgramName = Annotated[
    str,
    typer.Option(
        "--name",
        metavar="NAME",
        help="The same, of the Program of that name: `minipaddle program` lists them.",
    ),
]
Unfold = Annotated[
    bool, typer.Option("--unfold", help="The same, with gradient operators opened into those of their rules.")
]


Engine = Annotated[
    choices.EngineName,
    typer.Option(help="Who draws: the first that can, or the one named (tape: our own, svg only)."),
]


def options_from(given: Mapping[str, Any]) -> Options:
    """Return the options among a command's parameters; exits with USAGE if one of them cannot be carried out."""
    from minipaddle.viz.choices import BadOption
    from minipaddle.viz.options import Options

    names = {field.name for field in dataclasses.fields(Options)}
    try:
        return Options(**{name: value for name, value in given.items() if name in names})
    except BadOption as error:
        fail(str(error))
