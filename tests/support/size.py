"""How long the house is: lines of each room against the budgets in pyproject.toml; `make size` prints the table."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "minipaddle"
BUDGETS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["budgets"]


class Size(NamedTuple):
    """Some rooms together, how many lines they have, may have at most, and are to have (None: no budget)."""

    rooms: str
    lines: int
    budget: int | None = None
    aim: int | None = None


def python_files() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def lines_of(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def size_of(room: str) -> int:
    """Return the lines of a room, without those of its parts that have no budget."""
    left_out = [PACKAGE / part for part in BUDGETS["not counted"]]
    return sum(
        lines_of(path)
        for path in (PACKAGE / room).rglob("*.py")
        if not any(path.is_relative_to(part) for part in left_out)
    )


def together() -> Iterator[Size]:
    """Yield the groups of rooms that have a budget."""
    for rooms, budget in BUDGETS["rooms"].items():
        yield Size(rooms, sum(map(size_of, rooms.split())), budget, BUDGETS["aims"][rooms])


def alone() -> Iterator[Size]:
    """Yield every room, the largest first."""
    rooms = [path.name for path in PACKAGE.iterdir() if path.is_dir() and any(path.glob("*.py"))]
    yield from sorted((Size(room, size_of(room)) for room in rooms), key=lambda size: -size.lines)


def folders() -> dict[str, int]:
    """Return how many Python files each folder has."""
    return {str(folder.relative_to(ROOT)): len(list(folder.glob("*.py"))) for folder in PACKAGE.rglob("*/")}


if __name__ == "__main__":
    for size in (*alone(), *together()):
        print(
            f"{size.lines:7}  {size.rooms}"
            + (f"   (at most {size.budget}, to be {size.aim})" if size.budget else "")
        )
    print(f"{sum(map(lines_of, python_files())):7}  minipaddle in all")
    print(f"{sum(map(lines_of, (ROOT / 'tests').rglob('*.py'))):7}  tests")
