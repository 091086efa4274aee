"""The red node of a picture: the operator, or the gradient rule, that raised, with the error's sentence."""

import re

from minipaddle.tools.picture.model.builder import Builder
from minipaddle.tools.record.events import Event, Value
from minipaddle.tools.words.control_characters import visible
from minipaddle.tools.words.language import phrase

_LONGEST = 1000
"""Characters of a sentence: those of Paddle's errors have up to 400, with the decisive number near the end."""


def add_errors(builder: Builder, number: int) -> None:
    """Add a node for what raised: in the forward run without a pass (number 0), or in pass `number`."""
    began = builder.trace.began(number)
    for event in builder.trace.events:
        if event.kind != "error" or (number and event.pass_number != number):
            continue
        if number and began is not None and began.error:
            _add_rule(builder, event, began.index)
        elif not number and event.phase == "forward":
            _add_operator(builder, event)


def _sentence(event: Event) -> str:
    """Return the sentence of an error; of one about a freed graph, also the line that freed it."""
    lines = [line.strip() for line in re.split(r"\n|\\n", event.note)]
    hints = [line for line in lines[1:2] if event.about is not None]
    return visible(re.sub(r'File "[^"]*[/\\]', 'File "', " ".join([*lines[:1], *hints])[:_LONGEST]))


def _add_operator(builder: Builder, event: Event) -> None:
    known = [(slot, id_) for slot, id_ in enumerate(event.inputs) if id_ is not None]
    for _, id_ in known:
        builder._value(id_, "forward")
    said, title = _sentence(event), event.owner or event.title
    node = builder.graph.add_event(builder.trace, event, "f", "error", title, state=said, op="")
    for slot, id_ in known:
        builder.flow_in(id_, node, slot)


def _add_rule(builder: Builder, event: Event, start: int) -> None:
    """Add the rule that raised, beside its operator: the gradient that came, and what wrote over its saved tensor."""
    trace, graph = builder.trace, builder.graph
    about = trace.value(event.about)
    index = max((one for one in builder.ended.waiting if one is not None), default=None)
    index = index if about is None else about.producer
    if index is None or f"f{index}" not in graph.nodes:
        return
    ran = trace.events[index]
    last = trace.events[event.index - 1]
    hook = last if last.kind == "leave" and last.op == "hook" and last.note else None
    came: dict[int | None, Value] = {
        value.of: value
        for value in trace.values
        if hook is None
        and value.of in ran.outputs
        and (value.seed if value.producer is None else value.producer > start)
    }
    tails = [builder._gradient_tail(value.id) for value in came.values()]
    title, twin = (f"{ran.title}_grad", f"f{index}") if hook is None else (f"hook {hook.title}", None)
    said = {"takes": tuple(came.values()), "side": "backward", "twin": twin, "state": _sentence(event)}
    node = graph.add_event(trace, event, "g", "error", title, op="", **said)
    for tail, value in zip(tails, came.values()):
        graph.join(tail, node.id, "gradient", "", [value])
    for kept in trace.known(ran.saved) if "inplace operation" in event.note else ():
        later = (one for one in trace.values[kept.id + 1 :] if one.holder == kept.holder)
        for over in later:
            writer = f"f{over.producer}"
            if writer in graph.nodes:
                graph.join(writer, node.id, "saved", phrase("writes over {name}", name=kept.name), [kept])
