"""The operators that user code ran, as a tape: it can be run again on other numbers, and differentiated.

The tape of a PyLayer's forward yields its true gradient: by the built-in rules, call by call, without a step size. The
tape of its backward can run with other incoming gradients, or with one operator changed.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import isqrt, prod
from traceback import walk_tb
from typing import Any

import numpy as np

from minipaddle.engine.errors import is_engine_file
from minipaddle.engine.mode.eager import EAGER, within
from minipaddle.engine.operator.operator import TABLE
from minipaddle.engine.value.meta import Array
from minipaddle.ops.definition.program_printing import printed
from minipaddle.ops.definition.traits import has
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.record.kinds import Op
from minipaddle.tools.record.replay import Missing, Replay
from minipaddle.tools.words.events import place
from minipaddle.tools.words.language import say

Numbers = dict[int, Array]
"""Arrays by the id of the value."""
Arrays = list[Array | None]
"""Arrays in the order of an operator's inputs or outputs; None: none there."""
Change = Callable[[Event, Numbers], Sequence[Array | None] | None]
"""Returns changed outputs of an operator, from all numbers so far; None: its ordinary outputs."""
Pulled = Callable[[Event, Arrays, Arrays], Arrays]
"""The gradients of an operator's inputs, from its incoming gradients and its rules' results."""

ERRORS = (Missing, ArithmeticError, AssertionError, TypeError, ValueError, IndexError, KeyError, RuntimeError)
"""Errors that operators raise for inputs that they cannot take."""


def is_users(error: Exception) -> bool:
    """Return whether the user's code can have raised an error, itself or by an operator: else it is a slip of ours."""
    files = (frame.f_code.co_filename for frame, _ in walk_tb(error.__traceback__))
    return isinstance(error, ERRORS) or not all(map(is_engine_file, files))


LEAKS = ("item", "numpy", "tolist", "__array__", "float")
"""Ways in which numbers reach Python. (``bool`` and ``int`` give the same result for all nearby numbers.)"""


class AsTheyCome(Replay):
    """A replay that keeps the precision of its results: a cast between floats has no effect."""

    def applied(self, event: Op, numbers: Callable[[int], Array]) -> Sequence[Array | None]:
        """Return the outputs of an operator; for a cast between floats, its input."""
        if (
            event.op == "cast"
            and event.inputs[0] is not None
            and all(_floats(self.trace, id_) for id_ in (*event.inputs, *event.outputs))
        ):
            return [numbers(event.inputs[0])]
        return super().applied(event, numbers)

    def _in_recorded_dtype(self, array: Any, id_: int | None) -> Array | None:
        """Return a result as it comes: a changed operator may give another shape."""
        found = None if array is None or id_ is None else np.asarray(array)
        same_rank = found is not None and id_ is not None and found.ndim == len(self.trace.values[id_].shape)
        return found if same_rank else super()._in_recorded_dtype(array, id_)


def recorded(trace: Trace, id_: int) -> Array:
    """Return the numbers of a value. Raises Missing if they were not kept."""
    array = trace.values[id_].array
    if array is None:
        raise Missing(say("the numbers of {name} were not kept", name=trace.values[id_].name))
    return array


def in_double(array: Array, dtype: str = "float64") -> Array:
    """Return an array in double precision, if it has floats or complex numbers."""
    if array.dtype.kind == "c":
        return array.astype(np.result_type(dtype, np.complex64))
    return array.astype(dtype) if array.dtype.kind == "f" else array


class Tape:
    """The operators inside `event`, the call of user code, as a function of the values `given`; or `event` alone."""

    def __init__(self, trace: Trace, event: Event, given: Sequence[int]) -> None:
        self.trace = trace
        self.event = event
        self.given = list(given)
        self._replay = AsTheyCome(trace, in_double=True)
        if event.body is None:
            raise Missing(say("what ran inside {name} was not recorded", name=event.title))
        enter, leave = event.body
        self._last = leave
        inside = trace.events[enter + 1 : leave]
        ran = [one for one in inside if one.kind not in ("enter", "leave", "backward", "error")]
        self.depends = set(self.given)
        """The values that depend on the inputs."""
        self.steps: list[Event] = []
        """The operators that make these values, in the order of the run."""
        for one in ran:
            if one.was_taken and any(self.base(id_) in self.depends for id_ in self._read_by(one)):
                self.steps.append(one)
                self.depends |= {id_ for id_ in one.outputs if id_ is not None}

    # -- values with the same numbers ------------------------------------------------------------------------------

    def base(self, id_: int) -> int:
        """Return the tape's value that shares its numbers with value `id_`; it may be another Tensor's."""
        seen: int | None = id_
        while seen is not None and seen not in self.depends:
            seen = self.trace.values[seen].same
        return id_ if seen is None else seen

    def _read_by(self, event: Event) -> list[int]:
        """Return the ids that an event reads; for a call of user code, also the ids that its body returned."""
        terms = [id_ for part in event.parts if part for id_ in part]
        extra = terms if event.op not in TABLE else []
        return [id_ for id_ in (*event.inputs, *extra) if id_ is not None]

    def captured(self) -> Iterator[tuple[Value, Event]]:
        """Yield each value that the body uses, requires gradient and is no input, with its first user."""
        inside = self.trace.inside(self.event)
        made = {id_ for one in inside for id_ in one.outputs}
        seen = set(made) | self.depends
        for one in inside:
            for value in self.trace.known(one.inputs):
                if value.id not in seen and self.base(value.id) not in seen and not value.stop_gradient:
                    seen.add(value.id)
                    yield value, one

    def returned(self) -> list[tuple[int, ...] | None]:
        """Return, per output of the call, the ids of the body's values whose sum it is; None: no value."""
        return [None if part is None else tuple(self.base(id_) for id_ in part) for part in self.event.parts]

    # -- forward ---------------------------------------------------------------------------------------------------

    def numbers(self, space: Mapping[int, Array], id_: int) -> Array:
        """Return the numbers of a value: from `space`, else the recorded ones."""
        if id_ in space:
            return space[id_]
        base = self.base(id_)
        if base in space:
            return space[base]
        return recorded(self.trace, id_)

    def as_run(self) -> Numbers:
        """Return the numbers of the run, each in its own dtype."""
        ids = {id_ for step in self.steps for id_ in (*self._read_by(step), *step.outputs) if id_ is not None}
        return {id_: self.numbers({}, id_) for id_ in ids | set(self.given)}

    def run(self, space: Numbers, change: Change | None = None, since: int = 0) -> Numbers:
        """Run the steps from number `since` on; return `space` with their outputs added."""
        made = dict(space)
        for step in self.steps[since:]:
            answers = None if change is None else change(step, made)
            if answers is None:
                answers = self.outputs(step, made)
            for id_, array in zip(step.outputs, answers):
                if id_ is not None and array is not None:
                    made[id_] = array
        return made

    def outputs(self, step: Event, space: Mapping[int, Array]) -> Arrays:
        """Return the outputs of a step."""
        return self._replay.outputs(step, lambda id_: in_double(self.numbers(space, id_)))

    def results(self, made: Mapping[int, Array]) -> Arrays:
        """Return the results of the body, computed from these numbers."""
        sums: Arrays = []
        for terms in self.returned():
            arrays = [] if terms is None else [self.numbers(made, id_) for id_ in terms]
            sums.append(sum(arrays[1:], arrays[0]) if arrays else None)
        return sums

    # -- backward --------------------------------------------------------------------------------------------------

    def insist_on_operators(self) -> None:
        """Raise Missing unless everything from inputs to outputs was an operator with a rule."""
        for step in self.steps:
            handed_on = self._passed_on(step)
            outside = step.op not in TABLE and (not handed_on or None in handed_on)
            differs = step.kind != "op" or (step.op in TABLE and bool(TABLE[step.op].updates))
            if outside or differs or not self._has_rule(step):
                raise self._left_operators(step)
        leaks = any(how in LEAKS for how in self.reads())
        if leaks or not self.returned() or None in self.returned():
            raise self._left_operators()

    def reads(self) -> Iterator[str]:
        """Yield the ways in which Python read numbers that depend on the inputs: ``bool``, ``numpy``."""
        begin = self.event.body[0] if self.event.body else 0
        for read in self.trace.reads:
            floating = self.trace.values[read.value].kind_of_dtype in "fcb"
            if begin < read.before_event <= self._last and floating and self.base(read.value) in self.depends:
                yield read.how

    def _has_rule(self, step: Event) -> bool:
        op = TABLE.get(step.op)
        if op is None or op.rules or has("no slope", op.type) or op.type == "share_data":
            return True
        return not any(_floats(self.trace, id_) for id_ in step.outputs)

    def _passed_on(self, step: Event) -> Sequence[tuple[int, ...] | None]:
        """Return, per output of a step that is no operator, the ids passed on: of its body, or of the branch taken."""
        return [(self._replay.taken(step),)] if step.op == "select_input" else step.parts

    def _left_operators(self, step: Event | None = None) -> Missing:
        name = self.event.title
        if step is None or (step.op not in TABLE and step.block is None):
            return Missing(
                say(
                    "{name}.forward computes outside of paddle's operators (NumPy, say), and a recording holds no code "
                    "to run again: check the script itself, `minipaddle check SCRIPT`",
                    name=name,
                )
            )
        return Missing(
            say(
                "inside {name} runs {op} ({where}), for which paddle has no gradient rule to compare with",
                name=name, op=step.title, where=place(step),
            )
        )  # fmt: skip

    def pull(self, space: Numbers, seeds: Mapping[int, Array], instead: Pulled | None = None) -> Numbers:
        """Return the gradients of the inputs, given the gradients `seeds` of some values of the tape."""
        with within(EAGER.reading), np.errstate(all="ignore"):
            return self._pulled(space, seeds, instead)

    def _pulled(self, space: Numbers, seeds: Mapping[int, Array], instead: Pulled | None) -> Numbers:
        grads: Numbers = {}
        for id_, seed in seeds.items():
            _add(grads, self.base(id_), seed)
        for step in reversed(self.steps):
            incoming = [None if id_ is None else grads.pop(id_, None) for id_ in step.outputs]
            if all(one is None for one in incoming):
                continue
            if step.op not in TABLE:
                for terms, one in zip(self._passed_on(step), incoming):
                    for id_ in terms or () if one is not None else ():
                        _add(grads, self.base(id_), one)
                continue
            answers = self.answers(step, incoming, space)
            if instead is not None:
                answers = instead(step, incoming, answers)
            for source, answer in zip(step.inputs, answers):
                if source is not None and answer is not None:
                    real = self.trace.values[source].kind_of_dtype == "f"
                    _add(grads, self.base(source), answer.real if real else answer)
        return {id_: grads[id_] for id_ in self.given if id_ in grads}

    def answers(self, step: Event, incoming: Arrays, space: Numbers) -> Arrays:
        """Return the gradients of a step's inputs, by its rules."""
        if step.op == "share_data":
            return incoming
        wanted = [
            id_ is not None and self.base(id_) in self.depends and _floats(self.trace, id_)
            for id_ in step.inputs
        ]
        answers = self._replay.rules(
            TABLE[step.op], step, wanted, incoming, lambda id_: self.numbers(space, id_)
        )
        return [
            None if answer is None or id_ is None else np.asarray(answer)
            for answer, id_ in zip(answers, step.inputs)
        ]


def _floats(trace: Trace, id_: int | None) -> bool:
    return id_ is not None and trace.values[id_].kind_of_dtype in "fc"


def _add(grads: Numbers, id_: int, more: Array | None) -> None:
    if more is not None:
        grads[id_] = grads[id_] + more if id_ in grads else more


def price(trace: Trace, step: Event) -> int:
    """Return the cost of an operator, in elements: roughly how many it computes with, plus 1000 per call."""
    sizes = [prod(value.shape) for value in trace.known([*step.inputs, *step.outputs])]
    op = TABLE.get(step.op)
    slots = () if op is None else (*printed(op).input_slots, *printed(op).output_slots)
    if (step.op == "matmul_v2" or {"Filter", "DFilter"} & {*slots}) and len(sizes) >= 3:
        return 1000 + sum(sizes) + isqrt(prod(sizes[:3])) // 20
    return 1000 + sum(sizes)
