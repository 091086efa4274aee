"""Stubs: what editors and mypy read of ``paddle``, written from what is there: ``make stubs``.

A name of ``paddle`` stands in the stub of the file that defines it, with its signature; the stub of a package leads to
those files, so that "go to definition" ends in the operator's own. They are in ``minipaddle-stubs`` beside the package
(PEP 561): the wheel has them, and the folder of an editable install, where building writes them (hatch_build.py).
"""

import ast
import builtins
import inspect
import pkgutil
import re
import shutil
import sys
import textwrap
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import minipaddle
from minipaddle.engine.errors import Annotation
from minipaddle.engine.operator.operator import Operator
from minipaddle.engine.value.dtype import DType
from minipaddle.engine.value.value import Value
from minipaddle.paddle import Tensor
from minipaddle.paddle.nn import Layer

FOLDER = Path(__file__).resolve().parents[2] / "minipaddle-stubs"
TENSORS_COME_BACK = (
    "minipaddle.engine.tensor.creation",
    "minipaddle.ops",
    "minipaddle.paddle.nn",
    "minipaddle.paddle.vision.models",
)
"""Rooms whose functions, and layers, give Tensors where their annotations say Any."""
NO_TENSOR = {"__dlpack__", "element_size", "item", "itemsize", "stride", "strides", "tolist", "type"}
"""Functions and methods that give something else."""
A_TENSOR = re.compile(
    r"(?<=^)Any$|(?<=^list\[)Any(?=\]$)|(?<=^Iterator\[)Any(?=\]$)|(?<=^tuple\[)Any(?=, \.\.\.\]$)"
)
PLAIN = {bool, int, float, str, tuple, type(None)}
OTHERWISE = {"as_tuple", "cache", "need_weights", "return_counts", "return_index", "return_inverse"}
"""Parameters that make of the result something else."""


@cache
def imports(module: str) -> dict[str, str]:
    """Return the statement that imports each name that a module imports, be it for its types only."""
    found = {}
    for node in ast.walk(ast.parse(inspect.getsource(sys.modules[module]))):
        if isinstance(node, ast.ImportFrom):
            found |= {
                one.asname or one.name: f"from {node.module} import {ast.unparse(one)}" for one in node.names
            }
        elif isinstance(node, ast.Import):
            found |= {
                one.asname or one.name.partition(".")[0]: f"import {ast.unparse(one)}" for one in node.names
            }
    return found


@cache
def assigned(module: str) -> set[str]:
    """Return the public names that a module assigns to."""
    statements = ast.parse(inspect.getsource(sys.modules[module])).body
    targets = [one.targets[0] for one in statements if isinstance(one, ast.Assign)]
    targets += [one.target for one in statements if isinstance(one, ast.AnnAssign)]
    return {one.id for one in targets if isinstance(one, ast.Name) and one.id[0] != "_"}


def attributes(kind: type) -> dict[str, str]:
    """Return the attributes that an ``__init__`` sets, with their types as far as they can be seen."""
    init = vars(kind).get("__init__")
    init = inspect.unwrap(init) if isinstance(init, FunctionType) else None
    if init is None or has_signature(kind) or init.__code__.co_filename[0] == "<":  # of a dataclass
        return {}
    found = {}
    for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(init)))):
        targets = node.targets if isinstance(node, ast.Assign) else []
        for target in [one for several in targets for one in getattr(several, "elts", [several])]:
            if isinstance(target, ast.Attribute) and ast.unparse(target.value) == "self":
                is_parameter = ast.unparse(node.value).startswith("self.create_parameter(")
                given = init.__annotations__.get(ast.unparse(node.value), "Any")
                found[target.attr] = "Tensor" if is_parameter else given
    return {name: said for name, said in found.items() if not isinstance(vars(kind).get(name), property)}


def has_signature(kind: type) -> bool:
    return isinstance(vars(kind).get("__signature__"), inspect.Signature)


def is_ours(value: Any) -> bool:
    return value is Tensor or str(getattr(value, "__module__", "")).startswith("minipaddle.")


def home(value: Any) -> str:
    """Return the module that defines a class or function; a Tensor says that it is Paddle's."""
    return str(Tensor.__init__.__module__ if value is Tensor else value.__module__)


class Stub:
    """The stub of one module; what it speaks of is imported, and what is of this module defined."""

    def __init__(self, module: str) -> None:
        self.module = import_module(module)
        self.imports: set[str] = set()
        self.definitions: dict[str, str] = {}
        self.homes: set[str] = set()
        """Modules that it leads to."""
        self.names: list[str] = list(vars(self.module).get("__all__", ()))

    def __str__(self) -> str:
        defined = set(self.definitions)
        needed = [line for line in sorted(self.imports) if line.rpartition(" ")[2] not in defined]
        return "\n".join([*needed, "", *self.definitions.values(), ""])

    # -- what is written in an annotation ---------------------------------------------------------------------------

    def typed(self, annotation: Any, module: str) -> Annotation:
        """Return an annotation of `module` as it can stand here."""
        annotation = getattr(annotation, "__forward_arg__", annotation)  # of a NamedTuple
        if not isinstance(annotation, str):
            annotation = annotation.__name__ if isinstance(annotation, type) else str(annotation)
        tree = ast.parse(annotation, mode="eval")
        for node in ast.walk(tree):
            if isinstance(node, ast.Name):
                node.id = self.named(node.id, module)
        return Annotation(ast.unparse(tree))

    def named(self, name: str, module: str) -> str:
        """Return what to call here what `module` calls `name`."""
        if name in ("Tensor", "Value"):
            return self.reference(Tensor)
        defined = vars(sys.modules[module]).get(name)
        if statement := imports(module).get(name):
            self.imports.add(statement)
        elif isinstance(defined, type) and is_ours(defined):
            return self.reference(defined)
        elif not hasattr(builtins, name):
            return self.any()
        elif name in self.names or (self.module.__name__ == home(Tensor) and hasattr(Tensor, name)):
            self.imports.add("import builtins")
            return f"builtins.{name}"  # beside paddle.bool, or x.bool()
        return name

    def any(self) -> str:
        self.imports.add("from typing import Any")
        return "Any"

    def reference(self, kind: type) -> str:
        """Return what to call a class; where it is of this module it is defined before what speaks of it."""
        name, module = kind.__name__, home(kind)
        if module == "builtins":
            return self.named(name, self.module.__name__) if kind is not type(None) else "None"
        if vars(sys.modules[module]).get(name) is not kind:
            return self.any()
        if module == self.module.__name__:
            self.define(name, kind)
        else:
            self.imports.add(f"from {module} import {name}")
            self.homes |= {module} if is_ours(kind) else set()
        return name

    # -- functions and classes --------------------------------------------------------------------------------------

    def function(self, name: str, function: Any, owner: type | None = None) -> str:
        """Return a ``def`` without a body."""
        own, module = inspect.signature(function), inspect.unwrap(function).__module__
        taken = list(own.parameters.values())
        parameters = [self.parameter(one, module) for one in taken]
        if owner and taken and taken[0].kind is not inspect.Parameter.VAR_POSITIONAL:
            bare = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
            parameters[0] = bare
        gives = "Any" if own.return_annotation is own.empty else own.return_annotation
        if gives_tensors(name, module, owner) and OTHERWISE.isdisjoint(own.parameters):
            gives = A_TENSOR.sub("Tensor", str(gives))
        gives = owner.__name__ if owner and gives == "Self" else self.typed(gives, module)
        return f"def {name}{inspect.Signature(parameters, return_annotation=Annotation(gives))}: ..."

    def parameter(self, one: inspect.Parameter, module: str) -> inspect.Parameter:
        annotation, default = one.annotation, one.default
        if annotation is not one.empty:
            one = one.replace(annotation=self.typed(annotation, module))
        if default is not one.empty:
            one = one.replace(default=Annotation(repr(default) if type(default) in PLAIN else "..."))
        return one

    def define(self, name: str, value: Any) -> None:
        """Add a definition, once."""
        if name in self.definitions:
            return
        self.definitions[name] = ""  # it may speak of itself
        if not isinstance(value, type):
            self.definitions[name] = self.function(name, value)
        elif value.__name__ == name:
            self.definitions[name] = "\n".join(self.kind(value))
        else:
            self.definitions[name] = f"{name} = {self.reference(value)}"  # its second name

    def kind(self, kind: type) -> Iterator[str]:
        """Yield the lines of a class; Tensor has in one place what it gets from many."""
        flat = kind is Tensor
        bases = [
            self.reference(base) for base in ((Value,) if flat else kind.__bases__) if base is not object
        ]
        if hasattr(kind, "_fields"):
            self.imports.add("from typing import NamedTuple")
            bases = ["NamedTuple"]
        yield f"class {kind.__name__}({', '.join(bases)}):"
        typed = attributes(kind) | vars(kind).get("__annotations__", {})
        body = [f"{name}: {self.typed(typed[name], home(kind))}" for name in typed if name[0] != "_"]
        names = (
            [name for name in dir(kind) if getattr(kind, name, None) is not getattr(object, name, None)]
            if flat
            else vars(kind)
        )
        shown = inspect.signature(kind) if has_signature(kind) else None
        body += [f"{name} = ..." for name in getattr(kind, "__members__", ())]  # of an Enum
        for name in [name for name in names if name not in getattr(kind, "__members__", typed)]:
            if name[0] != "_" or (name.endswith("__") and name != "__signature__"):
                body += self.member(kind, name)
        if shown:
            made = [
                inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD),
                *shown.parameters.values(),
            ]
            made = [self.parameter(one, home(kind)) for one in made]
            body.append(f"def __init__{inspect.Signature(made)} -> None: ...")
        if issubclass(kind, Layer) and kind is not Layer and "forward" in vars(kind):
            body.append(self.function("__call__", vars(kind)["forward"], kind))
        yield from (f"    {line}" for line in body or ["..."])

    def member(self, kind: type, name: str) -> Iterator[str]:
        """Yield the lines of a member of a class; of what is no function, its type."""
        value = inspect.getattr_static(kind, name)
        if isinstance(value, FunctionType | staticmethod | classmethod) and not is_ours(
            inspect.unwrap(value)
        ):
            return  # of a NamedTuple
        if isinstance(value, property) and value.fget is not None:
            yield "@property"
            yield self.function(name, value.fget, kind)
            if value.fset is not None:
                yield f"@{name}.setter"
                yield self.function(name, value.fset, kind)
        elif isinstance(value, staticmethod | classmethod):
            yield f"@{type(value).__name__}"
            yield self.function(name, value.__func__, kind if isinstance(value, classmethod) else None)
        elif isinstance(value, FunctionType):
            yield self.function(name, value, kind)
        elif hasattr(type(value), "__get__") and isinstance(value := getattr(kind, name, None), FunctionType):
            yield self.function(name, value, kind)  # one that is loaded later
        elif isinstance(value, bool | int | float | str) and name[0] != "_":
            yield f"{name}: {type(value).__name__}"

    # -- a package --------------------------------------------------------------------------------------------------

    def show(self, name: str, value: Any) -> None:
        """Add a name of a package: where it is defined, or what it is."""
        value = value.public if isinstance(value, Operator) else value
        if isinstance(value, ModuleType):
            parent, _, own = value.__name__.rpartition(".")
            self.imports.add(f"from {parent} import {own} as {name}")
            self.homes.add(value.__name__)
        elif (home := home_of(value, name)) and home != (self.module.__name__, name):
            self.imports.add(f"from {home[0]} import {home[1]} as {name}")
            self.homes.add(home[0])
        elif isinstance(value, FunctionType | type):
            self.define(name, value)
        else:
            kind = DType if isinstance(value, DType) else type(value)
            plain = kind.__module__ == "builtins" or is_ours(kind)
            self.definitions[name] = f"{name}: {self.reference(kind) if plain else self.any()}"

    def fill(self) -> None:
        """Add all that the module shows: its list of names and its packages, or what it defines."""
        own = self.module.__name__
        for name in self.names:
            self.show(name, getattr(self.module, name))
        for one in pkgutil.iter_modules(getattr(self.module, "__path__", ())):
            if one.ispkg and own.startswith("minipaddle.paddle") and one.name[0] != "_":
                self.show(one.name, import_module(f"{own}.{one.name}"))
        for name, value in list(vars(self.module).items()):
            value = value.public if isinstance(value, Operator) else value
            if isinstance(value, FunctionType | type):
                if name[0] != "_" and home(value) == own:
                    self.define(name, value)
            elif name in assigned(own) and name not in self.names:
                self.show(name, value)


def gives_tensors(name: str, module: str, owner: type | None) -> bool:
    """Return whether what a function gives is a Tensor where it says Any."""
    if owner is None or owner is Tensor:
        return (owner is Tensor or module.startswith(TENSORS_COME_BACK)) and name not in NO_TENSOR
    is_layer = issubclass(owner, Layer) and name in ("__call__", "forward")
    return is_layer and module.startswith(TENSORS_COME_BACK) and owner is not Layer


def home_of(value: Any, name: str) -> tuple[str, str] | None:
    """Return the module that defines a function or class, and its name there; None if it is made when asked for."""
    if not (is_ours(value) and isinstance(value, FunctionType | type)):
        return None
    namespace = vars(import_module(home(value)))
    for own in dict.fromkeys((value.__name__, name)):
        there = namespace.get(own)
        there = there.public if isinstance(there, Operator) else there
        if there is value or inspect.unwrap(there) is inspect.unwrap(value) if there else False:
            return home(value), own
    return None


def stubs() -> dict[str, str]:
    """Return every stub, by its path: all that ``paddle`` leads to, and the packages on the way."""
    own = imports("minipaddle")
    tools = [f"{own[name].partition(' as ')[0]} as {name}\n" for name in minipaddle.__all__]
    written = {"minipaddle/__init__.pyi": "".join(tools)}
    waiting = ["minipaddle.paddle"]
    while waiting:
        name = waiting.pop()
        module = import_module(name)
        path = "/".join([*name.split("."), "__init__"] if hasattr(module, "__path__") else name.split("."))
        if f"{path}.pyi" not in written:
            stub = Stub(name)
            stub.fill()
            written[f"{path}.pyi"] = text = str(stub)
            ast.parse(text, path)
            waiting += sorted({*stub.homes, name.rpartition(".")[0]} - {"minipaddle"})
    return written


def write(folder: Path = FOLDER) -> None:
    """Write the stubs into a folder, in place of what was there."""
    shutil.rmtree(folder, ignore_errors=True)
    for path, text in {"minipaddle/py.typed": "partial\n", **stubs()}.items():
        file = folder / path.removeprefix("minipaddle/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()
