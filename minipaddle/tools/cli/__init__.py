"""The command line: parse, call, print. Nothing here computes. Read next: ``app``, one file for each command."""

import sys

__all__ = ["main"]


def main() -> None:
    """Run `minipaddle` on the arguments and streams of this process.

    Always raises SystemExit, with an :class:`ExitCode <minipaddle.tools.cli.console.ExitCode>` or the script's own.
    """
    from minipaddle.tools.cli.app import app
    from minipaddle.tools.cli.console import answering, tolerate_every_character
    from minipaddle.tools.cli.translated_help import speak_as_told

    tolerate_every_character()
    speak_as_told(sys.argv[1:])
    with answering():
        app(prog_name="minipaddle")
