"""Fields in texts, for numbers that a page's reader may change (tools/page); the words around them stay fixed."""

import re
from collections.abc import Container
from contextvars import ContextVar
from typing import Any

from minipaddle.tools.record.events import Value

FIELDS: ContextVar[Container[int]] = ContextVar("fields", default=())
"""The ids of the values for whose numbers every text has fields now."""
_BEGIN, _END = "\ue000", "\ue001"
"""Of Unicode's private use: no name is shown with them (:mod:`minipaddle.tools.words.control_characters`)."""
_FIELD = re.compile(rf"( = | \(|（|: |：| |){_BEGIN}(\w+) ([\d ]+){_END}([)）]?)")


def is_field(value: Value) -> bool:
    """Return whether the numbers of a value are a field now."""
    return value.id in FIELDS.get()


def field(how: str, *ids: int) -> str:
    """Return a field for values or formulas with these `ids`, shown in the format `how`."""
    return f"{_BEGIN}{how} {' '.join(map(str, ids))}{_END}"


def without_fields(text: str) -> str:
    """Return the words of a text alone."""
    return _FIELD.sub("", text)


def parts_of(text: str) -> list[Any]:
    r"""Return a text in parts: plain ones, and ``[how, ids, before, after]``; the last two go if the field is empty.

    >>> parts_of("z [2] = \ue000few 7\ue001 from x")
    ['z [2]', ['few', [7], ' = ', ''], ' from x']
    """
    parts: list[Any] = []
    end = 0
    for found in _FIELD.finditer(text):
        before, how, ids, after = found.groups()
        parts += [text[end : found.start()], [how, [int(id_) for id_ in ids.split()], before, after]]
        end = found.end()
    return [part for part in (*parts, text[end:]) if part]
