"""The page: one HTML file with the picture, its numbers, its source and a script; no network, no server."""

from minipaddle.page.content import other_passes
from minipaddle.page.page import to_html

__all__ = ["other_passes", "to_html"]
