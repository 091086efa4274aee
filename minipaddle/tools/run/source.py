"""Reads the text of a script; errors give the reason in one sentence."""

from importlib.util import decode_source
from pathlib import Path

from minipaddle.engine.names.missing import near
from minipaddle.tools.words.language import TranslatableError, phrase


class UnusableScript(TranslatableError):
    """No Python script has this name."""


def read_script(path: Path) -> str:
    """Return the text of a script, decoded by its coding line or as UTF-8.

    Raises UnusableScript for no file, a directory, or no Python text.
    """
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
    beside = [script.name for script in path.parent.glob("*.py")]
    names = ", ".join(str(path.parent / name) for name in near(path.name, beside))
    return phrase("{said}; nearest: {names}", said=said, names=names) if names else said
