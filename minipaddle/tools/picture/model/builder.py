"""Building the mirror: a node for each event, an edge for each value that passes from one event to another."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import zip_longest

from minipaddle.tools.picture.model import forward, outcome
from minipaddle.tools.picture.model.earlier_passes import Earlier, kind_of, settle_sums
from minipaddle.tools.picture.model.graph import Cluster, EdgeKind, Node, NodeKind, Side
from minipaddle.tools.picture.model.names import with_names
from minipaddle.tools.picture.model.origins import Origins
from minipaddle.tools.record.events import Event, Trace
from minipaddle.tools.record.kinds import Accumulate, Enter, Grad, Op, Store
from minipaddle.tools.record.term_shares import cancels, contribution, left_of, shares
from minipaddle.tools.words.events import body_title, place
from minipaddle.tools.words.group_by import grouped
from minipaddle.tools.words.language import phrase, phrases
from minipaddle.tools.words.numbers import all_zero, clean, look, percent, shape_text

_FEW_ASIDE = 24
"""Most operators drawn that do not lead to the loss; the subtitle mentions any more."""


class Builder(Origins):
    """Builds the graph of one pass; pass 0: the events before any backward. `add_errors` adds what raised."""

    def __init__(self, trace: Trace, number: int, add_errors: Callable[[Builder, int], None]) -> None:
        trace = with_names(trace, number)
        super().__init__(trace, number)
        self.kept_by: dict[int, str] = {}  # inside a backward: a saved value -> the node that made it
        back = forward.flowing_back(trace, self.backward)
        self.flows: dict[int, EdgeKind] = dict.fromkeys(back, "gradient")
        self.run_back = {event.origin for event in self.backward if event.kind == "grad"}
        self.forward = [] if number else self.cuts.without_makers(forward.everything(trace.events))
        self.apart: list[Event] = []
        """The operators on the tape that do not lead to the root of the pass; if none do, all others."""
        self.nowhere: list[Event] = []
        """Further operators, which are only counted: an accuracy, say."""
        if number:
            self.forward = forward.led_to(trace, number, self.backward, self.leaves, self.cuts)
            self.apart, self.nowhere = forward.aside(trace, number, self.forward, self.cuts)
        self.ended = outcome.broken_off(trace, number, self.forward)
        if len(self.apart) <= _FEW_ASIDE:
            self.forward = sorted([*self.forward, *self.apart], key=lambda event: event.index)
        self.earlier = Earlier(trace, self.graph, self.frames)
        numbers = {self.earlier.pass_of(event) for event in self.forward} - {0}
        self.run_back.update(index for one in numbers for index in forward.gone_through(trace, one))
        self.frames.settle(trace, (event for event in self.forward if not self.earlier.pass_of(event)))
        self.ruled: dict[str, str] = {}  # in an earlier pass: the node next to a rule of this pass
        for id_, event in self.earlier.drawn(self.forward, self.backward):
            self._op(event, "forward", self.earlier.frame(event, "forward"), id_)
        for event in self.backward:
            if isinstance(event, Op) or forward.in_a_body(trace, event):
                continue  # drawn with the operator whose body it is, or with the rule that applied it
            self._event(event, "backward")
        add_errors(self, number)
        outcome.add_updates(self.graph, self.backward)
        for frame in [one for one in self.graph.clusters.values() if one.twin in self.graph.clusters]:
            self.graph.clusters[frame.twin] = replace(self.graph.clusters[frame.twin], twin=frame.id)
        if any(frame.earlier for frame in self.graph.clusters.values()):
            settle_sums(self.graph)

    # -- forward -----------------------------------------------------------------------------------------------

    def _op(self, event: Event, side: Side, cluster: str | None = None, name: str = "") -> str:
        """Add an operator, its inputs' nodes and edges; for a PyLayer also its inside."""
        running = self.running = self.earlier.pass_of(event) if side == "forward" else 0
        for id_ in self.trace.takes(event):  # inputs are above, outside the frame
            self._value(id_, side)
        cluster = self._inside(event, side, cluster) or cluster
        title = f"{event.title}_grad" if event.kind == "grad" else event.title
        node = self.graph.add_event(
            event, "f" if side == "forward" else "b", kind_of(event, running), title, id=name,
            saved=self._values(forward.kept_for(self.trace, event)), cluster=cluster,
            twin=self.earlier.operator(event) if running else None, earlier=running,
            state=clean(event.note) or self._state(event, side),
        )  # fmt: skip
        self._join_inside(event, node)
        used = forward.used_inside(self.trace, event)
        reads: list[int | None] = [*event.inputs, *forward.kept_for(self.trace, event)]
        operator = None if node.twin is None else self.graph.nodes[node.twin].event
        kept = set() if operator is None else {*self.trace.events[operator].saved}
        for slot, read in enumerate(reads):
            if read is not None and read not in used and read not in kept:
                self.flow_in(read, node, slot)
        self._join_kept(node.twin, node, [read for read in reads if read in kept])
        self._made(event, node)
        return node.id

    def _state(self, event: Event, side: Side) -> str:
        no_question = side == "backward" or not self.graph.pass_number
        if no_question or event.index in self.run_back or event.parent is not None:
            return ""  # inside a body no gradient is expected
        inputs, outputs = self._values(event.inputs), self._values(event.outputs)
        cut = ", ".join(filter(None, dict.fromkeys(self.cuts.into(value.id, event) for value in inputs)))
        state = outcome.gradient_state(event, inputs, outputs, cut)
        if state == outcome.NOT_REACHED and not self.passed.isdisjoint(event.outputs):
            return ""  # paddle.grad asked for no gradient beyond this one
        return self.ended.said(event, state) if state == outcome.NOT_REACHED else state

    def flow_in(self, id_: int, node: Node, slot: int) -> None:
        """Add the edge from a value to its user; a saved edge if a backward body reads a saved value."""
        tail = self.graph.nodes[self._value(id_, node.side)]
        value = self.trace.values[id_]
        if node.side == "forward":
            several = not tail.is_leaf and len(tail.results) > 1
            cut = "" if node.event is None else self.cuts.into(id_, self.trace.events[node.event])
            over = forward.written_over(self.trace, id_)
            said = ": ".join(filter(None, (cut, clean(value.name) if several else "", over)))
            self.graph.join(tail.id, node.id, "cut" if cut else "value", said, [value], slot=slot)
        elif id_ in self.kept_by:
            keeper = self.kept_by[id_] if self.kept_by[id_] in self.graph.nodes else tail.id
            self.graph.join(keeper, node.id, "saved", clean(value.name), [value])
        else:
            across = clean(value.name) if tail.side == "forward" else ""
            self.graph.join(tail.id, node.id, self.flows.get(id_, "value"), across, [value], slot=slot)

    # -- the inside of a PyLayer ---------------------------------------------------------------------------------

    def _inside(self, event: Event, side: Side, parent: str | None) -> str | None:
        """Add the operators that ran inside an operator's bodies, in frames; None if there were none."""
        bodies = self.trace.bodies(event)
        if not forward.inside(self.trace, event):
            return None
        id_ = f"c{event.index}"
        first, more = bodies[0][0], len(bodies) > 1
        title = clean(body_title(first))
        if more:
            said = {"op": clean(first.owner), "block": first.block, "count": len(bodies)}
            title = phrase("{op} block {block}, {count} iterations", **said)
        # of a rule: the frames of its operator's Block and of the iterations
        other = f"c{event.origin}" if side == "backward" and event.control else ""
        clusters = self.graph.clusters
        twins = {one.iteration: one.id for one in clusters.values() if one.parent == other} | {0: other}
        clusters[id_] = Cluster(id_, title, side, parent, twin=other)
        for enter, leave in bodies:
            frame = id_
            if more:
                frame = f"c{enter.index}"
                number = enter.iterations[-1] + 1 if enter.iterations else 0
                title = phrase("iteration {number}", number=number) if number else ""
                twin = twins.get(number, "")
                clusters[frame] = Cluster(frame, title, side, id_, twin=twin, iteration=number)
            for one in forward.between(self.trace, enter, leave):
                self._event(one, side, frame)
        return id_

    def _join_inside(self, event: Event, node: Node) -> None:
        """Add edges from what bodies returned, except loop-carried values, to their operator; it adds up iterations."""
        made = {id_ for one in forward.inside(self.trace, event) for id_ in one.outputs}
        bodies = self.trace.bodies(event)
        made -= {id_ for enter, _ in bodies[1:] for id_ in enter.inputs}  # from one iteration to the next
        returned = ((slot, id_) for _, leave in bodies for slot, id_ in enumerate(leave.outputs))
        made_of = grouped((slot, id_) for slot, id_ in returned if id_ is not None and id_ in made)
        for _, ids in sorted(made_of.items()):
            values = self._values(ids)
            parts = shares(values, values[0]) if len(values) > 1 else None
            for value, share in zip_longest(values, parts or ()):
                kind, label = self.flows.get(value.id, "value"), contribution([value], share)
                self.graph.join(self.node_of_value[value.id], node.id, kind, label, [value], share=share)
            if len(values) > 1:
                said = replace(node, state=phrase("adds what {count} iterations give", count=len(values)))
                self.graph.nodes[node.id] = said

    # -- backward ------------------------------------------------------------------------------------------------

    def _event(self, event: Event, side: Side, frame: str | None = None) -> None:
        match event:
            case Op():
                self._op(event, side, frame)
            case Enter(op="hook"):
                self._hook(event)
            case Grad():
                self._grad(event, frame)
            case Accumulate():
                self._simple(event, "accumulate", "+", twin=None, cluster=frame)
            case Store():
                self._store(event, frame)

    def _store(self, event: Store, frame: str | None = None) -> None:
        """Add the end of a gradient on the row of its leaf, or in the `frame` of a pass in a PyLayer."""
        made = self._values(event.outputs)
        of = next((value.of for value in made), None)
        apart = of is None or frame is not None or event.into == "passed"
        twin = None if of is None or apart else self._value(of, "forward")
        title = clean(made[0].name) if made else f"{clean(event.title)}.grad"  # a Program has Paddle's name
        said = phrase("{name} {state}", name=title, state=outcome.RETURNED)
        self._simple(event, "store", said if event.op == "returned" else title, twin, frame)

    def _grad(self, event: Event, around: str | None = None) -> None:
        """Add a gradient rule on the row of its operator."""
        tails = {id_: self._gradient_tail(id_) for id_ in event.inputs if id_ is not None}
        zeros = {*self.zeros}
        used = self._enter_body(event, tails)
        origin = None if event.origin is None else self.trace.events[event.origin]
        saved, part = [] if origin is None else origin.saved, self.earlier.part(event)
        if part is not None:
            saved = [id_ for id_ in saved if id_ in (*part.inputs, *part.outputs)]
        beside = f"f{event.origin}" if part is None else f"p{event.index}"
        twin = beside if beside in self.graph.nodes else None
        if twin is not None and twin in self.ruled:
            if origin is not None and origin.kind == "accumulate":
                self._add_term(event, self.ruled[twin], tails)
                return
            twin = None  # a part that cannot be told from others
        through = part or origin
        frame = self.earlier.frame(through, "backward") if around is None and through is not None else around
        keeper = twin or f"b{event.origin}"  # a pass in a body differentiates what ran there
        kept_around, self.kept_by = self.kept_by, dict.fromkeys(saved, keeper)
        cluster = self._inside(event, "backward", frame) or frame
        self.kept_by = kept_around
        # the body is between incoming and outgoing gradients, even if it does not use the former
        for inner in forward.inside(self.trace, event):
            id_of_inner = f"{'b' if inner.kind == 'op' else 'g'}{inner.index}"
            self.graph.join(id_of_inner, f"g{event.index}", "order")
            for tail in tails.values():
                self.graph.join(tail, id_of_inner, "order")
        kind: NodeKind = "pylayer_grad" if event.op == "pylayer_grad" else "grad"
        node = self.graph.add_event(
            event, "g", kind, f"{event.title}_grad", twin=twin,
            takes=self._values([*event.inputs, *sorted(self.zeros - zeros)]),
            saved=self._values(forward.true_id(self.trace, id_) for id_ in saved),
            earlier=self.graph.nodes[twin].earlier if twin is not None else 0,
            cluster=cluster, where=place(event if origin is None else origin),
        )  # fmt: skip
        if twin is not None and node.earlier:
            self.ruled[twin] = node.id
        self._join_inside(event, node)
        for id_ in event.inputs:
            if id_ is not None and id_ not in used:
                self._join_gradient(id_, tails[id_], node.id)
        if not any(one.kind == "grad" for one in forward.inside(self.trace, event)):  # else these are inside
            used = forward.used_inside(self.trace, event)  # inputs of the body are its saved values
            self._join_kept(keeper, node, (id_ for id_ in saved if id_ not in used))
        self._made(event, node)

    def _add_term(self, event: Event, rule: str, tails: dict[int, str]) -> None:
        """Add a term to the rule node of an earlier pass's sum: a Program has one rule per term."""
        node = self.graph.nodes[rule]
        made, given = self._values(event.outputs), self._values(event.inputs)
        takes = tuple(dict.fromkeys((*node.takes, *given)))
        self.graph.nodes[rule] = replace(node, results=(*node.results, *made), takes=takes)
        for id_, tail in tails.items():
            self._join_gradient(id_, tail, rule, len(node.results))
        self._made(event, node)

    def _enter_body(self, event: Event, tails: dict[int, str]) -> set[int]:
        """Return the incoming gradients that a body uses, after mapping the body's inputs to them."""
        enter = None if event.body is None else self.trace.events[event.body[0]]
        if enter is None or enter.op == "function":  # a py_func's backward also takes inputs and outputs
            return set()
        # a loop's Block gets only the gradients that exist
        handed = [one for one in event.inputs if one is not None] if event.control == "loop" else event.inputs
        given = [(inner, outer) for inner, outer in zip(enter.inputs, handed) if inner is not None]
        pairs = [(inner, outer) for inner, outer in given if outer is not None]
        self.zeros.update(inner for inner, outer in given if outer is None)
        self.node_of_value.update((inner, tails[outer]) for inner, outer in pairs)
        used = forward.used_inside(self.trace, event)
        return {outer for inner, outer in pairs if inner in used or outer in used}

    def _join_kept(self, keeper: str | None, node: Node, ids: Iterable[int | None]) -> None:
        kept = self._values(dict.fromkeys(forward.true_id(self.trace, id_) for id_ in ids if id_ is not None))
        if keeper in self.graph.nodes and kept:
            names = dict.fromkeys(clean(value.name) for value in kept)
            self.graph.join(keeper, node.id, "saved", ", ".join(names), kept)

    def _join_gradient(
        self, id_: int, tail: str, head: str, slot: int = 0, share: float | None = None
    ) -> None:
        """Add a backward edge; from a sum it is labelled with the total, into a sum with the term's share."""
        value, begin = self.trace.values[id_], self.graph.nodes[tail]
        is_sum = begin.kind == "accumulate"
        numbers, shape = (look(value), shape_text(value)) if is_sum else ("", "")
        left = left_of(begin.takes, value) if is_sum and cancels(begin.takes, value) else None
        added = contribution([value], share)
        words = (
            "" if added[:1] in ("+", "-") else numbers or shape,
            "" if left is None else phrase("{part} left", part=percent(left)),
            added,
        )
        label = phrases("{before}; {after}", words)
        more = {"slot": slot, "share": share, "shape_said": is_sum and not numbers}
        self.graph.join(tail, head, "gradient", label, [value], **more)

    def _simple(
        self, event: Event, kind: NodeKind, title: str, twin: str | None, cluster: str | None = None
    ) -> None:
        """Add an accumulation or the ``.grad`` of a leaf."""
        tails = {id_: self._gradient_tail(id_) for id_ in event.inputs if id_ is not None}
        added = kind == "store" and event.before is not None
        made = self._values(event.outputs)
        zero = kind == "store" and any(all_zero(value.stats) for value in made)
        terms = self._values(event.inputs) if kind == "accumulate" else ()
        cancel = any(cancels(terms, total) for total in made)
        if twin is not None:
            cluster = self.frames.opposite(self.graph.nodes[twin].cluster)
        node = self.graph.add_event(
            event, "g", kind, title, twin=twin, cluster=cluster, where="", op="",
            state=outcome.ZERO if zero else outcome.ADDED if added else outcome.CANCEL if cancel else "",
            into=event.into if isinstance(event, Store) else None, before=self.trace.value(event.before),
        )  # fmt: skip
        parts = shares(terms, made[0]) if terms and made else None
        for slot, id_ in enumerate(event.inputs):  # x * x gives one sum two gradients
            if id_ is not None:
                self._join_gradient(id_, tails[id_], node.id, slot, parts[slot] if parts else None)
        self._made(event, node)
