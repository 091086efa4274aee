"""From a recording to the mirror: forward down on the left, backward up on the right, a call beside its gradient.

Below: the red node of what raised, an operator or a gradient rule, with the error's sentence.
"""

import re

from minipaddle.tools.picture.model.builder import Builder
from minipaddle.tools.picture.model.earlier_passes import words_of
from minipaddle.tools.picture.model.graph import Graph, Node, Side
from minipaddle.tools.picture.model.outcome import not_run
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.record.kinds import FREED
from minipaddle.tools.record.memory import uncollected
from minipaddle.tools.words.control_characters import visible
from minipaddle.tools.words.language import TranslatableError, phrase, phrases, say
from minipaddle.tools.words.numbers import clean, tally

_COUNTED = ("op", "pylayer", "rule", "grad", "pylayer_grad")
"""Kinds of nodes that the subtitle counts."""


class NoBackward(TranslatableError, ValueError):
    """The recording has no backward pass to draw."""


def mirror(trace: Trace, pass_number: int | None = None, said: str = "") -> Graph:
    """Return the graph of one backward pass (the last one by default) and of its forward run.

    `said` replaces the pass's number in the subtitle, for a pass that did not run. Raises NoBackward if
    there is no such pass.
    """
    numbers = trace.pass_numbers
    if not numbers:
        raise NoBackward("no backward pass was recorded: call loss.backward() or paddle.grad(...)")
    if pass_number is not None and pass_number not in numbers:
        raise NoBackward(
            "there is no pass {step}: {there_are}", step=pass_number, there_are=there_are(numbers)
        )
    with uncollected():
        built = Builder(trace, pass_number or trace.last_pass, add_errors)
    built.graph.subtitle = _subtitle(built, said)
    for node in built.graph.nodes.values():
        if node.kind == "error" and node.event is not None:
            _say_raised(built.graph, node.title, built.trace.events[node.event])
    return built.graph


def _say_raised(graph: Graph, what: str, event: Event) -> None:
    error = clean(event.op)
    raised = phrase("{what} raised {error}", what=what, error=error) if what else ""
    graph.subtitle = phrases(
        "{before}; {after}", (graph.subtitle, raised or phrase("{error} was raised", error=error))
    )


def _subtitle(built: Builder, said: str) -> str:
    graph, number, passes = built.graph, built.graph.pass_number, built.trace.passes
    whole = built.trace.pass_numbers[:1] == [1] and not built.trace.cut_off and not built.trace.threads
    # If only one training step was kept, the number of passes is unknown.
    which = phrase("pass {number} of {passes}" if whole else "pass {number}", number=number, passes=passes)
    began = built.trace.began(number)
    ops = _counted(graph, "forward")
    if not built.backward and began is not None and began.error:
        return phrase("{ops}, {which}: it raised before a rule ran", ops=ops, which=which)
    if not built.backward:
        names = tally(node.title for node in graph.nodes.values() if node.kind == "data")
        of = phrase(": stop_gradient is True of {names}", names=names) if names else ""
        return phrase("{ops}, {which}: nothing requires gradient{of}", ops=ops, which=which, of=of)
    earlier = [one.earlier for one in _ran(graph, "forward") if one.earlier and not graph.in_a_body(one)]
    among = {"count": len(earlier), "what": words_of(sorted({*earlier}))} if earlier else {}
    between = phrase("{count} in {what}", **among) if earlier else ""
    parts = [ops, between, _counted(graph, "backward"), said or which]
    if apart := len(built.apart):
        parts.append(phrase("{count} operators do not lead to what backward began with", count=apart))
    into = [built.trace.known(event.outputs if event.op.endswith("_") else ()) for event in built.nowhere]
    words = ([event.title, *(clean(one.name) for one in made)] for event, made in zip(built.nowhere, into))
    names = tally(map(" ".join, words))
    if len(built.nowhere) == 1:
        parts.append(phrase("1 operator leads nowhere: {names}", names=names))
    elif built.nowhere:
        parts.append(phrase("{count} operators lead nowhere: {names}", count=len(built.nowhere), names=names))
    return phrases("{before}, {after}", parts)


def _ran(graph: Graph, side: Side) -> list[Node]:
    """Return the operators and gradient rules that are drawn on a side."""
    return [one for one in graph.nodes.values() if one.kind in _COUNTED and one.side == side]


def _counted(graph: Graph, side: Side) -> str:
    """Return how many operators ran forward, or rules backward, in words; and how many ran inside of them."""
    inside = [graph.in_a_body(one) for one in _ran(graph, side) if side == "backward" or not one.earlier]
    said = phrase(
        "{count} ops forward" if side == "forward" else "{count} backward", count=inside.count(False)
    )
    return phrase("{words} (and {count} inside)", words=said, count=sum(inside)) if any(inside) else said


def there_are(numbers: list[int]) -> str:
    """Return a sentence on the passes in a recording: one training step may be all that was kept."""
    if numbers[0] != 1:
        return say("recorded was pass {numbers}", numbers=", ".join(map(str, numbers)))
    if len(numbers) == 1:
        return say("the script ran 1 backward pass")
    return say("the script ran {count} backward passes", count=len(numbers))


def forward_only(trace: Trace, said: str = "") -> Graph:
    """Return the graph of a run without a backward pass: everything that ran, and `said` about backward.

    Raises NoBackward if no operator ran either.
    """
    if not any(event.kind == "op" for event in trace.events):
        raise NoBackward("the script applied no operator")
    built = Builder(trace, 0, add_errors)
    parts = [_counted(built.graph, "forward"), trace.cut_off or said or not_run(trace)]
    built.graph.subtitle = phrases("{before}, {after}", parts)
    if one := next((event for event in trace.events if event.kind == "error"), None):
        _say_raised(built.graph, clean(one.owner), one)
    return built.graph


def mirror_or_forward(trace: Trace, pass_number: int | None = None, view: str = "both") -> Graph:
    """Return the graph of a backward pass, the last by default; of the forward run if there is none at all.

    Raises NoBackward if there is no such pass, or nothing to see in this view.
    """
    forward = not trace.passes and pass_number is None and view != "backward"
    return forward_only(trace) if forward else mirror(trace, pass_number)


# -- what raised -------------------------------------------------------------------------------------------------------

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
    hints = [line for line in lines[1:2] if FREED in line]
    return visible(re.sub(r'File "[^"]*[/\\]', 'File "', " ".join([*lines[:1], *hints])[:_LONGEST]))


def _add_operator(builder: Builder, event: Event) -> None:
    known = [(slot, id_) for slot, id_ in enumerate(event.inputs) if id_ is not None]
    builder.frames.settle(builder.trace, [event])
    for _, id_ in known:
        builder._value(id_, "forward")
    title, home = event.owner or event.title, builder.frames.of(event.scope, "forward")
    said = {"state": _sentence(event), "op": "", "cluster": home}
    node = builder.graph.add_event(event, "f", "error", title, **said)
    for slot, id_ in known:
        builder.flow_in(id_, node, slot)


def _add_rule(builder: Builder, event: Event, start: int) -> None:
    """Add the rule or hook that raised, with the gradient that came, and what wrote over the rule's saved tensor."""
    trace, graph = builder.trace, builder.graph
    last, twin, kept = trace.events[event.index - 1], None, list[Value]()
    if last.kind == "leave" and last.op == "hook" and last.note:
        came, title = trace.known(trace.events[last.origin or 0].inputs), f"hook {last.title}"
    else:
        index = next(iter(builder.ended.stopped), None)
        if index is None or f"f{index}" not in graph.nodes:
            return
        ran = trace.events[index]
        title, twin = f"{ran.title}_grad", f"f{index}"
        own = [value for value in trace.values if value.of in ran.outputs]
        came = [one for one in own if (one.seed if one.producer is None else one.producer > start)]
        came = list({one.of: one for one in came}.values())
        # A rule of the user's was given them all the same.
        kept = [] if ran.is_custom else trace.known(ran.saved)
    tails = [builder._gradient_tail(value.id) for value in came]
    said = {"takes": tuple(came), "twin": twin, "state": _sentence(event)}
    node = graph.add_event(event, "g", "error", title, op="", **said)
    for tail, value in zip(tails, came):
        graph.join(tail, node.id, "gradient", "", [value])
    builder._join_kept(twin, node, (value.id for value in kept))
    for value in kept:
        for over in (one for one in trace.values[value.id + 1 :] if one.holder == value.holder):
            writer = f"f{over.producer}"
            if writer in graph.nodes:
                graph.join(writer, node.id, "write", phrase("writes over {name}", name=value.name), [value])
