"""Why a leaf got no gradient: the cut on its paths to the loss, or an ``if`` branch that did not run."""

import ast
from collections.abc import Iterator
from typing import NamedTuple

from minipaddle.engine.errors import Line
from minipaddle.engine.operator.operator import TABLE
from minipaddle.tools.explain.autopsy.one_pass import OnePass
from minipaddle.tools.explain.user_source import condition_at, nodes_of, recording_off
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.record.kinds import Op
from minipaddle.tools.record.reads_and_cuts import Cut, Read
from minipaddle.tools.words.language import phrase, say
from minipaddle.tools.words.numbers import line_text


def why_unused(trace: Trace, name: str) -> str:
    """Return why no operator used a parameter, such as an ``if`` branch with its layer that did not run."""
    sentence = say("{before}: {after}", before=say(_NONE, name=name), after=say(_UNUSED))
    layer = name.split(".")[-2:][0]
    loads = ((at, node) for at, node in nodes_of(trace, ast.Attribute) if isinstance(node.ctx, ast.Load))
    lines = [condition_at(trace, at)[1] for at, node in loads if node.attr == layer]
    if not lines or None in lines:
        return sentence
    branch = say("the branch at {where} that names it was not taken", where=line_text(lines[0]))
    return f"{sentence}; {branch}"


class Reason(NamedTuple):
    """A cause of a gradient's state, with its line and event."""

    sentence: str
    where: Line | None = None
    event: Event | None = None
    rank: int = 0
    """Of several reasons, the one with the highest rank is shown."""
    meant: str = ""
    """The verdict instead if the state raises no alarm: ``not asked``, ``frozen``, ``by algebra``, ``at first``."""
    cause: tuple[object, ...] = ()
    """Equal for leaves whose reason is the same: the sentence and what it is about, without the leaf."""
    by_factor: bool = False
    """Whether a factor that is all zero has made the gradient zero."""


class State(NamedTuple):
    """The state of one leaf's gradient, about which reasons are given."""

    leaf: Value
    lead: str = ""
    """The words before the colon of a reason, with {name} for the leaf; "": the sentence has them."""

    def because(
        self,
        sentence: str,
        about: Event | Cut | Read | Reason | None = None,
        event: Event | None = None,
        rank: int = 0,
        **parts: object,
    ) -> Reason:
        """Return a reason at the line of `about`; `event` is the cause where `about` is no event.

        The sentence may use the leaf, {name}, and from `about` its line, {where}, and operator, {op}.
        """
        here = about if isinstance(about, Event) else None
        where, name = None if about is None else about.where, self.leaf.name
        after = say(sentence, **{"name": name, "where": line_text(where), "op": here and here.title, **parts})
        said = say("{before}: {after}", before=say(self.lead, name=name), after=after) if self.lead else after
        scales = "how" in parts  # a line that scales: by another factor on the way to each leaf
        about_what = () if scales else (here and here.index, *map(str, parts.values()))
        return Reason(said, where, event or here, rank, cause=(self.lead, sentence, where, about_what))


_NONE = phrase("{name} gets no gradient").sentence
_UNUSED = phrase("no operator used it before this backward pass").sentence


def why_missing(one: OnePass, leaf: Value) -> Reason:
    """Return the reason why backward stored no gradient at a leaf."""
    none = State(leaf, _NONE)
    if not one.wants_gradient(leaf):
        return _why_not_wanted(one, none)
    if one.marker is not None and one.is_broken_off(leaf):
        error = one.marker.error.partition("\n")[0]
        return none.because(
            "an error broke this backward pass off before that was stored ({error})", one.marker, error=error
        )
    found = list(_reasons(one, none))
    if found:
        return max(found, key=lambda reason: (reason.rank, -(reason.where.number if reason.where else 0)))
    if one.marker is not None and one.marker.into == "returned" and one.lacks(leaf):
        left_out = none.because("paddle.grad was not asked for it ({where})", one.marker)
        return left_out._replace(meant="not asked")
    if one.reads.get(leaf.id):
        return _of_read(none, one.reads[leaf.id][-1], leaf)
    if one.roots and one.lacks(leaf):
        told = next((at for at, node in nodes_of(one.trace, ast.keyword) if node.arg == "no_grad_set"), None)
        if told is not None:
            return none.because("no_grad_set ({told}) lets none pass to it", one.marker, told=line_text(told))
        return none.because("backward ({where}) passed none on to it", one.marker)
    if one.readers.get(leaf.id) and one.marker is not None:
        before = (event for event in reversed(one.trace.events[: one.begin]) if event.kind == "op")
        losses = (
            call for call in before if [value.stats.size for value in one.trace.known(call.outputs)] == [1]
        )
        root = next((f" ({made.title}, {line_text(made.where)})" for made in losses), "")
        return none.because(
            "backward ({where}) began with a value that has no graph{root}", one.marker, root=root
        )
    return none.because(_UNUSED)


def _why_not_wanted(one: OnePass, none: State) -> Reason:
    """Return the reason why a leaf requires no gradient."""
    cut, made = one.decided.get(none.leaf.id), one.trace.maker(none.leaf)
    source = None if cut is None else one.trace.value(cut.value)
    if cut is not None and cut.how in ("stop_gradient=True", "detach_"):
        under, _ = condition_at(one.trace, cut.where)
        return none.because("{how} was set at {where}{under}", cut, how=_WORDS[cut.how], under=under)
    if cut is not None and source is not None:
        return _of_cut(none, cut, source)
    if cut is not None:
        return none.because(
            "to_tensor ({where}) makes tensors with stop_gradient=True unless it is told otherwise", cut
        )
    found = _of_call(one, none, made, none.leaf) if isinstance(made, Op) else None
    return found or none.because("its stop_gradient is True")._replace(meant="frozen")


def _reasons(one: OnePass, none: State) -> Iterator[Reason]:
    """Yield the reason that ends each path from a leaf towards the loss."""
    waiting, seen, ends = [none.leaf], set[int](), []
    for value in waiting:
        if value.id in seen:
            continue
        seen.add(value.id)
        goes_on = value in one.roots
        for other in one.alike.get(value.id, ()):
            if not goes_on and (value.stop_gradient or not other.stop_gradient):
                waiting.append(other)
                goes_on = True
        for cut in one.cuts.get(value.id, ()):
            made = one.trace.value(cut.made)
            if cut.how in ("stop_gradient=True", "detach_"):
                if value.id in one.used:
                    yield _of_cut(none, cut, value, rank=5)
            elif made is not None and made.stop_gradient:
                yield _of_cut(none, cut, value, rank=5 if made.id in one.used else 2)
                goes_on = True
        for event in one.readers.get(value.id, ()):
            goes_on = True
            waiting += [out for out in one.trace.known(event.outputs) if not out.stop_gradient]
            yield from _of_reader(one, none, value, event)
        for read in one.reads.get(value.id, ()):
            later = (c for c in one.trace.cuts if c.value is None and c.before_event >= read.before_event)
            again = next((c for c in later if c.made in one.used), None)
            if again is not None and value is not none.leaf:
                yield _of_read(none, read, value, rank=4)
                goes_on = True
        if not goes_on and value is not none.leaf:
            ends.append(value)
    for event in one.trace.events[: one.begin] if ends else ():
        given = one.trace.known(event.outputs) if event.op == "returned" else ()
        if any(value.stop_gradient and value.id in one.used for value in given):
            yield none.because(
                "paddle.grad ({where}) hands back a gradient that has no graph, unless told create_graph=True",
                event, rank=3,
            )  # fmt: skip
    for value in ends[-1:] if one.roots else ():
        last = one.trace.maker(value)
        told = next(iter(one.reads.get(value.id, ())), None)
        more = "" if told is None else say(
            "; {how}() at {line} gave its numbers to Python", how=told.how.strip("_"), line=line_text(told.where)
        )  # fmt: skip
        if last is not None:
            yield none.because(
                "it leads to {end} ({where}), which is no part of what backward began with{more}",
                last, rank=1, end=value.name, more=more,
            )  # fmt: skip


def _of_reader(one: OnePass, none: State, value: Value, event: Event) -> Iterator[Reason]:
    """Yield the reason if a call passes no gradient on."""
    made = one.trace.known(event.outputs)
    gradient = one.sent.get(event.index)
    if made and all(out.stop_gradient for out in made):
        if any(out.id in one.used for out in made):
            found = _of_call(one, none, event, value)
            if found is not None:
                yield found
    elif gradient is not None:
        place = event.inputs.index(value.id)
        given = gradient.outputs[place] if place < len(gradient.outputs) else None
        is_none = place < len(gradient.parts) and gradient.parts[place] == ()
        if (given is None or is_none) and TABLE.get(event.op) is None:
            yield none.because(
                "{op}.backward returned None for {value} (applied at {where})",
                event, rank=5, value=value.name,
            )  # fmt: skip


def _of_call(one: OnePass, none: State, event: Event, value: Value) -> Reason | None:
    """Return the reason why a call was not on the tape, or passes no gradient on."""
    op, stopped, made = TABLE.get(event.op), one.decided.get(value.id), one.trace.known(event.outputs)
    if isinstance(event, Op) and not event.grad:
        off = recording_off(one.trace, event.where)
        found = none.because(
            "{op} ({where}) ran under paddle.no_grad{there}, which records nothing",
            event, rank=4, there=f" ({line_text(off)})" if off else "",
        )  # fmt: skip
        return found if off is None else found._replace(cause=(none.lead, off))
    if stopped is not None and stopped.how in ("stop_gradient=True", "detach_") and stopped.made == value.id:
        return _of_cut(none, stopped, value)
    if made and all(out.kind_of_dtype in "iub?" for out in made):
        return none.because(
            "{op} ({where}) gives {dtype}, and only floating-point numbers have a gradient",
            event, rank=5, dtype=made[0].dtype,
        )  # fmt: skip
    if op is not None and not op.rules:
        return none.because("{op} ({where}) has none", event, rank=5)
    if value is none.leaf and none.leaf.stop_gradient:
        return None
    return none.because("stop_gradient of {out} ({op}, {where}) is True", event, rank=3, out=made[0].name)


_WORDS = {
    "detach": "detach()",
    "detach_": "detach_()",
    "stop_gradient=True": "stop_gradient = True",
    "to_tensor": "to_tensor()",
    "numpy": "to_tensor() of its numpy()",
}


def _of_cut(none: State, cut: Cut, value: Value, rank: int = 5) -> Reason:
    return none.because(
        "{how} at {where} takes {value} out of the graph",
        cut, rank=rank, how=_WORDS[cut.how], value=value.name,
    )  # fmt: skip


def _of_read(none: State, read: Read, value: Value, rank: int = 0) -> Reason:
    return none.because(
        "{how}() at {where} hands the numbers of {value} to Python, and what is made of them there has none",
        read, rank=rank, how=read.how.strip("_"), value=value.name,
    )  # fmt: skip
