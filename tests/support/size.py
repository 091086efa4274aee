"""Lines of Python in each room, against the ceilings in pyproject.toml; `make size` prints the table."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "minipaddle"
BUDGETS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["budgets"]


class Room(NamedTuple):
    """One or more folders with a common ceiling, and the lines that they have today."""

    name: str
    lines: int
    ceiling: int

    @property
    def left(self) -> int:
        """The lines that the room may still grow by; below 0: the lines by which it is too large."""
        return self.ceiling - self.lines


def files(folder: Path = PACKAGE) -> list[Path]:
    return sorted(folder.rglob("*.py"))


def lines_of(*paths: Path) -> int:
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in paths)


def rooms() -> Iterator[Room]:
    """Yield every room that pyproject names; not counted: rooms inside that have their own."""
    named = {name: [PACKAGE / part for part in name.split(" + ")] for name in BUDGETS["rooms"]}
    for name, folders in named.items():
        others = {one for group in named.values() for one in group} - set(folders)
        lines = lines_of(
            *(
                path
                for folder in folders
                for path in files(folder)
                if not any(path.is_relative_to(one) and one.is_relative_to(folder) for one in others)
            )
        )
        yield Room(name, lines, BUDGETS["rooms"][name])
    yield Room("minipaddle in all", lines_of(*files()), BUDGETS["minipaddle"])
    yield Room("tests", lines_of(*files(ROOT / "tests")), BUDGETS["tests"])


def files_in_folders() -> dict[str, int]:
    """Return how many Python files each folder of the package has."""
    return {str(folder.relative_to(ROOT)): len(list(folder.glob("*.py"))) for folder in PACKAGE.rglob("*/")}


def folders_at_the_top() -> list[str]:
    return sorted(path.name for path in PACKAGE.iterdir() if path.is_dir() and files(path))


if __name__ == "__main__":
    for room in rooms():
        over = "" if room.left >= 0 else f"   {-room.left:,} too many"
        print(f"{room.lines:8,}  of {room.ceiling:7,}   {room.name}{over}")
