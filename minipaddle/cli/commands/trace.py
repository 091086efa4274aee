"""`minipaddle trace`: run a script and save the recording, to look at it later or elsewhere."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from minipaddle.cli.console import fail
from minipaddle.cli.options import MAX_MB, MaxMb, Passes, PassNumber, WhichPasses
from minipaddle.cli.record import one_step, recorded, write_recording
from minipaddle.cli.script import Module, Seed, Words


class Numbers(StrEnum):
    """What is saved of the numbers."""

    none = "none"
    stats = "stats"
    full = "full"


def trace(
    words: Words = None,
    module: Module = None,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE.mpt", help="The file to write.")
    ] = Path("run.mpt"),
    values: Annotated[
        Numbers, typer.Option(help="Save all numbers, their statistics only, or neither.")
    ] = Numbers.full,
    pass_number: PassNumber = None,
    passes: Passes = WhichPasses.first,
    seed: Seed = None,
    max_mb: MaxMb = MAX_MB,
) -> None:
    """Run a script and save what it did with tensors: the recording stands where a script may stand.

    An .mpt is a zip of JSON lines, arrays and sources; nothing in it is executed when it is opened.
    """
    if output.suffix != ".mpt":
        fail(f"{output}: the name of a recording ends with .mpt")
    if output.is_dir() or not output.parent.is_dir():
        fail(f"{output}: {'is a directory' if output.is_dir() else f'there is no directory {output.parent}'}")
    target = output.absolute()
    megabytes = 0 if values is Numbers.stats else max_mb  # no number is kept for its statistics
    recording = recorded(words, module, seed, megabytes, step=one_step(pass_number, passes))
    write_recording(recording, target, output, values is Numbers.full, values is not Numbers.none)
    raise typer.Exit(recording.exit_code)
