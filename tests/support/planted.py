"""Planted mistakes and correct controls: small scripts, run through the real commands in this process.

A mistake is written as an edit of the correct script, where there is one like it. The line that a tool is to name bears
the comment ``# HERE``.
"""

import json
from pathlib import Path
from typing import Any, NamedTuple

from tests.support.commands import run_command
from tests.support.edits import edited, sections

__all__ = ["HEAD", "LOSS", "ONES", "Planted", "Verdicts", "planted", "said_by"]

HEAD = """\
import numpy as np
import paddle
import paddle.nn.functional as F
from paddle.autograd import PyLayer

rng = np.random.default_rng(7)
def leaf(*shape, low=-1.5, high=1.5):
    return paddle.to_tensor(rng.uniform(low, high, shape).astype("float32"), stop_gradient=False)
def loss_of(*outs):
    loss = 0.0
    for out in outs:
        loss = loss + (out * paddle.to_tensor(rng.uniform(0.3, 1.3, out.shape).astype("float32"))).sum()
    return loss
x, y = leaf(3, 4), leaf(3, 4)
p, q = leaf(3, 4, low=0.4, high=2), leaf(3, 4, low=0.4, high=2)
a, b, v = leaf(3, 3), leaf(3, 3), leaf(4)
def turned(*shape):
    array = rng.uniform(0.5, 1.5, shape) * np.exp(1j * rng.uniform(0, 6, shape))
    return paddle.to_tensor(array.astype("complex64"), stop_gradient=False)
c, d = turned(3, 4), turned(3, 4)
"""


TOOLS = ("check", "flow", "nan")
SCRIPTS = Path(__file__).with_name("planted_scripts")
LOSS = "loss_of(*(out if isinstance(out, (list, tuple)) else [out]))"
ONES = "sum(one.sum() for one in (out if isinstance(out, (list, tuple)) else [out]))"
"""A loss like it, from which ones come in."""


class Planted(NamedTuple):
    """A script with a mistake (or none), and what is to be said of it."""

    name: str
    kind: str
    """The key of the mistake; several that say the same are parted by blanks. "" for a control."""
    script: str
    words: str = ""
    """Words for the command besides the script."""
    tools: tuple[str, ...] = TOOLS
    """The commands that have nothing to say of a control."""

    @property
    def body(self) -> str:
        """The script without what all of them begin with."""
        return self.script.removeprefix(HEAD)

    def line_in(self, text: str) -> int:
        """Return the line with ``# HERE`` in the script, or its body; 0 if there is none."""
        return next((number for number, line in enumerate(text.splitlines(), 1) if "# HERE" in line), 0)

    @property
    def line(self) -> int:
        """The line with ``# HERE``; 0 if there is none."""
        return self.line_in(self.script)


class Verdicts(NamedTuple):
    """What a command said."""

    code: int
    rows: list[dict[str, Any]]
    text: str


def planted(file: str) -> list[Planted]:
    """Return the scripts of a file in tests/support/planted_scripts.

    A section has the fields of :class:`Planted`, a blank line, and the script below ``HEAD``, or, where ``of`` names a
    correct one, its edits (:mod:`tests.support.edits`).
    """
    found = []
    for name, text in sections((SCRIPTS / f"{file}.txt").read_text(encoding="utf-8")):
        head, _, body = text.partition("\n\n") if not text.startswith("\n") else ("", "", text[1:])
        fields = dict(line.split(": ", 1) for line in head.splitlines())
        if right := fields.get("of"):
            known = found if file in ("controls", "loops", "lines") else planted("controls")
            body = edited(next(one.body for one in known if one.name == right), body)
        tools = tuple(fields["tools"].split()) if "tools" in fields else TOOLS
        found.append(Planted(name, fields.get("kind", ""), HEAD + body, fields.get("words", ""), tools))
    return found


def said_by(command: str, one: Planted, folder: Path) -> Verdicts:
    """Run a command on a script, and return its verdicts."""
    path = folder / "planted.py"
    path.write_text(one.script, encoding="utf-8")
    done = run_command(command, path, "--json", *one.words.split())
    found = json.loads(done.stdout) if done.stdout.startswith("{") else {}
    return Verdicts(done.returncode, found.get(command, []), done.stdout + done.stderr)
