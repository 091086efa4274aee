"""Terms of a loss that are plain numbers: Python read them of a tensor, so no gradient comes back."""

import ast
from collections.abc import Iterator

from minipaddle.engine.errors import Line
from minipaddle.tools.checks.training.steps import Mistake, Step, ancestors, mistake
from minipaddle.tools.record.events import Event, Trace
from minipaddle.tools.record.user_code.names import parsed
from minipaddle.tools.words.numbers import line_text

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
                if not here or value.stop_gradient or is_used or _at(read.where) not in lines:
                    continue
                leaves = [one for one in ancestors(trace, value) if one.kind == "parameter"]
                if leaves and own.issuperset(one.id for one in leaves):
                    yield mistake(
                        "{loss} ({where}) adds a number that {how} ({there}) read of {value}: no gradient goes through "
                        "it to {name}; add the tensor itself",
                        event, step, kind="cut term", how=_READS[read.how], there=line_text(read.where),
                        value=value.name, name=leaves[0].name, loss=trace.values[event.outputs[0] or 0].name,
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


def _at(where: Line | None) -> tuple[str, int]:
    return ("", 0) if where is None else (where.file, where.number)


def _lines_behind(trace: Trace, where: Line | None) -> set[tuple[str, int]]:
    """Return the lines of a statement, and of those in its file that make what it names: variables, functions."""
    tree = parsed(trace.sources.get(where.file, "")) if where is not None else ast.Module([], [])
    parts = [one for one in ast.walk(tree) if isinstance(one, (ast.Assign, ast.AugAssign, ast.FunctionDef))]
    found = [one for one in parts if where is not None and where.number in _span(one)][-1:]
    for one in found:
        read = {name.id for name in ast.walk(one) if isinstance(name, ast.Name)}
        found += [other for other in parts if other not in found and not read.isdisjoint(_made(other))]
    return {(where.file, number) for one in found for number in _span(one) if where is not None}


def _span(part: ast.stmt) -> range:
    return range(part.lineno, (part.end_lineno or part.lineno) + 1)


def _made(part: ast.stmt) -> set[str]:
    """Return the names that a statement binds."""
    if isinstance(part, ast.FunctionDef):
        return {part.name}
    targets = part.targets if isinstance(part, ast.Assign) else [getattr(part, "target", part)]
    return {name.id for one in targets for name in ast.walk(one) if isinstance(name, ast.Name)}
