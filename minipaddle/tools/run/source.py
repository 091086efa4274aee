"""Read a user's script into a code object, or say in one sentence why that cannot be done."""

from importlib.util import decode_source
from pathlib import Path
from types import CodeType

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
