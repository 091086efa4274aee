"""``return``, ``break``, ``continue`` replaced by flags: code after an exit moves to the other branch, or is guarded.

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

EXITS = {ast.Return: "returned", ast.Break: "stop", ast.Continue: "skip"}
"""The name of the flag for each kind of exit."""
LOOPS = (ast.For, ast.While)
Block = list[ast.stmt]


def ways_out(nodes: Iterable[ast.stmt]) -> set[type[ast.stmt]]:
    """Return the kinds of `EXITS` that may leave statements; a loop's own ``break`` does not."""
    found: set[type[ast.stmt]] = set()
    for node in nodes:
        if type(node) in EXITS:
            found.add(type(node))
        inner = {way for part, field in blocks(node) for way in ways_out(getattr(part, field))}
        found |= inner & {ast.Return} if isinstance(node, LOOPS) else inner
    return found


def blocks(statement: ast.stmt) -> list[tuple[ast.AST, str]]:
    """Return the Blocks of a statement: a node and an attribute for each."""
    if isinstance(statement, SCOPES):
        return []
    parts: list[ast.AST] = [statement, *getattr(statement, "handlers", ()), *getattr(statement, "cases", ())]
    fields = ("body", "orelse", "finalbody")
    return [(part, one) for part in parts for one in fields if getattr(part, one, None)]


def always_exits(body: Sequence[ast.stmt]) -> bool:
    """Whether code after these statements is unreachable."""
    match body[-1] if body else None:
        case ast.If(body=yes, orelse=no):
            return always_exits(yes) and always_exits(no)
        case ast.With(body=inner):
            return always_exits(inner)
        case ast.While(test=ast.Constant(value=value), body=inner) if value:
            return ast.Break not in ways_out(inner)
        case last:
            return isinstance(last, (*EXITS, ast.Raise))


class Exits:
    """Turns the exits of one function into flags.

    Attributes:
        result: the variable with the function's return value; "": there is none.
    """

    def __init__(self, new: Callable[[str], str]) -> None:
        self.new = new
        self.result = ""
        self._flags: dict[type[ast.stmt], str] = {}
        """For an exit of the function, or of the innermost loop: the flag that is set when it is taken."""

    def function(self, body: Block) -> Block:
        """Return the body of a function with its one ``return`` at the end."""
        end = next((place for place, one in enumerate(body) if isinstance(one, ast.Return)), len(body))
        if ast.Return not in ways_out(body[:end]):
            return [*(self._block(body[:end], ()) if end else []), *body[end : end + 1]]
        if not always_exits(body):
            body = [*body, *statements("return", body[-1])]
        self.result = self.new("result")
        lowered = self._block(body, (ast.Return,))
        flags = [statements(f"{flag} = False", body[0]) for flag in self._taken({ast.Return})]
        return [*(flags[0] if flags else []), *lowered, *statements(f"return {self.result}", body[-1])]

    def _block(self, body: Block, free: Sequence[type[ast.stmt]]) -> Block:
        """Return a Block without exits; `free` exits skip nothing, as no code follows the Block."""
        lowered: Block = []
        for place, one in enumerate(body):
            if type(one) in EXITS:
                return [*lowered, *self._exit(one, free)]
            rest, ways = body[place + 1 :], ways_out([one])
            if ways and isinstance(one, ast.If):
                if always_exits(one.body):
                    one.orelse, rest = [*one.orelse, *rest], []
                elif always_exits(one.orelse):
                    one.body, rest = [*one.body, *rest], []
            lowered += self._compound(one, () if rest else free)
            if not rest:
                break
            if flags := self._taken(ways):
                return [*lowered, *_unless(flags, self._block(rest, free))]
        return lowered or [ast.Pass()]

    def _taken(self, ways: set[type[ast.stmt]]) -> list[str]:
        """Return the flags of these exits."""
        return [self._flags[way] for way in EXITS if way in ways and way in self._flags]

    def _exit(self, one: ast.stmt, free: Sequence[type[ast.stmt]]) -> Block:
        """Return the replacement of an exit."""
        kept: Block = []
        if isinstance(one, ast.Return):
            kept = statements(f"{self.result} = VALUE", one, VALUE=one.value or ast.Constant(None))
        if type(one) in free:
            return kept or statements("pass", one)
        flag = self._flags.setdefault(type(one), self.new(EXITS[type(one)]))
        return [*kept, *statements(f"{flag} = True", one)]

    def _compound(self, one: ast.stmt, free: Sequence[type[ast.stmt]]) -> Block:
        """Return a statement without exits in its Blocks, with the statements around it."""
        if isinstance(one, LOOPS):
            return self._left(one)
        ways = ways_out(one.body) if isinstance(one, ast.Try) and one.orelse else set()
        for part, field in blocks(one):
            inner = self._block(getattr(part, field), () if ways else free)
            setattr(part, field, _unless(self._taken(ways), inner) if field == "orelse" else inner)
        return [one]

    def _left(self, one: ast.For | ast.While) -> Block:
        """Return a loop whose test includes its exit flag, with the flag before it and its ``else`` after it."""
        ways, behind, outer = ways_out(one.body), one.orelse, self._flags
        self._flags = {way: flag for way, flag in outer.items() if way is ast.Return}
        one.body, one.orelse = self._block(one.body, (ast.Continue,)), []
        flags = self._taken(ways - {ast.Continue})
        stop, skip = [self._flags.pop(way, "") for way in (ast.Break, ast.Continue)]
        self._flags = {**outer, **self._flags}
        if skip:
            one.body = [*statements(f"{skip} = False", one), *one.body]
        if flags and isinstance(one, ast.While):
            one.test = expression(f"not ({' or '.join(flags)}) and TEST", one.test, TEST=one.test)
        elif flags and isinstance(one, ast.For):  # iterations that only a run skips are still counted
            item = self.new("item")
            own = statements(f"TARGET = {item}", one.target, TARGET=one.target)
            known = " or ".join(f"{flag} is True" for flag in flags)
            one.body = [*_unless(flags, [*own, *one.body]), *statements(f"if {known}:\n    break", one)]
            one.target = ast.copy_location(ast.Name(item, ast.Store()), one.target)
        before = statements(f"{stop} = False", one) if stop else []
        return [*before, one, *(_unless(flags, self._block(behind, ())) if behind else [])]


def _unless(flags: Sequence[str], body: Block) -> Block:
    """Return a Block that runs if none of the exits with these flags was taken."""
    return statements(f"if not ({' or '.join(flags)}):\n    BODY", body[0], BODY=body) if flags else body
