"""The graph as a tree for the terminal: from the root of the backward pass down to the leaves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from textwrap import wrap

from minipaddle.tools.picture.model.earlier_passes import words_of
from minipaddle.tools.picture.model.forward import Cuts, between, on_the_tape, true_id, written_over
from minipaddle.tools.picture.model.graph import Graph, Node
from minipaddle.tools.picture.model.labels import details
from minipaddle.tools.picture.model.outcome import ADDED, NOT_REACHED, STOPPED, not_run
from minipaddle.tools.picture.terminal.lines import Line, folded, laid_out
from minipaddle.tools.record.events import Event, Value
from minipaddle.tools.words.events import body_title, place
from minipaddle.tools.words.language import phrases, say, spoken
from minipaddle.tools.words.numbers import (
    all_zero,
    bytes_of,
    bytes_text,
    clean,
    line_text,
    look,
    not_finite,
    shape_text,
    spaced,
)
from minipaddle.tools.words.terminal import Symbols, word

_MESSAGE = 72
"""Characters of a line of an error's message, so that none is cut at 80 columns."""
_MANY = 40
"""From so many lines on, repeats are written once: a screen."""


def tree_rows(graph: Graph, symbols: Symbols, fold: bool = False, sizes: bool = False) -> Iterator[Line]:
    """Yield the lines of the tree; a value used more than once is unfolded at its first use.

    Args:
        graph: the graph of a backward pass, or of a forward run.
        symbols: the characters to draw with.
        fold: whether to write repeats in a long tree once.
        sizes: whether to show the bytes kept for backward.
    """
    tree = _Tree(graph, symbols, sizes)
    is_long = fold and len(tree.events) > _MANY  # each has a line at least
    lines = [] if is_long else _lines(tree)
    if is_long or (fold and len(lines) > _MANY):
        lines = folded(_lines(_Tree(graph, symbols, sizes, deep_last=True)), symbols)
    yield from laid_out(lines, symbols)


def _lines(tree: _Tree) -> list[Line]:
    """Return all lines."""
    lines: list[Line] = []
    for node in tree.errors:
        head = len(lines)
        raised = tree.trace.events[node.event or 0].title
        lines.append(Line(node.title, say("raised {error}", error=clean(raised)), where=node.where))
        lines += [Line(part, depth=1, parent=head) for part in wrap(spoken(node.state), _MESSAGE)]
        for value in dict.fromkeys(node.takes if node.side == "forward" else ()):
            _add_lines(tree, value.id, lines, head)
    for root in tree.roots():
        _add_lines(tree, root, lines)
    return lines


class _Tree:
    """A graph and its recording, with indexes for the lines of the tree.

    With `deep_last`, the largest subtree of an operator comes last, so that rounds follow each other without a gap.
    """

    def __init__(self, graph: Graph, symbols: Symbols, sizes: bool, deep_last: bool = False) -> None:
        self.graph, self.symbols = graph, symbols
        trace = self.trace = graph.trace
        self.sizes, self.deep_last = sizes, deep_last
        self.shown: dict[int, int] = {}
        """Unfolded event -> its line."""
        self.leaves: dict[int, Line] = {}
        """Value without an operator in the picture -> its line, which stands below each operator that reads it."""
        self.cuts = Cuts(trace)
        nodes = list(graph.nodes.values())
        self.errors = [node for node in nodes if node.kind == "error"]
        forward = [node for node in nodes if node.side == "forward"]
        shown = [node.event for node in forward if not graph.in_a_body(node)]
        self.events = {event: trace.events[event] for event in shown if event is not None}
        """The operators in the picture, by index."""
        self.made = {id_: one for one in self.events.values() for id_ in one.outputs if id_ is not None}
        """Value -> the operator in the picture that made it."""
        self.of_rule = {
            node.event: _rule_words(graph, node, trace.events[node.event].part_of is not None)
            for node in forward
            if node.earlier and node.event is not None
        }
        """Event of an earlier pass that this one differentiates -> its rule and pass, in words."""
        self.wanting = {node.value for node in nodes if node.kind == "parameter"}
        """Leaves that require a gradient."""
        stores = [node for node in nodes if node.kind == "store"]
        self.stores = {node.value: node for node in stores}
        """Value in ``.grad`` -> its node."""
        self.passed = {node.results[0].of: node.results[0] for node in stores if node.into == "passed"}
        """Result of an operator -> its gradient, returned by paddle.grad."""
        of_pass = (event for event in trace.of_pass(graph.pass_number) if event.kind == "store")
        self.gradients = {value.of: value for event in of_pass for value in trace.known(event.outputs)}
        """Leaf -> its gradient at the end of this pass: in ``.grad``, or returned by paddle.grad."""

    @cached_property
    def _heights(self) -> dict[int, int]:
        """Return for each operator the depth of its subtree."""
        heights: dict[int, int] = {}
        for _, event in sorted(self.events.items()):
            makers = (self.event_of(id_) for id_ in self.trace.takes(event))
            below = [heights.get(maker.index, 0) for maker in makers if maker is not None]
            heights[event.index] = 1 + max(below, default=0)
        return heights

    @cached_property
    def _uses(self) -> Counter[int]:
        """Return the number of operators that read each operator's results."""
        read = (map(self.event_of, self.trace.takes(event)) for event in self.events.values())
        return Counter(index for makers in read for index in {one.index for one in makers if one is not None})

    def children(self, event: Event) -> list[int]:
        """Return the operators and leaves that an operator was made from, in the order of writing.

        If a value used elsewhere may be unfolded inside the largest subtree, all stay in their order.
        """
        read = self.trace.takes(event)
        makers = [maker for id_ in read if (maker := self.event_of(id_)) is not None]
        if not self.deep_last or not makers:
            return read
        deepest = max(makers, key=lambda maker: self._heights[maker.index])
        if any(self._uses[maker.index] > 1 for maker in makers if maker is not deepest):
            return read
        return sorted(read, key=lambda id_: self.event_of(id_) is deepest)

    def roots(self) -> list[int]:
        """Return the roots of backward, then operators whose results are unused."""
        seeds = (node.value for node in self.graph.nodes.values() if node.kind == "seed")
        started = (self.trace.values[id_].of for id_ in seeds if id_ is not None)
        roots = [id_ for id_ in started if id_ is not None and not self._made_inside(id_)]
        return list(dict.fromkeys([*roots, *self._aside()]))

    def _made_inside(self, id_: int) -> bool:
        """Whether a value is the root of a pass that a PyLayer ran inside this one."""
        maker = self.trace.values[id_].producer
        inside = maker is not None and self.trace.events[maker].parent is not None
        return inside and self.event_of(id_) is None

    def _aside(self) -> Iterator[int]:
        """Yield the first result of each operator whose results are unused."""
        read = {id_ for event in self.events.values() for id_ in self.trace.takes(event)}
        read |= {value.id for node in self.errors for value in node.takes}
        used = {event.index for id_ in read if (event := self.event_of(id_)) is not None}
        for event in self.events.values():
            made = [id_ for id_ in event.outputs if id_ is not None]
            if made and event.index not in used:
                yield made[0]

    def event_of(self, id_: int) -> Event | None:
        """Return the operator that made a value, even one shown as the gradient of an earlier pass."""
        value = self.result_of(id_)
        return None if value is None else self.made.get(value.id)

    def result_of(self, id_: int) -> Value | None:
        """Return the operator's result that a value equals, even one shown as a gradient of an earlier pass."""
        value: Value | None = self.trace.values[id_ if id_ in self.made else on_the_tape(self.trace, id_)]
        while value is not None and value.id not in self.made and value.kind == "gradient":
            value = self.trace.value(value.came_from)
        return None if value is None else self.trace.values[true_id(self.trace, value.id)]


def _add_lines(tree: _Tree, root: int, lines: list[Line], under: int = -1) -> None:
    """Add the lines of the value `root` and its subtree. A stack, not recursion: chains may be long."""
    stack: list[tuple[int, int]] = [(root, under)]
    while stack:
        id_, parent = stack.pop()
        over = written_over(tree.trace, id_)
        id_ = on_the_tape(tree.trace, id_)
        event = tree.event_of(id_)
        id_ = true_id(tree.trace, id_) if event is None else id_
        value = tree.trace.values[id_]
        depth = lines[parent].depth + 1 if parent >= 0 else 0
        if event is None and id_ not in tree.leaves:
            tree.leaves[id_] = _leaf_line(tree, value)
        line = tree.leaves[id_] if event is None else _op_line(tree, value, event)
        above = None if event is None else tree.shown.get(event.index)
        saved = spaced(line.saved if above is None else "", over)
        lines.append(replace(line, depth=depth, parent=parent, above=above, saved=saved))
        cut = tree.cuts.before(id_) if event is None else None
        if cut is not None and cut.value is not None:
            stack.append((cut.value, len(lines) - 1))
        if event is None or above is not None:
            continue
        index = tree.shown[event.index] = len(lines) - 1
        _add_bodies(tree, event, index, lines)
        stack += [(child, index) for child in reversed(tree.children(event))]


def _add_bodies(tree: _Tree, event: Event, parent: int, lines: list[Line]) -> None:
    """Add the operators inside a PyLayer, a loop or a branch, in the order of the run; a py_func has none."""
    for enter, leave in tree.trace.bodies(event):
        if enter.op == "function":
            continue
        depth = lines[parent].depth + 1
        lines.append(Line(f"{clean(body_title(enter))}:", depth=depth, parent=parent))
        header = len(lines) - 1
        for one in between(tree.trace, enter, leave):
            made = next((tree.trace.values[id_] for id_ in one.outputs if id_ is not None), None)
            if made is not None:
                lines.append(replace(_op_line(tree, made, one), depth=depth + 1, parent=header))
                _add_bodies(tree, one, len(lines) - 1, lines)


def _op_line(tree: _Tree, value: Value, event: Event) -> Line:
    kept = [tree.trace.values[id_] for id_ in dict.fromkeys(event.saved)]
    names = ", ".join(dict.fromkeys(clean(one.name) for one in kept))
    size = f" ({bytes_text(sum(map(bytes_of, kept)))})" if tree.sizes else ""
    cuts = dict.fromkeys(tree.cuts.into(id_, event) for id_ in event.inputs if id_ is not None)
    return Line(
        clean(value.name),
        f"{clean(event.title)}{'_grad' * (event.kind == 'grad')}  {shape_text(value)}",
        _looked(value),
        place(event),
        spaced(
            say("saved: {names}{size}", names=names, size=size) if names else "",
            *(say("cut: {what}", what=cut) for cut in cuts if cut),
            _passed_words(tree, value),
            tree.of_rule.get(event.index, ""),
        ),
    )


def _passed_words(tree: _Tree, value: Value) -> str:
    """Return which gradient of an operator's result paddle.grad returned; "" if it was not asked for."""
    gradient = tree.passed.get(value.id)
    if gradient is None:
        return ""
    return say("gradient returned: {what}", what=f"{shape_text(gradient)} {_looked(gradient)}".rstrip())


def _rule_words(graph: Graph, node: Node, by_rule: bool) -> str:
    """Return which rule of which earlier pass applied an operator; for a rule drawn in parts, the pass."""
    frame = None if node.cluster is None else graph.clusters[node.cluster]
    rule = frame.title if by_rule and frame is not None and frame.kind == "rule" else ""
    around = (rule, words_of([node.earlier]))
    return say("in {what}", what=phrases("{before}, {after}", around))


def _looked(value: Value) -> str:
    return f"! {spoken(look(value))}" if not_finite(value.stats) else spoken(look(value))


def _leaf_line(tree: _Tree, value: Value) -> Line:
    leaf, cut = tree.graph.nodes.get(f"v{value.id}"), tree.cuts.before(value.id)
    where = line_text(cut.where) if cut is not None else ""
    if cut is not None and value.id not in tree.wanting:
        words = f"{cut.how}  {shape_text(value)}", spoken(look(value))
        return Line(clean(value.name), *words, where, say("cut: no gradient passes"))
    kind = "data" if value.id not in tree.wanting else "param" if value.kind == "parameter" else "leaf"
    what = word(kind)
    if leaf is not None and leaf.made_by:
        what = say("{what} made by {maker}", what=what, maker=leaf.made_by)
    said = say("cut: {what}", what=cut.how) if cut is not None else ""
    return Line(clean(value.name), f"{what}  {shape_text(value)}", _gradient_words(tree, value), where, said)


def _gradient_words(tree: _Tree, value: Value) -> str:
    """Return the state of a leaf's gradient: there, all zero, not reached, or not wanted. Never a made-up 0."""
    gradient = tree.gradients.get(value.id)
    leaf = tree.graph.nodes.get(f"v{value.id}")
    if gradient is None:
        wanted = leaf is None or leaf.kind != "data"
        missing = NOT_REACHED * wanted if tree.graph.pass_number else not_run(tree.trace)
        return spoken((leaf.state if leaf else "") or (STOPPED if value.stop_gradient else missing))
    store = tree.stores.get(gradient.id)
    returned = store is not None and store.into == "returned"  # paddle.grad leaves .grad as it is
    first = f"{say('returned') if returned else 'grad'} {shape_text(gradient)}"
    words = say("all zero") if all_zero(gradient.stats) else _looked(gradient)
    added = say("({what})", what=details(store)[-1]) if store is not None and store.state == ADDED else ""
    return " ".join(filter(None, (first, words, added)))
