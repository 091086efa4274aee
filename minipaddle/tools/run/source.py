"""Reads a script into a code object, or finds a module's source; errors give the reason in one sentence."""

import os
import sys
from importlib.machinery import PathFinder
from importlib.util import decode_source
from pathlib import Path
from types import CodeType

from minipaddle.engine.names.missing import near
from minipaddle.tools.words.language import TranslatableError, phrase


class UnusableScript(TranslatableError):
    """No Python script has this name."""


def compile_script(path: Path) -> CodeType:
    """Compile a script as Python would; tracebacks will show its absolute path, as Python's do.

    Raises:
        UnusableScript: no such file, a directory, or no Python text.
        SyntaxError: it is Python text with a mistake in it.
    """
    return compile(read_script(path), path.absolute(), "exec", dont_inherit=True)


def read_script(path: Path) -> str:
    """Return the text of a script, decoded by its coding line or as UTF-8. Raises UnusableScript."""
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
    """Return the message `said`, followed by scripts beside `path` with similar names."""
    try:
        beside = [script.name for script in path.parent.glob("*.py")]
    except OSError:
        return said
    names = ", ".join(str(path.parent / name) for name in near(path.name, beside))
    return phrase("{said}; nearest: {names}", said=said, names=names) if names else said


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
