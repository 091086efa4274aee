"""Planted mistakes and correct controls: small scripts, run through the real commands in this process.

A script is written as its parts: what a PyLayer's forward and backward do, and what is done with it. The line that a
tool is to name bears the comment ``# HERE``.
"""

import json
from pathlib import Path
from textwrap import dedent, indent
from typing import Any, NamedTuple

from tests.support.commands import run_command

__all__ = ["Planted", "Verdicts", "layer", "said_by", "script"]

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


class Planted(NamedTuple):
    """A script with a mistake (or none), and what is to be said of it."""

    name: str
    kind: str
    """The key of the mistake; several that say the same are parted by blanks. "" for a control."""
    script: str
    words: str = ""
    """Words for the command besides the script."""
    tools: tuple[str, ...] = ("check", "flow", "nan")
    """The commands that have nothing to say of a control."""

    @property
    def line(self) -> int:
        """The line with ``# HERE``; 0 if there is none."""
        lines = self.script.splitlines()
        return next((number for number, line in enumerate(lines, 1) if "# HERE" in line), 0)


class Verdicts(NamedTuple):
    """What a command said."""

    code: int
    rows: list[dict[str, Any]]
    text: str


def script(body: str) -> str:
    """Return a script: the imports, some leaves, and `body`."""
    return HEAD + dedent(body).strip("\n") + "\n"


LOSS = "loss_of(*(out if isinstance(out, (list, tuple)) else [out]))"
ONES = "sum(one.sum() for one in (out if isinstance(out, (list, tuple)) else [out]))"
"""A loss like it, from which ones come in."""


def layer(
    forward: str,
    backward: str,
    args: str = "x",
    call: str = "",
    grads: str = "dy",
    then: str = "",
    loss: str = LOSS,
    mark: str = "",
) -> str:
    """Return a script that applies a PyLayer `Own` to `args`, or as `call` says, and runs backward from `loss`.

    `then` is what happens between forward and backward, and `mark` a comment at the class.
    """
    names = [name.strip().split("[")[0] for name in args.split(",")]
    parts = [
        f"class Own(PyLayer):{mark}",
        "    @staticmethod",
        f"    def forward(ctx, {', '.join(names)}):",
        indent(dedent(forward).strip("\n"), " " * 8),
        "    @staticmethod",
        f"    def backward(ctx, {grads}):",
        indent(dedent(backward).strip("\n"), " " * 8),
        f"out = {call or f'Own.apply({args})'}",
        dedent(then),
        f"{loss}.backward()",
    ]
    return HEAD + "\n".join(parts) + "\n"


def said_by(command: str, one: Planted, folder: Path) -> Verdicts:
    """Run a command on a script, and return its verdicts."""
    path = folder / "planted.py"
    path.write_text(one.script, encoding="utf-8")
    done = run_command(command, path, "--json", *one.words.split())
    found = json.loads(done.stdout) if done.stdout.startswith("{") else {}
    return Verdicts(done.returncode, found.get(command, []), done.stdout + done.stderr)
