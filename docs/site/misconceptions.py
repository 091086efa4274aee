"""The catalogue of misconceptions, made of its scripts: a belief, a guess, the code, what it prints, a picture.

`make docs` writes `docs/misconceptions/README.md` with it; slides and the plan of the course take the parts.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from docs.site.paths import ROOT

ROOM = ROOT / "docs" / "misconceptions"
_PARTS = re.compile(r"^(Belief|Guess|Truth|Picture): ", re.MULTILINE)
_HEAD = """\
# What many believe

{count} beliefs about gradients that most of us have held. Read the belief and the script, write your guess down,
and only then open the answer. Every script runs, here and on PaddlePaddle (the last one on 2.6), and ends in
assertions; `make docs` draws the pictures anew.

"""


@dataclass(frozen=True)
class Misconception:
    """A script whose docstring has three parts, Belief, Guess and Truth, and may have a fourth."""

    path: Path
    belief: str
    guess: str
    truth: str
    code: str
    options: str = ""
    """For the picture: `--pass 1`."""

    @property
    def heading(self) -> str:
        """The belief with its number."""
        return f'{int(self.path.stem.split("_")[0])}. "{self.belief.rstrip(".")}"'

    @property
    def question(self) -> str:
        """What is asked, with a link to the script."""
        return f"**Guess:** {self.guess} ([{self.path.name}]({self.path.name}))"

    @property
    def picture(self) -> str:
        """The file of its picture."""
        return f"{self.path.stem}.svg"

    @property
    def command(self) -> str:
        """What draws it."""
        return " ".join(f"minipaddle graph {self.path.name} {self.options} -o {self.picture}".split())


def read(path: Path) -> Misconception:
    """Return what a script of the catalogue says.

    Raises:
        ValueError: if its docstring lacks a part.
    """
    text = path.read_text(encoding="utf-8")
    doc = ast.get_docstring(ast.parse(text)) or ""
    _, *pieces = _PARTS.split(doc)
    parts = {name: " ".join(said.split()) for name, said in zip(pieces[::2], pieces[1::2])}
    options = parts.pop("Picture", "")
    if set(parts) != {"Belief", "Guess", "Truth"}:
        raise ValueError(f"{path.name}: its docstring is to have Belief, Guess and Truth")
    code = text.partition('\n"""\n')[2].lstrip("\n")
    return Misconception(path, parts["Belief"], parts["Guess"], parts["Truth"], code, options)


def catalogue() -> list[Misconception]:
    """Return all, in the order of their files."""
    return [read(path) for path in sorted(ROOM.glob("[0-9]*.py"))]


def printed(one: Misconception) -> str:
    """Return what a script prints."""
    command = [sys.executable, "-m", "minipaddle", "run", one.path.name]
    return subprocess.run(command, cwd=ROOM, check=True, capture_output=True, text=True).stdout


def entry(one: Misconception, said: str) -> str:
    """Return its part of the page."""
    return f"""\
## {one.heading}

{one.question}

```python
{one.code}```

<details>
<summary>Answer</summary>

{one.truth}

```text
{said}```

```console
$ {one.command}
```

![The gradient in {one.path.name}]({one.picture})

</details>
"""


def page() -> str:
    """Return the page, with what the scripts print today."""
    found = catalogue()
    return _HEAD.format(count=len(found)) + "\n".join(entry(one, printed(one)) for one in found)


if __name__ == "__main__":
    (ROOM / "README.md").write_text(page(), encoding="utf-8")
