"""Where a script uses Paddle: each name, method and keyword with its line, found by reading the syntax tree."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from minipaddle.engine.names.public import paddle_name
from minipaddle.tools.run.lookup import offered, resolve

_OTHER_RESULTS = (list, tuple, dict, str, int, float, complex)
"""What else an operator may answer with: no method of these is taken for a missing one of a tensor."""


@dataclass(frozen=True)
class Value:
    """A name of Paddle's; or, `made`, what calling it gives; or, `bound`, a member of such a thing."""

    name: str
    made: bool = False
    bound: bool = False


TENSOR = Value("paddle.Tensor", made=True)


@dataclass(frozen=True)
class Site:
    """One place where a script uses something of Paddle's: a name, or a keyword of it."""

    name: str
    """Full name, as Paddle has it: ``paddle.nn.functional.relu``, ``paddle.Tensor.mean``."""
    line: int
    keyword: str | None = None
    """The keyword argument that it is called with, if this is about one."""


def sites_of(tree: ast.AST) -> list[Site]:
    """Return every place of a syntax tree that uses Paddle, in the order of the lines.

    What a variable holds is followed from assignment to assignment. Where two branches disagree nothing is said of it.

    >>> [site.name for site in sites_of(ast.parse("import paddle.nn.functional as F; F.relu(x).exp()"))]
    ['paddle.nn.functional', 'paddle.nn.functional.relu', 'paddle.Tensor.exp']
    """
    imports = _Imports()
    imports.visit(tree)
    uses = _Uses(imports.aliases)
    uses.visit(tree)
    return sorted(imports.sites + uses.sites, key=lambda site: site.line)


class _Imports(ast.NodeVisitor):
    """Reads the imports first, wherever they stand: a function may use a name that is imported below it."""

    def __init__(self) -> None:
        self.aliases: dict[str, Value] = {}
        """What a name of the script stands for: ``F`` for ``paddle.nn.functional``."""
        self.sites: list[Site] = []

    def visit_Import(self, node: ast.Import) -> None:
        for item in node.names:
            self._bind(item.asname, paddle_name(item.name), item.lineno)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        package = paddle_name(node.module or "")
        if node.level == 0 and package == "minipaddle":
            for item in node.names:
                self._bind(item.asname, paddle_name(f"minipaddle.{item.name}"), node.lineno)
        if node.level == 0 and _is_paddle(package):
            for item in node.names:
                self._bind_from(package, item)

    def _bind(self, alias: str | None, name: str, line: int) -> None:
        if not _is_paddle(name):
            return
        self.aliases[alias or "paddle"] = Value(name if alias else "paddle")
        if name != "paddle":
            self.sites.append(Site(name, line))

    def _bind_from(self, package: str, item: ast.alias) -> None:
        if item.name == "*":
            self.aliases |= {name: Value(f"{package}.{name}") for name in offered(package)}
        else:
            self.aliases[item.asname or item.name] = Value(f"{package}.{item.name}")
            self.sites.append(Site(f"{package}.{item.name}", item.lineno))


class _Uses(ast.NodeVisitor):
    """Walks the statements in their order and keeps what each variable holds.

    A variable is written with its scope, ``f.x``; an attribute of ``self`` with its class, ``Net.self.fc``.
    """

    def __init__(self, aliases: dict[str, Value]) -> None:
        self.held: dict[str, Value | None] = dict(aliases)
        self.scopes = [""]
        self.classes: list[str] = []
        self.sites: list[Site] = []

    # ---- statements: what is bound, and which way the script may go

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._visit_all((*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults)))
        if node.returns:
            self.visit(node.returns)
        self.scopes.append(f"{self.scopes[-1]}{node.name}.")
        for argument in ast.walk(node.args):
            if isinstance(argument, ast.arg):
                self.held[self.scopes[-1] + argument.arg] = self._annotated(argument.annotation)
        self._visit_all(node.body)
        self.scopes.pop()

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self.visit_FunctionDef(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._visit_all((*node.decorator_list, *node.bases, *node.keywords))
        self.classes.append(f"{self.scopes[-1]}{node.name}.")
        self.scopes.append(self.classes[-1])
        # `forward` may stand above `__init__`, which says what the attributes hold
        self._visit_all(sorted(node.body, key=lambda one: getattr(one, "name", "") != "__init__"))
        self.scopes.pop()
        self.classes.pop()

    def visit_If(self, node: ast.If) -> None:
        self.visit(node.test)
        self._branches(node.body, node.orelse)

    def visit_Try(self, node: ast.Try) -> None:
        self._branches([*node.body, *node.orelse], *(handler.body for handler in node.handlers))
        self._visit_all(node.finalbody)

    def visit_For(self, node: ast.For | ast.AsyncFor) -> None:
        items = self._item(self._value(node.iter))
        self._loop(lambda: self._assign(node.target, items), node.body)
        self._visit_all(node.orelse)

    def visit_AsyncFor(self, node: ast.AsyncFor) -> None:
        self.visit_For(node)

    def visit_While(self, node: ast.While) -> None:
        self._loop(lambda: self.visit(node.test), node.body)
        self._visit_all(node.orelse)

    def visit_Assign(self, node: ast.Assign) -> None:
        value = self._value(node.value)
        for target in node.targets:
            self._assign(target, value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        annotated = self._annotated(node.annotation)
        self._assign(node.target, self._value(node.value) if node.value else annotated)

    def visit_withitem(self, node: ast.withitem) -> None:
        self.visit(node.context_expr)
        if node.optional_vars:
            self._assign(node.optional_vars, None)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        self._assign(node.target, self._item(self._value(node.iter)))
        self._visit_all(node.ifs)

    def _visit_all(self, nodes: Sequence[ast.AST]) -> None:
        for node in nodes:
            self.visit(node)

    def _branches(self, *bodies: Sequence[ast.stmt]) -> None:
        """Read each body from the same start; what they leave differently is not known afterwards."""
        before, ends = self.held, []
        for body in bodies:
            self.held = dict(before)
            self._visit_all(body)
            ends.append(self.held)
        self.held = _common(ends)

    def _loop(self, bind: Callable[[], None], body: Sequence[ast.stmt]) -> None:
        """Read a body twice: what it leaves differently is not known in its next round."""
        before, known = dict(self.held), len(self.sites)
        for _ in range(2):
            del self.sites[known:]
            bind()
            self._visit_all(body)
            self.held = _common([before, self.held])

    def _assign(self, target: ast.expr, value: Value | None) -> None:
        if isinstance(target, ast.Tuple | ast.List):
            for one in target.elts:
                self._assign(one, self._item(value))
        elif isinstance(target, ast.Name):
            self.held[self.scopes[-1] + target.id] = value
        elif variable := self._attribute_of_self(target):
            self.held[variable] = value if self.held.get(variable, value) == value else None
        else:
            self.visit(target)

    def _annotated(self, annotation: ast.expr | None) -> Value | None:
        """Return a tensor, if that is what an annotation says."""
        return TENSOR if annotation and self._value(annotation) == Value(TENSOR.name) else None

    # ---- expressions: what is used, and what they hold

    def visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.expr):
            self._value(node)
        else:
            super().visit(node)

    def _value(self, node: ast.expr) -> Value | None:
        """Note what an expression uses and return what it holds, if that is known."""
        match node:
            case ast.Name():
                return self._named(node)
            case ast.Attribute():
                return self._attribute(node)
            case ast.Call():
                return self._call(node)
            case ast.BinOp():
                return TENSOR if TENSOR in (self._value(node.left), self._value(node.right)) else None
            case ast.Subscript():
                self.visit(node.slice)
                return self._item(self._value(node.value))
            case ast.NamedExpr():
                self._assign(node.target, value := self._value(node.value))
                return value
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                self._visit_all(node.generators)
        self.generic_visit(node)
        return None

    def _named(self, node: ast.Name) -> Value | None:
        value = self._held(node.id)
        if value and not value.made and value.name != "paddle":
            self.sites.append(Site(value.name, node.lineno))
        return value

    def _held(self, name: str) -> Value | None:
        return next(
            (self.held[scope + name] for scope in reversed(self.scopes) if scope + name in self.held), None
        )

    def _attribute(self, node: ast.Attribute) -> Value | None:
        if spelled := self._spelled(node):
            self.sites.append(Site(spelled.name, node.lineno))
            return spelled
        if variable := self._attribute_of_self(node):
            return self.held.get(variable)
        owner = self._value(node.value)
        return Value(f"{owner.name}.{node.attr}", bound=True) if owner and owner.made else None

    def _spelled(self, node: ast.expr) -> Value | None:
        """Return what a chain of attributes spells, ``paddle.nn.Linear``, if it starts with a name of Paddle's."""
        if isinstance(node, ast.Name):
            value = self._held(node.id)
            return value if value and not value.made and not value.bound else None
        if isinstance(node, ast.Attribute) and (owner := self._spelled(node.value)):
            return Value(f"{owner.name}.{node.attr}")
        return None

    def _attribute_of_self(self, node: ast.expr) -> str | None:
        if (
            self.classes
            and isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id == "self"
        ):
            return f"{self.classes[-1]}self.{node.attr}"
        return None

    def _call(self, node: ast.Call) -> Value | None:
        function = self._value(node.func)
        self._visit_all((*node.args, *(keyword.value for keyword in node.keywords)))
        if function is None or (function.bound and not _is_certain(function)):
            return None
        if function.bound:
            self.sites.append(Site(function.name, node.func.end_lineno or node.lineno))
        if not function.made:
            words = (word for word in node.keywords if word.arg is not None)
            self.sites += [Site(function.name, word.value.lineno, word.arg) for word in words]
        return _called(function)

    @staticmethod
    def _item(value: Value | None) -> Value | None:
        """Return what one item of a value is: of a tensor, or of several of them, a tensor."""
        return TENSOR if value == TENSOR else None


def _common(ends: Sequence[dict[str, Value | None]]) -> dict[str, Value | None]:
    """Return what variables hold, whichever way was taken."""
    names = dict.fromkeys(name for end in ends for name in end)
    return {name: ends[0].get(name) if len({end.get(name) for end in ends}) == 1 else None for name in names}


def _is_paddle(name: str) -> bool:
    return name.partition(".")[0] == "paddle"


def _called(function: Value) -> Value | None:
    """Return what calling a value gives: an instance of a class, a tensor of an operator or layer; None if unknown."""
    found, known = resolve(function.name)
    if not found:
        return None
    if function.made:
        return TENSOR if _is_layer(known) else None
    if isinstance(known, type):
        return Value(function.name, made=True)
    module = getattr(known, "__module__", None) or ""
    computes = ("minipaddle.ops", "minipaddle.paddle.nn.functional", "minipaddle.engine.autograd.creation")
    return TENSOR if module.startswith(computes) else None


def _is_certain(member: Value) -> bool:
    """Whether a member that is called is Paddle's: what a layer was given and methods of Python's lists are not."""
    owner, _, name = member.name.rpartition(".")
    _, known = resolve(owner)
    if hasattr(known, name):
        return True
    if owner == TENSOR.name:
        return not any(hasattr(other, name) for other in _OTHER_RESULTS)
    return not _is_layer(known)


def _is_layer(known: object) -> bool:
    from minipaddle.paddle.nn import Layer

    return isinstance(known, type) and issubclass(known, Layer)
