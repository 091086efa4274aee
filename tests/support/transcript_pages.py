"""Pages of tests/transcripts: under each heading a claim, a script, and the output of commands on it.

A script above the first heading is there for all claims of the page.

`python -m tests.support.transcript_pages PAGE...` writes the lines of the transcripts anew wherever they say something
else; three dots stand for lines that are not about the claim. To add a claim, write heading, script and commands, and
run it.
"""

import os
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.support.transcripts import BLOCK, agrees, exchanges, type_in

_SCRIPT = re.compile(r"^```python(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
"""A script; it is called script.py where the fence gives no name."""


class Claim(NamedTuple):
    """A section of a page: its heading, its text as it stands in the file, and what stands above all sections."""

    title: str
    text: str
    above: str


def claims(page: Path) -> list[Claim]:
    """Return the sections of a page."""
    above, *sections = re.split(r"^(?=## )", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return [Claim(text.partition("\n")[0].removeprefix("## "), text, above) for text in sections]


def differences(claim: Claim, desk: Path) -> Iterator[str]:
    """Run the commands of a section, and yield what they print where it is not what the page says."""
    lay_scripts(claim, desk)
    for block in BLOCK.findall(claim.text):
        for command, said in exchanges(block):
            printed = _typed(command, desk)
            if not agrees(said, printed):
                yield "\n".join([f"$ {command}", *printed])


def _typed(command: str, desk: Path) -> list[str]:
    """Return what a command prints, without the folder that it is run in."""
    return [line.replace(f"{desk}{os.sep}", "") for line in type_in(command, desk)]


def lay_scripts(claim: Claim, desk: Path) -> None:
    """Write the scripts of a section where its commands are run."""
    for name, source in _SCRIPT.findall(claim.above + claim.text):
        place = desk / (name or "script.py")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(source, encoding="utf-8")


def retyped(claim: Claim) -> str:
    """Return the text of a section with what its commands print now."""
    with tempfile.TemporaryDirectory() as folder:
        desk = Path(folder)
        lay_scripts(claim, desk)

        def anew(found: re.Match[str]) -> str:
            lines = []
            for command, said in exchanges(found[1]):
                printed = _typed(command, desk)
                lines += [f"$ {command}", *(said if said and agrees(said, printed) else printed)]
            return "\n".join(["```console", *lines, "```"])

        return BLOCK.sub(anew, claim.text)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        page = Path(name)
        begin = page.read_text(encoding="utf-8").partition("\n## ")[0]
        page.write_text("".join([begin, "\n", *map(retyped, claims(page))]), encoding="utf-8")
