"""The gradient of a PyLayer as a formula: what its backward did, operator by operator, evaluated on symbols as one."""

from minipaddle.engine.operator.operator import TABLE
from minipaddle.tools.explain.answer import Why
from minipaddle.tools.explain.formula import explained, known_value
from minipaddle.tools.explain.live_answers import follows
from minipaddle.tools.explain.symbols.element import holds
from minipaddle.tools.explain.symbols.mode import read_operator
from minipaddle.tools.explain.symbols.symbol import Symbol
from minipaddle.tools.explain.symbols.tree import Const
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.words.fields import without_fields

_LONGEST = 120


def add_formulas(trace: Trace, event: Event, answer: Why) -> None:
    """Add a formula, with numbers put in, for each gradient that the user's backward computed with operators."""
    if event.body is None:
        return
    symbols: dict[int, Symbol] = {}
    for step in trace.events[slice(*event.body)]:
        if step.kind == "op" and step.op in TABLE and not TABLE[step.op].updates:
            _read(trace, step, symbols)
    for made, terms in zip(trace.known(event.outputs), (part for part in event.parts if part)):
        if len(terms) != 1 or terms[0] not in symbols or made.array is None:
            continue
        tree = symbols[terms[0]].tree
        found = explained(made, tree, {})
        if holds(tree, made.array) and all(len(without_fields(line)) <= _LONGEST for line in found.rule):
            answer.rule += [line for line in found.rule if line not in answer.rule]
            answer.numbers += found.numbers
            answer.formulas[made.id] = found.rule[-1]


def _symbol(trace: Trace, value: Value) -> Symbol:
    """Return a value that backward was given, or made of nothing: a single number is that number."""
    made = trace.maker(value)
    is_given = made is not None and not made.inputs and not follows(value)
    if is_given and value.array is not None and value.array.size == 1:
        return Symbol(Const(value.array.item(), value.shape, value.dtype))
    found: Symbol = known_value(value).value
    return found


def _read(trace: Trace, step: Event, symbols: dict[int, Symbol]) -> None:
    """Read one operator over the symbols of what it takes; leave out what cannot be read."""
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
