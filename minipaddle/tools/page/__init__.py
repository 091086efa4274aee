"""The page: one HTML file with the picture, its numbers, its source and a script; no network, no server."""

from minipaddle.tools.page.page import page_of

__all__ = ["page_of"]
