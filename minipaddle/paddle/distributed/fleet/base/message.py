"""A message: fields with defaults, some of them set; it reads and writes Paddle's text of them."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np


class Message:
    """Values by name, each the default until it is set; a value may be a message again.

    Args:
        fields: names and defaults, as :func:`minipaddle.paddle.distributed.fleet.base.strategy_fields.defaults` gives
        them.
    """

    def __init__(self, fields: Mapping[str, Any]) -> None:
        made = {
            name: Message(each) if isinstance(each, dict) else copy.copy(each)
            for name, each in fields.items()
        }
        vars(self).update(_values=made, _set=set())

    _values: dict[str, Any]
    _set: set[str]

    def __getattr__(self, name: str) -> Any:
        try:
            return vars(self)["_values"][name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name: str, value: Any) -> None:
        now = self._values[name]
        if isinstance(now, Message):
            now.merge(value, name)
        elif isinstance(now, list):
            now.extend(value)
        else:
            self._values[name] = _as(type(now), value)
        self._set.add(name)

    def merge(self, values: Mapping[str, Any], called: str) -> None:
        """Set several fields; lists grow, as in Paddle.

        Raises:
            AssertionError: **key:... not in ...**, for a field that there is not.
        """
        for name in values:
            assert name in self._values, f"key:{name} not in {called}"
        for name, value in values.items():
            setattr(self, name, value)

    def as_dict(self) -> dict[str, Any]:
        """Return the values by name; floats are those that 32 bits hold, as in Paddle."""
        return {name: _shown(value) for name, value in self._values.items()}

    def __str__(self) -> str:
        return "".join(self._lines(""))

    __repr__ = __str__

    def _lines(self, margin: str) -> Iterator[str]:
        for name, value in self._values.items():
            if isinstance(value, Message):
                inner = "".join(value._lines(margin + "  "))
                if inner:
                    yield f"{margin}{name} {{\n{inner}{margin}}}\n"
            elif name in self._set:
                for each in value if isinstance(value, list) else [value]:
                    yield f"{margin}{name}: {_written(each)}\n"

    def read(self, lines: Iterator[str]) -> None:
        """Set what a text says, up to its end or the brace that closes it."""
        for line in lines:
            text = line.strip()
            if text == "}":
                return
            name, colon, value = text.partition(":")
            if colon:
                known = self._values[name]
                read = {"true": True, "false": False}.get(value.strip())
                found = ast.literal_eval(value.strip()) if read is None else read
                setattr(self, name, [found] if isinstance(known, list) else found)
            elif text:
                self._values[text.rstrip(" {")].read(lines)


def _as(kind: type, value: Any) -> Any:
    """Return a value in the type of its field, if that is a number."""
    if kind in (int, float) and isinstance(value, str):
        raise TypeError(f"must be real number, not {type(value).__name__}")
    return kind(value) if kind in (int, float) else value


def _shown(value: Any) -> Any:
    return float(np.float32(value)) if isinstance(value, float) else copy.copy(value)


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    return f"{value:g}" if isinstance(value, float) else str(value)
