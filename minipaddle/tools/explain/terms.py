"""Why gradients are summed where they meet, and stored at leaves; and the terms in one element of a gradient."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple, TypeVar

import numpy as np

from minipaddle.tools.explain.formula import Why, follows, leaf_of, names_of, numbers_for, told_of_recorded
from minipaddle.tools.explain.rule import said_of_hooks
from minipaddle.tools.explain.symbols.shape_rules import apply
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.record.kinds import Store
from minipaddle.tools.record.term_shares import cancels, contribution, left_of, shares
from minipaddle.tools.words.events import place
from minipaddle.tools.words.fields import field
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import number, percent, spaced, tally

MOST = 20
"""Terms that are written singly, a screen of lines; the smaller ones are summed up."""
Number = TypeVar("Number", float, complex)
Spot = tuple[int, ...]


class Term(NamedTuple):
    """One term of a gradient."""

    gradient: Value
    """The whole gradient that was added."""
    use: Event | None
    """The forward operator that used the value; None if unknown."""
    held: bool = False
    """Whether it was in ``.grad`` before the pass."""


def terms_of(trace: Trace, gradient: Value) -> list[Term]:
    """Return the terms whose sum a gradient is, in the order of their operators; itself if it is no sum."""
    made = trace.maker(gradient)
    terms = []
    if made is not None and made.kind == "store":
        before = trace.value(made.before)
        terms += [] if before is None else [Term(before, None, held=True)]
        gradient = trace.known(made.inputs)[0]
    found = [Term(part, _use_of(trace, part)) for part in parts_of(trace, gradient)]
    return terms + sorted(found, key=lambda term: -1 if term.use is None else term.use.index)


def parts_of(trace: Trace, *gradients: Value) -> Iterator[Value]:
    """Yield the gradients that were added to make these."""
    waiting = list(reversed(gradients))
    while waiting:
        gradient = waiting.pop()
        made = trace.maker(gradient)
        if made is not None and made.kind == "accumulate":
            waiting += reversed(trace.known(made.inputs))
        else:
            yield gradient


def explain_element(trace: Trace, gradient: Value, spot: Spot) -> Why:
    """Return the terms in one element of a gradient, the last use first.

    Raises IndexError if there is no such element, and ValueError if the numbers of a term were not kept.
    """
    element = f"{gradient.name}{at(gradient, spot)}"
    terms = terms_of(trace, gradient)
    numbers = [_element(term.gradient, spot) for term in terms]
    total = _element(gradient, spot)
    answer = Why()
    if len(terms) == 1:
        answer.say("{element} is {total}: one term", element=element, total=number(total))
    else:
        some = {"element": element, "total": number(total), "count": len(terms)}
        answer.say("{element} is {total}, the sum of {count} terms", **some)
    answer.numbers = list(_lines(terms, numbers, number, lambda place: number(numbers[place])))
    return answer


def at(gradient: Value, spot: Spot) -> str:
    """Return the index of an element as text. Raises IndexError if there is no such element."""
    said = f"[{', '.join(map(str, spot))}]"
    if len(spot) != len(gradient.shape) or not all(-n <= i < n for i, n in zip(spot, gradient.shape)):
        some = {"name": gradient.name, "shape": list(gradient.shape), "at": said}
        raise IndexError(say("{name} has the shape {shape}: no element {at}", **some))
    return said


def add_shares(answer: Why, trace: Trace, gradient: Value) -> None:
    """Add the share of each term in a gradient, if there are several, and whether they cancel."""
    terms = terms_of(trace, gradient)
    values = [term.gradient for term in terms]
    if len(terms) == 1:
        return
    if follows(gradient, *values):  # as fields, the last term first
        ids = [value.id for value in (*values, gradient)]
        words = words_of(terms, range(len(terms))) if len(terms) <= MOST else []
        several = [f"{field('share', place, *ids)}  {said}" for place, said in enumerate(words)]
        answer.numbers += several[::-1] or [told_of_recorded(gradient.name)]
        cancelled = say("the terms cancel: of their norms together {left} is left", left=field("left", *ids))
        answer.says.append(f"{field('cancels', *ids)}{cancelled}")
        return
    parts, left = shares(values, gradient), left_of(values, gradient)
    if parts is not None:
        answer.numbers += _lines(terms, parts, percent, partial(_part, values, parts))
    if left is not None and cancels(values, gradient):
        answer.say("the terms cancel: of their norms together {left} is left", left=percent(left))


def _element(gradient: Value, spot: Spot) -> complex:
    """Return one element of a gradient, exactly."""
    if gradient.array is None:
        raise ValueError(say("the numbers of {name} were not kept", name=gradient.name))
    element: complex = gradient.array[spot].item()
    return element


def _part(values: Sequence[Value], parts: Sequence[float], place: int) -> str:
    """Return what the value at a place adds to a sum, in few numbers or as its share."""
    return contribution([values[place]], parts[place]) or percent(parts[place])


def _lines(
    terms: Sequence[Term],
    numbers: Sequence[Number],
    write: Callable[[Number], str],
    written: Callable[[int], str],
) -> Iterator[str]:
    """Yield a line for each of the largest terms, the last use first, and one for the rest."""
    largest = sorted(range(len(terms)), key=lambda place: -abs(numbers[place]))
    shown = sorted(largest[:MOST], reverse=True)
    words = words_of(terms, shown)
    yield from (f"{written(place):>10}  {said}" for place, said in zip(shown, words))
    if rest := largest[MOST:]:
        total = write(sum(numbers[place] for place in rest))
        yield f"{total:>10}  {say('{count} smaller ones together', count=len(rest))}"


def words_of(terms: Sequence[Term], shown: Iterable[int]) -> list[str]:
    """Return the origins of the terms that are `shown`, each with its number among the uses on its line."""
    places, lines = [_place(term) for term in terms], []
    for index in shown:
        n, count = (some.count(places[index]) for some in (places[: index + 1], places))
        which = say("{n} of {count}", n=n, count=count) if count > 1 else ""
        lines.append(spaced(_words(terms[index]), which))
    return lines


def _place(term: Term) -> tuple[object, ...]:
    """Return the operator and the line of a term; a term without a use is its own group."""
    if term.use is None:
        return (term.gradient.id,)
    line = term.use.where
    return term.use.op, line and (line.file, line.number)


def _words(term: Term) -> str:
    """Return the words for a term's origin: the operator and its line."""
    if term.held:
        return say("was there before this pass")
    if term.use is None:
        return say("what began it") if term.gradient.seed else term.gradient.name
    return _place_words(term.use)


def _use_of(trace: Trace, gradient: Value) -> Event | None:
    """Return the forward operator whose rule made a gradient; for a hook's result, the gradient's before the hook."""
    given: Value | None = gradient
    while given is not None:
        made = trace.maker(given)
        if made is not None and made.origin is not None and made.kind == "grad":
            return trace.events[made.origin]
        given = trace.value(given.came_from)
    return None


def explain_sum(trace: Trace, event: Event) -> Why:
    """Return why the gradient so far and a newly arrived one are added."""
    before, newcomer = trace.known(event.inputs)[:2]
    total = next(iter(trace.known(event.outputs)), None)
    name = newcomer.name if total is None else total.name
    answer = Why(rule=[say("{name} = {name} so far + what just arrived", name=name)])
    if name != newcomer.name:  # in a Program the terms have other names
        answer.rule = [f"{name} = {before.name} + {newcomer.name}"]
    if total is not None:
        if before.array is not None:
            _add_numbers(answer, before, newcomer, total, name)
        add_shares(answer, trace, total)
    uses = [_use_of(trace, value) for value in parts_of(trace, before, newcomer)]
    known = ["" if use is None else _place_words(use) for use in uses]
    users = ", ".join([tally(filter(None, known)), *(["..."] if not all(known) else [])])
    return answer.say(
        "{name} was used more than once{used}, so the gradients that come back are added",
        name=trace.owner(newcomer if total is None else total).name,
        used=f" ({users})" if users else "",
    )


def _place_words(use: Event) -> str:
    """Return an operator and its line."""
    return f"{use.title} {place(use)}".rstrip()


def _written_over(trace: Trace, store: Event) -> Event | None:
    """Return the operator of the same run that overwrites the gradient's Variable, or None."""
    (gradient,) = trace.known(store.inputs)
    later = (value for value in trace.values if value.holder == gradient.holder)
    after = next((value for value in later if value.version == gradient.version + 1), None)
    made = None if after is None else trace.maker(after)
    return made if made is not None and made.kind == "op" and made.index > store.index else None


def explain_store(trace: Trace, event: Store) -> Why:
    """Return what happens to a complete gradient at a leaf."""
    if event.into == "program":
        names = names_of(trace.known(event.inputs))
        over = _written_over(trace, event)
        if over is not None:
            return Why().say(
                "this is the whole gradient of {name}; {op} writes {names} over, and a fetch gives what that made",
                name=event.title, op=over.title, names=names,
            )  # fmt: skip
        return Why().say(
            "this is the whole gradient of {name}; fetch_list=[{names!r}]", name=event.title, names=names
        )
    if event.op == "returned":
        return Why().say(
            "paddle.grad returns this gradient of {name}; {name}.grad stays as it is", name=event.title
        )
    arrived = trace.known(event.inputs)[0]
    note = say("first write") if event.before is None else say("added to what was there")
    answer = Why(rule=[f"{event.title}.grad += {arrived.name}"])
    answer.say("{name} is a leaf: its gradient stays here ({note})", name=event.title, note=note)
    replaced = said_of_hooks(trace, arrived)
    if replaced:
        answer.says.append(replaced)
    before, held = trace.value(event.before), trace.known(event.outputs)
    if before is not None and held:
        _add_numbers(answer, before, arrived, held[0], f"{event.title}.grad")
    add_shares(answer, trace, held[0] if held else arrived)
    return answer


def _add_numbers(answer: Why, before: Value, arrived: Value, total: Value, name: str) -> None:
    """Add one element of a sum of two, if the new gradient and the sum are known."""
    if arrived.array is None or total.array is None:
        return
    held = total.array - arrived.array if before.array is None else before.array
    tree = apply(np.add, leaf_of(before, "so_far", held), leaf_of(arrived, "arrived", arrived.array))
    answer.numbers += numbers_for(name, tree, total)
