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

from minipaddle.paddle.jit.rewriting.build import assign, at, name, neither
from minipaddle.paddle.jit.rewriting.names import SCOPES

EXITS = (ast.Return, ast.Break, ast.Continue)
LOOPS = (ast.For, ast.While)
Block = list[ast.stmt]
Stops = dict[ast.stmt, list[str]]
"""The flags that say, after each turn of a ``for``, that it was left."""


def ways_out(nodes: Iterable[ast.stmt]) -> set[type[ast.stmt]]:
    """Return by which of `EXITS` statements may be left; a ``break`` in a loop stays within it."""
    found: set[type[ast.stmt]] = set()
    for node in nodes:
        if isinstance(node, EXITS):
            found.add(type(node))
        elif not isinstance(node, SCOPES):
            inner = {way for part, field in blocks(node) for way in ways_out(getattr(part, field))}
            found |= inner & {ast.Return} if isinstance(node, LOOPS) else inner
    return found


def blocks(statement: ast.stmt) -> list[tuple[ast.AST, str]]:
    """Return where the Blocks of a statement are: a node and an attribute for each."""
    if isinstance(statement, SCOPES):
        return []
    parts: list[ast.AST] = [statement, *getattr(statement, "handlers", ()), *getattr(statement, "cases", ())]
    return [
        (part, one) for part in parts for one in ("body", "orelse", "finalbody") if getattr(part, one, None)
    ]


def always_exits(body: Sequence[ast.stmt]) -> bool:
    """Whether what stands behind these statements is never reached."""
    if not body:
        return False
    last = body[-1]
    if isinstance(last, ast.If):
        return always_exits(last.body) and always_exits(last.orelse)
    if isinstance(last, ast.With):
        return always_exits(last.body)
    if isinstance(last, ast.While) and isinstance(last.test, ast.Constant) and last.test.value:
        return ast.Break not in ways_out(last.body)
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
        stops: for each ``for`` that may be left, its flags.
    """

    def __init__(self, new: Callable[[str], str]) -> None:
        self.new = new
        self.stops: Stops = {}
        self.result = ""
        """The variable that holds what the function returns; "": there is none."""
        self._flags: dict[type[ast.stmt], str] = {}
        self._loops = 0

    def function(self, body: Block) -> Block:
        """Return the body of a function with its one ``return`` at the end."""
        if ast.Return not in ways_out(one for one in body if not isinstance(one, ast.Return)):
            kept = sunk(body)
            last = [kept.pop()] if isinstance(kept[-1], ast.Return) else []
            return [*(self._block(kept, True) if kept else []), *last]
        if not always_exits(body):
            body = [*body, at(ast.Return(None), body[-1])]
        self.result = self.new("result")
        lowered = self._block(body, True)
        if ast.Return in self._flags:
            lowered.insert(0, assign(self._flags[ast.Return], ast.Constant(False), body[0]))
        return [*lowered, at(ast.Return(name(self.result)), body[-1])]

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
                return [*lowered, at(ast.If(neither(flags), self._block(rest, last), []), rest[0])]
        return lowered or [ast.Pass()]

    def _told(self, ways: set[type[ast.stmt]]) -> list[str]:
        """Return the flags that tell of these exits."""
        return [flag for way, flag in self._flags.items() if way in ways]

    def _flag(self, way: type[ast.stmt], stem: str) -> str:
        if way not in self._flags:
            self._flags[way] = self.new(stem)
        return self._flags[way]

    def _exit(self, one: ast.stmt, last: bool) -> Block:
        """Return what stands for an exit."""
        if isinstance(one, ast.Return):
            kept = assign(self.result, one.value or ast.Constant(None), one)
            if last and not self._loops:
                return [kept]
            return [kept, assign(self._flag(ast.Return, "returned"), ast.Constant(True), one)]
        if isinstance(one, ast.Continue) and last:
            return [at(ast.Pass(), one)]
        flag = self._flag(type(one), "stop" if isinstance(one, ast.Break) else "skip")
        return [assign(flag, ast.Constant(True), one)]

    def _compound(self, one: ast.stmt, last: bool) -> Block:
        """Return a statement whose Blocks have no exits, with what has to stand around it."""
        if isinstance(one, LOOPS):
            return self._loop(one)
        ways = ways_out(one.body) if isinstance(one, ast.Try) and one.orelse else set()
        for part, field in blocks(one):
            inner = self._block(getattr(part, field), last and not ways)
            if ways and field == "orelse":
                inner = [at(ast.If(neither(self._told(ways)), inner, []), inner[0])]
            setattr(part, field, inner)
        return [one]

    def _loop(self, one: ast.For | ast.While) -> Block:
        """Return a loop whose test knows when it was left, with its flag before it and its ``else`` behind it."""
        ways, behind = ways_out(one.body), one.orelse
        outer = {way: self._flags.pop(way, "") for way in (ast.Break, ast.Continue)}
        self._loops += 1
        one.body, one.orelse = self._block(one.body, True), []
        self._loops -= 1
        flags = self._told(ways & {ast.Break, ast.Return})
        stop, skip = [self._flags.pop(way, "") for way in (ast.Break, ast.Continue)]
        self._flags.update({way: flag for way, flag in outer.items() if flag})
        if skip:
            one.body.insert(0, assign(skip, ast.Constant(False), one))
        if flags and isinstance(one, ast.While):
            one.test = at(ast.BoolOp(ast.And(), [neither(flags), one.test]), one.test)
        elif flags:
            self.stops[one] = flags
        before = [assign(stop, ast.Constant(False), one)] if stop else []
        behind = self._block(behind, False) if behind else []
        if flags and behind:
            behind = [at(ast.If(neither(flags), behind, []), behind[0])]
        return [*before, one, *behind]
