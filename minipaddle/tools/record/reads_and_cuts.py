"""Records other than events: variables, tensors that Python read, tensors detached from the graph or attached to it."""

from typing import Annotated, Literal, NamedTuple, TypeVar

from minipaddle.engine.errors import Line

_T = TypeVar("_T")
APART = "apart"
Apart = Annotated[_T, APART]
"""A field that a file leaves out, or stores separately (minipaddle.tools.record.codec)."""
ExitCode = Annotated[int, "exit code"]

# The word names the upper bound of the number: the count of values or events; for an event that precedes
# another one, the other's number.
ValueId = Annotated[int, "values"]
EventId = Annotated[int, "events"]
Earlier = Annotated[int, "earlier"]
Moment = Annotated[int, "moments"]
"""A moment of a run, as the number of events before it."""
PassNumber = Annotated[int, "passes"]
"""Number of a backward pass; below 0: a pass that runs within another."""


class Extent(NamedTuple):
    """The lines on which the variables of a function or module are in scope."""

    file: str
    first: int
    last: int


class Binding(NamedTuple):
    """An assignment of a value to a user's variable."""

    before_event: Moment
    name: str
    value: ValueId
    extent: Extent


GLOBAL = "global "  # before the name of a module's variable that has changed while a function ran
# no variables: how a line ended; of "pass", the next was not followed
MARKS = ("return", "yield", "raise", "pass")


class Ran(NamedTuple):
    """A line of the user's code that was about to run, or the end of the frame that it is in."""

    before_event: Moment
    frame: int
    """Frames are numbered from 0; what a generator does until it yields is one of its own."""
    outer: int
    """Number, from 1, of the line that called the frame; 0: none that was followed."""
    layers: int
    """The number of calls of layers around the frame, its own layer's included."""
    file: str
    line: int
    function: str
    """Its qualified name, ``Net.forward``."""
    changed: dict[str, str]
    """What variables mean from here on, as Python writes it; of a tensor ``Tensor [2, 3] v7``, its shape and value. "":
    nothing any more."""


class Read(NamedTuple):
    """A read of a tensor's numbers by Python, where recording cannot follow."""

    before_event: Moment
    value: ValueId
    """Id of the value that was read."""
    how: str
    """The method: ``item``, ``numpy``, ``bool``."""
    where: Line | None
    """The user's line."""
    parent: EventId | None
    """Index of the ``enter`` event of the innermost open body."""
    number: int = 0
    """The number of earlier reads, including those of tensors that no event has met."""


CutKind = Literal["detach", "detach_", "stop_gradient=True", "stop_gradient=False", "to_tensor", "numpy"]
"""The cause of a change. numpy: to_tensor, of an array from ``numpy()``."""


class Cut(NamedTuple):
    """A change, by no operator, of whether a tensor requires gradient."""

    before_event: Moment
    how: CutKind
    value: ValueId | None
    """Id of the value that the numbers come from; None: the user wrote them."""
    made: ValueId | None
    """Id of the tensor's value after the change; None: no event used it."""
    where: Line | None
    """The user's line."""


class Trainer(NamedTuple):
    """An optimizer that was made."""

    kind: str
    """Its class."""
    where: Line | None
    """The user's line."""
    holders: list[int]
    """The numbers of the holders that it trains."""
    schedule: str
    """The class of the scheduler of its learning rate; "" if it has none."""
    steps: int
    """The epoch of that scheduler as the recording ended: the number of its steps, if it began at 0."""
    cuts: int = 0
    """The number of cuts before it was made."""
    shares: tuple[float, ...] = ()
    """For each of these holders, the factor of its learning rate."""
