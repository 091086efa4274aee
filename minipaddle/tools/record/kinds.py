"""The kinds of events in a recording, each a class of its own.

An *event* is one thing that happened: an operator ran (:class:`Op`), a gradient rule ran (:class:`Grad`), two gradients
were added (:class:`Accumulate`), the user's own code was entered (:class:`Enter`). Events are numbered from 0 in the
order they happened, so the same script gives the same numbers in every run. What only one kind knows stands in its
class: a reader matches (``case Store(into="grad")``). A file holds these fields and no others
(:mod:`minipaddle.tools.record.codec`). Read next: :mod:`minipaddle.tools.record.events`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, ClassVar, Literal, NamedTuple

from minipaddle.engine.errors import Line
from minipaddle.engine.operator.custom import RUN_ON_TAPE
from minipaddle.tools.record.reads_and_cuts import Apart, Earlier, EventId, PassNumber, ValueId

Kind = Literal["op", "grad", "accumulate", "store", "enter", "leave", "update", "backward", "error"]

Into = Literal["grad", "returned", "passed", "program"]
"""Where a gradient ended. grad: in the ``.grad`` of a leaf. returned, or passed if it is that of what an operator made:
paddle.grad handed it to the user. program: in a Variable of a Program."""

MadeBy = Literal["run", "program", "sketch", "tape"]
"""Who told of a backward pass. run: it ran eagerly. program: an Executor ran it. sketch: a Program has it, and nobody
ran it. tape: read off the tape of a tensor in hand, and nobody ran it."""

Control = Literal["", "branch", "loop", "choice"]
"""Which way a Program went by an operator. branch: its Block ran or not. loop: again and again. choice: it handed on
one of several values, or their gradient."""

Body = tuple[Earlier, Earlier]
"""Indices of the events that begin and end a body."""


class Scope(NamedTuple):
    """One call of a layer, in which operators run."""

    number: int
    """Calls are numbered from 1 in the order in which they began."""
    path: str
    """The name of the layer: ``blocks.0.fc`` within the outermost one, which goes by its variable."""
    kind: str
    """Its class."""
    outer: Scope | None
    """The call around it."""
    training: bool = True
    """Whether the layer was in training mode."""

    @property
    def names(self) -> tuple[str, ...]:
        """What the layer is called: its path, and also that with the name of the network in front: ``net.0``."""
        *_, network = self.around()
        return (self.path,) if network is self else (self.path, f"{network.path}.{self.path}")

    def around(self) -> Iterator[Scope]:
        """Yield it and the calls around it, from the inside out."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.outer


class Asked:
    """What a reader may ask of every event: a kind that knows an answer has a field of that name."""

    __slots__ = ()

    attrs: dict[str, Any]
    """The attributes of the operator that ran."""
    saved: list[ValueId]
    """Ids of the values that the tape keeps for its gradient rules."""
    parts: list[tuple[ValueId, ...] | None]
    """Per output, the ids of the values whose sum it is, as a body handed them over."""
    origin: Earlier | None
    """Index of the event that it belongs to: of a gradient rule the forward call, of an end its beginning."""
    part_of: EventId | None
    """Index of the gradient event whose rule applied it."""
    body: Body | None
    """Indices of the ``Enter`` and ``Leave`` of its body."""
    control: Control
    """Which way a Program went by it."""
    before: ValueId | None
    """Id of what the ``.grad`` held to which it added."""


_NOTHING: dict[str, Any] = {"attrs": {}, "saved": [], "parts": [], "control": ""}
for _name in Asked.__annotations__:
    setattr(Asked, _name, _NOTHING.get(_name))


@dataclass(slots=True)
class Event(Asked):
    """One thing that happened."""

    kind: ClassVar[Kind]
    index: Apart[int]
    op: str
    """Operator type (``matmul_v2``, ``pylayer``), for a body its kind (``forward``, ``backward``, ``hook``)."""
    title: str
    """What to call it: the operator's public name, the PyLayer's class."""
    inputs: list[ValueId | None] = field(default_factory=list)
    outputs: list[ValueId | None] = field(default_factory=list)
    _: KW_ONLY
    where: Line | None = None
    """The user's line."""
    depth: int = 0
    """How many bodies of the user's code are open around it."""
    parent: Earlier | None = None
    """Index of the ``Enter`` of the innermost open body."""
    pass_number: PassNumber = 0
    """0 in forward before any backward; n within and after the n-th backward pass; of a pass that runs within another
    one, and is a part of it, a number below 0."""
    phase: Literal["forward", "backward"] = "forward"
    scope: Scope | None = None
    """The innermost call of a layer that it ran in."""
    owner: str = ""
    """Type of the operator in whose body this happened (``while``, ``while_grad``, ``pylayer``); "" outside of any."""
    block: int | None = None
    """Number of the Block of a Program in which this happened."""
    iterations: tuple[int, ...] = ()
    """Numbers, from 0, of the iterations of the loops around it, the outermost first."""
    about: ValueId | None = None
    """Id of the value it is about: of an update the parameter, where a gradient ends the leaf, where two meet and for a
    hook the value whose gradient that is, for an error what a call made that an earlier pass has freed."""
    note: str = ""
    """A remark for people; of what an error broke off its type and message."""

    @property
    def is_custom(self) -> bool:
        """Whether it is the call of a custom operator that runs where it is applied, or its backward."""
        return self.op.removesuffix("_grad") in RUN_ON_TAPE

    @property
    def was_taken(self) -> bool:
        """Whether it is no branch of a Program that had not run, whose gradient is zeros only."""
        return self.control != "branch" or self.body is not None


@dataclass(slots=True)
class Computed(Event):
    """An operator ran, or its gradient rule: outputs were made of inputs."""

    _: KW_ONLY
    attrs: dict[str, Any] = field(default_factory=dict)
    seconds: float | None = field(default=None, compare=False)
    """How long it took by the wall clock, with all that ran inside. None where not measured."""


@dataclass(slots=True)
class Bodied(Computed):
    """An operator or a gradient rule that may have run a body: that of a PyLayer, or Blocks of a Program."""

    _: KW_ONLY
    saved: list[ValueId] = field(default_factory=list)
    body: Body | None = None
    parts: list[tuple[ValueId, ...] | None] = field(default_factory=list)
    """As the body handed them over. (): zeros; None: it was computed. Empty: all were computed."""
    control: Control = ""


@dataclass(slots=True)
class Op(Bodied):
    """An operator ran; the inputs are its tensors in slot order."""

    kind = "op"
    _: KW_ONLY
    grad: bool = True
    """Whether calls were recorded for backward: False under ``no_grad``, where an input required gradient."""
    part_of: EventId | None = None
    """Index of the gradient event whose rule applied it, where that is to be differentiated (``create_graph``)."""


@dataclass(slots=True)
class Grad(Bodied):
    """The gradient rule of an operator ran on the gradients of its outputs.

    The outputs are one per input of the forward operator, None where none is wanted.
    """

    kind = "grad"
    _: KW_ONLY
    origin: Earlier | None = None
    """Index of the forward event that it belongs to."""
    part: Op | None = None
    """The piece of a gradient rule that it differentiates, as an op within ``origin``, whose index it bears."""


@dataclass(slots=True)
class Update(Computed):
    """An optimizer changed a parameter."""

    kind = "update"


@dataclass(slots=True)
class Accumulate(Event):
    """Two gradients met; the inputs are what was there so far and the newcomer."""

    kind = "accumulate"


@dataclass(slots=True)
class Store(Event):
    """A gradient reached the ``.grad`` of a leaf, or the user."""

    kind = "store"
    _: KW_ONLY
    into: Into | None = None
    """Where the gradient ended."""
    before: ValueId | None = None
    """What ``.grad`` held; None: nothing, or zeros after ``clear_grad``."""


@dataclass(slots=True)
class Enter(Event):
    """A body began: the user's own code (a PyLayer's forward or backward, a hook), or a Block of a Program."""

    kind = "enter"
    _: KW_ONLY
    is_paddles: bool = False
    """Whether the code that begins is Paddle's own (``recompute``), not the user's."""
    control: Control = ""


@dataclass(slots=True)
class Leave(Event):
    """A body ended; the outputs are what it handed over."""

    kind = "leave"
    _: KW_ONLY
    origin: Earlier | None = None
    """Index of its ``Enter``."""


@dataclass(slots=True)
class Backward(Event):
    """A backward pass began."""

    kind = "backward"
    _: KW_ONLY
    into: Into | None = None
    """Where the gradients of leaves end."""
    made_by: MadeBy | None = None
    """The source of the pass."""
    error: str = ""
    """Type and message of what broke it off."""


@dataclass(slots=True)
class Raised(Event):
    """The script raised an error; `owner` is the name of the operator that did."""

    kind = "error"


KINDS: dict[str, type[Event]] = {
    one.kind: one for one in (Op, Grad, Update, Accumulate, Store, Enter, Leave, Backward, Raised)
}
