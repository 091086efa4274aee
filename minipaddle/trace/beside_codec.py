"""What is told beside the events of a recording as JSON data, and back."""

from __future__ import annotations

from typing import Any, get_args

from minipaddle.trace.beside import Cut, CutKind, Read
from minipaddle.trace.checked import count_in, index_in, naming, one_of, sure, text_in
from minipaddle.trace.codec import line_in, line_out

_CUTS = frozenset(get_args(CutKind))


def encode_read(read: Read) -> list[Any]:
    """Return a read of a tensor's numbers as JSON data."""
    return [read.before_event, read.value, read.how, line_out(read.where), read.parent]


def encode_cut(cut: Cut) -> list[Any]:
    """Return what was decided of a tensor as JSON data."""
    return [cut.before_event, cut.how, cut.value, cut.made, line_out(cut.where)]


def decode_read(data: Any, number: int, events: int, values: int) -> Read:
    """Return a read of a tensor's numbers.

    Raises:
        BadRecording: **read N**: what is wrong.
    """
    with naming(f"read {number}"):
        before, value, how, where, parent = data
        return Read(
            sure(index_in(before, events + 1)),
            sure(index_in(value, values)),
            text_in(how),
            line_in(where),
            index_in(parent, events),
        )


def decode_cut(data: Any, number: int, events: int, values: int) -> Cut:
    """Return what was decided of a tensor.

    Raises:
        BadRecording: **cut N**: what is wrong.
    """
    with naming(f"cut {number}"):
        before, how, value, made, where = data
        return Cut(
            sure(index_in(before, events + 1)),
            one_of(how, _CUTS),
            index_in(value, values),
            index_in(made, values),
            line_in(where),
        )


def decode_trained(data: Any, number: int) -> list[int]:
    """Return the holders that an optimizer trains.

    Raises:
        BadRecording: **optimizer N**: what is wrong.
    """
    with naming(f"optimizer {number}"):
        return [count_in(holder) for holder in data]
