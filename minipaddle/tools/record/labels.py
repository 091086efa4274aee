"""The labels of values: where a name was bound again, ``x #1`` and ``x #2`` in each output, by one function.

A label is the name of a value in a finished recording. It is unique within a backward pass and the run that led to
it: an output shows one pass, and in the next pass of a loop the same lines have the same labels. A parameter that an
optimizer writes to stays one thing. Read next: :mod:`minipaddle.tools.record.value`.
"""

import re
from collections.abc import Collection, Iterable, Mapping

from minipaddle.tools.record.events import Trace, Value
from minipaddle.tools.record.kinds import Grad, Op, Store, Update
from minipaddle.tools.words.group_by import grouped

_NUMBER = re.compile(r" #\d+")

_GRADIENTS = ("@GRAD", ".grad")
"""The ends of a gradient's name, before which stands the label of the value that it belongs to."""


def without_number(label: str) -> str:
    """Return the name in a label: ``x@GRAD`` for ``x #2@GRAD``."""
    return _NUMBER.sub("", label) if " #" in label else label


def spellings(label: str) -> tuple[str, ...]:
    """Return what a user may call a value by: its label, and the name in it."""
    return tuple(dict.fromkeys((label, without_number(label))))


def tell_apart(trace: Trace, named: Collection[int], whole: Mapping[int, str]) -> None:
    """Number the values of a finished recording that have one name in one pass.

    `named` are the values that variables name; `whole` has, by holder, the full names of parameters whose own name is
    in two networks.
    """
    labels = {value.id: whole[value.holder] for value in trace.values if value.holder in whole}
    own = (value for value in trace.known(named) if not value.name.endswith(_GRADIENTS))
    labels |= numbered(trace, things_of(trace), {one.id: labels.get(one.id, one.name) for one in own})
    was = {id_: trace.values[id_].name for id_ in labels}
    for value in trace.values if labels else ():
        name, end = was.get(-1 if value.of is None else value.of, ""), value.name[-5:]
        if value.id in labels:
            value.name = labels[value.id]
        elif name and end in _GRADIENTS:
            ones = trace.known([value.same] if value.seed else [])  # those before a seed
            for one in (value, *ones):
                one.name = labels[value.of or 0] + end if one.name == name + end else one.name
    for event in trace.events if labels else ():
        if isinstance(event, Store) and event.about in labels:
            event.title = labels[event.about]


def numbered(trace: Trace, thing: Mapping[int, int], names: Mapping[int, str]) -> dict[int, str]:
    """Return the labels with a number, by value: where one name means several things in a pass.

    `thing` has the thing of each value; things of which the first value in use has none of the `names` get no number.
    """
    first, last = _passes_of_use(trace)
    things = grouped((thing[id_], id_) for id_ in sorted(first))
    lasting = {key: (first[ids[0]], max(map(last.__getitem__, ids))) for key, ids in things.items()}
    labels: dict[int, str] = {}
    for name, keys in grouped((names.get(ids[0]), key) for key, ids in things.items()).items():
        for key, number in _numbered(keys, lasting).items() if name else ():
            labels.update((id_, f"{name} #{number}") for id_ in things[key])
    return labels


def things_of(trace: Trace) -> dict[int, int]:
    """Return a key of each value, shared by those that a reader takes for one thing.

    They are an argument and what it was called with, and what a leaf or a buffer has before and after an update.
    """
    cuts = {cut.made for cut in trace.cuts}
    found: dict[int, int] = {}
    held: dict[int, Value] = {}
    about = trace.known(event.about for event in trace.events if isinstance(event, (Store, Update)))
    lasting = {value.holder for value in about} | {one.holder for one in trace.values if one.kind == "buffer"}
    for value in trace.values:
        made, before = trace.maker(value), trace.value(value.came_from)
        if value.version and (made is None or value.holder in lasting):
            before = held.get(value.holder)
        alike = before is not None and before.name == value.name and value.id not in cuts
        found[value.id] = found[before.id] if before is not None and alike else value.id
        held[value.holder] = value
    return found


def _passes_of_use(trace: Trace) -> tuple[dict[int, int], dict[int, int]]:
    """Return, of each value in use, the pass that it is made for, and the last that its results are in."""
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    for event in trace.events:
        number = trace.pass_of(event) + (event.phase == "forward" and not isinstance(event, Update))
        of_forward = trace.of_forward(event) if isinstance(event, Grad) else ()
        for id_ in (*event.inputs, *event.outputs, *of_forward):
            if id_ is not None:
                first.setdefault(id_, number)
                last[id_] = number
    through: dict[int, int] = {}  # pass -> the last one that differentiates its rules, through others too
    for event in reversed(trace.events):
        if isinstance(event, Grad) and event.origin is not None:
            call, number = trace.events[event.origin], trace.pass_of(event)
            until = through.get(number, number)
            if call.phase == "backward":
                through.setdefault(trace.pass_of(call), until)
            ids = (id_ for id_ in trace.of_forward(event) if id_ is not None)
            last.update((id_, until) for id_ in ids if last.get(id_, until) < until)
    sources = {cut.made: cut.value for cut in trace.cuts if cut.value != cut.made}
    for value in reversed(trace.values):
        until, made = last.get(value.id, 0), trace.maker(value)
        ran = isinstance(made, Op) and made.phase == "forward"
        for id_ in (*(made.inputs if made is not None and ran else ()), sources.get(value.id)):
            if until > last.get(id_, until):
                last[id_] = until
    return first, last


def _numbered(things: Iterable[int], spans: Mapping[int, tuple[int, int]]) -> dict[int, int]:
    """Return the numbers of things of one name, in their order; a thing that is alone in its passes has none."""
    numbers: dict[int, int] = {}
    meeting = set[int]()
    there: list[int] = []
    """Things that a later one may meet; the last has the largest number."""
    for thing in things:
        while there and spans[there[-1]][1] < spans[thing][0]:
            there.pop()
        numbers[thing] = numbers[there[-1]] + 1 if there else 1
        meeting.update(there[-1:], [thing] if there else [])
        there.append(thing)
    return {thing: number for thing, number in numbers.items() if thing in meeting}
