"""Branches of the user's code that were not taken: why a layer that is there was never used."""

import ast
from collections.abc import Iterator

from minipaddle.engine.errors import file_title
from minipaddle.tools.record.events import Trace
from minipaddle.tools.words.language import say


def why_unused(trace: Trace, name: str) -> str:
    """Return why a parameter was used by no operator: the branch that names its layer was not taken, if that is so."""
    sentence = say("{name} gets no gradient: no operator used it before this backward pass", name=name)
    parts = name.split(".")
    found = _branch(trace, parts[-2] if len(parts) > 1 else name)
    if found is None:
        return sentence
    return sentence + "; " + say("the branch at {where} that names it was not taken", where=found)


def _branch(trace: Trace, layer: str) -> str | None:
    """Return the line of an ``if`` that alone names a layer, in a branch in which nothing ran."""
    found = [(file, branch) for file, text in trace.sources.items() for branch in _named_in(text, layer)]
    ran = {(event.where.file, event.where.number) for event in trace.events if event.where is not None}
    if any(branch is None for _, branch in found):
        return None
    for file, branch in found:
        if branch is not None and not any((file, number) in ran for number in branch[1]):
            return f"{file_title(file)}:{branch[0]}"
    return None


def _named_in(text: str, layer: str) -> Iterator[tuple[int, range] | None]:
    """Yield, for each use of an attribute called `layer`, the line of the ``if`` around it and its branch; or None."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return
    branches = [
        (node.lineno, range(part[0].lineno, (part[-1].end_lineno or part[-1].lineno) + 1))
        for node in ast.walk(tree)
        if isinstance(node, ast.If)
        for part in (node.body, node.orelse)
        if part
    ]
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr == layer and isinstance(node.ctx, ast.Load):
            around = [branch for branch in branches if node.lineno in branch[1]]
            yield max(around, default=None, key=lambda branch: branch[1].start)
