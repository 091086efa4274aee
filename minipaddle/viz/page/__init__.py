"""The page: one HTML file with the picture, its numbers, its source and a script; no network, no server."""

from minipaddle.viz.page.page import to_html
from minipaddle.viz.page.passes import other_passes

__all__ = ["other_passes", "to_html"]
