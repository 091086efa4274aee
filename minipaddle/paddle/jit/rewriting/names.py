"""Which names a piece of source gives values to: what an ``if`` or a loop has to hand over to what comes behind it."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator

SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
"""What has names of its own."""
_CHANGING = "append appendleft clear extend insert pop popitem remove reverse setdefault sort update"
CHANGING = frozenset(_CHANGING.split())
"""Methods that change the list or dict that they are called on."""


def inside(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Return the nodes and what is in them, without what has names of its own."""
    for node in nodes:
        yield node
        if isinstance(node, SCOPES):
            continue
        yield from inside(ast.iter_child_nodes(node))


def path_of(node: ast.AST) -> str | None:
    """Return ``a.b.c`` for a name or an attribute of one; None for anything else.

    >>> path_of(ast.parse("self.cell.state", mode="eval").body)
    'self.cell.state'
    """
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        root = path_of(node.value)
        return root and f"{root}.{node.attr}"
    return None


def stored(nodes: Iterable[ast.AST]) -> list[str]:
    """Return the names that get a value, and what else is changed: attributes, lists, dicts; in order.

    >>> stored(ast.parse("a = b = 1; self.h += a; d[0] = 2; rows.append(a)").body)
    ['a', 'b', 'self.h', 'd', 'rows']
    """
    found = [one for node in inside(nodes) for one in (*_bound_by(node), *_changed_by(node))]
    return list(dict.fromkeys(found))


def bound(nodes: Iterable[ast.AST]) -> list[str]:
    """Return the names that get a value.

    >>> bound(ast.parse("a = b = 1; self.h += a; d[0] = 2; rows.append(a)").body)
    ['a', 'b']
    """
    return list(dict.fromkeys(one for node in inside(nodes) for one in _bound_by(node)))


def _bound_by(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(ctx=ast.Store() | ast.Del()):
            yield node.id
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield node.name
        case ast.Import() | ast.ImportFrom():
            yield from [(one.asname or one.name).partition(".")[0] for one in node.names]
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
        case ast.MatchMapping(rest=str(name)):
            yield name


def _changed_by(node: ast.AST) -> Iterator[str]:
    changed: ast.expr | None = None
    match node:
        case ast.Attribute(ctx=ast.Store()):
            changed = node
        case ast.Subscript(ctx=ast.Store() | ast.Del(), value=value):
            changed = value
        case ast.Call(func=ast.Attribute(attr=method, value=value)) if method in CHANGING:
            changed = value
    path = None if changed is None else path_of(changed)
    if path:
        yield path


def declared(body: Iterable[ast.AST], kind: type[ast.Global] | type[ast.Nonlocal]) -> set[str]:
    """Return the names that a function declares ``global``, or ``nonlocal``."""
    return {name for node in inside(body) if isinstance(node, kind) for name in node.names}


def parameters(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> list[str]:
    """Return the names of a function's parameters."""
    args = node.args
    packed = [one for one in (args.vararg, args.kwarg) if one]
    return [one.arg for one in (*args.posonlyargs, *args.args, *args.kwonlyargs, *packed)]


def mentioned(nodes: Iterable[ast.AST]) -> Counter[str]:
    """Return how often each name stands in pieces of source, in inner functions too."""
    return Counter(one.id for node in nodes for one in ast.walk(node) if isinstance(one, ast.Name))


def mentions(nodes: Iterable[ast.AST], name: str) -> bool:
    """Return whether a name stands in pieces of source, in inner functions too."""
    return any(isinstance(one, ast.Name) and one.id == name for node in nodes for one in ast.walk(node))


def begins_anew(body: Iterable[ast.stmt], name: str) -> bool:
    """Whether a Block of statements, if it mentions a name at all, gives it a value before it looks at it."""
    first = next((one for one in body if mentions([one], name)), None)
    if first is None:
        return True
    if isinstance(first, ast.Assign):
        targets, source = first.targets, first.value
    elif isinstance(first, ast.For):
        targets, source = [first.target], first.iter
    else:
        return False
    names = [
        one for target in targets for one in ast.walk(target) if isinstance(one, ast.Name) and one.id == name
    ]
    return (
        bool(names) and not mentions([source], name) and all(isinstance(one.ctx, ast.Store) for one in names)
    )


def yields(body: Iterable[ast.AST]) -> bool:
    """Whether a function with this body is a generator, or waits."""
    waiting = (ast.Yield, ast.YieldFrom, ast.Await, ast.AsyncFor, ast.AsyncWith)
    return any(isinstance(one, waiting) for one in inside(body))
