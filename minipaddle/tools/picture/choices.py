"""The options of a picture: each once, with its words, its default and its help on the command line.

It imports no NumPy, which `minipaddle graph --help` does without. Read next: :mod:`minipaddle.tools.picture.options`,
which applies them.
"""

import re
import shutil
import subprocess
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from minipaddle.tools.words.language import TranslatableError


class BadOption(TranslatableError, ValueError):
    """An invalid option; the message names it and the allowed words."""


class Help(NamedTuple):
    """The help of an option, and the kind of argument it takes."""

    words: str
    metavar: str | None = None
    typed: Any = None
    """The type on the command line, where it differs from Python's."""


Format = Literal["svg", "png", "pdf", "tex", "dot", "json", "html"]
View = Literal["both", "forward", "backward"]
Layout = Literal["mirror", "tape"]
Direction = Literal["TB", "LR"]
Detail = Literal["none", "stats", "full"]
ThemeName = Literal["light", "dark", "print", "cb"]
"""The tables of draw/themes.toml."""

_DPI = 10, 2400
"""Dots per inch: a thumbnail's, and those of the best printers."""
_INCH = {"in": 1.0, "cm": 2.54, "mm": 25.4, "pt": 72.0}
_WIDEST = 200.0
"""Inches: the sides of a page of PDF."""
_LAYOUT = "mirror: twins on one row. tape: one step a row, as it ran."
_DEPTH = "Close the layers within so many others: 0 closes all, `all` none (as many as do not fit)."


@dataclass(frozen=True)
class Options:
    """The view of a graph."""

    view: Annotated[View, Help("Both sides of the mirror: both; or one: forward, backward.", "SIDE")] = "both"
    layout: Annotated[Layout, Help(_LAYOUT)] = "mirror"
    direction: Annotated[Direction, Help("Forward runs down (TB) or to the right (LR).")] = "TB"
    values: Annotated[Detail, Help("Numbers in the nodes: none, a glance, or all there is.")] = "stats"
    depth: Annotated[int | str | None, Help(_DEPTH, "N|all", str)] = None
    open: Annotated[
        tuple[str, ...], Help("Open the layer of that name (or class) all the same.", "NAME", list[str])
    ] = ()
    fold: Annotated[
        Literal["auto", "none"], Help("Draw repeats once (×12), where a picture would be too large.")
    ] = "auto"
    collapse: Annotated[str, Help("Close the layers whose title matches.", "RE")] = ""
    focus: Annotated[str, Help("Only what is at most K steps (2) from that name.", "NAME±K")] = ""
    highlight: Annotated[str, Help("Point out the nodes whose text matches.", "RE")] = ""
    saved: Annotated[bool, Help("Say how many bytes are kept for backward, and where.")] = False
    theme: Annotated[ThemeName, Help("Colours; cb: those that colour-blind people tell apart.")] = "light"
    math: Annotated[bool, Help("∂L/∂x for x@GRAD, and the local derivative on each red arrow.")] = False
    bare: Annotated[bool, Help("Without title and legend.")] = False
    font: Annotated[str, Help("The font of a drawing, by its family's name.", "FAMILY")] = ""
    width: Annotated[str, Help("The width of a drawing: 12cm, 4.5in, 345pt.", "LENGTH")] = ""
    dpi: Annotated[int | None, Help("Dots per inch of a PNG, 96 if not given.", "N")] = None
    live: Annotated[bool, Help("A page in which numbers can be changed, if they are few.")] = True

    def __post_init__(self) -> None:
        """Check the options that can be checked before anything runs.

        Raises BadOption for a bad regular expression or theme, and for a word that an option does not have.
        """
        kinds = {
            name: get_args(kind)
            for name, kind in get_type_hints(Options).items()
            if get_origin(kind) is Literal
        }
        for option, words in kinds.items():
            chosen = getattr(self, option)
            if chosen not in words:
                there = {"option": option.replace("_", "-"), "chosen": chosen, "names": ", ".join(words)}
                raise BadOption("{option} {chosen!r}: there are {names}", **there)
        said: Any = self.open  # one name, or several
        object.__setattr__(self, "open", (said,) if isinstance(said, str) else tuple(said or ()))
        object.__setattr__(self, "depth", _depth(self.depth))
        self.pattern("collapse")
        self.pattern("highlight")
        _ = self.inches
        if self.font:
            insist_on_font(self.font)
        if self.dpi is not None and not _DPI[0] <= self.dpi <= _DPI[1]:
            raise BadOption(
                "dpi {dpi}: a number from {low} to {high}", dpi=self.dpi, low=_DPI[0], high=_DPI[1]
            )

    @property
    def inches(self) -> float | None:
        """The width in inches; None: as wide as it is with letters of the usual size.

        Raises BadOption for anything but ``12cm`` and its like.

        >>> Options(width="2.54cm").inches
        1.0
        """
        if not self.width:
            return None
        found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?) ?(in|cm|mm|pt)", self.width)
        inches = float(found[1]) / _INCH[found[2]] if found else 0.0
        if not 0 < inches <= _WIDEST:
            raise BadOption(
                "width {width!r}: a length up to {most} inches, such as 12cm, 4.5in or 345pt",
                width=self.width,
                most=f"{_WIDEST:g}",
            )
        return inches

    def pattern(self, option: str) -> re.Pattern[str] | None:
        """Return the regular expression of an option; None if there is none."""
        text: str = getattr(self, option)
        try:
            return re.compile(text) if text else None
        except re.error as error:
            raise BadOption(
                "{option} {text!r} is no regular expression: {error}", option=option, text=text, error=error
            ) from error


def _depth(said: Any) -> int | str | None:
    """Return a depth as a number, "all", or None if not given. Raises BadOption for anything else."""
    if said is None or said == "all":
        return None if said is None else "all"
    if isinstance(said, bool) or not str(said).isdecimal():
        raise BadOption("depth {depth}: frames are counted from 0, or all of them are open: all", depth=said)
    return int(said)


def insist_on_font(font: str) -> None:
    """Raise BadOption for a font that is no name, or that would be replaced by another one."""
    if not re.fullmatch(r"\w[\w .+-]*", font):
        raise BadOption("font {font!r}: the name of a family, such as DejaVu Serif", font=font)
    program = shutil.which("fc-match") or ""
    asked = [program, "--format", "%{family}", font.replace("-", "\\-")]  # its own family, or another's
    found = subprocess.run(asked, capture_output=True, text=True, check=False).stdout if program else ""
    if found and font.casefold() not in found.casefold().split(","):
        raise BadOption(
            "font {font!r} is not installed, {other} would stand in its place: `fc-list : family` lists them",
            font=font,
            other=found,
        )
