"""The words that options of a picture may be: for Python, where they are types, and for the command line.

It imports nothing, for `minipaddle graph --help` must not load NumPy.
"""

from typing import Literal


class BadOption(ValueError):
    """An option that cannot be carried out; the message says which, and what there is."""


View = Literal["both", "forward", "backward"]
"""Which side of the mirror."""
Layout = Literal["mirror", "stack", "tape"]
"""mirror: twins on one row. stack: backward below forward. tape: one step a row, in the order of the run."""
Direction = Literal["TB", "LR"]
"""Where forward runs to: down, or to the right."""
Detail = Literal["none", "stats", "full"]
"""How much of the numbers is written into the nodes."""
Fold = Literal["auto", "none"]
"""Whether repeats are drawn once where a picture would be too large."""
Labels = Literal["names", "shapes"]
"""What is written at arrows: names where there are several, and sums; or the shape of what flows, too."""
ThemeName = Literal["light", "dark", "print", "cb"]
"""Colours; cb: for colour-blind people."""
EngineName = Literal["auto", "dot", "pygraphviz", "tape"]
"""Who draws: the first that can, or the one that is named. tape: our own drawing."""
