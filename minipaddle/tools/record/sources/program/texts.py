"""Programs in recordings: what an Executor ran is kept, and written into the file beside the events.

The form is that of a ``.pdmodel`` (docs/programs.md), with the name, the number of runs, the user's lines and the
variables that these bind beside it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from minipaddle.engine.errors import Line
from minipaddle.paddle.static.files.encode import Damaged
from minipaddle.paddle.static.files.serialize import program_from_text, text_of_program
from minipaddle.paddle.static.program.operator import Operator
from minipaddle.paddle.static.program.program import Program
from minipaddle.tools.record.sources.program.registry import Found, bound_names


def texts_of(programs: Sequence[Found | str]) -> list[str]:
    """Return each Program as text; in the place of one that calls functions of the user's, why it cannot be written."""
    return [one if isinstance(one, str) else _text(one) for one in programs]


def kept_programs(programs: Sequence[Found | str]) -> tuple[list[Found], list[str]]:
    """Return the Programs of a recording, and of those that could not be kept in its file, why.

    Raises:
        Damaged: saying what is wrong with a text.
    """
    found: list[Found] = []
    lost: list[str] = []
    for one in programs:
        read = _read(one) if isinstance(one, str) else one
        if isinstance(read, str):
            lost.append(read)
        else:
            found.append(read)
    return found, lost


def _text(found: Found) -> str:
    blocks = found.program.blocks
    lines = [[None if op.where is None else list(op.where) for op in block.ops] for block in blocks]
    bound = bound_names(found.program)
    names = [[bound.get(op, "") for op in block.ops] for block in blocks]
    notes = {"name": found.name, "runs": found.runs, "starts": found.starts}
    try:
        return text_of_program(found.program, **notes, lines=lines, bound=names)
    except ValueError:
        reason = f"{found.name} calls functions of the script's (py_func), which no recording can hold: name the script"
        return json.dumps({**notes, "refused": reason})


def _read(text: str) -> Found | str:
    try:
        refused = json.loads(text).get("refused")
        if refused is not None:
            return str(refused)
        program, notes = program_from_text(text)
        for op, place in _beside(program, notes.get("lines", [])):
            if place is not None:
                file, number, function = place
                op.where = Line(str(file), int(number), str(function))
        for op, name in _beside(program, notes.get("bound", [])):
            op.place = str(name)
        return Found(program, str(notes["name"]), int(notes["runs"]), bool(notes["starts"]), True)
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        raise Damaged(f"a Program in it is damaged ({error})") from None


def _beside(program: Program, notes: Any) -> Iterator[tuple[Operator, Any]]:
    """Yield each Operator with what is noted of it, a list for each Block."""
    for block, those in zip(program.blocks, notes):
        yield from zip(block.ops, those)
