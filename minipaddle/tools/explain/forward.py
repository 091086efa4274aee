"""Explains a forward operator: its kernel as a formula, and one element with numbers.

A PyLayer's backward is read the same way: its operators, evaluated on symbols, become one formula.
"""

from collections.abc import Mapping

from minipaddle.engine.operator.operator import TABLE, Operator
from minipaddle.tools.explain.formula import (
    Known,
    Why,
    explained,
    follows,
    known_list,
    known_value,
    trees_beside,
)
from minipaddle.tools.explain.symbols.element import holds
from minipaddle.tools.explain.symbols.mode import Call, Read, is_default, read_operator
from minipaddle.tools.explain.symbols.symbol import Symbol
from minipaddle.tools.explain.symbols.text import plain
from minipaddle.tools.explain.symbols.tree import Const, Leaf, Tree
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.words.fields import without_fields
from minipaddle.tools.words.language import say_what_it_does
from minipaddle.tools.words.numbers import number

_LONGEST = 160
"""Longest formula of a kernel, two lines of a terminal; beyond it the operator is shown as a call."""


_Line = tuple[str, Value, Tree]
"""The name of an output, the output, and the tree of its formula."""


def explain_forward(trace: Trace, op: Operator, event: Event, answer: Why) -> None:
    """Add formula, numbers and the operator's own first sentence."""
    outputs = trace.known(event.outputs)
    known = _known(trace, op, event)
    if outputs:
        _explain(op, event, known, outputs, answer)
    if op.__doc__:
        answer.says.append(say_what_it_does(op.__doc__.strip().splitlines()[0]))


def _explain(op: Operator, event: Event, known: dict[str, Known], outputs: list[Value], answer: Why) -> None:
    """Add a line for each output that has a formula, or one for the call."""
    inputs = [known[name].value for name in op.input_names if name in known]
    if op.list_slot:
        inputs += inputs.pop()
    found = read_operator(
        op, tuple(inputs), {name: known[name].value for name in op.attr_names if name in known}
    )
    kept = all(known[name].kept for name in op.input_names if name in known)
    declared = trees_beside(op, {name: one.value for name, one in known.items()})
    chosen: list[_Line] = [(value.name, value, tree) for value, tree in zip(outputs, declared)]
    if op.updates:
        chosen = _updated(op, found, declared, known, outputs)
    elif not chosen or not _may_be_shown(chosen[0], kept):
        first = found.answer[0] if op.multiple else found.answer
        chosen = [(outputs[0].name, outputs[0], first.tree)]
    told = _explained(op, [line for line in chosen if _may_be_shown(line, kept)], found.names)
    if not told.rule or any(len(without_fields(one)) > _LONGEST for one in told.rule):
        made = [known[name].name for name, id_ in zip(op.output_names, event.outputs) if id_ is not None]
        call = f"{', '.join(made)} = {_call(op, event, known)}"
        told = Why([call], formulas={value.id: call for value in outputs})
    answer.add(told, kept)


def _explained(op: Operator, lines: list[_Line], names: Mapping[Tree, str]) -> Why:
    """Return formulas and numbers; a state of an update appears by name in later formulas."""
    said: dict[Tree, str] = {}
    answer = Why()
    for name, made, tree in lines:
        answer.add(explained(made, tree, names, name=name, said=said))
        if op.updates:
            said[tree] = name
    return answer


def _may_be_shown(line: _Line, kept: bool) -> bool:
    """Return whether a formula may be shown: it is more than a call, and gives the recorded numbers."""
    _, made, tree = line
    return not isinstance(tree, Call) and (not kept or made.array is None or holds(tree, made.array))


def _updated(
    op: Operator, found: Read, declared: list[Tree], known: Mapping[str, Known], outputs: list[Value]
) -> list[_Line]:
    """Return the formulas of an update: first the optimizer's states, then the parameter."""
    param, *states = found.answer if op.multiple else [found.answer]
    order = {part: place for place, part in enumerate(param.tree.each())}
    lines = [
        (known[name].name, value, state.tree)
        for name, value, state in zip(op.output_names[1:], outputs[1:], states)
        if state.tree in order and not isinstance(state.tree, (Leaf, Const))
    ]
    lines.sort(key=lambda line: order[line[2]])
    return [*lines, (outputs[0].name, outputs[0], next(iter(declared), param.tree))]


def _call(op: Operator, event: Event, known: Mapping[str, Known]) -> str:
    """Return the call as Python text: ``op(x, axis=1)``."""
    given = [known[name].name for name in op.input_names if name in known and known[name].name != "None"]
    changed = [
        f"{name}={known[name].name}"
        for name in op.attr_names
        if name in known and not is_default(op.defaults[name], event.attrs.get(name)) and not op.updates
    ]
    return f"{op.name}({', '.join(given + changed)})"


def _known(trace: Trace, op: Operator, event: Event) -> dict[str, Known]:
    """Return the values of an operator's inputs, outputs and attributes, by name."""
    known = {name: Known(plain(value), value) for name, value in event.attrs.items()}
    inputs = [trace.value(id_) for id_ in event.inputs]
    for position, name in enumerate(op.input_names):
        if name == op.list_slot:
            known[name] = known_list([known_value(value) for value in inputs[position:] if value])
        elif position < len(inputs):
            value = inputs[position]
            known[name] = known_value(value, _called(op, value, name)) if value else Known("None", None)
    over = {made: op.input_names[position] for made, position in zip(op.output_names, op.updates)}
    for name, id_ in zip(op.output_names, event.outputs):
        made = trace.value(id_)
        if made is not None and name not in known:
            known[name] = known_value(made, known[over[name]].name if name in over else "")
    return known


def _called(op: Operator, value: Value, slot: str) -> str:
    """Return the name of a value; for an optimizer's state its slot, for a learning rate its number."""
    if not op.updates or value.kind != "data":
        return value.name
    if slot == "learning_rate" and value.array is not None and not follows(value):
        return number(float(value.array.item()))
    return slot


_LONGEST_OF_BODIES = 120  # for each part of a backward's formula: its variables are often long


def formulas_of_body(trace: Trace, event: Event) -> dict[int, Tree]:
    """Return a formula for each gradient that the user's backward computed by operators, by the gradient's id."""
    symbols: dict[int, Symbol] = {}
    for id_ in trace.events[event.body[0]].inputs if event.body is not None else ():
        if (value := trace.value(id_)) is not None:  # what backward hands on, it may return as it is
            symbols[value.id] = known_value(value).value
    for step in trace.inside(event):
        if step.kind == "op" and step.op in TABLE and not TABLE[step.op].updates:
            _read(trace, step, symbols)
    ends = zip(trace.known(event.outputs), (part for part in event.parts if part))
    return {
        made.id: symbols[terms[0]].tree for made, terms in ends if len(terms) == 1 and terms[0] in symbols
    }


def add_formulas(trace: Trace, event: Event, answer: Why) -> None:
    """Add a formula, and one with numbers, for each gradient that the user's backward computed by operators."""
    for id_, tree in formulas_of_body(trace, event).items():
        made = trace.values[id_]
        found = explained(made, tree, {})
        if (
            made.array is not None
            and not isinstance(tree, Leaf)
            and holds(tree, made.array)
            and all(len(without_fields(line)) <= _LONGEST_OF_BODIES for line in found.rule)
        ):
            answer.rule += [line for line in found.rule if line not in answer.rule]
            answer.numbers += found.numbers
            answer.formulas[made.id] = found.rule[-1]


def _symbol(trace: Trace, value: Value) -> Symbol:
    """Return the symbol of a value read by backward; a constant of one element becomes its number."""
    made = trace.maker(value)
    is_given = made is not None and not made.inputs and not follows(value)
    if is_given and value.array is not None and value.array.size == 1:
        return Symbol(Const(value.array.item(), value.shape, value.dtype))
    found: Symbol = known_value(value).value
    return found


def _read(trace: Trace, step: Event, symbols: dict[int, Symbol]) -> None:
    """Evaluate one operator on symbols, and add its outputs to `symbols`; skip it if that fails."""
    op = TABLE[step.op]
    inputs = []
    for id_ in step.inputs:
        value = trace.value(id_)
        if value is not None and value.id not in symbols:
            symbols[value.id] = _symbol(trace, value)
        inputs.append(None if value is None else symbols[value.id])
    if all(one is None for one in inputs):
        return
    answer = read_operator(op, tuple(inputs), {**op.defaults, **step.attrs}).answer
    for id_, one in zip(step.outputs, answer if op.multiple else [answer]):
        if id_ is not None and isinstance(one, Symbol):
            symbols[id_] = one
