"""Fields in texts, for numbers that a page's reader may change (tools/page); the words around them stay fixed."""

import re
from collections.abc import Container
from contextlib import AbstractContextManager
from contextvars import ContextVar
from typing import Any

from minipaddle.tools.record.events import Value
from minipaddle.tools.words.setting import setting

_fields: ContextVar[Container[int]] = ContextVar("fields", default=())
_BEGIN, _END = "\ue000", "\ue001"
"""Of Unicode's private use: no name is shown with them (:mod:`minipaddle.tools.words.control_characters`)."""
_FIELD = re.compile(rf"( = | \(|（|: |：| |){_BEGIN}(\w+) ([\d ]+){_END}([)）]?)")


def as_fields(ids: Container[int]) -> AbstractContextManager[None]:
    """Return a ``with`` block in which every text has fields for the numbers of the values with these `ids`."""
    return setting(_fields, ids)


def is_field(value: Value) -> bool:
    """Return whether the numbers of a value are a field now."""
    return value.id in _fields.get()


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
