"""The tables of lines that programs are drawn from: text files of sections."""

from pathlib import Path


def tables(name: str) -> dict[str, list[str]]:
    """The sections of `NAME.txt`, each a list of lines."""
    found: dict[str, list[str]] = {}
    for line in (Path(__file__).parent / f"{name}.txt").read_text().splitlines():
        if line.startswith("[") and line.endswith("]") and line[1:-1].isidentifier():
            section = found.setdefault(line[1:-1], [])
        elif line and not line.startswith("#"):
            section.append(line)
    return found
