"""The names in a picture of a pass: one tensor has one name everywhere in it, and one name means one tensor.

The terms of a gradient, their sums and the gradients of passes that the drawn one differentiates are all gradients of
one value. The last of them keeps the name ``x@GRAD``; the terms are ``x@GRAD #1``, ``x@GRAD #2``, and the sum of these,
to which others are added, ``x@GRAD #1+2``. In a Program, ``h #1`` and ``h #2`` are what one Variable held.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from minipaddle.tools.picture.model.forward import gone_through, true_id
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.record.kinds import Accumulate, Store
from minipaddle.tools.record.labels import numbered, things_of
from minipaddle.tools.words.group_by import grouped

_PADDLES = re.compile("^(grad/)+|@(RENAME|VERSION)@.*")
"""What Paddle adds to the name of a term of a gradient, and of a copy that a loop makes before it writes."""


def with_names(trace: Trace, number: int) -> Trace:
    """Return the recording with the names that the picture of a pass has, the script's own first."""
    values, shown, passes = trace.values, trace.snapshot(), _passes(trace, number)
    first: dict[int, int] = {}  # a value -> the first one that is the same tensor
    owner: dict[int, int] = {}  # a gradient, its first value -> the value that it belongs to
    sums: dict[int, list[int]] = {}  # a sum of gradients -> its terms
    script: dict[int, str] = {}
    for event in trace.events:
        is_back = event.phase == "backward" and trace.pass_of(event) in passes
        known = trace.known((*event.inputs, *event.outputs)) if is_back else []
        for value in known:
            if value.name.endswith(".grad"):
                continue
            one = first.setdefault(value.id, _first(trace, value, trace.pass_of(event) == number))
            of = event.about if event.kind == "leave" else value.of  # of a hook's result
            if of is not None:
                owner.setdefault(one, first.get(of, of))
            if value.kind == "gradient" and "@GRAD" not in value.name:
                script[one] = value.name
        if known and isinstance(event, Accumulate):
            *terms, total = (first[value.id] for value in known)
            sums[total] = terms
        for part, made in _handed_on(trace, event):
            one = first[made.id] = first.get(part.id, part.id)
            if made.id in owner:
                owner[one] = owner.pop(made.id)
    script |= {first.get(id_, id_): name for id_, name in trace.bound.items()}
    numbers = _numbers(owner, sums)
    tensor = {value.id: first.get(value.id, value.id) for value in values}
    own = {id_: script.get(one, "" if one in owner else values[one].name) for id_, one in tensor.items()}
    thing = {id_: tensor[one] for id_, one in things_of(trace).items()}
    labels = numbered(trace, thing, own) if trace.bound else {}  # an eager run has its own

    def name_of(id_: int) -> str:
        one = tensor[id_]
        return labels.get(one) or own[one] or f"{name_of(owner[one])}@GRAD{numbers[one]}"

    for id_ in first | script | labels:
        shown.values[id_] = replace(values[id_], name=name_of(id_))
    shown.bound = {}
    return shown


def _numbers(owner: Mapping[int, int], sums: Mapping[int, list[int]]) -> dict[int, str]:
    """Return what stands behind the names of gradients: the number of a term, those of a sum's terms, or nothing."""
    numbers: dict[int, str] = {}
    places: dict[int, list[str]] = {}
    for alike in grouped((of, one) for one, of in sorted(owner.items())).values():
        terms = 0
        for one in alike:
            added = [place for term in sums.get(one, ()) for place in places.get(term, ())]
            terms += not added
            places[one] = added or [str(terms)]
            numbers[one] = " #" + "+".join(places[one] if len(added) < 4 else (added[0], "…", added[-1]))
        numbers[alike[-1]] = ""
    return numbers


def _passes(trace: Trace, number: int) -> set[int]:
    """Return a pass and those that it differentiates, directly or through others."""
    found = [number]
    for one in found:
        calls = (trace.events[index] for index in gone_through(trace, one))
        found += {trace.pass_of(call) for call in calls if call.phase == "backward"} - {*found}
    return {*found}


def _handed_on(trace: Trace, event: Event) -> Iterator[list[Value]]:
    """Yield pairs of values that are one tensor of a Program: in a Block and of its operator, and a loop's copy."""
    came = event.parts or [(id_,) for id_ in event.inputs if id_ is not None and event.op == "assign"]
    for parts, made in zip(came, event.outputs):
        known = trace.known((*(parts or ()), made))
        if len(known) == 2 and len({_PADDLES.sub("", one.name) for one in known}) == 1:
            yield known


def _first(trace: Trace, value: Value, is_drawn: bool) -> int:
    """Return the first value that is the same tensor; in the drawn pass, gradients of two values are two."""
    if not is_drawn:
        return true_id(trace, value.id)
    copied = value.replaces is not None or isinstance(trace.maker(value), Store)
    return value.same if copied and value.same is not None else value.id
