"""The command line: parse, call, print. Nothing here computes."""

__all__ = ["main"]


def main() -> None:
    """Run `minipaddle` with the arguments of this process."""
    from minipaddle.cli.app import app
    from minipaddle.cli.console import tolerate_every_character

    tolerate_every_character()
    app(prog_name="minipaddle")
