"""Events of a recording as one program of arithmetic, which reproduces their results, and runs for other numbers too.

Events are evaluated on symbols, as formulas are; some values may change, and with them all that depend on them. The
branches that the script took, and random numbers, stay. If one event has no instructions, there is no program.
"""

from collections.abc import Iterator, Sequence
from functools import partial, reduce
from typing import Any

import numpy as np

from minipaddle.engine.operator.operator import TABLE, Operator
from minipaddle.engine.operator.rule import Call as Parameters
from minipaddle.engine.operator.rule import Rule
from minipaddle.engine.operator.rule import read as parameter
from minipaddle.engine.value.meta import Array
from minipaddle.ops.definition.example import formula_of
from minipaddle.ops.definition.traits import is_random
from minipaddle.tools.explain.formula import parameters, trees_beside
from minipaddle.tools.explain.symbols import shape_rules
from minipaddle.tools.explain.symbols.element import holds
from minipaddle.tools.explain.symbols.mode import read, read_operator
from minipaddle.tools.explain.symbols.page_program.instructions import Program, Unprintable
from minipaddle.tools.explain.symbols.page_program.readings import for_any_numbers
from minipaddle.tools.explain.symbols.shape_rules import apply
from minipaddle.tools.explain.symbols.symbol import Symbol, tree_of
from minipaddle.tools.explain.symbols.tree import Leaf, Open, Tree
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.record.kinds import Grad
from minipaddle.tools.record.replay import Missing, Replay
from minipaddle.tools.words.events import blamed, place, title
from minipaddle.tools.words.language import TranslatableError, phrase, say
from minipaddle.tools.words.numbers import clean, line_text, tally

MOST_EVENTS = 400  # a page with more grows too slow to recompute at each key press


class Fixed(TranslatableError):
    """The numbers of a recording cannot be changed; the message is the reason, as a sentence."""


TOO_MANY = phrase("more than {most} events are too many to be computed again", most=MOST_EVENTS)
"""Why the numbers of a long run cannot be changed."""


class Live:
    """Events whose numbers can be changed. Raises Fixed if that is impossible.

    Args:
        trace: the recording.
        inputs: values that the reader may change; an unchanged one follows from the values before it.
        events: the events to compute again, in the order of the run.
    """

    def __init__(self, trace: Trace, inputs: Sequence[Value], events: Sequence[Event]) -> None:
        self.trace = trace
        self.program = Program()
        self.inputs = inputs
        self.places: dict[int, int] = {}
        """For each changeable value, the index of the instruction that computes it."""
        self.told: list[str] = []
        """Sentences about what stays as recorded."""
        self._open: dict[int, Open] = {}
        self._waiting = {value.id: value for value in inputs}
        """Inputs that no event has read or made yet."""
        used = {id_ for event in trace.events for id_ in event.inputs}
        changed = [one for one in trace.values if one.id in used and not self.trace.is_made(one)]
        self._shared = {one.producer: one for one in reversed(changed)}
        """For the events that write over memory, the first value that shares it and is an input."""
        depending = (event for event in events if any(map(self._changes, trace.read_by(event))))
        for count, event in enumerate(depending):  # each on those before
            if count == MOST_EVENTS:
                raise Fixed(TOO_MANY)
            self._add(event)
        for value in list(self._waiting.values()):
            self._begin(value)
        self._tell_what_python_read(events)

    def place(self, id_: int) -> int | None:
        """Return the index of the instruction that computes a value; None for a constant one."""
        return self.places.get(self._same(id_))

    def shown(self, id_: int) -> int:
        """Return the index of an instruction with a value, even a constant one; NaN where its numbers were not kept."""
        at, value = self.place(id_), self.trace.values[id_]
        if at is not None:
            return at
        known = value.array is not None and value.array.dtype.kind in "biuf"
        return self.program.numbers(np.asarray(value.array if known else np.full(value.shape, np.nan), float))

    # -- values -------------------------------------------------------------------------------------------------------

    def _begin(self, value: Value) -> None:
        """Add a value that no event computes: a copy of another value, or a given one."""
        del self._waiting[value.id]
        source = None
        if value.same is not None and not self.trace.is_made(value):
            source = self._open.get(self._same(value.same))
        self._may_change(value, source and self._as_recorded(source, value.id))

    def _may_change(self, value: Value, tree: Tree | None) -> None:
        """Add a changeable value to the program, computed by `tree`; None: set by the reader."""
        array = self._array(value)
        at = self.program.numbers(array) if tree is None else self.program.add(tree)
        if tree is not None and value in self.inputs:
            at = self.program.copy(at)  # the reader may change it apart from its source
        self._waiting.pop(value.id, None)
        leaf = Open(value.name, array)
        self.program.stands_for(leaf, at)
        self._open[value.id], self.places[value.id] = leaf, at

    def _array(self, value: Value) -> Array:
        if value.array is None:
            raise Fixed("the numbers of {name} were not kept", name=value.name)
        return value.array

    def _same(self, id_: int) -> int:
        """Return the value with the same numbers and another holder, if any."""
        value = self.trace.values[id_]
        while value.id not in self._open:
            if value.id in self._waiting:
                self._begin(value)
            elif value.same is None or self.trace.is_made(value):
                break
            else:
                value = self.trace.values[value.same]
        return value.id

    def _changes(self, id_: int | None) -> bool:
        return id_ is not None and self._same(id_) in self._open

    def _value(self, id_: int | None) -> Any:
        """Return a symbol for a changeable value, or the array of a constant one."""
        if id_ is None:
            return None
        value = self.trace.values[id_]
        if self._changes(id_):
            tree = self._open[self._same(id_)]
            return Symbol(tree if tree.shape == value.shape else shape_rules.reshape(tree, value.shape))
        return self._array(value)

    # -- events -------------------------------------------------------------------------------------------------------

    def _add(self, event: Event) -> None:
        """Add an event to the program, trying each way to read it in turn."""
        op = TABLE.get(event.op)
        if op is not None and is_random(op) and not op.rules:
            self.told.append(say("{op} keeps what chance drew", op=self._named(event)))
            return
        if event.kind == "op" and event.control:
            self.told.append(say("{op} goes the way that was recorded", op=self._named(event)))
        if event.index in self._shared:
            name = self._shared[event.index].name
            raise Fixed("{op} writes over memory that {name} shares", op=self._named(event), name=name)
        lacks = event.title
        for found in self._readings(event):
            try:
                made = [
                    (self.trace.values[id_], self._as_recorded(tree, id_))
                    for id_, tree in zip(event.outputs, found, strict=True)
                    if id_ is not None and tree is not None
                ]
                if all(holds(tree, self._array(value)) for value, tree in made):
                    for value, tree in made:
                        if tree.open:
                            self._may_change(value, tree)
                    return
            except Unprintable as error:
                lacks = str(error)
        name = self._named(event)
        if lacks in (event.title, event.op):
            raise Fixed("{op} is nothing that a page can compute", op=name)
        raise Fixed("{op} needs {function}, which no page can compute", op=name, function=lacks)

    def _named(self, event: Event) -> str:
        """Return an event with its line: ``conv2d_grad (train.py:12)``."""
        where = place(blamed(self.trace, event))
        name = clean(title(event))
        return f"{name} ({where})" if where else name

    def _as_recorded(self, tree: Tree, id_: int) -> Tree:
        """Return a result in the shape and dtype of the recorded value."""
        value = self.trace.values[id_]
        return shape_rules.cast(shape_rules.reshape(tree, value.shape), np.dtype(value.dtype))

    def _readings(self, event: Event) -> Iterator[list[Tree | None]]:
        """Yield the results of an event, a tree per output: by its kernel or rules first, then by a formula."""
        forward = self.trace.differentiated(event) if event.kind == "grad" else event
        if forward is None or (isinstance(event, Grad) and event.part is not None):
            raise Fixed("{op}: the forward call was not recorded", op=self._named(event))
        if event.kind in ("accumulate", "store"):
            sides = [event.before, *event.inputs] if event.before is not None else event.inputs
            yield [self._sum(sides)]
        elif forward.op not in TABLE:
            yield self._of_body(event)
        elif event.kind == "grad":
            for as_formula in (False, True):
                yield from _unless_unreadable(self._by_rules, TABLE[forward.op], forward, event, as_formula)
        else:
            for way in (self._by_kernel, self._by_formula):
                yield from _unless_unreadable(way, TABLE[event.op], event)

    def _sum(self, ids: Sequence[int | None]) -> Tree:
        return reduce(partial(apply, np.add), [tree_of(self._value(id_)) for id_ in ids])

    def _of_body(self, event: Event) -> list[Tree | None]:
        """Return the results of user code: the operators in it are events themselves."""
        if event.op == "select_input":
            try:
                return [tree_of(self._value(Replay(self.trace).taken(event)))]
            except Missing:
                raise Fixed("what the branch gave was not recorded") from None
        parts = list(zip(event.outputs, event.parts))
        if not parts or any(id_ is not None and terms is None for id_, terms in parts):
            raise Fixed("{op} computes with something other than paddle's operators", op=self._named(event))
        return [
            self._sum(terms) if terms and id_ is not None and any(map(self._changes, terms)) else None
            for id_, terms in parts
        ]

    def _by_kernel(self, op: Operator, event: Event) -> list[Tree | None]:
        inputs = tuple([self._value(id_) for id_ in event.inputs])
        if op.updates:  # it writes: a constant input needs a symbol too
            inputs = tuple([Symbol(Leaf("", one)) if isinstance(one, np.ndarray) else one for one in inputs])
        if is_random(op, event.attrs):  # random numbers stay: dropout's mask is one of its results
            if op.type != "dropout" or event.outputs[1] is None:
                raise Unprintable(op.name)
            return [apply(np.multiply, tree_of(inputs[0]), tree_of(self._value(event.outputs[1]))), None]
        found = read_operator(op, inputs, {**op.defaults, **event.attrs}).answer
        return [tree_of(one) for one in (found if op.multiple else [found])]

    def _by_formula(self, op: Operator, event: Event) -> list[Tree | None]:
        """Return the results by the formula declared beside the operator."""
        known = {**op.defaults, **event.attrs, **dict(zip(op.input_names, map(self._value, event.inputs)))}
        trees = trees_beside(op, known) if op.list_slot is None else []
        return [*trees, *[None] * (len(event.outputs) - len(trees))] if trees else []

    def _by_rules(self, op: Operator, forward: Event, event: Event, as_formula: bool) -> list[Tree | None]:
        """Return the gradients by the rules, or by the formulas declared for some of them."""
        inputs, outputs = map(self._value, forward.inputs), map(self._value, forward.outputs)
        view = Parameters(list(inputs), list(outputs), {**op.defaults, **forward.attrs})
        coming = [
            self._value(id_) if id_ is not None else np.zeros(out.shape, out.dtype)
            for id_, out in zip(event.inputs, view.outputs)
        ]
        grads = [coming] if op.list_output else [coming[index] for index in op.differentiable]
        answers: list[Any] = [None] * len(event.outputs)
        for rule in op.rules:
            if any(id_ is not None for id_ in rule.of(event.outputs)):
                _answer(rule, grads, view, as_formula, answers)
        return [
            None if id_ is None or one is None else tree_of(one) for id_, one in zip(event.outputs, answers)
        ]

    # -- parts that stay as recorded ------------------------------------------------------------------------------

    def _tell_what_python_read(self, events: Sequence[Event]) -> None:
        """Report changeable numbers that Python read: their effect on the script is not followed.

        Raises Fixed for a read inside user code that also used values from outside of operators.
        """
        first, last = (events[0].index, events[-1].index) if events else (0, -1)
        touched = {id_ for id_ in range(len(self.trace.values)) if self._changes(id_)}
        for event in self.trace.events[first : last + 1]:  # such reads need not be in the picture: x > 0
            if not touched.isdisjoint(event.inputs):
                touched |= {id_ for id_ in event.outputs if id_ is not None}
        read: dict[str, list[str]] = {}
        for one in self.trace.reads:
            if one.before_event > last or one.value not in touched:
                continue
            name, line = self.trace.values[one.value].name, line_text(one.where) or "Python"
            if one.how != "bool" and one.parent is not None and self._came_in(one.parent):
                raise Fixed("{line} computes with {name} outside of paddle's operators", line=line, name=name)
            read.setdefault(line, []).append(name)
        for line, names in read.items():
            self.told.append(
                say("{line} has read {name}: what it made of that stays", line=line, name=tally(names))
            )

    def _came_in(self, enter: int) -> bool:
        """Whether a body used values that no operator made and that are new in it."""
        events = self.trace.events
        met = {id_ for event in events[: enter + 1] for id_ in (*event.inputs, *event.outputs)}
        ends = (event for event in events if event.kind == "leave" and event.origin == enter)
        inside = [*(event for event in events if event.parent == enter), *ends]
        used = {id_ for event in inside for id_ in (*event.inputs, *event.outputs)} - met
        return any(value.producer is None and value.same is None for value in self.trace.known(used))


def _unless_unreadable(way: Any, *arguments: Any) -> Iterator[list[Tree | None]]:
    """Yield the result of a way of reading; nothing if it is unreadable."""
    try:
        with for_any_numbers():
            found = way(*arguments)
    except Fixed:
        raise
    except Exception:  # a kernel or rule that does something no formula expresses
        return
    if found:
        yield found


def _answer(rule: Rule, grads: Sequence[Any], view: Parameters, as_formula: bool, answers: list[Any]) -> None:
    """Read one rule, and store its gradients in `answers`."""
    kept = [parameter(source, view) for source in rule.kept]
    known = dict(zip(rule.parameters, [*grads, *kept]))
    formula = formula_of(rule.function) if as_formula else None
    function = formula and (lambda *_: formula(*[known[name] for name in parameters(formula)]))
    read(lambda: rule.answer(answers, grads, kept, function))
