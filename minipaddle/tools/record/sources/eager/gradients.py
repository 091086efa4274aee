"""The gradients of an eager run as events: steps of the walk, hooks and PyLayer backwards, and leaves."""

import weakref
from collections.abc import Iterator, Sequence
from typing import Any

from minipaddle.engine.errors import Line, is_engine_file
from minipaddle.engine.tape.node import AccumulateGrad, Edge, Node, Side
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.value.meta import Array
from minipaddle.engine.watch.observer import Named, PassKind
from minipaddle.tools.record.builder import Builder
from minipaddle.tools.record.events import Event
from minipaddle.tools.record.kinds import Enter, Grad, Into, MadeBy, Op
from minipaddle.tools.record.sources.eager.names import Held, Here, Namer
from minipaddle.tools.record.values import Place, place_of


class Gradients(Namer):
    """Reports backward passes to the builder; hooks and the backwards of PyLayers are part of them."""

    def __init__(self, builder: Builder) -> None:
        super().__init__(builder)
        # Keyed by id(node): the node and its forward event. An entry is left until its id is used again: a
        # WeakKeyDictionary would run Python code whenever one dies.
        self.events_of: dict[int, tuple[weakref.ref[Node], int]] = {}
        # Keyed by id(owner), until its call is recorded, after the body: (enter, leave), and a forward's arguments:
        # the tensors as they were then, and all arguments. If the body raised, no call follows.
        self._bodies: dict[int, tuple[int, int]] = {}
        self._called_with: dict[int, tuple[list[int], list[Any] | None]] = {}
        self._stopped: int | None = None  # the output of the call whose rule raised, until that is told
        self._own_rules: list[int | None] = []  # outputs of the calls whose backward runs, a PyLayer's
        self._hooked: list[tuple[Enter, Place]] = []  # running hooks, and their places

    def hooked(self, here: Here | None, hook: Named, grad: Held, place: Place) -> None:
        """A hook got the gradient that arrives at `place`."""
        where, scope = self._of(here)
        defined: Line | None = self.builder.with_source(getattr(hook, "where", None))
        event = self.builder.enter("hook", hook.name, "hook", (defined or where, scope))
        event.about = self._value_at(place)
        tensor, array = grad
        if self.builder.now(tensor) is None:  # the first hook there
            arrived = self.builder.waits(place)
            if arrived is None:  # an unused output: the hook gets zeros
                arrived = self.builder.gradient(place, array, None)
                self.builder.arrive(place, arrived)
            self.builder.alias(tensor, array, True, arrived)
            self.builder.named.setdefault(arrived, -1)  # the hook's argument is no better name
        event.inputs = [self._id(tensor)]
        self._hooked.append((event, place))

    def left_hook(self, here: Here | None, name: str, after: Held | None, said: str) -> None:
        """A hook ended; `after` is the gradient it returned, which replaces its argument."""
        if not self._hooked:
            return
        enter, place = self._hooked.pop()
        made = None if after is None else self._id(after[0])
        changed = made is not None and made != enter.inputs[0]
        self.builder.leave(name, [made] if changed else [], self._of(here), said)
        if changed and made is not None and after is not None:
            self.builder.replace(place, made, after[1])

    def entered_backward(
        self, here: Here | None, call: Named, node: Node | None, gradients: Sequence[Held | None]
    ) -> None:
        """A PyLayer's backward began, with a gradient for each output of `node`; None: there is none."""
        event = self.builder.enter("backward", call.name, "pylayer_grad", self._of(here))
        event.is_paddles = is_paddles(call)
        self._own_rules.append(None if node is None else self.builder.now(node, 0))
        for index, held in enumerate(gradients):
            arrived = None if node is None else self.builder.reach((node, index))
            if held is not None and arrived is not None and self.builder.now(held[0]) is None:
                self.builder.alias(*held, True, arrived)
                self.builder.named.setdefault(arrived, -1)  # the argument is no better name
        event.inputs = [None if held is None else self.met(*held, None) for held in gradients]

    def left(self, here: Here | None, owner: Named, results: Sequence[Tensor | None], said: str) -> None:
        """The user's forward or backward ended with these results; `said` is the error it raised, or ""."""
        if not self.builder.open:
            return
        enter = self.builder.open[-1]
        answers = [None if one is None else self._id(one) for one in results]
        leave = self.builder.leave(owner.name, answers, self._of(here), said)
        of = self._own_rules.pop() if enter.op == "backward" else None
        if said:
            self._stopped = of
            self._called_with.pop(id(owner), None)
        else:
            self._bodies[id(owner)] = enter.index, leave.index

    def backward_began(
        self,
        here: Here | None,
        kind: PassKind,
        seeds: Sequence[tuple[Edge, Any]],
        given: Sequence[Tensor | None],
        made_by: MadeBy = "run",
    ) -> None:
        """A reverse walk began, with these gradients; `given` are the user's tensors from which they were copied."""
        self.builder.begin_pass(made_by, self._of(here)).into = "grad" if kind == "store" else "returned"
        self._stopped = None
        for (edge, grad), tensor in zip(seeds, given, strict=True):
            id_ = self._gradient(place_of(edge), grad, None)
            value = self.trace.values[id_]
            value.seed = True
            if tensor is None:  # ones: nobody holds a gradient of theirs
                value.stop_gradient = True
            elif value.same is None:
                value.same = self._id(tensor)
            self.builder.arrive(place_of(edge), id_)

    def came_to(self, node: Node, grads: Sequence[Any]) -> None:
        """The walk reached a node, but did not run its rules."""
        for index, grad in enumerate(grads):
            if grad is not None:
                self._reached((node, index), grad)

    def stepped(self, here: Here | None, node: Node, grads: Sequence[Any], results: Sequence[Any]) -> None:
        """The rules of one node were run, or would be."""
        event = self._event(Grad, f"{node.op.type}_grad", node.op.name, here)
        event.origin = self._forward_of(node)
        event.inputs = [
            None if grad is None else self._reached((node, index), grad) for index, grad in enumerate(grads)
        ]
        for edge, grad in zip(node.edges, results, strict=True):
            made = None
            if grad is not None and edge is not None:
                place = place_of(edge)
                made = self._gradient(place, grad, event)
                self.builder.arrive(place, made)
            event.outputs.append(made)
        reads = [] if event.origin is None else self.trace.events[event.origin].inputs
        for made, read in zip(event.outputs, reads):
            value, of = self.trace.value(made), self.trace.value(read)
            if value is not None and of is not None and value.of is None:  # of an earlier pass's seed of ones
                value.of, value.name = of.id, f"{of.name}@GRAD"
        event.body = self._bodies.pop(id(node.plan), None)
        if event.body is not None:
            answers = self.trace.events[event.body[1]].outputs
            pairs = zip(answers, event.outputs, strict=True)
            event.parts = [None if out is None else () if id_ is None else (id_,) for id_, out in pairs]
        for applied in self._applied_by(event):
            applied.part_of = event.index

    def _applied_by(self, rule: Event) -> Iterator[Op]:
        """Yield the operators that a rule applied: those in its body, or since the walk's last event."""
        inside = (one for one in self.trace.inside(rule) if isinstance(one, Op))
        yield from (one for one in inside if one.depth == rule.depth + 1)
        index = (rule.body or (rule.index,))[0] - 1
        while index >= 0 and isinstance(one := self.trace.events[index], Op) and one.parent == rule.parent:
            if one.phase == "forward":
                return
            yield one
            index = (one.body or (index,))[0] - 1

    def added(self, here: Here | None, edge: Edge, total: Any) -> None:
        """Two gradients met."""
        event = self.builder.add(place_of(edge), array_of(total), self._of(here))
        if isinstance(total, Tensor) and event.outputs[0] is not None:
            self.trace.values[event.outputs[0]].same = self._id(total)
            self.builder.held(total).now = event.outputs[0]

    def stored(
        self, here: Here | None, leaf: AccumulateGrad, tensor: Tensor, before: Held | None, after: Held
    ) -> None:
        """A gradient reached a leaf and was added to its ``.grad``: `before` became `after`."""
        of = self._id(tensor)
        arrived = self.builder.reach((leaf, 0))
        event = self.builder.store(of, arrived, "grad", self._of(here))
        if before is not None:
            event.before = self.met(*before, None)
        event.outputs = [self._grad_of(of, after, event, arrived if before is None else None)]
        event.note = "first write" if before is None else "added to what was there"

    def assigned(self, tensor: Tensor, gradient: Tensor) -> None:
        """The user assigned a gradient to the ``.grad`` of a tensor."""
        of, id_ = self._id(tensor), self._id(gradient)
        if self._result is not None and self._result[1] == id_:
            self._result = None
        self._lasting.add(id_)
        self.builder.name_value(id_, f"{self.trace.values[of].name}.grad", -1)

    def picked(self, here: Here | None, edge: Edge, gradient: Held) -> None:
        """A gradient was returned by paddle.grad; every ``.grad`` stays as it is."""
        place = place_of(edge)
        into: Into = "returned" if type(edge) is AccumulateGrad else "passed"
        arrived = self.builder.reach(place)
        event = self.builder.store(self._value_at(place), arrived, into, self._of(here))
        event.outputs = [arrived]
        event.note = "returned by paddle.grad"
        self._result = None if here is None or arrived is None else (here, arrived)
        self._stands_for(gradient, arrived)

    def retained(self, edge: Edge, gradient: Held) -> None:
        """The gradient of a non-leaf tensor was stored in its ``.grad`` (``retain_grads``)."""
        arrived = self.trace.value(self.builder.reach(place_of(edge)))
        of = None if arrived is None else self.trace.value(arrived.of)
        if arrived is not None and of is not None and self.builder.now(gradient[0]) is None:
            self._grad_of(of.id, gradient, None, arrived.id)

    def _grad_of(self, of: int, grad: Held, event: Event | None, same: int | None) -> int:
        """Append the value that the ``.grad`` of value `of` has from now on, and return its id."""
        held, name = self.builder.held(grad[0]), f"{self.trace.values[of].name}.grad"
        id_ = held.now = self.builder.append(grad[1], "gradient", name, event, True, of, same, held)
        self._lasting.add(id_)
        return id_

    def kept(self, node: Node, side: Side, index: int, tensor: Held) -> None:
        """A tensor was made from the saved input or output of a call."""
        forward = self._forward_of(node)
        if forward is not None:
            event = self.trace.events[forward]
            self._stands_for(tensor, (event.inputs if side == "input" else event.outputs)[index])
            return
        edge = node.edges[index] if side == "input" else None
        if side == "output" or edge is not None:
            self._stands_for(tensor, self._value_at((node, index) if edge is None else place_of(edge)))

    def backward_ended(self, said: str) -> None:
        """The reverse walk ended; `said` is the error that ended it early, or ""."""
        if not self.builder.running:
            return
        place = self.builder.next_in_walk() if said else None
        if place is not None and self._stopped is None:
            self._stopped = self.builder.now(*place)
        self.builder.end_pass(said)

    def _value_at(self, place: Place) -> int | None:
        """Return the value whose gradient arrives at `place`."""
        of = self.builder.now(*place)
        if of is None and isinstance(leaf := place[0], AccumulateGrad):
            tensor = leaf.tensor()
            if tensor is not None:  # x was made before x.stop_gradient = False
                of = self._id(tensor)
                self.trace.values[of].stop_gradient = False
                self.builder.held(*place).now = of
        return of

    def _gradient(self, place: Place, grad: Any, event: Event | None) -> int:
        """Append the value of a gradient that is sent to `place`: a tensor, if it may be differentiated itself."""
        self._value_at(place)
        if not isinstance(grad, Tensor):
            return self.builder.gradient(place, grad, event)
        source = self._id(grad)  # operators made it, recorded as they ran
        id_ = self.builder.gradient(place, grad.array, event, source, grad.stop_gradient)
        known, value = self.trace.values[source], self.trace.values[id_]
        if value.of is not None and source not in self.builder.named and known.producer is None:
            known.name = value.name
        self.builder.held(grad).now = id_
        return id_

    def _reached(self, place: Place, grad: Any) -> int:
        """Return the gradient that left `place`, after hooks; add its value if it is unknown."""
        known = self.builder.reach(place)
        return self.builder.gradient(place, array_of(grad), None) if known is None else known

    def _stands_for(self, tensor: Held, id_: int | None) -> None:
        """Register a new tensor as a holder of value `id_`."""
        if id_ is not None and self.builder.now(tensor[0]) is None:
            self.builder.alias(*tensor, tensor[0].edge is None, id_)

    def made_by(self, node: Node) -> tuple[str, Line | None] | None:
        """Return the name of a call's first output, and its line; None if the call was not recorded."""
        index = self._forward_of(node)
        event = None if index is None else self.trace.events[index]
        made = () if event is None else self.trace.known(event.outputs)
        return (made[0].name, event.where) if event is not None and made else None

    def _forward_of(self, node: Node) -> int | None:
        """Return the index of the forward event that made a node; None if unknown."""
        made, index = self.events_of.get(id(node), (None, None))
        return index if made is not None and made() is node else None


def array_of(grad: Any) -> Array:
    """Return the array of a gradient, which is a Tensor under ``create_graph``."""
    array: Array = grad.array if isinstance(grad, Tensor) else grad
    return array


def is_paddles(call: Any) -> bool:
    """Return whether a call is of a PyLayer inside Paddle, such as ``recompute``'s."""
    return call.where is not None and is_engine_file(call.where.file)
