"""Damaged and hostile variants of files, drawn from a seed: of JSON what JSON can say, of bytes what a disk can do."""

import json
import random
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

__all__ = ["HOSTILE_TEXT", "mutated_archive", "mutated_bytes", "mutated_json", "write_archive"]

HOSTILE_TEXT = "a\x1b[31m\u202eb\u0007\n\u2066\x9b"
"""Colours, a bell and a new line for terminals; marks that turn the direction of reading."""
_LEAVES: list[Any] = [
    *(None, True, -1, 0, 1, 7, 99, 2**31, 2**63, 10**30, 0.5, -1e308, 1e-320),
    *("", "NaN", "Infinity", "x", "../../x", HOSTILE_TEXT, "é" * 5000, "<script>alert(1)</script>", "\ud800"),
    *([], {}, [[]], [None], [0] * 40, {"text": "x"}, {"array": 10**9}, {"dtype": "object"}, {"a": 1, "b": 2}),
]


def mutated_json(data: Any, draw: random.Random) -> Any:
    """Return JSON data with one place of it changed: replaced, dropped, doubled, swapped, or nested deeply."""
    data = json.loads(json.dumps(data))
    places = list(_places(data))
    if not places:
        return draw.choice(_LEAVES)
    holder, key = draw.choice(places)
    match draw.randrange(8):
        case 0:
            del holder[key]
        case 1 if isinstance(holder, list):
            holder.insert(key, holder[key])
        case 2:
            other, place = draw.choice(places)
            holder[key], other[place] = other[place], holder[key]
        case 3:
            holder[key] = _nested(holder[key], draw.choice([3, 60, 900]))
        case 4 if isinstance(holder[key], int):
            holder[key] += draw.choice([-1, 1, 2, -5, 1000])
        case _:
            holder[key] = draw.choice(_LEAVES)
    return data


def mutated_bytes(content: bytes, draw: random.Random) -> bytes:
    """Return bytes with some flipped, cut off, doubled, or zeroed."""
    made = bytearray(content)
    if not made:
        return b"\0"
    at = draw.randrange(len(made))
    match draw.randrange(5):
        case 0:
            del made[at:]
        case 1:
            made[at:at] = made[at : at + draw.randrange(1, 50)]
        case 2:
            made[at : at + draw.randrange(1, 50)] = bytes(draw.randrange(1, 50))
        case _:
            for _ in range(draw.choice([1, 3, 20])):
                made[draw.randrange(len(made))] ^= 1 << draw.randrange(8)
    return bytes(made)


def mutated_archive(members: Mapping[str, bytes], draw: random.Random) -> dict[str, bytes]:
    """Return the members of an archive with a member changed: a line of JSON as JSON, else bytes."""
    made = dict(members)
    name = draw.choice(sorted(made))
    kind = name.rpartition(".")[2]
    if kind == "json":
        made[name] = json.dumps(mutated_json(json.loads(made[name]), draw)).encode()
    elif kind == "jsonl" and draw.random() < 0.9:
        lines = made[name].splitlines()
        at = draw.randrange(len(lines))
        lines[at] = json.dumps(mutated_json(json.loads(lines[at]), draw)).encode()
        made[name] = b"\n".join(lines)
    elif draw.random() < 0.1:
        del made[name]
    else:
        made[name] = mutated_bytes(made[name], draw)
    return made


def write_archive(path: Path, members: Mapping[str, bytes]) -> None:
    """Write members as a zip."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)


def _places(data: Any) -> Any:
    """Yield each (container, key) in JSON data, the deep ones too."""
    if not isinstance(data, (dict, list)):
        return
    for key in list(data) if isinstance(data, dict) else range(len(data)):
        yield data, key
        yield from _places(data[key])


def _nested(data: Any, depth: int) -> Any:
    for _ in range(depth):
        data = [data]
    return data
