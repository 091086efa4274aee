"""Why the gradient of a leaf is NaN or Inf: the first event on the way to it that made one of what was finite."""

from minipaddle.tools.explain.autopsy.missing import Reason, because
from minipaddle.tools.explain.autopsy.one_pass import OnePass
from minipaddle.tools.explain.nan_origin import birth, is_bad, read_by
from minipaddle.tools.record.events import Event, Value
from minipaddle.tools.words.events import blamed, title
from minipaddle.tools.words.numbers import not_finite


def why_not_finite(one: OnePass, leaf: Value, gradient: Value) -> Reason:
    """Return where the NaN or Inf of a gradient was born."""
    trace, value = one.trace, gradient
    what = "NaN" if gradient.stats.nans else "Inf"
    seen: set[int] = set()
    while True:
        seen.add(value.id)
        event = trace.maker(value)
        if event is None and value.same is not None:
            event = trace.maker(trace.values[value.same])
        bad = [] if event is None else [read for read in read_by(trace, event) if is_bad(read)]
        if value.replaces is not None and is_bad(trace.values[value.replaces]):
            bad = [trace.values[value.replaces]]
        new = [read for read in bad if read.id not in seen]
        before = min(new, key=lambda read: -1 if read.producer is None else read.producer, default=None)
        if before is None:
            return _born(one, leaf, what, value, event)
        value = before


def _born(one: OnePass, leaf: Value, what: str, value: Value, event: Event | None) -> Reason:
    if event is None:
        return because(
            leaf,
            "the gradient of {name} is {what}: {value} came with {counts} into the recording",
            what=what, value=value.name, counts=not_finite(value.stats),
        )  # fmt: skip
    found = because(
        leaf,
        "the gradient of {name} is {what}: born in {op} ({where})",
        blamed(one.trace, event), event, what=what, op=title(event),
    )  # fmt: skip
    how = birth(one.trace, event, value)
    return found._replace(sentence=f"{found.sentence}: {how}") if how else found
