"""The page: one HTML file with the picture, its numbers, its source and a script; no network, no server."""

from minipaddle.viz.page.page import to_html

__all__ = ["to_html"]
