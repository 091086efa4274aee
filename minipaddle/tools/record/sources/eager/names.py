"""Base class of EagerSource: finds lines of the user's code, and names values after its variables."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import CodeType
from typing import TypeVar

from minipaddle.engine.errors import Line
from minipaddle.engine.operator.operator import Operator
from minipaddle.engine.tape.node import AccumulateGrad, Edge
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.value.meta import Array
from minipaddle.paddle.nn.parameter.parameter import Parameter
from minipaddle.tools.record.builder import At, Builder
from minipaddle.tools.record.events import Event, Trace, ValueKind
from minipaddle.tools.record.kinds import Enter, Scope
from minipaddle.tools.record.user_code.layers import Named
from minipaddle.tools.record.user_code.names import assigned_name, extent_of, line_of

Here = tuple[CodeType, int, int]
"""A place in the user's code: code object, instruction (``f_lasti``) and stack depth of the frame."""

Result = tuple[Tensor, Array, "Edge | None", bool]
"""An output at the time of its call: tensor, array, edge, and whether its node has saved tensors."""

Held = tuple[Tensor, Array]
"""A tensor, and its array at the time."""

T = TypeVar("T")
Groups = Sequence[Sequence[tuple[T, float]]]
"""An optimizer's groups of parameters, each with the factor of its learning rate."""


_Kind = TypeVar("_Kind", bound=Event)


class Namer:
    """Names the values of `builder`, and finds the lines of events."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self.trace: Trace = builder.trace
        self._places: dict[tuple[str, CodeType, int], tuple[Line, str]] = {}
        self._last: tuple[Here | None, tuple[Line, str]] | None = None  # where the last event was
        self._result: tuple[Here, int] | None = None  # the last result, for its statement
        self._scope: Scope | None = None
        # Parameters of the layers that ran, by the holder's number: the name in the network, the name with the variable
        # of the network before it, and the call of the network, the outermost layer, if it requires gradient.
        self._parameters: dict[int, tuple[str, str, Scope | None]] = {}
        # results of operators, and the depth of the frame that made them
        self._made_at: dict[int | None, int] = {}
        self._lasting: set[int] = set()  # values whose names survive an in-place write, such as a `.grad`

    def met(self, tensor: Tensor, array: Array, edge: Edge | None) -> int:
        """Return the value of a tensor that no event made; append a new one on first sight."""
        known = self.builder.now(tensor)
        if known is not None:
            return known
        if type(edge) is AccumulateGrad and edge.tensor() is None:
            edge = None  # of the ones of create_graph, whose gradient nobody has
        kind: ValueKind = "leaf" if type(edge) is AccumulateGrad else "data"
        if isinstance(tensor, Parameter):
            kind = "buffer" if tensor.is_buffer else "parameter"
        return self.builder.give_to(tensor, array, kind, tensor._name or "", None, edge)

    def looked(self, names: Mapping[str, Tensor], here: Here, parameters: Collection[str] = ()) -> None:
        """The frame at `here` has these variables; `parameters` are the names of its arguments."""
        level = here[2]
        if self._result is not None and self._result[0] != here and self._result[0][::2] == here[::2]:
            name = assigned_name(*self._result[0][:2])
            self._result = None if name in names else self._result  # a variable that was seen is certain
        self._name_result(here)
        in_a_body = bool(parameters and self.builder.open) and isinstance(self.trace.events[-1], Enter)
        extent = extent_of(here[0])
        for name, tensor in names.items():
            self.builder.bind(tensor, name, extent)
            free = in_a_body and self.builder.outermost.get(name, level) >= level
            own = free or name.startswith("self.")  # a PyLayer's input may be named after its argument
            made_at = self._made_at.get(self.builder.now(tensor))  # outside, that frame names it
            if own or made_at is None or (made_at >= level and name not in parameters):
                self.builder.name(tensor, name, level)

    def called_from(self, here: Here) -> None:
        """A function was called from `here`: its statement continues, so its last result gets no name yet."""
        if self._result is not None and self._result[0] == here:
            self._result = None

    def scoped(self, scope: Scope | None, parameters: Iterable[Named]) -> None:
        """Later events run in this call of a layer, which has these parameters."""
        self._scope = scope
        network = None if scope is None else [*scope.around()][-1]
        for name, parameter, in_network in parameters:
            self.builder.name(parameter, name, -1)
            whole = f"{network.path}.{name}" if network is not None and in_network else name
            about = name, whole, None if parameter.stop_gradient else network
            self._parameters.setdefault(self.builder.number_of(self.builder.held(parameter)), about)

    def _told_apart_by_network(self) -> dict[int, str]:
        """Return the parameter names shared by two networks, each with its network's variable in front."""
        count = Counter(name for name, *_ in self._parameters.values())
        return {holder: whole for holder, (name, whole, _) in self._parameters.items() if count[name] > 1}

    def _may_be_named(self, here: Here | None, event: Event) -> None:
        """Keep an event's result as the one that its statement may assign, unless backward computed it."""
        by_the_walk = event.phase == "backward" and event.parent is None
        if not by_the_walk and here is not None and len(event.outputs) == 1:
            self._result = (here, event.outputs[0] or 0)

    def _name_result(self, here: Here | None) -> None:
        """Name the last result after its statement's variable, unless that statement is still running."""
        if self._result is None or self._result[0] == here:
            return
        before, made = self._result
        name = self._at(before)[1]
        if name:
            self.builder.bind_value(made, name, extent_of(before[0]))
            self.builder.name_value(made, name, before[2])
        self._result = None

    def _name_after_slots(self, op: Operator, event: Event) -> None:
        """Name unnamed inputs of an update after their slots, such as the learning rate."""
        for name, id_ in zip(op.input_names, event.inputs):
            if id_ is not None and self.trace.values[id_].name == f"v{id_}":
                self.trace.values[id_].name = name

    def _tell_apart(self, event: Event, slots: Sequence[str] = ()) -> None:
        """Name the outputs of one call after their slots, or by number in a list: ``topk_3_indices``, ``split_4_0``."""
        for slot, value in zip(slots or range(len(event.outputs)), map(self.trace.value, event.outputs)):
            if value is not None and value.name == f"{event.title}_{event.index}":
                value.name += f"_{slot}"

    def _written_over(self, old: int, kind: ValueKind, result: Result, event: Event) -> int:
        """Append the value that `event` wrote over value `old`, and return its id; it keeps a lasting name."""
        value, (tensor, array, edge, _) = self.trace.values[old], result
        stays = old in self.builder.named or value.producer is None or old in self._lasting
        made = self.builder.give_to(tensor, array, kind, value.name if stays else "", event, edge)
        if stays:
            self._lasting.add(made)
        return made

    def _note_level(self, here: Here | None, event: Event) -> None:
        """Store the stack depth of the frame that computed an event's outputs."""
        if here is not None:
            for made in event.outputs:
                if made is not None:
                    self._made_at[made] = here[2]

    def _id(self, tensor: Tensor) -> int:
        """Return the value of a tensor; append one if the tensor came from outside the recording."""
        return self.met(tensor, tensor.array, tensor.edge)

    def _event(self, kind: type[_Kind], op: str, title: str, here: Here | None) -> _Kind:
        return self.builder.event(kind, op, title, self._of(here))

    def _of(self, here: Here | None) -> At:
        """Return the line and layer call of a new event, after naming the result before it."""
        self._name_result(here)
        return self._line_at(here), self._scope

    def _line_at(self, here: Here | None) -> Line | None:
        """Return the line of a place, if it is known."""
        return None if here is None else self._at(here)[0]

    def _at(self, here: Here) -> tuple[Line, str]:
        """Return the line of a place, and the variable that its result is assigned to."""
        if self._last is not None and self._last[0] is here:
            return self._last[1]
        code, place, _ = here
        key = code.co_filename, code, place  # the codes of equal functions of two files are equal
        known = self._places.get(key)
        if known is None:
            line = self._line(code, line_of(code, place))
            known = self._places[key] = (line, assigned_name(code, place))
        self._last = here, known
        return known

    def _line(self, code: CodeType, number: int) -> Line:
        """Return a line of user code, and keep the text of its file."""
        return self.builder.with_source(Line(code.co_filename, number, code.co_name))
