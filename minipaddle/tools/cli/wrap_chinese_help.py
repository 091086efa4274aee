"""Help in Chinese, which has no spaces to break a line at: rich would cut a line off, or leave half of it empty."""

from typing import Any

from rich.containers import Lines
from rich.text import Text
from typer.rich_utils import OptionHighlighter

from minipaddle.tools.words.prose import places_to_break


class _Chinese(Text):
    """A text whose lines may end between two Chinese characters."""

    def wrap(self, console: Any, width: int, **_: Any) -> Lines:
        """Return the lines."""
        lines = Lines()
        for line in self.split(allow_blank=True):
            lines.extend(line.divide(places_to_break(line.plain, width)))
        for line in lines:
            line.rstrip()
        return lines


class Folding(OptionHighlighter):
    """The function with which Typer formats its help, returning texts that fold as Chinese does."""

    def __call__(self, text: str | Text) -> Text:
        """Return the text with options and types highlighted."""
        told = super().__call__(text)
        return _Chinese(told.plain, told.style, spans=told.spans)
