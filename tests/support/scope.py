"""The judge of what minipaddle has: 2,072 public files of ten repositories, each with the names of paddle that it uses.

``files.tsv.gz`` has a file and its names a line (methods of Tensors are not among them), ``lost.tsv`` the files that do
not find all of theirs here: file, names, why. ``python -m tests.scope`` prints what is lost; with ``write`` it writes
``lost.tsv`` anew.
"""

import gzip
from functools import cache
from importlib import import_module
from importlib.machinery import NamespaceLoader
from pathlib import Path
from typing import NamedTuple

from minipaddle import paddle
from minipaddle.engine.names.missing import refusal

HERE = Path(__file__).resolve().parents[1] / "scope"
LOST = HERE / "lost.tsv"
WANTED = 2_025
"""How many of the files find all their names, at least."""


class Loss(NamedTuple):
    """A file that uses names which are not here: the shortest part of each that is not."""

    file: str
    names: str
    reason: str

    @property
    def lost(self) -> tuple[str, str]:
        return self.file, self.names


def usage() -> dict[str, list[str]]:
    """Return the names of each file."""
    lines = gzip.decompress((HERE / "files.tsv.gz").read_bytes()).decode().splitlines()
    return {file: names.split() for file, names in (line.split("\t") for line in lines)}


@cache
def missing_part(name: str) -> str:
    """Return the shortest part of a name that is not here: ``audio`` of ``audio.features``; "" if all is here."""
    value, parts = paddle, name.split(".")
    for count, part in enumerate(parts, 1):
        path = ".".join(parts[:count])
        try:
            value = getattr(value, part)
        except AttributeError:
            try:
                value = import_module(f"minipaddle.paddle.{path}")
            except ImportError:
                return path
        spec = getattr(value, "__spec__", None)
        if isinstance(getattr(spec, "loader", None), NamespaceLoader):  # a folder that a room has left behind
            return path
    return ""


def losses() -> list[Loss]:
    """Return what is lost, file by file; the reasons are those that users are told."""
    found = []
    for file, names in usage().items():
        if lost := sorted({part for name in names if (part := missing_part(name))}):
            reasons = dict.fromkeys(refusal(f"paddle.{name}") or "" for name in lost)
            found.append(Loss(file, " ".join(lost), "; ".join(filter(None, reasons))))
    return found


def listed() -> list[Loss]:
    """Return what ``lost.tsv`` says."""
    return [Loss(*line.split("\t")) for line in LOST.read_text("utf-8").splitlines()]


def write() -> None:
    """Write ``lost.tsv``; where users are told no reason, the one that was there stays."""
    before = {one.lost: one.reason for one in listed()}
    rows = [one if one.reason else one._replace(reason=before.get(one.lost, "")) for one in losses()]
    LOST.write_text("".join("\t".join(row) + "\n" for row in rows), "utf-8")
