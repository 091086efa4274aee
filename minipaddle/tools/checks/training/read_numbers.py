"""Terms of a loss that are plain numbers: Python read them of a tensor, so no gradient comes back."""

import ast
from collections.abc import Iterator

from minipaddle.engine.errors import Line
from minipaddle.tools.checks.training.steps import Mistake, Step, mistake
from minipaddle.tools.explain.user_source import at_line, names_in, nodes_of
from minipaddle.tools.record.events import Event, Trace
from minipaddle.tools.words.events import ancestors

_READS = {"item": "item()", "__float__": "float()", "numpy": "numpy()", "tolist": "tolist()"}


def numbers_in_losses(trace: Trace, steps: list[Step]) -> Iterator[Mistake]:
    """Yield what a loss adds as a number, though weights of the loss decide it."""
    for step in steps if trace.reads else ():
        own = {value.id for root in step.roots for value in ancestors(trace, root)}
        began = step.forward[0].index if step.forward else step.marker.index
        for event in _adding_numbers(trace, step):
            lines = _lines_behind(trace, event.where)
            for read in trace.reads:
                value = trace.values[read.value]
                here = began <= read.before_event <= event.index and read.how in _READS
                is_used = value.id in own and value.kind != "parameter"  # as a tensor, too
                if not here or value.stop_gradient or is_used or (read.where or ())[:2] not in lines:
                    continue
                leaves = [one for one in ancestors(trace, value) if one.kind == "parameter"]
                if leaves and own.issuperset(one.id for one in leaves):
                    yield mistake(
                        "{loss} ({where}) adds a number that {how} ({there}) read of {value}: no gradient goes through "
                        "it to {name}; add the tensor itself",
                        event, step, kind="cut term", how=_READS[read.how], there=read.where, value=value,
                        name=leaves[0], loss=trace.values[event.outputs[0] or 0],
                    )  # fmt: skip
                    break


def _adding_numbers(trace: Trace, step: Step) -> Iterator[Event]:
    """Yield the calls that add a number to the loss, or to a term of it."""
    waiting = [*step.roots]
    for value in waiting:
        made = trace.maker(value)
        if made is not None and made.op in ("elementwise_add", "elementwise_sub", "scale", "sum", "mean"):
            given = trace.known(made.inputs)
            waiting += given
            added = made.op == "scale" and (made.attrs["bias"] or made.attrs["scale"] == 1)
            if added or any(one.stop_gradient and one.stats.size == 1 for one in given):
                yield made


def _lines_behind(trace: Trace, where: Line | None) -> set[tuple[object, ...]]:
    """Return the lines of a statement, and of those in its file that make what it names: variables, functions."""
    nodes = (
        (at, one) for at, one in nodes_of(trace, ast.stmt) if where is not None and at.file == where.file
    )
    parts = [one for _, one in nodes if isinstance(one, (ast.Assign, ast.AugAssign, ast.FunctionDef))]
    found = [one for one in at_line(trace, where) if one in parts][:1]
    for one in found:
        read = names_in([one], ast.Load)
        made = (
            {one.name} if isinstance(one, ast.FunctionDef) else names_in([one], ast.Store) for one in parts
        )
        found += [other for other, own in zip(parts, made) if other not in found and not read.isdisjoint(own)]
    spans = (range(one.lineno, (one.end_lineno or one.lineno) + 1) for one in found)
    return {(where.file, number) for span in spans for number in span if where is not None}
