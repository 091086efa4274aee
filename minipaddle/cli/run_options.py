"""The options of the commands that look at a run, each with its help said once."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

__all__ = ["MAX_MB", "AsJson", "MaxMb", "PassNumber", "Passes", "WhichPasses"]


class WhichPasses(StrEnum):
    """How much of a run is recorded."""

    first = "first"
    all = "all"


AsJson = Annotated[bool, typer.Option("--json", help="One JSON object.")]
MAX_MB = 256
MaxMb = Annotated[
    float,
    typer.Option(
        "--max-mb", min=0, help="Megabytes of numbers to keep; beyond them, statistics are kept instead."
    ),
]
PassNumber = Annotated[
    int | None,
    typer.Option("--pass", min=1, help="Record the training step of this backward pass.", show_default=False),
]
Passes = Annotated[
    WhichPasses, typer.Option(help="Record the first training step, or all that the script does.")
]
