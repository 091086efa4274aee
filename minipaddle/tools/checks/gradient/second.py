"""The check of second derivatives: what is lost where a PyLayer's backward is differentiated itself.

With ``create_graph`` backward's operators are differentiated one by one, so that what it takes out of the graph
(``detach``, ``no_grad``, NumPy, a value that forward computed) is a constant to them. Both gradients of backward, with
these constants and without, are pulled through the same tape.
"""

from collections.abc import Collection
from functools import partial

import numpy as np

from minipaddle.engine.errors import Line
from minipaddle.engine.value.meta import Array
from minipaddle.tools.checks.gradient.backward import Backward, equal
from minipaddle.tools.checks.gradient.exact import Exact, apart
from minipaddle.tools.checks.gradient.results import Checked, Mistake, alternatives, checked
from minipaddle.tools.checks.gradient.tape import ERRORS, LEAKS, Arrays, Numbers
from minipaddle.tools.record.events import Event
from minipaddle.tools.record.kinds import Op
from minipaddle.tools.words.language import say

Source = tuple[str, Line | None]
"""Where backward leaves the graph: the sentence, and its line."""


def check_second(exact: Exact) -> list[Checked]:
    """Return the results for the gradient of backward: none unless a later pass differentiates it."""
    if not _is_differentiated(exact):
        return []
    enter, leave = exact.event.body or (0, 0)
    for read in exact.trace.reads:
        value = exact.trace.values[read.value]
        if enter < read.before_event <= leave and read.how in LEAKS and not value.stop_gradient:
            one = checked(exact.call, value, "cut")
            one.leave(
                "unchecked", say("its numbers go to Python: a second derivative does not flow through them")
            )
            one.order, one.mistake, one.line = 2, "cut", read.where
            return [one]
    try:
        second = _Second(exact)
    except ERRORS:
        return []
    found = []
    true, as_run = second.pulled(None), second.pulled(())
    for id_, right in true.items():
        place = [*exact.call.forward.inputs, *exact.call.event.inputs].index(id_)
        one = checked(exact.call, exact.trace.values[id_], ("second", place))
        one.order, one.exact = 2, True
        given = as_run.get(id_, np.zeros_like(right))
        unsure = ~np.isfinite(right)
        wrong = apart(given, right, exact.tolerance) & ~unsure
        one.compare(given, right, wrong, unsure)
        if wrong.any():
            one.find = partial(second.mistake, id_, right)
        found.append(one)
    return found


def _is_differentiated(exact: Exact) -> bool:
    """Return whether backward ran with ``create_graph``, and a later pass differentiates what depends on its result."""
    trace, event = exact.trace, exact.event
    if all(value.stop_gradient for value in trace.known([*event.inputs, *event.outputs])):
        return False  # without create_graph
    reached = {id_ for part in (*event.parts, event.outputs) for id_ in part or ()}
    for one in trace.events[event.index + 1 :]:
        origin = trace.differentiated(one)
        if origin is not None and one.pass_number != event.pass_number and reached & {*origin.inputs}:
            return True
        if one.kind in ("op", "grad", "accumulate") and reached & {*one.inputs}:
            reached |= {*one.outputs}
    return False


class _Second:
    """A call's backward as a function to be differentiated, for gradients that came in for its results."""

    def __init__(self, exact: Exact) -> None:
        self.exact, self.trace, self.event = exact, exact.trace, exact.event
        self.backward = Backward(exact)
        self.tape, self.here = self.backward.tape, self.backward.here
        self.space = self.tape.run(self.backward.start(self.here))
        self.entered = {*self.trace.inside(self.event)[0].inputs}
        self.sources: dict[Source, None] = {}
        rng = np.random.default_rng(4)
        self.seeds = {
            term: self._arrived(term, rng.uniform(0.5, 1.5, self.space[term].shape))
            for terms in self.tape.returned()
            for term in terms or ()
            if term in self.space
        }

    def _arrived(self, term: int, otherwise: Array) -> Array:
        """Return the gradient that a later pass brought for a result of backward."""
        ids = {term, *(one.id for one in self.trace.known(self.event.outputs) if one.same == term)}
        later = [value for value in self.trace.values if value.of in ids and value.id > max(ids)]
        array = later[-1].array if later else None
        return otherwise if array is None or not array.any() else array.astype(otherwise.dtype)

    def pulled(self, freed: Collection[Source] | None) -> Numbers:
        """Return the gradients of forward's inputs, and of what came in; None: as if nothing left the graph."""
        flowing: set[int] = set()
        for step in self.tape.steps if freed is not None else ():
            reads = [self._flows(step, id_, flowing, freed or ()) for id_ in step.inputs if id_ is not None]
            if any(reads) and not self._is_source(_no_grad(step), freed or ()):
                flowing |= {id_ for id_ in step.outputs if id_ is not None}

        def kept(step: Event, _: Arrays, answers: Arrays) -> Arrays:
            return [
                answer if id_ is None or self._flows(step, id_, flowing, freed or ()) else None
                for id_, answer in zip(step.inputs, answers)
            ]

        grads = self.tape.pull(self.space, self.seeds, None if freed is None else kept)
        forward = self.exact.tape
        ends = zip(self.exact.forward.outputs, forward.returned())
        terms = {id_: part[0] for id_, part in ends if id_ is not None and part}
        space = self.exact.space
        inner = [(out, grad) for id_, grad in grads.items() if (out := terms.get(id_, id_)) in space]
        found = {id_: np.zeros_like(space[id_]) for id_, _, _ in self.exact.wanted()}
        for out, seed in inner:
            for id_, grad in forward.pull(space, {out: seed}).items():
                if id_ in found:
                    found[id_] = found[id_] + grad
        came = [one for one in self.trace.known(self.event.inputs) if not one.stop_gradient]
        return {**found, **{one.id: grads.get(one.id, np.zeros(one.shape)) for one in came}}

    def _flows(self, step: Event, id_: int, flowing: set[int], freed: Collection[Source]) -> bool:
        """Return whether a second derivative flows from a step to a value that it reads."""
        if id_ in flowing:
            return True
        base, value = self.tape.base(id_), self.trace.values[id_]
        if base not in self.tape.depends:
            return False
        if id_ != base and value.stop_gradient and id_ not in self.entered:
            cut = next((one for one in self.trace.cuts if one.made == id_), None)
            text = say(
                "{name} leaves the graph: a second derivative does not flow through it", name=value.name
            )
            if not self._is_source((text, cut.where if cut is not None else step.where), freed):
                return base in flowing or base in self.tape.given
            return False
        if base in flowing or base in self.event.inputs or base in self.exact.forward.outputs:
            return base in flowing or not self.trace.values[base].stop_gradient
        if base in self.exact.tape.given:
            return not self.trace.values[base].stop_gradient
        maker = self.trace.maker(self.trace.values[base])
        text = say(
            "{name} was computed in forward, which records no graph: for a second derivative it is a constant; "
            "compute it again in backward",
            name=value.name,
        )
        in_forward = base in self.tape.given and maker is not None
        return in_forward and not self._is_source((text, maker.where if maker is not None else None), freed)

    def _is_source(self, source: Source | None, freed: Collection[Source]) -> bool:
        """Return whether the graph ends at a source; note it."""
        if source is None or source in freed:
            return False
        self.sources[source] = None
        return True

    def mistake(self, id_: int, right: Array) -> Mistake:
        """Return the place where backward leaves the graph, if the gradient is right without it; else all of them."""
        every = [Mistake("cut", *source) for source in self.sources]
        alone = [one for one in every if equal(self.pulled([(one.text, one.line)]).get(id_), right)]
        if alone or not every:
            return alternatives(alone) if alone else Mistake("", "", None)
        return every[0]._replace(text=say("; ").join(one.text for one in every))


def _no_grad(step: Event) -> Source | None:
    if isinstance(step, Op) and not step.grad and step.owner == "pylayer_grad":
        return say("computed under no_grad: a second derivative does not flow through it"), step.where
    return None
