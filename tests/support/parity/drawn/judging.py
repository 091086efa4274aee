"""Judges a random program: how its answer here differs from Paddle's, and whether docs/parity.md has a row for that."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Container, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from minipaddle.importer import paddle_is_minipaddle
from tests.support.parity import RESULTS

from . import known

with paddle_is_minipaddle():
    from . import eager, eager_answer, program_answer, programs
BACKWARD = re.compile("finish|backward|grad|register_hook")
"""Lines in which a backward pass runs, or that depend on whether one will."""
TOLERANCE = {"float32": 1e-4, "float64": 1e-5}
"""Relative to the largest number of an array: programs are chains of up to 30 operators, in part of float32."""

Program = list[str]
Ask = Callable[[Program], Any]


def said_no(said: Any) -> bool:
    """Whether the answer of a line is a refusal."""
    return isinstance(said, list) and said[:1] == ["error"]


def refused_first(answers: tuple[int, Any, Any]) -> tuple[bool, int]:
    """The order of a Program's lines: where one is refused, the Program is not run, and all others have no values."""
    place, *said = answers
    return not any(map(said_no, said)), place


class Kind(NamedTuple):
    """Eager programs, or static ones."""

    draw: Callable[[int], Program]
    ours: Ask
    rules: list[known.Rule]
    record: Path
    comparable: Callable[[Any, Any], Any] = lambda wanted, got: wanted
    """The part of the first answer that must be the same in the other."""
    order: Callable[[tuple[int, Any, Any]], Any] = lambda answers: answers[0]
    """In which order lines that differ are explained."""


class Verdict(NamedTuple):
    """What came of a program: the lines that are left, Paddle's answer to them, the rules that took lines away."""

    lines: Program
    answer: Any
    rows: list[str]
    differences: list[str]
    rounding: bool = False


def of_programs(wanted: Any, got: Any) -> Any:
    """Names only where both have the same operators."""
    left = [key for key in wanted if key != "types" and (key != "names" or wanted["types"] == got["types"])]
    return {key: wanted[key] for key in left}


KINDS = {
    "eager": Kind(eager.program, eager_answer.answer, known.EAGER, RESULTS / "random_eager_3.3.1.json"),
    "programs": Kind(
        programs.program,
        program_answer.answer,
        known.PROGRAMS,
        RESULTS / "random_programs_2.6.2.json",
        of_programs,
        refused_first,
    ),
}


# -- what differs -----------------------------------------------------------------------------------------------------


def differences(wanted: Any, got: Any, path: str = "") -> Iterator[str]:
    """All places where `got` is not `wanted`; of errors, the key words that Paddle has count."""
    if isinstance(wanted, dict) and isinstance(got, dict) and "data" in wanted and "data" in got:
        yield from arrays(wanted, got, path)
    elif isinstance(wanted, dict) and isinstance(got, dict):
        for key in wanted | got:
            yield from differences(wanted.get(key), got.get(key), f"{path}.{key}")
    elif isinstance(wanted, list) and isinstance(got, list) and wanted[:1] == got[:1] == ["error"]:
        if wanted[1] != got[1] or not set(wanted[2]) <= set(got[2]):
            yield f"{path}: {got[1:]}, Paddle has {wanted[1:]}"
    elif isinstance(wanted, list) and isinstance(got, list) and len(wanted) == len(got):
        for place, (a, b) in enumerate(zip(wanted, got, strict=True)):
            yield from differences(a, b, f"{path}[{place}]")
    elif isinstance(wanted, float) and isinstance(got, float):
        if not np.isclose(got, wanted, rtol=1e-4, atol=1e-6, equal_nan=True):
            yield f"{path}: {got}, Paddle has {wanted}"
    elif type(wanted) is not type(got) or wanted != got:
        yield f"{path}: {brief(got)}, Paddle has {brief(wanted)}"


def arrays(wanted: dict[str, Any], got: dict[str, Any], path: str) -> Iterator[str]:
    """dtype, shape and flags exactly, floats within the tolerance of their type."""
    for key in [key for key in wanted if key != "data"]:
        if wanted[key] != got.get(key):
            yield f"{path}.{key}: {got.get(key)}, Paddle has {wanted[key]}"
            return
    if wanted["data"] == got["data"]:
        return
    theirs, ours = np.array(wanted["data"], "float64"), np.array(got["data"], "float64")
    allowed = TOLERANCE.get(wanted["dtype"], 0.0)
    size = np.max(np.abs(theirs), where=np.isfinite(theirs), initial=1e-2)
    if not np.allclose(ours, theirs, rtol=allowed, atol=allowed * size, equal_nan=True):
        yield f"{path}: {brief(got['data'])}, Paddle has {brief(wanted['data'])}"


def brief(value: Any) -> str:
    """`value` in at most 2000 characters."""
    text = repr(value)
    return text if len(text) <= 2000 else f"{text[:1997]}..."


# -- a verdict --------------------------------------------------------------------------------------------------------


def judge(kind: Kind, real: Ask, lines: Program) -> Verdict:
    """Take away what is explained, until both agree or nothing more is explained; keep what need not go."""
    rows: dict[int, str] = {}
    left = lines
    while found := disagree(kind, real, left):
        wanted, got = real(left), plain(kind.ours(left))
        taken = {
            place: row
            for place, row in explained(kind, left, wanted, got, found).items()
            if left[place] != "pass"
        }
        if not taken:
            return Verdict(left, wanted, list(rows.values()), found, rounding=rounds(kind, real, left))
        rows |= taken
        left = without(left, taken)
    for place in list(rows) if len(rows) > 1 else ():
        more = [lines[place] if at == place else line for at, line in enumerate(left)]
        if not disagree(kind, real, more):
            left = more
            del rows[place]
    return Verdict(left, real(left), list(rows.values()), [])


def disagree(kind: Kind, real: Ask, lines: Program) -> list[str]:
    """What differs."""
    wanted, got = real(lines), plain(kind.ours(lines))
    if wanted is None:
        return ["Paddle's process ends"]
    return list(differences(kind.comparable(wanted, got), kind.comparable(got, wanted)))


def without(lines: Program, taken: Container[int]) -> Program:
    """The program without those lines."""
    return [instead(line) if place in taken else line for place, line in enumerate(lines)]


def instead(line: str) -> str:
    """What stands where a line was taken away: what is differentiated twice is still differentiated once."""
    return "end = finish(1)" if line == "end = finish(2)" else "pass"


def plain(answer: Any) -> Any:
    """An answer as JSON gives it back."""
    return json.loads(json.dumps(answer))


def explained(kind: Kind, lines: Program, wanted: Any, got: Any, found: list[str]) -> dict[int, str]:
    """The lines whose difference has a row, each with it; else the lines that may make others differ later."""
    taken: dict[int, str] = {}
    at_once = [one for one in kind.rules if not one.later]
    for place, theirs, ours in sorted(differing(lines, wanted, got), key=kind.order) if wanted else ():
        rule = next(known.explaining(at_once, lines[place], theirs, ours, wanted["lines"]), None)
        if rule is not None:
            taken[place] = rule.row  # what only follows from another comes back in the end
    return taken or later(kind, lines, wanted, got, found)


def differing(lines: Program, wanted: Any, got: Any) -> list[tuple[int, Any, Any]]:
    """The lines that answer differently, with both answers."""
    answers = [
        (place, wanted["lines"].get(str(place)), got["lines"].get(str(place))) for place in range(len(lines))
    ]
    return [one for one in answers if any(differences(*one[1:]))]


def later(kind: Kind, lines: Program, wanted: Any, got: Any, found: list[str]) -> dict[int, str]:
    """The lines, which agree themselves, that may make others differ in this way, each with its row.

    What only one refuses is nothing that came later, but for backward passes and what cannot be told from Paddle's end.
    """
    different = {place: answers for place, *answers in differing(lines, wanted, got)} if wanted else {}
    refused = [
        place
        for place, answers in different.items()
        if [*map(said_no, answers)].count(True) == 1 != answers.count("unknown")
    ]
    if any(not BACKWARD.search(lines[place]) for place in refused):
        return {}
    taken: dict[int, str] = {}
    for place, line in enumerate(lines):
        answers = (one["lines"].get(str(place)) if one else None for one in (wanted, got))
        candidates = [one for one in kind.rules if one.later and re.search(one.later, "\n".join(found))]
        lost = all(
            one.endswith("Paddle has None") for one in differences(*different.get(place, (None, None)))
        )
        if lost or BACKWARD.search(line):
            for rule in known.explaining(candidates, line, *answers, (wanted or got)["lines"]):
                taken.setdefault(place, rule.row)
    return taken


def rounds(kind: Kind, real: Ask, lines: Program) -> bool:
    """Whether the program agrees in float64, but for what has a row."""
    finer = [line.replace("float32", "float64") for line in lines]
    return finer != lines and not judge(kind, real, finer).differences


def fewer(kind: Kind, real: Ask, lines: Program) -> Program:
    """As few of the lines as still differ without an explanation."""
    for place in reversed(range(len(lines))):
        shorter = [*lines[:place], "pass", *lines[place + 1 :]]
        found = judge(kind, real, shorter)
        if lines[place] != "pass" and found.differences and not found.rounding:
            lines = found.lines
    return lines
