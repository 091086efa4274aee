"""``return``, ``break``, ``continue`` without leaving: what follows an exit goes into the other branch, or is guarded.

After this pass a function has one ``return``, at its end, and a loop ends only when its test says so::

    if c: return a        if c: result_0 = a         while c:                  stop_0 = False
    return b              else: result_0 = b             if d: break           while not stop_0 and c:
                          return result_0                x = x + 1                 if d: stop_0 = True
                                                                                   else: x = x + 1
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence

from minipaddle.paddle.jit.rewriting.source import SCOPES, expression, statements

EXITS = (ast.Return, ast.Break, ast.Continue)
LOOPS = (ast.For, ast.While)
Block = list[ast.stmt]


def ways_out(nodes: Iterable[ast.stmt]) -> set[type[ast.stmt]]:
    """Return by which of `EXITS` statements may be left; a ``break`` in a loop stays within it."""
    found: set[type[ast.stmt]] = set()
    for node in nodes:
        if isinstance(node, EXITS):
            found.add(type(node))
        inner = {way for part, field in blocks(node) for way in ways_out(getattr(part, field))}
        found |= inner & {ast.Return} if isinstance(node, LOOPS) else inner
    return found


def blocks(statement: ast.stmt) -> list[tuple[ast.AST, str]]:
    """Return where the Blocks of a statement are: a node and an attribute for each."""
    if isinstance(statement, SCOPES):
        return []
    parts: list[ast.AST] = [statement, *getattr(statement, "handlers", ()), *getattr(statement, "cases", ())]
    fields = ("body", "orelse", "finalbody")
    return [(part, one) for part in parts for one in fields if getattr(part, one, None)]


def always_exits(body: Sequence[ast.stmt]) -> bool:
    """Whether what stands behind these statements is never reached."""
    match body[-1] if body else None:
        case ast.If(body=yes, orelse=no):
            return always_exits(yes) and always_exits(no)
        case ast.With(body=inner):
            return always_exits(inner)
        case ast.While(test=ast.Constant(value=value), body=inner) if value:
            return ast.Break not in ways_out(inner)
        case last:
            return isinstance(last, (*EXITS, ast.Raise))


def sunk(body: Block) -> Block:
    """Return a Block in which what follows an ``if`` with an exit has gone into its other branch."""
    for place, one in enumerate(body):
        if isinstance(one, EXITS):
            return body[: place + 1]
        if not isinstance(one, ast.If) or not ways_out([one]):
            continue
        rest = body[place + 1 :]
        if always_exits(one.body):
            one.orelse, rest = [*one.orelse, *rest], []
        elif always_exits(one.orelse):
            one.body, rest = [*one.body, *rest], []
        return [*body[: place + 1], *sunk(rest)]
    return body


class Exits:
    """Turns the exits of one function into flags.

    Attributes:
        stops: for each ``for`` that may be left, the flags that say so after a turn: Python's own ``break`` follows.
        result: the variable that holds what the function returns; "": there is none.
    """

    def __init__(self, new: Callable[[str], str]) -> None:
        self.new = new
        self.stops: dict[ast.stmt, list[str]] = {}
        self.result = ""
        self._flags: dict[type[ast.stmt], str] = {}
        self._loops = 0

    def function(self, body: Block) -> Block:
        """Return the body of a function with its one ``return`` at the end."""
        if ast.Return not in ways_out(one for one in body if not isinstance(one, ast.Return)):
            kept = sunk(body)
            last = [kept.pop()] if isinstance(kept[-1], ast.Return) else []
            return [*(self._block(kept, True) if kept else []), *last]
        if not always_exits(body):
            body = [*body, *statements("return", body[-1])]
        self.result = self.new("result")
        lowered = self._block(body, True)
        if ast.Return in self._flags:
            lowered = [*statements(f"{self._flags[ast.Return]} = False", body[0]), *lowered]
        return [*lowered, *statements(f"return {self.result}", body[-1])]

    def _block(self, body: Block, last: bool) -> Block:
        """Return a Block without exits; `last` says whether nothing of the function, or the loop's body, follows."""
        lowered: Block = []
        body = sunk(body)
        for place, one in enumerate(body):
            rest = body[place + 1 :]
            ways = ways_out([one])
            lowered += (
                self._exit(one, last) if isinstance(one, EXITS) else self._compound(one, last and not rest)
            )
            flags = self._told(ways)
            if flags and rest:
                return [*lowered, *_unless(flags, self._block(rest, last))]
        return lowered or [ast.Pass()]

    def _told(self, ways: set[type[ast.stmt]]) -> list[str]:
        """Return the flags that tell of these exits."""
        return [flag for way, flag in self._flags.items() if way in ways]

    def _exit(self, one: ast.stmt, last: bool) -> Block:
        """Return what stands for an exit."""
        if isinstance(one, ast.Continue) and last:
            return statements("pass", one)
        kept: Block = []
        if isinstance(one, ast.Return):
            kept = statements(f"{self.result} = VALUE", one, VALUE=one.value or ast.Constant(None))
            if last and not self._loops:
                return kept
        stems = {ast.Return: "returned", ast.Break: "stop", ast.Continue: "skip"}
        if type(one) not in self._flags:
            self._flags[type(one)] = self.new(stems[type(one)])
        return [*kept, *statements(f"{self._flags[type(one)]} = True", one)]

    def _compound(self, one: ast.stmt, last: bool) -> Block:
        """Return a statement whose Blocks have no exits, with what has to stand around it."""
        if isinstance(one, LOOPS):
            return self._loop(one)
        ways = ways_out(one.body) if isinstance(one, ast.Try) and one.orelse else set()
        for part, field in blocks(one):
            inner = self._block(getattr(part, field), last and not ways)
            setattr(part, field, _unless(self._told(ways), inner) if field == "orelse" else inner)
        return [one]

    def _loop(self, one: ast.For | ast.While) -> Block:
        """Return a loop whose test knows when it was left, with its flag before it and its ``else`` behind it."""
        ways, behind = ways_out(one.body) & {ast.Break, ast.Return}, one.orelse
        outer: dict[type[ast.stmt], str] = {
            way: self._flags.pop(way) for way in (ast.Break, ast.Continue) if way in self._flags
        }
        self._loops += 1
        one.body, one.orelse = self._block(one.body, True), []
        self._loops -= 1
        flags = self._told(ways)
        stop, skip = [self._flags.pop(way, "") for way in (ast.Break, ast.Continue)]
        self._flags.update(outer)
        behind = _unless(flags, self._block(behind, False)) if behind else []
        if skip:
            one.body = [*statements(f"{skip} = False", one), *one.body]
        if flags and isinstance(one, ast.While):
            one.test = expression(f"not ({' or '.join(flags)}) and TEST", one.test, TEST=one.test)
        elif flags and isinstance(one, ast.For):  # turns that only a run leaves out are still counted
            self.stops[one] = flags
            item = self.new("item")
            own = statements(f"TARGET = {item}", one.target, TARGET=one.target)
            one.body = _unless(flags, [*own, *one.body])
            one.target = ast.copy_location(ast.Name(item, ast.Store()), one.target)
        return [*(statements(f"{stop} = False", one) if stop else []), one, *behind]


def _unless(flags: Sequence[str], body: Block) -> Block:
    """Return a Block that runs if none of the exits with these flags was taken."""
    return statements(f"if not ({' or '.join(flags)}):\n    BODY", body[0], BODY=body) if flags else body
