"""Style: how a graph is to be drawn, as far as that is a matter of taste and not of what is in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from minipaddle.viz.labels import Detail
from minipaddle.viz.theme import THEMES, Theme, ThemeName

__all__ = ["Layout", "Style"]

Layout = Literal["mirror", "stack", "tape"]


@dataclass(frozen=True)
class Style:
    """The wishes of whoever looks at the picture."""

    layout: Layout = "mirror"
    """mirror: twins on one row. stack: backward below forward. tape: one step a row, in the order of the run."""
    direction: Literal["TB", "LR"] = "TB"
    values: Detail = "stats"
    theme_name: ThemeName = "light"
    saved: bool = False
    """Whether to say how much memory each rung keeps."""
    fills: Mapping[str, str] = field(default_factory=dict)
    """Node id -> colour that says a number, instead of that of its kind."""
    scale: str = ""
    """What those colours mean, in words."""
    legend: bool = True
    """Whether the picture itself has a title and a legend."""
    marked: frozenset[str] = frozenset()
    """Ids of the nodes to point out."""

    @property
    def theme(self) -> Theme:
        """The colours."""
        return THEMES[self.theme_name]
