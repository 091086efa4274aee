"""`minipaddle trace`: run a script and save the recording, to look at it later or elsewhere."""

from pathlib import Path
from typing import Annotated

from typer import Exit, Option

from minipaddle.tools.cli import options as common
from minipaddle.tools.cli.console import target_for
from minipaddle.tools.cli.record import Script, one_step, recorded, write_recording


def trace(
    words: common.Words = None,
    module: common.Module = None,
    output: Annotated[Path, Option("-o", "--output", metavar="FILE.mpt", help="The file to write.")] = Path(
        "run.mpt"
    ),
    pass_number: common.PassNumber = None,
    passes: common.Passes = "first",
    seed: common.Seed = None,
    max_mb: common.MaxMb = common.MAX_MB,
    with_locals: common.Locals = True,
) -> None:
    """Run a script and save what it did with tensors: the recording stands where a script may stand.

    An .mpt is a zip of JSON lines, arrays and sources; nothing in it is executed when it is opened.
    """
    target = target_for(output, "recording", ".mpt")
    recording = recorded(Script(words, module, seed), max_mb, one_step(pass_number, passes), with_locals)
    write_recording(recording, target, output)
    raise Exit(recording.exit_code)
