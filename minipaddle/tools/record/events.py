"""What a recording consists of: values, events, and the trace that holds both.

A *value* is a tensor at one moment: writing in place makes a new value of the same tensor. An *event* is one thing
that happened: an operator ran, a gradient rule ran, two gradients were added, the user's own code was entered. Both
are numbered from 0 in the order they happened, so the same script gives the same numbers in every run.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from minipaddle.engine.errors import Line
from minipaddle.engine.value.meta import Array, Shape
from minipaddle.tools.record.reads_and_cuts import Binding, Cut, Earlier, EventId, PassNumber, Read, ValueId
from minipaddle.tools.record.scope import Scope
from minipaddle.tools.record.stats import ALONE, Stats, stats_of, unknown

Kind = Literal["op", "grad", "accumulate", "store", "enter", "leave", "update", "backward", "error"]
"""op: an operator ran. grad: the gradient rule of one ran. accumulate: two gradients met. store: a gradient reached the
``.grad`` of a leaf. enter, leave: the user's own code (a PyLayer's forward or backward, a hook). update: an optimizer
changed a parameter. backward: a backward pass began. error: the script raised."""

ValueKind = Literal["data", "leaf", "parameter", "buffer", "result", "gradient"]
"""data: made by the user. leaf: such a tensor that requires gradient. parameter: one of a layer (paddle's Parameter).
buffer: a parameter that a layer keeps for itself, and nobody trains: the averages of a BatchNorm."""

Into = Literal["grad", "returned", "passed", "program"]
"""Where a gradient ended. grad: in the ``.grad`` of a leaf. returned, or passed if it is that of what an operator made:
paddle.grad handed it to the user. program: in a Variable of a Program."""

MadeBy = Literal["run", "program", "sketch", "tape"]
"""Who told of a backward pass. run: it ran eagerly. program: an Executor ran it. sketch: a Program has it, and nobody
ran it. tape: read off the tape of a tensor in hand, and nobody ran it."""


@dataclass(slots=True, eq=False, repr=False)
class Value:
    """A tensor at one moment."""

    id: int
    name: str
    """The user's variable name where there is one; else made of the operator, such as ``matmul_0``."""
    kind: ValueKind
    shape: Shape
    dtype: str
    stop_gradient: bool
    kept: Array | None = None
    """The numbers if they are in memory."""
    producer: EventId | None = None
    """Index of the event that made it; None if the user did."""
    of: ValueId | None = None
    """For a gradient: the id of the value that it is the gradient of."""
    _: KW_ONLY
    holder: int = -1
    """Number of what holds it: a Tensor, a Variable, a variable of a Scope. Two that are equal are two."""
    version: int = 0
    """How many values that holder had before this one."""
    same: Earlier | None = None
    """The value that these numbers were before, with another holder: an argument, a view, a ``.grad``."""
    replaces: Earlier | None = None
    """For what a hook made of a gradient: the gradient that it was given."""
    seed: bool = False
    """Whether a backward pass began with it."""
    kept_stats: Stats | None = None
    """The statistics, where they are kept instead of the numbers, or were asked for."""
    fetch: Callable[[], Array | None] | None = None
    """Reads numbers that are in a file."""
    again: Callable[[int], Array | None] | None = None
    """Given the id, computes numbers again that were not kept."""

    def __repr__(self) -> str:
        return f"<value {self.id}: {self.name} {list(self.shape)} {self.dtype}>"

    @property
    def array(self) -> Array | None:
        """The numbers, by reference: nobody may write to them. None where they were not kept and cannot be had."""
        array = self.stored
        return array if array is not None or self.again is None else self.again(self.id)

    @property
    def stored(self) -> Array | None:
        """The numbers if they were kept, in memory or in a file."""
        return self.fetch() if self.kept is None and self.fetch is not None else self.kept

    @property
    def stats(self) -> Stats:
        """Minimum, mean, maximum and so on; kept even where the numbers are not."""
        if self.kept_stats is None:
            array = self.array
            self.kept_stats = stats_of(array) if array is not None else unknown(max(math.prod(self.shape), 0))
        return self.kept_stats

    def stat(self, name: str) -> float:
        """Return one of the statistics, by its name: one that nobody has asked for yet is worked out alone."""
        if self.kept_stats is None and name in ALONE:
            array = self.array
            found = math.nan if array is None or not array.size else ALONE[name](array)
            if math.isfinite(found):
                return found
        return float(getattr(self.stats, name))

    @property
    def came_from(self) -> int | None:
        """The value that this was before: the gradient that a hook has replaced, or the same numbers elsewhere."""
        return self.same if self.replaces is None else self.replaces

    @property
    def kind_of_dtype(self) -> str:
        """NumPy's letter for the kind of its dtype; "?" where the dtype is not known."""
        return np.dtype(self.dtype).kind if self.dtype else "?"

    @property
    def nbytes(self) -> int:
        """Bytes of the numbers, kept or not."""
        return int(math.prod(self.shape)) * np.dtype(self.dtype).itemsize


@dataclass(slots=True)
class Event:
    """One thing that happened."""

    index: int
    kind: Kind
    op: str
    """Operator type (``matmul_v2``, ``pylayer``), for ``enter``/``leave`` the kind of body (``forward``, ``backward``,
    ``hook``)."""
    title: str
    """What to call it: the operator's public name, the PyLayer's class."""
    inputs: list[ValueId | None] = field(default_factory=list)
    """Value ids. op: its tensors in slot order. grad: the gradients of the outputs. accumulate: [so far, newcomer]."""
    outputs: list[ValueId | None] = field(default_factory=list)
    """Value ids. grad: one per input of the forward operator, None where none is wanted."""
    attrs: dict[str, Any] = field(default_factory=dict)
    where: Line | None = None
    """The user's line."""
    depth: int = 0
    """How many bodies of the user's code are open around it."""
    parent: Earlier | None = None
    """Index of the ``enter`` event of the innermost open body."""
    pass_number: PassNumber = 0
    """0 in forward before any backward; n within and after the n-th backward pass; of a pass that runs within another
    one, and is a part of it, a number below 0."""
    phase: Literal["forward", "backward"] = "forward"
    origin: Earlier | None = None
    """grad: the index of the forward event that it belongs to. leave: its ``enter``. store: None."""
    saved: list[ValueId] = field(default_factory=list)
    """op: ids of the values that the tape keeps for its gradient rules."""
    body: tuple[Earlier, Earlier] | None = None
    """op or grad of a PyLayer: indices of its ``enter`` and ``leave`` events."""
    note: str = ""
    """error: type and message; otherwise a remark for people."""
    scope: Scope | None = None
    """The innermost call of a layer that it ran in."""
    _: KW_ONLY
    seconds: float | None = field(default=None, compare=False)
    """op, grad, update: how long it took by the wall clock, with all that ran inside. None where nobody measured."""
    about: ValueId | None = None
    """Id of the value it is about. store: the leaf. update: the parameter. enter of a hook, accumulate: the value whose
    gradient that is. error: what a call made that an earlier pass has freed."""
    before: ValueId | None = None
    """store: id of what ``.grad`` held, to which this was added; None: nothing, or zeros after ``clear_grad``."""
    into: Into | None = None
    """store: where the gradient ended. backward: where those of leaves do."""
    made_by: MadeBy | None = None
    """backward: who told of the pass."""
    error: str = ""
    """backward, leave: type and message of what broke it off."""
    owner: str = ""
    """Type of the operator in whose body this happened (``while``, ``while_grad``, ``pylayer``); "" outside of any.
    error: the name of the operator that raised it."""
    block: int | None = None
    """Number of the Block of a Program in which this happened."""
    iterations: tuple[int, ...] = ()
    """Numbers, from 0, of the iterations of the loops around it, the outermost first."""
    parts: list[tuple[ValueId, ...] | None] = field(default_factory=list)
    """Per output, the ids of the values whose sum it is, as a body handed them over; (): zeros; None: it was computed.
    Empty: all were computed."""
    grad: bool = True
    """op: whether calls were recorded for backward: False under ``no_grad``, where an input required gradient."""
    part: Event | None = None
    """grad: the piece of a gradient rule that it differentiates, as an op within ``origin``, whose index it bears."""
    part_of: EventId | None = None
    """op: index of the gradient event whose rule applied it, where that is to be differentiated (``create_graph``)."""
    is_paddles: bool = False
    """enter: whether the code that begins is Paddle's own (``recompute``), not the user's."""
    control: Literal["", "branch", "loop", "choice"] = ""
    """op, grad, enter: which way a Program went by it. branch: its Block ran or not. loop: again and again. choice: it
    handed on one of several values, or their gradient."""

    @property
    def was_taken(self) -> bool:
        """Whether it is no branch of a Program that had not run, whose gradient is zeros only."""
        return self.control != "branch" or self.body is not None


@dataclass
class Trace:
    """A whole recording."""

    script: str = ""
    events: list[Event] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)
    sources: dict[str, str] = field(default_factory=dict)
    """Text of every file that an event points to."""
    notes: list[str] = field(default_factory=list)
    """What the user should be told: memory limit reached, events left out."""
    cut_off: str = ""
    """The note that says where the recording stopped; "" if it went on to the end."""
    threads: list[str] = field(default_factory=list)
    """Names of threads that the script started: what they did is not in the recording."""
    exit_code: int = 0
    """How the script ended."""
    unused: list[str] = field(default_factory=list)
    """Parameters of the layers that ran which no operator took."""
    programs: list[Any] = field(default_factory=list)
    """The Programs that were run, with their names (``Found`` in tools/record/sources/program/registry.py); from a
    file their texts, for :func:`minipaddle.tools.record.sources.program.texts.kept_programs`."""
    bound: dict[ValueId, str] = field(default_factory=dict)
    """In a Program, whose values have names of Paddle's: the variable of the script's to show with that."""
    bindings: list[Binding] = field(default_factory=list)
    """All variables of the user's that hold a value, in every function: a value may have many names."""
    reads: list[Read] = field(default_factory=list)
    """What Python was given to read."""
    cuts: list[Cut] = field(default_factory=list)
    """Where the user took tensors out of the graph, or put them into it."""
    trained: list[list[int]] = field(default_factory=list)
    """For each optimizer that was made, the numbers of the holders that it trains."""
    groups: list[list[int]] = field(default_factory=list)
    """For each group of several that an optimizer was given, the numbers of the holders in it."""
    calls: dict[int, tuple[Any, list[Any]]] = field(default_factory=dict)
    """The user's own functions, to be called again: a PyLayer's class, or py_func's, and what it was given, with Values
    for tensors. Not in a file."""
    later: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    """In a fork: for a value changed after its use, from which event on which other stands for it. Not in a file."""

    @cached_property
    def variables(self) -> dict[int, list[str]]:
        """By the number of a value, the user's variables that held it, in any function; of a complete recording."""
        found: dict[int, list[str]] = {}
        for binding in self.bindings:
            found.setdefault(binding.value, []).append(binding.name)
        return found

    def value(self, id: int | None) -> Value | None:
        """Return a value by id; None stays None."""
        return None if id is None else self.values[id]

    def known(self, ids: Iterable[int | None]) -> list[Value]:
        """Return the values with these ids, without the missing ones."""
        return [self.values[id] for id in ids if id is not None]

    def owner(self, gradient: Value) -> Value:
        """Return what a value is the gradient of; the value itself where nobody has said."""
        return self.value(gradient.of) or gradient

    def maker(self, value: Value) -> Event | None:
        """Return the event that made a value; None if the user did."""
        return None if value.producer is None else self.events[value.producer]

    @property
    def knows_values(self) -> bool:
        """Whether anything is known of what the values were, be it statistics."""
        real = [value for value in self.values if 0 not in value.shape]
        return not real or any(one.stored is not None or one.stats.norm == one.stats.norm for one in real)

    @property
    def markers(self) -> list[Event]:
        """Where the backward passes begin; those that run within others left out."""
        return [event for event in self.events if event.kind == "backward" and event.pass_number > 0]

    def began(self, number: int) -> Event | None:
        """Return where a backward pass begins; None if it is not in the recording."""
        begins = (event for event in self.events if event.kind == "backward")
        return next((event for event in begins if event.pass_number == number), None)

    @property
    def passes(self) -> int:
        """How many backward passes there are."""
        return len(self.markers)

    @property
    def pass_numbers(self) -> list[int]:
        """The numbers of these backward passes: they count from where the script began, the recording may not."""
        return [event.pass_number for event in self.markers]

    @property
    def last_pass(self) -> int:
        """The number of the last backward pass that is no part of a call (as one in a PyLayer's forward is)."""
        began = self.markers
        outermost = min((event.depth for event in began), default=0)
        return max((event.pass_number for event in began if event.depth == outermost), default=0)

    def of_pass(self, number: int) -> Iterator[Event]:
        """Yield the gradient events of one backward pass (from 1), without the marker itself."""
        passing = (event for event in self.events if event.pass_number == number)
        yield from (event for event in passing if event.phase == "backward" and event.kind != "backward")

    def inside(self, event: Event) -> list[Event]:
        """Return what ran in the body of an event, where that begins included; [] if it has none."""
        return self.events[slice(*event.body)] if event.body is not None else []

    def differentiated(self, event: Event) -> Event | None:
        """Return the forward call that a gradient event belongs to; None for any other, or if it was not recorded.

        In a second derivative of a Program it is a part of a rule that ran as a whole, and was worked out beside it.
        """
        if event.kind != "grad" or event.origin is None:
            return None
        forward = event.part or self.events[event.origin]
        if not self.later:
            return forward
        ends = forward.inputs, forward.outputs  # as the gradient finds them
        inputs, outputs = ([None if i is None else self.at(i, event.index) for i in ids] for ids in ends)
        return replace(forward, inputs=inputs, outputs=outputs)

    def of_forward(self, event: Event) -> list[int | None]:
        """Return what the forward call that a gradient event belongs to has read and made; [] of any other."""
        forward = self.differentiated(event)
        return [] if forward is None else [*forward.inputs, *forward.outputs]

    def at(self, id: int, index: int) -> int:
        """Return the value that stands in the place of value `id` at an event: itself, but in forks."""
        since = [one for one in self.later.get(id, ()) if one[0] <= index]
        return self.at(max(since)[1], index) if since else id
