"""The cells of strips as parts of a page: each knows its round, its norm and the node that it stands for."""

import math

from minipaddle.tools.picture.model.strips import LEVELS, Cell


def data_of(cell: Cell) -> list[str]:
    """Return the node that a cell stands for, its round or rounds, and its norm, where that is known."""
    rounds = str(cell.first) if cell.first == cell.last else f"{cell.first}-{cell.last}"
    return [cell.of, rounds, *([] if math.isnan(cell.norm) else [f"{cell.norm:.4g}"])]


def rules() -> str:
    """Return the CSS rules of cells: their colours lie between those of the scale of the theme that is chosen."""
    mixed = (
        f".level-{level}>*{{fill:color-mix(in srgb,var(--scale-high) {100 * level // LEVELS}%,var(--scale-low))}}\n"
        for level in range(LEVELS + 1)
    )
    named = {"zero": "paper", "bad": "alarm-fill", "unknown": "frame"}
    return "".join(mixed) + "".join(
        f".level-{level}>*{{fill:var(--{name})}}\n" for level, name in named.items()
    )
