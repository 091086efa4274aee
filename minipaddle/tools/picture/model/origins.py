"""The node that a value comes from: a leaf made by the user, an operator, a hook on the way, or the start of a pass."""

import os
from collections.abc import Iterable
from dataclasses import replace

from minipaddle.tools.picture.model import outcome
from minipaddle.tools.picture.model.earlier_passes import Frames
from minipaddle.tools.picture.model.forward import Cuts, on_the_tape, true_id, within
from minipaddle.tools.picture.model.graph import Graph, Node, NodeKind, Side
from minipaddle.tools.picture.model.outcome import LOOKED_ON
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.record.kinds import Store
from minipaddle.tools.words.events import place
from minipaddle.tools.words.language import phrase
from minipaddle.tools.words.numbers import clean, line_text


class Origins:
    """Finds the nodes that values come from, and adds a node for each value made outside the picture."""

    ended: outcome.BrokenOff

    def __init__(self, trace: Trace, number: int) -> None:
        self.trace, self.cuts = trace, Cuts(trace)
        title = clean(os.path.basename(trace.script)) or "recording"
        self.graph = Graph(title, pass_number=number, trace=trace)
        self.frames = Frames(self.graph)
        self.node_of_value: dict[int, str] = {}
        self._arrived: dict[int, int] = {}  # a hook's result -> the gradient that the first hook got
        ends = (event for event in trace.events if event.kind == "leave" and event.op == "hook")
        self._ends = {event.origin: event for event in ends}
        self.backward = list(trace.of_pass(number))
        stores = [event for event in within(trace, self.backward) if isinstance(event, Store)]
        self.passed = {event.about for event in stores if event.into == "passed"}
        # if an operator made a leaf, such as randn, its gradient still ends there
        self.stored = {value.of for event in stores for value in self._values(event.outputs)} - self.passed
        """The values whose gradients are stored."""
        self.leaves = self.stored | self.cuts.leaves
        """These, and the other values that could have a gradient."""
        rules = ((trace.differentiated(event), event.outputs) for event in self.backward)
        pairs = (pair for ran, made in rules if ran is not None for pair in zip(ran.inputs, made))
        self.answered = {true_id(trace, id_) for id_, made in pairs if id_ is not None and made is not None}
        """The values to which a rule of the pass gives a gradient."""
        self.zeros = set[int]()
        """Arguments of a user's backward for which there was no gradient."""
        self.running = 0
        """The number of the earlier pass that ran the operator being added; 0: none."""

    def _values(self, ids: Iterable[int | None]) -> tuple[Value, ...]:
        return tuple(self.trace.known(ids))

    def _value(self, id_: int, side: Side) -> str:
        """Return the node that a value comes from; for a user's value a new one."""
        id_ = id_ if id_ in self.node_of_value else on_the_tape(self.trace, true_id(self.trace, id_))
        known = self.node_of_value.get(id_)
        if known is not None:
            return known
        value = self.trace.values[id_]
        learns = value.kind in ("parameter", "leaf") and not value.stop_gradient
        wanted = learns or id_ in self.leaves
        kind: NodeKind = "parameter" if wanted else "data"
        asked = side == "forward" and self.graph.pass_number > 0
        cut = self.cuts.before(id_) if side == "forward" else None
        state = outcome.leaf_state(value, wanted, id_ in self.stored, cut.how if cut else "") if asked else ""
        state = outcome.NOT_STORED if asked and not wanted and id_ in self.answered else state
        state = outcome.ZEROS if id_ in self.zeros else state
        state = self.ended.said(value, state) if state == outcome.NOT_REACHED else state
        source = None if cut is None or cut.value is None else self._value(cut.value, side)
        maker = self.trace.maker(value) if id_ in self.leaves else None
        maker = None if maker is not None and maker.kind == "update" else maker  # the one that changed it
        earlier = 0 if wanted else self.running
        node = Node(
            f"v{id_}", kind, clean(value.name), (value,), side,
            cluster=self.frames.around(id_, earlier) if side == "forward" else None,
            where=line_text(cut.where) if cut else place(maker) if maker else "",
            state=state, made_by=clean(maker.title) if maker else "", earlier=earlier,
        )  # fmt: skip
        self.graph.add(node)
        if source is not None and cut is not None:
            self.graph.join(source, node.id, "cut", cut.how, self._values([cut.value]))
        self.node_of_value[id_] = node.id
        return node.id

    def _made(self, event: Event, node: Node) -> None:
        """Store the node that the results of an event come from."""
        self.node_of_value.update((id_, node.id) for id_ in event.outputs if id_ is not None)

    def _gradient_tail(self, id_: int) -> str:
        """Return the node that a gradient comes from; for the first gradient of a pass, its seed.

        A pass within the drawn one starts with one of the drawn pass's gradients.
        """
        if id_ not in self.node_of_value:
            value = self.trace.values[id_]
            begun = self.node_of_value.get(value.same) if value.seed and value.same is not None else None
            if begun is not None and self.graph.nodes[begun].side == "backward":
                self.node_of_value[id_] = begun
                return begun
            hook = self.node_of_value.get(-1 if value.replaces is None else value.replaces, "")
            if hook and self.graph.nodes[hook].kind == "hook":  # whose result it is, in place of a gradient
                self.graph.nodes[hook] = replace(self.graph.nodes[hook], results=(value,))
            else:
                seed = Node(f"v{id_}", "seed", clean(value.name), (value,), "backward")
                hook = self.graph.add(seed).id
            self.node_of_value[id_] = hook
        return self.node_of_value[id_]

    def _hook(self, enter: Event) -> None:
        """Add the hook that begins at `enter`, if the origin of its argument is known."""
        given = next((id_ for id_ in enter.inputs if id_ in self.node_of_value), None)
        leave = self._ends.get(enter.index)
        if given is None or leave is None or leave.note:  # one that raised is drawn in red
            return
        tail = self.node_of_value[given]
        made = next((id_ for id_ in leave.outputs if id_ is not None), None)
        first = self._arrived.get(given, given)
        gradient = self.trace.values[given if made is None else made]
        around = self.graph.frames_of(self.graph.nodes[tail].cluster)
        frame = next((id_ for id_ in around if self.graph.clusters[id_].kind == "layer"), None)
        node = self.graph.add_event(
            enter, "h", "hook", phrase("hook {function}", function=clean(enter.title)),
            results=(replace(gradient, kind="gradient"),), takes=(self.trace.values[given],), cluster=frame,
            state=LOOKED_ON if made is None else "", op="",
        )  # fmt: skip
        self.graph.join(tail, node.id, "gradient", "", node.takes)
        for id_ in (given, first) if made is None else (given, first, made):
            self._arrived[id_] = first
            self.node_of_value[id_] = node.id
