"""The scribe: makes the events of a trace out of a recorder's notes, one method for each kind of note."""

from __future__ import annotations

import linecache
import weakref
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import CodeType
from typing import Any

from minipaddle.autograd.tensor import Tensor
from minipaddle.autograd.walk import node_of
from minipaddle.core.errors import Line
from minipaddle.core.meta import Array, Attrs
from minipaddle.core.mode import Named
from minipaddle.core.node import AccumulateGrad, AnyNode, CustomCall, Edge, Node, Side
from minipaddle.core.operator import Operator
from minipaddle.core.plan import Plan
from minipaddle.nn.parameter.parameter import Parameter
from minipaddle.trace.builder import Builder
from minipaddle.trace.events import Event, Kind, Scope, Trace, ValueKind
from minipaddle.trace.memory import Memory
from minipaddle.trace.user_code.names import assigned_name, line_of
from minipaddle.trace.values import Place, place_of

Here = tuple[CodeType, int, int]
"""A place in the user's code: the code, the place in it (``f_lasti``), and how deep the frame is on the stack."""

Result = tuple[Tensor, Array, "Edge | None", Any]
"""An output as it was when it was made: tensor, array, edge, and what the record behind it keeps."""

Held = tuple[Tensor, Array]
"""A tensor, and the array that it had then."""


class Scribe:
    """Fills `trace`. The notes must come in the order in which things happened."""

    def __init__(self, trace: Trace, budget: int, passes_before: int = 0) -> None:
        self.trace = trace
        self.builder = Builder(trace, Memory(trace, budget), passes_before)
        # Keyed by id(node): the node and its forward event. An entry is left until its id is used again: a
        # WeakKeyDictionary would run code of Python's at the death of each.
        self._made_by: dict[int, tuple[weakref.ref[Node], int]] = {}
        self._places: dict[tuple[CodeType, int], tuple[Line, str]] = {}
        self._bodies: dict[int, tuple[int, int]] = {}  # id(owner) -> (enter, leave)
        self._hooked: list[tuple[Event, Place]] = []  # hooks that are running, and where
        self._arguments: dict[int, list[Any]] = {}  # id(owner) -> what its forward was called with
        self._result: tuple[Here, int] | None = None  # what may be given to a variable next
        self._scope: Scope | None = None
        self._parameters: set[str] = set()  # names of those of the layers that ran

    def begin_with(self, forward: Mapping[AnyNode, int]) -> None:
        """Take over the forward events that the trace has already, by node."""
        for node, index in forward.items():
            if isinstance(node, Node):
                self._made_by[id(node)] = weakref.ref(node), index

    # -- tensors and names ----------------------------------------------------------------------------------------

    def met(self, tensor: Tensor, array: Array, edge: Edge | None) -> int:
        """A tensor that no event has made; return its value."""
        kind: ValueKind = "leaf" if type(edge) is AccumulateGrad else "data"
        kind = "parameter" if isinstance(tensor, Parameter) else kind
        return self.builder.meet(tensor, array, kind, tensor._name or "", edge is None, edge)

    def looked(
        self, names: Sequence[tuple[str, Tensor]], here: Here, parameters: Collection[str] = ()
    ) -> None:
        """The variables of the frame that is `here` have these names; `parameters` hold what it was handed."""
        level = here[2]
        if self._result is not None and self._result[0] != here and self._result[0][::2] == here[::2]:
            name = assigned_name(*self._result[0][:2])
            self._result = None if name in dict(names) else self._result  # what was seen is certain
        self._name_result(here)
        in_a_body = (
            bool(parameters) and self.builder.open_body is not None and self.builder.last.kind == "enter"
        )
        for name, tensor in names:  # what a PyLayer is applied to may go by the name of its argument
            own = in_a_body or name.startswith("self.")
            if own or not self.builder.is_from_outside(tensor, level, name in parameters):
                self.builder.name(tensor, name, level)

    def called_from(self, here: Here) -> None:
        """A function begins, called from `here`: what its call was part of is not over, so no result has its name."""
        if self._result is not None and self._result[0] == here:
            self._result = None

    def scoped(self, scope: Scope | None, parameters: Iterable[tuple[str, Tensor]]) -> None:
        """What follows runs in this call of a layer, which has these parameters."""
        self._scope = scope
        for name, parameter in parameters:
            self.builder.name(parameter, name, -1)
            if not parameter.stop_gradient:
                self._parameters.add(name)

    def shares(self, new: Held, old: Tensor) -> None:
        """A tensor was made over the memory of another one, cut off from the graph."""
        self.builder.alias(*new, True, self._id(old))

    def read(self, here: Here | None, tensor: Tensor, how: str) -> None:
        """The numbers of a tensor went to Python."""
        self.builder.read(tensor, how, None if here is None else self._at(here)[0])

    # -- memory ---------------------------------------------------------------------------------------------------

    def wrote(self, owner: Array, before: Array) -> None:
        """Memory was overwritten; `before` is a copy of what was there."""
        self.builder.memory.replace(owner, before)

    def overwritten(self, writer: Held, tensor: Tensor, array: Array, edge: Edge | None) -> None:
        """The last event wrote, through `writer`, over memory that `tensor` shares: that holds something new, too."""
        same = self.builder.now(writer[0]) if _is_all_of(writer[1], array) else None
        known = self.builder.now(tensor)
        if known is not None:
            before, event = self.trace.values[known], self.builder.last
            kind: ValueKind = "parameter" if before.kind == "parameter" else "result"
            name = self._name_that_stays(known)
            made = self.builder.give_to(tensor, array, kind, name, event, edge is None, edge)
            self.trace.values[made].same = same

    # -- operators ------------------------------------------------------------------------------------------------

    def called(
        self,
        here: Here | None,
        op: Operator,
        inputs: tuple[Any, ...],
        attrs: Attrs,
        results: Sequence[Result],
        inplace: bool,
        seconds: float,
    ) -> None:
        """An operator ran."""
        event = self._event("update" if op.updates else "op", op.type, op.name, here)
        event.seconds = seconds
        event.attrs = dict(attrs)
        event.inputs = [self._id(tensor) if tensor is not None else None for tensor in inputs]
        event.outputs = [self._made(result, event, inplace or bool(op.updates)) for result in results]
        self._note_level(here, event)
        if op.updates:
            event.about = event.inputs[0]
            self._name_after_slots(op, event)
            return
        if op.multiple:
            self._tell_apart(op, event)
        self._note_record(event, results)
        self._may_be_named(here, event)

    def _name_after_slots(self, op: Operator, event: Event) -> None:
        """Name what an optimizer made for an update, such as the learning rate."""
        for name, id_ in zip(op.input_names, event.inputs):
            if id_ is not None and self.trace.values[id_].name == f"v{id_}":
                self.trace.values[id_].name = name

    def _tell_apart(self, op: Operator, event: Event) -> None:
        """Name the outputs of one call after their slots, or by number in a list: ``topk_3_indices``, ``split_4_0``."""
        for number, id_ in enumerate(event.outputs):
            if id_ is not None:
                slot = number if op.list_output else op.output_names[number]
                self.trace.values[id_].name = f"{event.title}_{event.index}_{slot}"

    def custom_called(
        self,
        here: Here | None,
        call: CustomCall,
        name: str,
        inputs: Sequence[Any],
        results: Sequence[Result],
        known: Sequence[bool],
        saved: Sequence[Tensor],
        seconds: float,
    ) -> None:
        """A PyLayer was applied; `known` says which of its outputs were there before."""
        event = self._event("op", "pylayer", name, here)
        event.seconds = seconds
        event.inputs = [self._id(tensor) for tensor in inputs]
        event.outputs = [self._made(result, event, old) for result, old in zip(results, known)]
        self._note_level(here, event)
        event.title = getattr(call, "label", name)  # after the outputs have their names, which are short
        event.body = self._bodies.pop(id(call), None)
        if event.body is not None:
            event.parts = [
                None if id_ is None else (id_,) for id_ in self.trace.events[event.body[1]].outputs
            ]
        arguments = self._arguments.pop(id(call), None)
        if arguments is not None and hasattr(call, "cls"):
            self.trace.calls[event.index] = (call.cls, arguments)
        self._note_record(event, results)
        event.saved = [self._id(one) for one in saved]
        self._may_be_named(here, event)

    # -- the user's own code --------------------------------------------------------------------------------------

    def entered(self, here: Here | None, call: Named, name: str, args: Sequence[Any], by_name: bool) -> None:
        """A PyLayer's forward began; `by_name` says whether it has arguments besides `args`, a context and others."""
        event = self.builder.enter("forward", name, "pylayer", *self._of(here))
        event.inputs = [self._id(arg) for arg in flat(args) if isinstance(arg, Tensor)]
        if not by_name:
            self._arguments[id(call)] = [self._with_values(arg) for arg in args[1:]]

    def entered_backward(
        self, here: Here | None, name: str, node: Node | None, gradients: Sequence[Held | None]
    ) -> None:
        """A PyLayer's backward began, with a gradient for each output of `node`; None: there is none."""
        event = self.builder.enter("backward", name, "pylayer_grad", *self._of(here))
        for index, held in enumerate(gradients):
            arrived = None if node is None else self.builder.reach((node, index))
            if held is not None and arrived is not None and not self.builder.knows(held[0]):
                self.builder.alias(*held, True, arrived)
                self.builder.named.setdefault(arrived, -1)  # the argument is no better name
        event.inputs = [None if held is None else self.met(*held, None) for held in gradients]

    def hooked(self, here: Here | None, hook: Named, grad: Held, place: Place) -> None:
        """A hook was given the gradient that arrives at `place`."""
        where, scope = self._of(here)
        defined = getattr(hook, "where", None)
        event = self.builder.enter(
            "hook", hook.name, "hook", (defined and self._with_source(defined)) or where, scope
        )
        event.about = self._value_at(place)
        tensor, array = grad
        if not self.builder.knows(tensor):  # no other hook comes before it
            arrived = self.builder.waits(place)
            if arrived is None:  # of an output that was not used the hook sees zeros
                arrived = self.builder.gradient(place, array, None)
                self.builder.arrive(place, arrived)
            self.builder.alias(tensor, array, True, arrived)
            self.builder.named.setdefault(arrived, -1)  # the hook's argument is no better name
        event.inputs = [self._id(tensor)]
        self._hooked.append((event, place))

    def _with_values(self, argument: Any) -> Any:
        """Return an argument with values in the place of tensors: it shall not keep the graph alive."""
        if isinstance(argument, Tensor):
            return self.trace.value(self._id(argument))
        if type(argument) in (list, tuple):
            return type(argument)([self._with_values(item) for item in argument])
        return argument

    def left(
        self, here: Here | None, owner: Named, name: str, results: Sequence[Tensor | None], said: str
    ) -> None:
        """The user's forward or backward ended, and handed these over; `said` is the error that it raised."""
        if self.builder.open_body is None:
            return
        enter = self.builder.open_body
        answers = [None if one is None else self._id(one) for one in results]
        leave = self.builder.leave(name, answers, said, *self._of(here))
        self._bodies[id(owner)] = enter.index, leave.index

    def left_hook(self, here: Here | None, name: str, after: Held | None, said: str) -> None:
        """A hook ended; `after` is the gradient that goes on, which takes the place of the one that it was given."""
        if not self._hooked:
            return
        enter, place = self._hooked.pop()
        made = None if after is None else self._id(after[0])
        changed = made is not None and made != enter.inputs[0]
        self.builder.leave(name, [made] if changed else [], said, *self._of(here))
        if changed and made is not None and after is not None:
            self.builder.replace(place, made, after[1])

    # -- backward passes ------------------------------------------------------------------------------------------

    def backward_began(
        self, here: Here | None, seeds: Sequence[tuple[Edge, Any]], given: Sequence[Tensor | None]
    ) -> None:
        """A reverse walk began, with these gradients; `given` are the user's tensors that they were copied from."""
        self.builder.begin_pass("run", *self._of(here))
        for (edge, grad), tensor in zip(seeds, given, strict=True):
            id_ = self._gradient(edge, grad, None)
            value = self.trace.values[id_]
            value.seed = True
            if value.same is None and tensor is not None:
                value.same = self._id(tensor)
            self.builder.arrive(place_of(edge), id_)

    def stepped(
        self,
        here: Here | None,
        node: Node,
        grads: Sequence[Any],
        results: Sequence[Any],
        seconds: float,
    ) -> None:
        """One record was run backwards."""
        event = self._event("grad", f"{node.op.type}_grad", node.op.name, here)
        event.seconds = seconds
        event.origin = self._forward_of(node)
        event.inputs = [
            None if grad is None else self._reached((node, index), grad) for index, grad in enumerate(grads)
        ]
        for edge, grad in zip(node.edges, results, strict=True):
            if grad is None or edge is None:
                event.outputs.append(None)
                continue
            made = self._gradient(edge, grad, event)
            event.outputs.append(made)
            self.builder.arrive(place_of(edge), made)
        event.body = self._bodies.pop(id(node.plan), None)
        if event.body is not None:
            answers = self.trace.events[event.body[1]].outputs
            pairs = zip(answers, event.outputs, strict=True)
            event.parts = [None if out is None else () if id_ is None else (id_,) for id_, out in pairs]

    def added(self, here: Here | None, edge: Edge, total: Any) -> None:
        """Two gradients met."""
        event = self.builder.add(place_of(edge), _array(total), *self._of(here))
        if isinstance(total, Tensor) and event.outputs[0] is not None:
            self.trace.values[event.outputs[0]].same = self._id(total)
            self.builder.holds(total, event.outputs[0])

    def stored(
        self, here: Here | None, leaf: AccumulateGrad, tensor: Tensor, before: Held | None, after: Held
    ) -> None:
        """A gradient reached a leaf, and was added to what its ``.grad`` held `before`: that holds `after` now."""
        of = self._id(tensor)
        arrived = self.builder.reach((leaf, 0))
        event = self.builder.store(of, arrived, "grad", *self._of(here))
        if before is not None:
            event.before = self.met(*before, None)
        holder, array = after
        same = arrived if before is None else None
        made = self.builder.append(array, "gradient", f"{event.title}.grad", event, True, of, same, holder)
        self.builder.holds(holder, made)
        event.outputs = [made]
        event.note = "first write" if before is None else "added to what was there"

    def picked(self, here: Here | None, edge: Edge, gradient: Held) -> None:
        """A gradient was returned by paddle.grad; the ``.grad`` of a leaf stays as it is."""
        arrived = self.builder.reach(place_of(edge))
        if type(edge) is AccumulateGrad:
            event = self.builder.store(self._value_at((edge, 0)), arrived, "returned", *self._of(here))
            event.outputs = [arrived]
            event.note = "returned by paddle.grad"
        self._stands_for(gradient, arrived)

    def retained(self, edge: Edge, gradient: Held) -> None:
        """The ``.grad`` of an interior tensor holds the gradient that passed there."""
        self._stands_for(gradient, self.builder.reached(place_of(edge)))

    def kept(self, node: Node, side: Side, index: int, tensor: Held) -> None:
        """A tensor was made of what the tape keeps of an input or output of a call."""
        forward = self._forward_of(node)
        if forward is not None:
            event = self.trace.events[forward]
            self._stands_for(tensor, (event.inputs if side == "input" else event.outputs)[index])
            return
        edge = node.edges[index] if side == "input" else None
        if side == "output" or edge is not None:
            self._stands_for(tensor, self._value_at((node, index) if edge is None else place_of(edge)))

    def backward_ended(self, said: str) -> None:
        """The reverse walk is over; `said` is the error that broke it off."""
        if self.builder.in_pass:
            self.builder.end_pass(said)

    def failed(self, here: Here | None, kind: str, said: str, place: Sequence[tuple[CodeType, int]]) -> None:
        """The script raised."""
        event = self._event("error", kind, kind, here)
        event.note = said
        event.where = self._line(*place[0]) if place else event.where

    # -- the end --------------------------------------------------------------------------------------------------

    def finish(self) -> None:
        """Name what the last statement made, and what nobody used."""
        self._name_result(None)
        met = {value.name for value in self.trace.values}
        self.trace.unused = sorted(self._parameters - met)

    def say(self, text: str) -> None:
        """Leave a remark for the user."""
        self.trace.notes.append(text)

    # -- values ---------------------------------------------------------------------------------------------------

    def _id(self, tensor: Tensor) -> int:
        """Return the value that a tensor holds; one that was not met before came from outside."""
        known = self.builder.now(tensor)
        return self.met(tensor, tensor.array, tensor.edge) if known is None else known

    def _made(self, result: Result, event: Event, inplace: bool) -> int:
        """Append the value that `event` gave to a tensor."""
        tensor, array, edge, _ = result
        old = self.builder.now(tensor) if inplace else None
        kind: ValueKind = "result"
        if old is not None and event.kind == "update":
            kind = self.trace.values[old].kind
        name = (
            ""
            if old is None
            else self._name_that_stays(old)
            if kind == "result"
            else self.trace.values[old].name
        )
        id_ = self.builder.give_to(tensor, array, kind, name, event, edge is None, edge)
        if old is not None and event.kind == "update" and old in self.builder.named:
            self.builder.named[id_] = self.builder.named[old]
        return id_

    def _name_that_stays(self, id_: int) -> str:
        """Return the name of a value if what its holder gets in its place goes by that, too."""
        value = self.trace.values[id_]
        stays = id_ in self.builder.named or value.producer is None or value.name.endswith(".grad")
        return value.name if stays else ""

    def _value_at(self, place: Place) -> int | None:
        """Return the value whose gradient arrives at `place`."""
        of, node = self.builder.at(place), place[0]
        tensor = node.tensor() if of is None and isinstance(node, AccumulateGrad) else None
        if tensor is not None:  # x.stop_gradient = False came after x was made
            of = self._id(tensor)
            self.trace.values[of].stop_gradient = False
            self.builder.stands_at(place, of)
        return of

    def _gradient(self, edge: Edge, grad: Any, event: Event | None) -> int:
        """Append the value of a gradient that is sent along `edge`; a tensor if it is to be differentiated itself."""
        place = place_of(edge)
        self._value_at(place)
        if not isinstance(grad, Tensor):
            return self.builder.gradient(place, grad, event)
        source = self._id(grad)  # operators made it, recorded as they ran
        id_ = self.builder.gradient(place, grad.array, event, source, grad.stop_gradient)
        known, value = self.trace.values[source], self.trace.values[id_]
        if value.of is not None and source not in self.builder.named and known.producer is None:
            known.name = value.name
        self.builder.holds(grad, id_)
        return id_

    def _reached(self, place: Place, grad: Any) -> int:
        """Return the value of the gradient that went on from `place`."""
        known = self.builder.reach(place)
        return self.builder.gradient(place, _array(grad), None) if known is None else known

    def _stands_for(self, tensor: Held, id_: int | None) -> None:
        """Note that a tensor that was made just now holds value `id_`."""
        if id_ is not None and not self.builder.knows(tensor[0]):
            self.builder.alias(*tensor, tensor[0].edge is None, id_)

    # -- events ---------------------------------------------------------------------------------------------------

    def _event(self, kind: Kind, op: str, title: str, here: Here | None) -> Event:
        return self.builder.event(kind, op, title, *self._of(here))

    def _of(self, here: Here | None) -> tuple[Line | None, Scope | None]:
        """Return the line of an event, and the call of a layer that it is in; first the result before it is named."""
        self._name_result(here)
        return None if here is None else self._at(here)[0], self._scope

    def _note_level(self, here: Here | None, event: Event) -> None:
        """Keep in mind how deep the frame is that had these values computed."""
        for made in event.outputs if here is not None else ():
            if made is not None and here is not None:
                self.builder.made_at[made] = here[2]

    def _may_be_named(self, here: Here | None, event: Event) -> None:
        """Keep in mind what the variable of a statement may be given; what backward computes, it is not."""
        by_the_walk = event.phase == "backward" and event.parent is None
        if here is not None and len(event.outputs) == 1 and not by_the_walk:
            self._result = (here, event.outputs[0] or 0)

    def _name_result(self, here: Here | None) -> None:
        """Give the last result the name of its variable, unless the same expression has gone on to compute."""
        if self._result is None or self._result[0] == here:
            return
        before, made = self._result
        name = self._at(before)[1]
        if name:
            self.builder.name_value(made, name, before[2])
        self._result = None

    def _at(self, here: Here) -> tuple[Line, str]:
        """Return the line of a place, and the variable that is given what is computed there."""
        code, place, _ = here
        known = self._places.get((code, place))
        if known is None:
            line = self._line(code, line_of(code, place))
            known = self._places[code, place] = (line, assigned_name(code, place))
        return known

    def _line(self, code: CodeType, number: int) -> Line:
        """Return a line of the user's, and keep the text of its file."""
        return self._with_source(Line(code.co_filename, number, code.co_name))

    def _with_source(self, line: Line) -> Line:
        """Return a line, and keep the text of its file."""
        if line.file not in self.trace.sources:
            self.trace.sources[line.file] = "".join(linecache.getlines(line.file))
        return line

    def _note_record(self, event: Event, results: Sequence[Result]) -> None:
        """Remember which node belongs to a forward event, and what it keeps."""
        for _, _, edge, kept in results:
            node = node_of(edge)
            if type(node) is Node:
                self._made_by[id(node)] = weakref.ref(node), event.index
                if isinstance(node.plan, Plan) and type(kept) is tuple:
                    event.saved = _saved(node.plan, event)
                return

    def _forward_of(self, node: Node) -> int | None:
        """Return the event of the call that a node is of."""
        made, index = self._made_by.get(id(node), (None, None))
        return index if made is not None and made() is node else None


def _is_all_of(one: Array, other: Array) -> bool:
    """Whether two arrays over the same memory have the same elements in the same order, be it in another shape."""
    whole = one.flags.c_contiguous and other.flags.c_contiguous and one.dtype == other.dtype
    return whole and one.size == other.size and one.ctypes.data == other.ctypes.data


def _saved(plan: Plan, event: Event) -> list[int]:
    """Return the inputs and outputs of a call that its gradient rules ask for."""
    inputs, outputs = set[int](), set[int]()
    for source in plan.sources:
        if source.is_array:
            end = len(event.inputs) if source.many else source.place + 1
            (inputs if source.kind == "input" else outputs).update(range(source.place, end))
    ids = [
        *(id_ for place, id_ in enumerate(event.inputs) if place in inputs),
        *(id_ for place, id_ in enumerate(event.outputs) if place in outputs),
    ]
    return list(dict.fromkeys(id_ for id_ in ids if id_ is not None))


def _array(grad: Any) -> Array:
    """Return the numbers of a gradient, which is a Tensor when it is to be differentiated in its turn."""
    array: Array = grad.array if isinstance(grad, Tensor) else grad
    return array


def flat(value: Any) -> Iterator[Any]:
    """Yield what is in nested lists and tuples."""
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from flat(item)
    else:
        yield value
