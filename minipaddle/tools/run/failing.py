"""The expression in the user's code that raised an error, and the objects that its names refer to.

Next: :mod:`minipaddle.tools.run.advice`, the rules that read it.
"""

import ast
import builtins
import inspect
import linecache
import os
import tomllib
from pathlib import Path
from traceback import walk_tb
from types import FrameType, ModuleType
from typing import Any, NamedTuple

import numpy as np

from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.paddle.autograd import PyLayer
from minipaddle.tools.record.user_code.names import parsed, span_of
from minipaddle.tools.run.tracebacks import is_user_file
from minipaddle.tools.words.language import say

_NUMPY = os.path.dirname(np.__file__) + os.sep
TABLES = tomllib.loads(Path(__file__).with_name("advice.toml").read_text(encoding="utf-8"))
"""Sentences of advice, and the facts that they need."""
LOST = object()
"""Marks a name or attribute whose object is unknown."""


def told(key: str, /, **parts: object) -> str:
    """Return a sentence of the table in the reader's language."""
    return say(TABLES["says"][key], **parts)


class Failing(NamedTuple):
    """An expression in the user's code that raised."""

    error: BaseException
    frame: FrameType
    node: ast.AST
    text: str
    """The text of the user's file."""
    tree: ast.Module
    """Its syntax tree, which has the node."""

    def meaning(self, node: ast.AST | None) -> Any:
        """Return the object that a name or attribute refers to; `LOST` for other nodes. It runs no user code."""
        if isinstance(node, ast.Name):
            scopes = self.frame.f_locals, self.frame.f_globals, vars(builtins)
            return next((scope[node.id] for scope in scopes if node.id in scope), LOST)
        if not isinstance(node, ast.Attribute):
            return LOST
        owner = self.meaning(node.value)
        if isinstance(owner, (ModuleType, Tensor)) or (
            isinstance(owner, type) and issubclass(owner, PyLayer)
        ):
            return getattr(owner, node.attr, LOST)
        return vars(owner).get(node.attr, LOST) if hasattr(owner, "__dict__") else LOST

    def assigned(self, name: str) -> ast.Assign | ast.AugAssign | None:
        """Return the last assignment to a plain name above the expression; in a loop, also below it."""
        found = (one for one in ast.walk(self.tree) if isinstance(one, (ast.Assign, ast.AugAssign)))
        targets = ((one, one.targets if isinstance(one, ast.Assign) else [one.target]) for one in found)
        own = [one for one, given in targets if name in map(ast.unparse, given)]
        line = getattr(self.node, "lineno", 0)
        return max(own, key=lambda one: (one.lineno <= line, one.lineno), default=None)

    def made_by(self, node: ast.AST) -> ast.Call | None:
        """Return the call whose result an expression is: itself, or the last one that was assigned to its name."""
        unpacked = (one for one in ast.walk(self.tree) if isinstance(one, ast.Assign) and node in one.targets)
        made = self.assigned(node.id) if isinstance(node, ast.Name) else next(unpacked, None)
        value = node if made is None else made.value
        return value if isinstance(value, ast.Call) else None

    @property
    def frames(self) -> list[FrameType]:
        """The frames through which the error came, the one that raised it last."""
        return [frame for frame, _ in walk_tb(self.error.__traceback__)]

    @property
    def called(self) -> ast.expr | None:
        """The function part of the expression, if it is a call; else None."""
        return self.node.func if isinstance(self.node, ast.Call) else None


def failing_in(error: BaseException) -> Failing | None:
    """Return the innermost user expression that was running; None if its source is not available."""
    steps = inspect.getinnerframes(error.__traceback__, context=0) if error.__traceback__ else []
    own = [step for step in steps if is_user_file(step.filename) and not step.filename.startswith(_NUMPY)]
    if not own:
        return None
    frame = own[-1].frame
    text = "".join(linecache.getlines(frame.f_code.co_filename, frame.f_globals))
    tree = parsed(text)
    nodes = (node for node in ast.walk(tree) if isinstance(node, (ast.expr, ast.stmt)))
    found = [node for node in nodes if span_of(node) == own[-1].positions]
    return Failing(error, frame, found[-1], text, tree) if found else None
