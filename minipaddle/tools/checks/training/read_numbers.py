"""Mistakes in what Python reads, or nothing: plain numbers in a loss, results, data and settings without use."""

import ast
import re
from collections.abc import Iterator, Sequence
from typing import Any

from minipaddle.engine.errors import Line
from minipaddle.tools.checks.training.steps import Finder, Mistake, Step, mistake, rate_of
from minipaddle.tools.explain.unrecorded import unrecorded_before
from minipaddle.tools.explain.user_source import at_line, names_in, nodes_of
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.record.kinds import SET
from minipaddle.tools.record.reads_and_cuts import Cut
from minipaddle.tools.words.events import ancestors
from minipaddle.tools.words.group_by import grouped
from minipaddle.tools.words.language import phrase

_READS = {"item": "item()", "__float__": "float()", "numpy": "numpy()", "tolist": "tolist()"}
_FREEZES = ("stop_gradient", "trainable", "requires_grad")
"""Attributes by which a tensor is frozen, and a layer is not."""
_LOADS = ("set_state_dict", "set_dict", "load_dict")
"""The methods that load the state of a layer."""
_THROWN = phrase(
    "{op} ({where}) gives a new tensor, which the statement throws away: {name} stays as it was; assign the result"
)
_COMPUTED = phrase(
    "{name} ({where}) is computed in each round, and nothing uses it: no loss, and no other line of the loop"
)
_MADE = phrase("{name} ({where}) is made, and nothing ever reads it")
_MEANT = re.compile(r"^\w*mask\w* = .*\(|\b(ClipGradBy\w+|L[12]Decay)\(")
_ENDS = re.compile(r"done|term|end|^b?d$", re.IGNORECASE)
_SHARE = re.compile(r"\+.*(gamma|discount)", re.IGNORECASE)
"""What is made to be read, besides data; names of the ends of episodes, and the share that is to read them."""
_ON_A_LAYER = phrase(
    "{said} ({where}) sets an attribute of a layer, which freezes nothing: set stop_gradient of each of "
    "{layer}.parameters()"
)
_NOT_LOADED = phrase(
    "{said} ({where}) has loaded nothing: no name in that state is one of {layer}.state_dict()"
)
_FLAT = phrase(
    "{op} ({where}) has no gradient: {name}, a term of the loss, teaches nothing, and the others train alone"
)
_FROZEN = phrase(
    "{where} freezes all of the network, {name} too, which {there} has made anew: it never learns; freeze first, and "
    "put the new layer in afterwards"
)
_A_FACTOR = phrase(
    "learning_rate={factor} ({where}) is a factor of the optimizer's rate, {base}: {name} is updated with {rate}"
)


def numbers_in_losses(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield what a loss adds, or a layer takes, as plain numbers, though weights of the loss decide it."""
    for step in steps if trace.reads else ():
        own = {value.id: value.kind for root in step.roots for value in ancestors(trace, root)}
        for at, before, made in (*_adding_numbers(trace, step), *_new_tensors(trace, step)):
            lines = _lines_behind(trace, at.where)
            for read in trace.reads:
                value, here = trace.values[read.value], step.began <= read.before_event <= before
                is_read = read.how in _READS and (read.where or ())[:2] in lines
                if not here or not is_read or value.stop_gradient:
                    continue
                behind = [*ancestors(trace, value)]
                leaves = [one for one in behind if one.kind == "parameter"]
                shares = any(
                    own.get(one.id) == "result" for one in behind
                )  # the loss has it as a tensor, too
                is_lost = shares if isinstance(at, Cut) else value.kind == "parameter" or value.id not in own
                if leaves and is_lost and own.keys() >= {one.id for one in leaves}:
                    yield mistake(
                        "{made} ({where}) is made with numbers that {how} ({there}) read of {value}: no gradient goes "
                        "through them to {name}; take the tensor itself",
                        at, step, kind="cut term", how=_READS[read.how], there=read.where, value=value,
                        name=leaves[0], made=made,
                    )  # fmt: skip


def _adding_numbers(trace: Trace, step: Step) -> Iterator[tuple[Event | Cut, int, Value]]:
    """Yield the calls that add a number to the loss, or to a term of it, each with its index and its result."""
    for value, made, _ in step.terms():
        given = trace.known(made.inputs) if made is not None else []
        added = made is not None and made.op == "scale" and (made.attrs["bias"] or made.attrs["scale"] == 1)
        if made is not None and (added or any(one.stop_gradient and one.stats.size == 1 for one in given)):
            yield made, made.index, value


def _new_tensors(trace: Trace, step: Step) -> Iterator[tuple[Event | Cut, int, Value]]:
    """Yield the tensors of floats that the user made and a layer takes, each with when it was made."""
    passed = (trace.known(one.inputs) for one, _ in step.through())
    with_weights = (given for given in passed if any(one.kind == "parameter" for one in given))
    taken = {one.id: one for given in with_weights for one in given if one.kind_of_dtype == "f"}
    for cut in trace.cuts:
        if cut.how == "to_tensor" and cut.value is None and cut.made in taken:
            yield cut, cut.before_event, taken[cut.made or 0]


def _lines_behind(trace: Trace, where: Line | None) -> set[tuple[object, ...]]:
    """Return the lines of a statement, and of those in its file that make what it names: variables, functions."""
    nodes = (one for at, one in nodes_of(trace, ast.stmt) if where and at.file == where.file)
    parts = [one for one in nodes if isinstance(one, (ast.Assign, ast.AugAssign, ast.FunctionDef))]
    found = at_line(trace, where)[:1]
    for one in found:
        read = names_in([one], ast.Load)
        made = (
            {one.name} if isinstance(one, ast.FunctionDef) else names_in([one], ast.Store) for one in parts
        )
        found += [other for other, own in zip(parts, made) if other not in found and not read.isdisjoint(own)]
    spans = (range(one.lineno, (one.end_lineno or one.lineno) + 1) for one in found)
    return {(where.file, number) for span in spans for number in span if where is not None}


def _result_unused(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield what a line computes of parameters, and no other line ever uses, but for what is read at the very end."""
    last = steps[-1].marker.index if steps else 0
    used = {one.of for one in trace.values if one.seed} | {cut.value for cut in trace.cuts}
    used |= {one.value for one in trace.reads if one.before_event < last or one.how in ("numpy", "__array__")}
    for event in trace.events:
        made = ((one.id, trace.maker(one)) for one in trace.known(event.inputs))
        used |= {id_ for id_, maker in made if maker is not None and maker.where != event.where}
    calls = (one for one in trace.events if one.kind == "op" and one.phase == "forward" and not one.depth)
    for where, own in grouped((one.where, one) for one in calls).items() if steps else ():
        event, inputs = own[-1], trace.known(own[-1].inputs)
        learned = any(one.kind == "parameter" for one in ancestors(trace, *inputs))
        if not learned or not used.isdisjoint(id_ for one in own for id_ in one.outputs):
            continue
        statement = next(iter(at_line(trace, where)), None)
        called = statement.value if isinstance(statement, ast.Expr) else None
        if isinstance(called, ast.Call) and getattr(called.func, "attr", "") == event.title:
            yield mistake(_THROWN, event, steps[0], kind="unused", name=inputs[0])
        elif isinstance(statement, ast.Assign):
            names = names_in(statement.targets, ast.Store)
            is_again = any(own[0].index < one.marker.index < event.index for one in steps)
            is_result = any(not one.stop_gradient for one in trace.known(event.outputs))
            adds_up = not names.isdisjoint({"_"} | names_in([statement.value], ast.Load))
            if where and names and is_again and is_result and not adds_up:
                block = next((one for one in at_line(trace, where) if hasattr(one, "body")), statement)
                writes = (one for one in ast.walk(block) if isinstance(one, ast.Assign))
                over = (one.lineno for one in writes if names <= names_in(one.targets, ast.Store))
                line = min((where._replace(number=one) for one in over if one > where.number), default=None)
                yield mistake(_COMPUTED, event, steps[0], "unused", sure=False, blamed=line, name=min(names))


def _data_unused(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield tensors of data, masks and clips whose names nothing reads: in the loop around them, or further below."""
    cuts = (cut.where for cut in trace.cuts if cut.how == "to_tensor" and cut.made is None)
    meant = (at for at, one in nodes_of(trace, ast.Assign) if _MEANT.search(ast.unparse(one)))
    for line in (*cuts, *meant) if steps else ():
        statement, *around = at_line(trace, line) or [ast.Pass()]
        if line is None or not isinstance(statement, ast.Assign):
            continue
        parts = [one for at, one in nodes_of(trace, ast.stmt) if at.file != line.file or at > line]
        parts += [one for one in around if isinstance(one, (ast.For, ast.While))]
        functions = [one for _, one in nodes_of(trace, ast.FunctionDef)]
        for name in sorted(names_in(statement.targets, ast.Store)):
            above = (one for one in functions if name not in names_in([one], ast.Store))
            if name[0] != "_" and name not in names_in([*parts, *above], ast.Load, [statement]):
                share = (at for at, one in nodes_of(trace, ast.BinOp) if _SHARE.search(ast.unparse(one)))
                blamed = next(share, None) if _ENDS.search(name) else None
                yield mistake(_MADE, line, steps[0], kind="unused", sure=False, blamed=blamed, name=name)


def _without_effect(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield attributes by which a layer was to be frozen, and states that have none of its names."""
    tensors = {value.name for value in trace.values}
    written = {event.where[:2] for event in trace.events if event.op == SET and event.where is not None}
    layers = {f".{one.path}" for event in trace.events if event.scope for one in event.scope.around()}
    made = ((ast.unparse(one.targets[0]), ast.unparse(one.value)) for _, one in nodes_of(trace, ast.Assign))
    layers |= {name for name, value in made if value.startswith(("nn.", "paddle.nn."))}
    for line, node in [*nodes_of(trace, ast.Assign), *nodes_of(trace, ast.Expr)] if steps else []:
        called = getattr(node, "value", None)
        part = node.targets[0] if isinstance(node, ast.Assign) else getattr(called, "func", None)
        name = ast.unparse(part.value).rpartition(".")[2] if isinstance(part, ast.Attribute) else ""
        is_layer = any(path.endswith(f".{name}") for path in layers) and name not in tensors
        if not isinstance(part, ast.Attribute) or not is_layer:
            continue
        if isinstance(node, ast.Assign) and part.attr in _FREEZES:
            said, layer = ast.unparse(node), ast.unparse(part.value)
            yield mistake(_ON_A_LAYER, line, steps[0], kind="no effect", said=said, layer=layer)
        own = {(line.file, number) for number in range(node.lineno, (node.end_lineno or 0) + 1)}
        has_run = len(at_line(trace, line)) == 1 and not trace.cut_off  # under no condition
        if isinstance(node, ast.Expr) and part.attr in _LOADS and has_run and own.isdisjoint(written):
            said, layer = ast.unparse(part), ast.unparse(part.value)
            yield mistake(_NOT_LOADED, line, steps[0], kind="no effect", said=said, layer=layer)


def _frozen_anew(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield parameters of a layer that was put into a network, and frozen with it before they had learned anything."""
    read = trace.known({id_ for step in steps[-1:] for one in step.forward for id_ in one.inputs})
    for fresh in (one for one in read if one.kind == "parameter" and one.stop_gradient and not one.version):
        born, cut = trace.born(fresh), next((one for one in trace.cuts[::-1] if one.made == fresh.id), None)
        put, *_ = at_line(trace, born and born.where) or [ast.Pass()]
        owner = getattr(getattr(put, "targets", [put])[0], "value", put)  # net of net.head, or of net[1]
        around = (one for one in at_line(trace, cut and cut.where) if one.lineno > put.lineno)
        if f"{ast.unparse(owner)}.parameters()" in {ast.unparse(getattr(one, "iter", one)) for one in around}:
            yield mistake(_FROZEN, cut, steps[-1], kind="no effect", name=fresh, there=born)


def _own_rate(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield a learning rate of a group, or of a parameter, that is a factor of the optimizer's, and seems no factor."""
    updates = {trace.values[one.inputs[0] or 0].holder: one for step in steps[:1] for one in step.updates}
    shares = (pair for one in trace.optimizers for pair in zip(one.shares, one.holders) if pair[1] in updates)
    factor, holder = min(shares, default=(1.0, -1))
    rate = rate_of(trace, updates[holder])[0] if holder in updates else 1.0
    if 0.999 * factor**2 < rate < 0.5 * factor:  # a rate as the optimizer's own, which it is a factor of
        parts: dict[str, Any] = {"factor": factor, "base": rate / factor, "rate": rate}
        parts["name"] = trace.values[updates[holder].inputs[0] or 0]
        yield mistake(_A_FACTOR, steps[0].trainer(), steps[0], kind="learning rate", sure=False, **parts)


def _flat_term(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield a term of a loss that an operator without gradient cuts off from the parameters, beside one that learns."""
    for step in steps:
        for term in step.constant_terms():
            found = unrecorded_before(trace, term)
            if found is not None and found.why == "none" and found.event.index > step.began:
                yield mistake(_FLAT, found.event, step, kind="cut term", name=term)


READ: Sequence[Finder] = (
    *(numbers_in_losses, _flat_term, _result_unused, _data_unused, _without_effect, _frozen_anew, _own_rate),
)
