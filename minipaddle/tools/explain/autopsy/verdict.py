"""The verdict on each leaf of a backward pass: the state of its gradient, and the reason."""

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from minipaddle.engine.errors import Line
from minipaddle.tools.explain.autopsy.missing import Reason, State, why_missing
from minipaddle.tools.explain.autopsy.one_pass import OnePass, way_to
from minipaddle.tools.explain.autopsy.size import why_not_finite, why_size
from minipaddle.tools.explain.autopsy.zero import ZERO, why_zero
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.record.kinds import Store
from minipaddle.tools.words.events import trainer_text
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import all_zero, line_text, tally

LOW, HIGH = 1e-7, 1e3  # sizes of a gradient: below the first it vanishes, above the second it explodes
_NEARLY_NOTHING = 1e-35  # of float32's range: below it, products of gradients become 0
_LEARNED = 1e-10  # a loss below this share of an earlier one is as small as rounding lets it be
_ROUNDED = 1e-5  # of terms that cancel, as in a difference of two calls, float32 leaves less than this share
_HALF = 0.5  # one below that share is at a minimum where a gradient has become tiny that was not so before

_FAR = 2  # beside weights, which are about 1 large, a step that is no explosion

_RANKS = (("dead",), ("vanishing",), ("unknown",), ("ok", "in no optimizer"), ("exploding",), ("NaN", "Inf"))


@dataclass(frozen=True)
class Autopsy:
    """The verdict on the gradient of one leaf, with its reason."""

    leaf: Value
    verdict: str
    """``ok``, ``vanishing``, ``exploding``, ``dead`` (all zero), ``NaN``, ``Inf``, ``frozen``, ``unused``,
    ``without gradient`` (used, and cut off), ``broken off`` (by an error), ``not asked`` (of paddle.grad), ``unknown``,
    ``in no optimizer``: it gets a gradient, and nothing updates it, or ``other step``: it gets none here, and other
    steps train it."""
    reason: Reason | None = None
    store: Event | None = None

    @property
    def rank(self) -> int:
        """How much it decides beside the verdicts of other passes before the same update."""
        return next((place for place, verdicts in enumerate(_RANKS, 1) if self.verdict in verdicts), 0)

    @property
    def is_alarm(self) -> bool:
        """Whether the verdict is bad, and not intended."""
        well = self.verdict in ("ok", "unknown", "frozen", "not trained", "other step")
        return not well and not (self.reason is not None and self.reason.meant)


def why_outside(trace: Trace, leaf: Value) -> tuple[str, Line | None]:
    """Return why no optimizer has a parameter, as the end of a sentence, and the line to blame; or "" and None."""

    def sentence(said: str, blamed: Line | None, **parts: str) -> tuple[str, Line | None]:
        return say(said, where=line_text(blamed), **parts), blamed

    same = {value.id for value in trace.values if value.holder == leaf.holder}
    scope = next((event.scope for event in trace.events if not same.isdisjoint(event.inputs)), None)
    cut, met = trace.born(leaf), {value.holder for value in trace.values}
    born = None if cut is None else cut.where
    if scope is not None and born is not None and not scope.inside:
        *_, network = scope.around()
        return sentence(
            "; {network} makes its {layer} anew in each forward ({where}): make it in __init__"
            if born.function == "forward" else
            "; {network} calls its {layer} ({where}), and has no such sublayer: a list holds none, LayerList does",
            born, network=network.path, layer=scope.kind,
        )  # fmt: skip
    made = [(one, trainer_text(one)) for one in trace.optimizers]
    for one, name in made:
        if not one.holders:
            return sentence(
                "; {optimizer} was given none (a generator is used up when it has been read once)",
                one.where, optimizer=name,
            )  # fmt: skip
        if met.isdisjoint(one.holders):
            return sentence("; {optimizer} was given others, which no pass reads", one.where, optimizer=name)
        if cut is not None and one is made[-1][0] and trace.cuts.index(cut) >= one.cuts > 0:
            return sentence("; it was made at {where}, after {optimizer}", born, optimizer=name)
    if leaf.kind != "parameter" and scope is not None and born is not None:
        return sentence("; {where} lets it require gradient, but create_parameter makes parameters", born)
    for (one, other), (again, name) in itertools.combinations(made, 2):
        if {*again.holders} <= {*one.holders}:
            return sentence(
                "; {optimizer} was given the parameters of {other}", again.where, optimizer=name, other=other
            )
    others = tally(name for _, name in made)
    return sentence("; others were given to {optimizers}", made[-1][0].where, optimizers=others)


class Autopsies:
    """Judges the leaves of one backward pass. A gradient below `low` vanishes, one above `high` explodes."""

    def __init__(self, trace: Trace, number: int, low: float = LOW, high: float = HIGH) -> None:
        self.one = OnePass(trace, number)
        self.trace, self.low, self.high = trace, low, high

    def of(self, leaf: Value) -> Autopsy:
        """Return the autopsy of a leaf's gradient."""
        store = self.one.stores.get(leaf.holder)
        gradient = None if store is None else self.one.arrived(store)
        if gradient is None:
            return self._without(leaf)
        verdict = self.judge(gradient)
        if verdict == "exploding" and self._is_tamed(leaf):
            verdict = "ok"
        if verdict == "ok" and self._is_forgotten(leaf, store):
            reason = State(leaf).because(
                "no optimizer has {name}: it gets a gradient ({where}), and nothing updates it{why}",
                self.one.marker, why=why_outside(self.trace, leaf)[0],
            )  # fmt: skip
            return Autopsy(leaf, "in no optimizer", reason, store)
        why = self.why(leaf, gradient, verdict)
        is_data = leaf.kind != "parameter" and self.one.is_trained(leaf.holder) is False
        if why and is_data and verdict in ("dead", "vanishing"):
            why = why._replace(meant="not trained")
        return Autopsy(leaf, verdict, why, store)

    def judge(self, gradient: Value) -> str:
        """Return the verdict on a gradient, by its statistics."""
        stats = gradient.stats
        if stats.bad:
            return "NaN" if stats.nans else "Inf"
        if stats.size and math.isnan(stats.norm):
            return "unknown"
        if all_zero(gradient.stats):
            return "dead"
        return "vanishing" if stats.rms < self.low else "exploding" if stats.rms > self.high else "ok"

    def why(self, leaf: Value, gradient: Value, verdict: str) -> Reason | None:
        """Return the reason of a verdict on a gradient, or None."""
        if verdict in ("NaN", "Inf"):
            return why_not_finite(self.one, leaf, gradient)
        legs = way_to(self.one, gradient) if verdict in ("dead", "vanishing", "exploding") else []
        befores = [leg.before for leg in legs if leg.before is not None]
        if verdict == "dead":
            alive = next((value for value in befores if not all_zero(value.stats)), None)
            if alive is None or not alive.stats.rms < _NEARLY_NOTHING:  # NaN: it is empty
                return self._or_learned(why_zero(self.one, leaf, gradient))
            found = why_size(self.one, leaf, alive, small=True)
            return State(leaf, ZERO).because(
                "{where} makes it too small for {dtype}", found, found.event, dtype=alive.dtype
            )
        if verdict in ("vanishing", "exploding"):
            found = why_size(self.one, leaf, gradient, small=verdict == "vanishing")
            balanced = any(leg.leaves_rounding(self.trace) for leg in legs)  # as errors are at a minimum
            share = (math.inf if balanced else _HALF) if self._was_usual(leaf) else _LEARNED
            last, *_ = legs
            is_sum = last.event is not None and last.event.kind == "accumulate"
            if is_sum and last.before is not None and gradient.stats.rms < _ROUNDED * last.before.stats.rms:
                return found._replace(meant="by algebra")
            is_lost = any(value.array is None for value in befores)
            first = next(self._earlier(leaf), None) if is_lost else None
            if first is not None and verdict == "vanishing":  # an earlier pass has kept its numbers
                look = Autopsies(self.trace, first.pass_number, self.low, self.high)
                before = look.of(self.trace.values[first.about or 0]).reason
                if before is not None and before.meant == "by algebra":
                    return before
            return found if verdict == "exploding" else self._or_learned(found, share)
        return None

    def _earlier(self, leaf: Value) -> Iterator[Store]:
        """Yield where earlier passes stored the gradients of a leaf."""
        before = (one for one in self.trace.events[: self.one.begin] if isinstance(one, Store))
        return (one for one in before if self.trace.values[one.about or 0].holder == leaf.holder)

    def _was_usual(self, leaf: Value) -> bool:
        """Whether an earlier pass gave the leaf a gradient of usual size."""
        mine = (self.trace.known(one.inputs[:1]) for one in self._earlier(leaf))
        return any(self.judge(value) == "ok" for values in mine for value in values)

    def _or_learned(self, found: Reason, share: float = _LEARNED) -> Reason:
        """Return a reason as meant if it is learned: the loss is below a share of an earlier one of the same line."""
        seeds = (self.trace.value(value.of) for value in self.trace.values if value.seed)
        made = ((self.trace.maker(one), one) for one in seeds if one is not None)
        losses = [(event.where, one) for event, one in made if event is not None]
        is_learned = any(
            line == where and before.id < one.id and one.stats.rms <= share * before.stats.rms > 0
            for where, one in losses
            if one in self.one.roots
            for line, before in losses
        )
        return found._replace(meant="learned") if is_learned else found

    def _without(self, leaf: Value) -> Autopsy:
        one, reason = self.one, why_missing(self.one, leaf)
        holds = {
            "frozen": not one.wants_gradient(leaf),
            "broken off": one.is_broken_off(leaf),
            "other step": leaf.holder in one.ever_updated,
            "not trained": one.is_trained(leaf.holder) is False,
            "not asked": reason.meant == "not asked",
            "without gradient": leaf.id in one.readers or leaf.id in one.reads,
        }
        return Autopsy(leaf, next((verdict for verdict in holds if holds[verdict]), "unused"), reason)

    def _is_tamed(self, leaf: Value) -> bool:
        """Whether the update after the pass took a smaller gradient, of usual size, or moves the leaf no farther."""
        later = (one for one in self.trace.events[self.one.begin :] if one.kind == "update")
        own = next((one for one in later if self.trace.values[one.about or 0].holder == leaf.holder), None)
        for taken in self.trace.known(own.inputs[1:2]) if own is not None else ():
            after = self.trace.values[own.outputs[0] or 0].array if own is not None else None
            if taken.version > 0 and self.judge(taken) == "ok":
                return True
            if after is not None and leaf.array is not None:
                return float(np.sqrt(np.mean((after - leaf.array) ** 2))) <= _FAR * max(1, leaf.stats.rms)
        return False

    def _is_forgotten(self, leaf: Value, store: Store | None) -> bool:
        """Whether optimizers exist, but neither they nor the user change this parameter."""
        if leaf.kind != "parameter" or not self.trace.trained or store is None or store.into != "grad":
            return False
        if any(leaf.holder in one for one in self.trace.trained) or not self.one.updated:
            return False
        return not any(
            value.holder == leaf.holder and value.version > leaf.version for value in self.trace.values
        )

    def leaves(self) -> Iterator[Value]:
        """Yield the leaves: first those with a gradient from this pass, then parameters and leaves without."""
        first: dict[int, Value] = {}
        for value in (*self.trace.known(store.about for store in self.one.stores.values()), *self._others()):
            first.setdefault(value.holder, value)
        yield from first.values()

    def _others(self) -> Iterator[Value]:
        """Yield the latest values of parameters, and of leaves that this pass's own forward used."""
        parameters = [value for value in self.trace.values if value.kind == "parameter"]
        # A parameter that a Scope passes to another Program is counted once, as is one that a rule was handed again.
        known = {*self.one.stores, *(holder for one in self.trace.trained for holder in one)}
        again = {
            value.id for value in parameters for one in self.trace.known([value.same]) if one.holder in known
        }
        left_out = again | {value.same for value in parameters if value.producer is None}  # handed on
        latest: dict[int, Value] = {}
        for value in parameters:
            made = self.trace.maker(value)
            if value.id in left_out or value.id > self.one.end_of_values:
                continue
            if made is None or made.pass_number < self.one.number:
                latest[value.holder] = value
        yield from latest.values()
        made_for = {value.of for event in self.one.events for value in self.trace.known(event.outputs)}
        earlier = [one for one in self.trace.events[: self.one.begin] if isinstance(one, Store)]
        had = {leaf.holder for one in earlier for leaf in self.trace.known([one.about])}
        ran = [
            one for one in self.trace.events[: self.one.begin] if one.kind == "op" and one.phase == "forward"
        ]
        own = (one for one in ran if one.pass_number == self.one.number - 1 and not one.in_custom)
        for value in self.trace.known(id_ for one in own if one.owner != "while" for id_ in one.inputs):
            made_one = value.stop_gradient and self.one.is_leaf(value)
            unstored = value.id not in made_for or self.one.is_broken_off(value)
            if (value.kind == "leaf" or made_one) and unstored and value.holder not in had:
                yield value  # the others were replaced: an update by hand reads them for the last time
