"""``module:function`` in the place of a script: which function that is, and the file it is in."""

import importlib
import inspect
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any

from minipaddle.engine.names.public import near
from minipaddle.engine.names.translatable import phrase
from minipaddle.tools.run.source import UnusableScript, with_hint

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
    except (TypeError, ValueError):  # nobody knows: a call will tell
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
