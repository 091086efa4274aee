"""Why a leaf got no gradient: the way from it towards the loss, and where that was cut."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from minipaddle.core.dtype import dtype_named
from minipaddle.core.errors import Line
from minipaddle.core.operator import TABLE
from minipaddle.explain.autopsy.one_pass import OnePass
from minipaddle.trace.beside import Cut
from minipaddle.trace.events import Event, Value
from minipaddle.words.language import say
from minipaddle.words.numbers import line_text


class Reason(NamedTuple):
    """Why a gradient is what it is."""

    sentence: str
    where: Line | None = None
    event: Event | None = None
    rank: int = 0
    """Of several reasons, the one of the highest rank is the root."""
    meant: bool = False
    """Whether that is as it should be."""


def why_missing(one: OnePass, leaf: Value) -> Reason:
    """Return why backward gave a leaf nothing."""
    if not one.wants_gradient(leaf):
        return _why_not_wanted(one, leaf)
    found = list(_reasons(one, leaf))
    if found:
        return max(
            found, key=lambda reason: (reason.rank, 0 if reason.where is None else -reason.where.number)
        )
    if one.reads.get(leaf.id):
        read = one.reads[leaf.id][-1]
        return Reason(_of_read(leaf, read.how, read.where), read.where)
    return Reason(
        say("{name} gets no gradient: no operator used it before this backward pass", name=leaf.name)
    )


def _why_not_wanted(one: OnePass, leaf: Value) -> Reason:
    """Return why a leaf wants no gradient."""
    cut, made = one.decided.get(leaf.id), one.trace.maker(leaf)
    source = None if cut is None else one.trace.value(cut.value)
    if cut is not None and cut.how in ("stop_gradient=True", "detach_"):
        return Reason(
            say(
                "{name} gets no gradient: {how} was set at {where}",
                name=leaf.name,
                how="stop_gradient=True" if cut.how != "detach_" else "detach_()",
                where=line_text(cut.where),
            ),
            cut.where,
        )
    if cut is not None and source is not None:
        return _of_cut(leaf, cut, source)
    if cut is not None:
        return Reason(
            say(
                "{name} gets no gradient: to_tensor ({where}) makes tensors with stop_gradient=True unless it is told "
                "otherwise",
                name=leaf.name,
                where=line_text(cut.where),
            ),
            cut.where,
        )
    if made is not None and made.kind == "op":
        found = _of_call(one, leaf, made, leaf)
        if found is not None:
            return found
    return Reason(say("{name} gets no gradient: its stop_gradient is True", name=leaf.name), meant=True)


def _reasons(one: OnePass, leaf: Value) -> Iterator[Reason]:
    """Yield what ends each way from a leaf towards the loss."""
    waiting, seen, ends = [leaf], {leaf.id}, []
    for value in waiting:
        goes_on = value in one.roots
        for other in one.alike.get(value.id, ()):
            if other.stop_gradient and not value.stop_gradient:
                continue
            goes_on = goes_on or _wait(other, waiting, seen)
        for cut in one.cuts.get(value.id, ()):
            made = one.trace.value(cut.made)
            if cut.how in ("stop_gradient=True", "detach_"):
                if value.id in one.used or not one.roots:
                    yield _of_cut(leaf, cut, value, rank=5)
            elif made is not None and made.stop_gradient:
                yield _of_cut(leaf, cut, value, rank=5 if _leads(one, made.id) else 2)
                goes_on = True
        for event in one.readers.get(value.id, ()):
            goes_on = True
            yield from _of_reader(one, leaf, value, event, waiting, seen)
        for read in one.reads.get(value.id, ()):
            later = (c for c in one.trace.cuts if c.value is None and c.before_event >= read.before_event)
            again = next((c for c in later if c.made is not None and _leads(one, c.made)), None)
            if again is not None and value is not leaf:
                yield Reason(_of_read(leaf, read.how, read.where, value), read.where, rank=4)
                goes_on = True
        if not goes_on and value is not leaf:
            ends.append(value)
    for value in ends[-1:] if one.roots else ():
        last = one.trace.maker(value)
        told = next(iter(one.reads.get(value.id, ())), None)
        if last is not None and told is not None:
            text = say(
                "{name} gets no gradient: it leads to {end} ({where}), which is no part of what backward began with; "
                "{how}() at {line} gave its numbers to Python",
                name=leaf.name,
                end=value.name,
                where=line_text(last.where),
                how=told.how.strip("_"),
                line=line_text(told.where),
            )
            yield Reason(text, last.where, last, rank=1)
        elif last is not None:
            text = say(
                "{name} gets no gradient: it leads to {end} ({where}), which is no part of what backward began with",
                name=leaf.name,
                end=value.name,
                where=line_text(last.where),
            )
            yield Reason(text, last.where, last, rank=1)


def _leads(one: OnePass, id_: int) -> bool:
    return not one.roots or id_ in one.used


def _wait(value: Value, waiting: list[Value], seen: set[int]) -> bool:
    if value.id not in seen:
        seen.add(value.id)
        waiting.append(value)
    return True


def _of_reader(
    one: OnePass, leaf: Value, value: Value, event: Event, waiting: list[Value], seen: set[int]
) -> Iterator[Reason]:
    """Yield the reason if a call lets no gradient through; else wait for what it made."""
    made = one.trace.known(event.outputs)
    gradient = one.sent.get(event.index)
    for out in made:
        if not out.stop_gradient:
            _wait(out, waiting, seen)
    if made and all(out.stop_gradient for out in made):
        if any(_leads(one, out.id) for out in made):
            found = _of_call(one, leaf, event, value)
            if found is not None:
                yield found
    elif gradient is not None:
        place = event.inputs.index(value.id)
        given = gradient.outputs[place] if place < len(gradient.outputs) else None
        none = place < len(gradient.parts) and gradient.parts[place] == ()
        if (given is None or none) and TABLE.get(event.op) is None:
            text = say(
                "{name} gets no gradient: {op}.backward returned None for {value} ({where})",
                name=leaf.name,
                op=event.title,
                value=value.name,
                where=line_text(event.where),
            )
            yield Reason(text, event.where, event, rank=5)


def _of_call(one: OnePass, leaf: Value, event: Event, value: Value) -> Reason | None:
    """Return why a call was not recorded, or lets nothing through."""
    where, op = line_text(event.where), TABLE.get(event.op)
    stopped = one.decided.get(value.id)
    made = one.trace.known(event.outputs)
    rank = 5
    if not event.grad:
        text = say(
            "{name} gets no gradient: {op} ({where}) ran under paddle.no_grad, which records nothing",
            name=leaf.name, op=event.title, where=where,
        )  # fmt: skip
    elif (
        stopped is not None and stopped.how in ("stop_gradient=True", "detach_") and stopped.made == value.id
    ):
        return _of_cut(leaf, stopped, value, rank)
    elif made and all(dtype_named(out.dtype).kind in "iub" for out in made if out.dtype):
        text = say(
            "{name} gets no gradient: {op} ({where}) gives {dtype}, and whole numbers have no gradient",
            name=leaf.name, op=event.title, where=where, dtype=made[0].dtype,
        )  # fmt: skip
    elif op is not None and not op.rules:
        text = say(
            "{name} gets no gradient: {op} ({where}) has none", name=leaf.name, op=event.title, where=where
        )
    elif value is leaf and leaf.stop_gradient:
        return None
    else:
        rank = 3
        text = say(
            "{name} gets no gradient: {op} ({where}) did not record it",
            name=leaf.name, op=event.title, where=where,
        )  # fmt: skip
    return Reason(text, event.where, event, rank)


_WORDS = {
    "detach": "detach()",
    "detach_": "detach_()",
    "stop_gradient=True": "stop_gradient = True",
    "to_tensor": "to_tensor()",
    "numpy": "to_tensor() of its numpy()",
}


def _of_cut(leaf: Value, cut: Cut, value: Value, rank: int = 5) -> Reason:
    text = say(
        "{name} gets no gradient: {how} at {where} takes {value} out of the graph",
        name=leaf.name,
        how=_WORDS[cut.how],
        where=line_text(cut.where),
        value=value.name,
    )
    return Reason(text, cut.where, None, rank)


def _of_read(leaf: Value, how: str, where: Line | None, value: Value | None = None) -> str:
    name = how if not how.startswith("__") else how.strip("_")
    return say(
        "{name} gets no gradient: {how}() at {where} hands the numbers of {value} to Python, and what is made of them "
        "there has none",
        name=leaf.name,
        how=name,
        where=line_text(where),
        value=(value or leaf).name,
    )
