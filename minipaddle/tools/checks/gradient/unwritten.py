"""Functions that are half written, found in a script's text; and what is said of a ``backward`` that returns nothing.

`check`, the hint of an error in `run`, and the grader of the course say it with this one sentence.
"""

import ast
from collections.abc import Iterator
from typing import NamedTuple

from minipaddle.tools.record.user_code.names import parsed
from minipaddle.tools.words.language import say


class Unwritten(NamedTuple):
    """A function that is half written."""

    name: str
    line: int
    """Its last line: there an answer is missing."""
    inputs: str
    """Of a PyLayer's ``backward``: the inputs whose gradients it owes; else ""."""
    is_empty: bool = False
    """Whether it has no line of its own at all."""

    @property
    def says(self) -> str:
        """The mistake, without its line."""
        if self.inputs:
            return returns_none(self.inputs)
        if self.is_empty:
            return say("{name} is not written yet", name=self.name)
        return say("{name} returns nothing: is a return missing?", name=self.name)


def returns_none(name: str) -> str:
    """Return the sentence about a ``backward`` without an answer."""
    return say("backward returns None: it should return the gradient of {name}", name=name)


def silent_backwards(text: str) -> Iterator[Unwritten]:
    """Yield each ``backward`` of a PyLayer in a script that returns nothing."""
    for layer in ast.walk(parsed(text)):
        if isinstance(layer, ast.ClassDef) and any("PyLayer" in ast.unparse(base) for base in layer.bases):
            own = {one.name: one for one in layer.body if isinstance(one, ast.FunctionDef)}
            if "forward" in own and "backward" in own and not _answers(own["backward"]):
                inputs = ", ".join(one.arg for one in own["forward"].args.args[1:])
                yield Unwritten("backward", own["backward"].body[-1].lineno, inputs)


def half_written(text: str) -> Iterator[Unwritten]:
    """Yield each function in a script whose body is ``...`` or ``pass``, or which computes a last value for nothing."""
    for one in ast.walk(parsed(text)):
        if isinstance(one, ast.FunctionDef):
            last, is_empty = one.body[-1], all(map(_is_nothing, one.body))
            lost = isinstance(last, ast.Expr)  # also a call, as of print
            lost |= isinstance(last, ast.Assign) and isinstance(last.targets[0], ast.Name)
            if is_empty or (lost and not _answers(one)):
                yield Unwritten(one.name, last.lineno, "", is_empty)


def _answers(function: ast.FunctionDef) -> bool:
    """Return whether a function, and not one inside it, returns a value or raises."""
    waiting: list[ast.AST] = [*function.body]
    while waiting:
        one = waiting.pop()
        if isinstance(one, ast.Raise) or (isinstance(one, ast.Return) and one.value is not None):
            return True
        if not isinstance(one, ast.FunctionDef | ast.Lambda):
            waiting += ast.iter_child_nodes(one)
    return False


def _is_nothing(line: ast.stmt) -> bool:
    return isinstance(line, ast.Pass) or (isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant))
