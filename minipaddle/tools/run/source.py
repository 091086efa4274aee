"""What can be run: a script, read into a code object, or ``module:function``; or one sentence why it cannot."""

import importlib
import inspect
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.machinery import PathFinder
from importlib.util import decode_source
from pathlib import Path
from types import CodeType
from typing import Any

from minipaddle.engine.names.public import near
from minipaddle.engine.names.translatable import phrase


class UnusableScript(Exception):
    """There is no Python script under this name. The message is one sentence for the user, with its parts put in."""

    def __init__(self, sentence: str, **parts: object) -> None:
        super().__init__(phrase(sentence, **parts) if parts else sentence)


def compile_script(path: Path) -> CodeType:
    """Compile a script as Python would; tracebacks will show its absolute path, as Python's do.

    Raises:
        UnusableScript: no such file, a directory, or no Python text.
        SyntaxError: it is Python text with a mistake in it.
    """
    return compile(read_script(path), path.absolute(), "exec", dont_inherit=True)


def read_script(path: Path) -> str:
    """Return the text of a script, decoded as its coding line or UTF-8 demands. Raises UnusableScript."""
    data = _read(path)
    if b"\0" in data:
        raise UnusableScript("{path} is not Python source: it holds binary data", path=path)
    try:
        return decode_source(data)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        reason: str = phrase("no {encoding} text in line {line}", encoding=error.encoding, line=line)
    except SyntaxError as error:  # the first two lines, which may name the encoding
        reason = error.msg
    raise UnusableScript(
        "{path} cannot be decoded ({reason}): save it as UTF-8, "
        "or name its encoding in the first line, as in `# -*- coding: gbk -*-`",
        path=path,
        reason=reason,
    )


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise UnusableScript(_with_hint(phrase("there is no file {path}", path=path), path)) from None
    except IsADirectoryError:
        said = phrase("{path} is a directory: name the script in it", path=path)
        raise UnusableScript(_with_hint(said, path / "main.py")) from None
    except OSError as error:
        why = error.strerror or str(error)
        raise UnusableScript("{path} cannot be read: {why}", path=path, why=why) from None


def _with_hint(said: str, path: Path) -> str:
    """Return what is said, and which scripts beside `path` are called nearly like it."""
    try:
        beside = [script.name for script in path.parent.glob("*.py")]
    except OSError:
        return said
    return with_hint(said, [str(path.parent / name) for name in near(path.name, beside)])


def with_hint(said: str, names: list[str]) -> str:
    """Return what is said, and the names that are near."""
    return phrase("{said}; nearest: {names}", said=said, names=", ".join(names)) if names else said


_FORM = re.compile(r"[^\W\d][\w./\\]*:[^\W\d][\w.]*")


def names_a_function(text: str) -> bool:
    """Say whether `text` has the form ``module:function`` and is no file.

    >>> names_a_function("train:main"), names_a_function("train.py"), names_a_function("a.b:Net.run")
    (True, False, True)
    """
    return _FORM.fullmatch(text) is not None and not os.path.exists(text)


def find_function(text: str) -> Callable[[], Any]:
    """Import the module of ``module:function``, and return the function.

    Raises UnusableScript if there is none of that name, or it cannot be called without arguments.
    """
    module_name, _, path = text.partition(":")
    found: Any = _imported(module_name, path)
    reached = module_name
    for name in path.split("."):
        if not hasattr(found, name):
            hint = near(name, [one for one in vars(found) if not one.startswith("_")])
            raise UnusableScript(with_hint(phrase("{module} has no {name}", module=reached, name=name), hint))
        found, reached = getattr(found, name), f"{reached}.{name}"
    _insist_on_a_call_without_arguments(found, text)
    function: Callable[[], Any] = found
    return function


def _imported(name: str, path: str) -> Any:
    module = re.sub(r"[/\\]", ".", name.removesuffix(".py"))
    if module != name:
        raise UnusableScript("a function is named by its module: {name}", name=f"{module}:{path}")
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise  # the module is there, and misses another one
        beside = [one.stem for one in Path().glob("*.py")]
        beside += [one.parent.name for one in Path().glob("*/*.py")]
        said = phrase("there is no module {name}", name=error.name)
        raise UnusableScript(with_hint(said, near(name, beside))) from None


def _insist_on_a_call_without_arguments(found: Any, text: str) -> None:
    if not callable(found):
        raise UnusableScript("{name} is no function, but {kind}", name=text, kind=type(found).__name__)
    if inspect.iscoroutinefunction(found) or inspect.isgeneratorfunction(found):
        raise UnusableScript(
            "{name} would not run when it is called: it is a coroutine or a generator", name=text
        )
    try:
        signature = inspect.signature(found)
    except (TypeError, ValueError):  # it is not known: a call will tell
        return
    required = [one for one in signature.parameters.values() if one.default is one.empty]
    needed = [one.name for one in required if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)]
    if needed:
        raise UnusableScript(
            "{name} needs arguments ({names}), and is called without: "
            "give them default values, or name a function that calls it",
            name=text,
            names=", ".join(needed),
        )


@contextmanager
def freshly_imported(text: str) -> Iterator[None]:
    """Forget the module of ``module:function`` afterwards, if it is new: another run shall run its lines again."""
    name = text.partition(":")[0]
    known = name in sys.modules
    try:
        yield
    finally:
        if not known:
            sys.modules.pop(name, None)


def source_of_module(name: str) -> Path:
    """Return the file of a module, without running it or the packages around it.

    Raises UnusableScript: there is no module of that name, or it has no source.
    """
    where: list[str] = [os.getcwd(), *sys.path]
    *packages, last = name.split(".")
    for package in packages:
        spec = PathFinder.find_spec(package, where)
        if spec is None or spec.submodule_search_locations is None:
            raise UnusableScript(
                "there is no package {package} for the module {name}", package=package, name=name
            )
        where = list(spec.submodule_search_locations)
    spec = PathFinder.find_spec(last, where)
    if spec is None:
        raise UnusableScript("there is no module {name}", name=name)
    main = [Path(folder) / "__main__.py" for folder in spec.submodule_search_locations or ()]
    files = [file for file in main if file.is_file()] or (
        [Path(spec.origin)] if spec.has_location and spec.origin else []
    )
    if not files or files[0].suffix != ".py":
        raise UnusableScript("the module {name} has no source to read", name=name)
    return files[0]
