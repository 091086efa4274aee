"""What people type after ``make_dot(loss)``: the names of ``graphviz.Digraph``, which torchviz returns."""

from __future__ import annotations

import os
import webbrowser
from pathlib import Path

from minipaddle.framework.whole_file import write_whole
from minipaddle.viz.draw.render import Rendered

_NAME = "Digraph.gv"
"""What graphviz calls a file that nobody gave a name."""
_SAME = {"gv": "dot"}


class Digraph:
    """``render``, ``view``, ``pipe``, ``source`` and ``format``, as in https://graphviz.readthedocs.io."""

    format = "pdf"
    """What :meth:`render` and :meth:`pipe` make if they are not told; it can be set."""

    @property
    def dot(self) -> str:
        """Graphviz's language."""
        raise NotImplementedError

    def rendered(self, format: str) -> Rendered:
        """Return it in one of the formats, and who drew it."""
        raise NotImplementedError

    @property
    def source(self) -> str:
        """Graphviz's language; :attr:`dot` is the same."""
        return self.dot

    def pipe(self, format: str | None = None, encoding: str | None = None) -> bytes | str:
        """Return the drawing as bytes; with an `encoding`, as text.

        Raises:
            ValueError: **no picture format**.
            NoRenderer: for png and pdf without Graphviz.
        """
        data = self.rendered(_known(format or self.format)).data
        return data if encoding is None else data.decode(encoding)

    def render(
        self,
        filename: str | os.PathLike[str] | None = None,
        directory: str | os.PathLike[str] | None = None,
        view: bool = False,
        cleanup: bool = False,
        format: str | None = None,
        *,
        outfile: str | os.PathLike[str] | None = None,
    ) -> str:
        """Write the DOT text into `filename`, and the drawing beside it into ``filename.format``.

        Args:
            filename: "Digraph.gv" if it is not given; `outfile` without its suffix, if that is.
            directory: where to put both, the current one if it is not given; it is made if it is not there.
            view: open the drawing.
            cleanup: do not leave the DOT text.
            format: that of :attr:`format` if it is not given.
            outfile: the name of the drawing; its suffix is the format.

        Returns:
            the path of the drawing.

        Raises:
            ValueError: **no picture format**.
            NoRenderer: for png and pdf without Graphviz.
            OSError: if the place cannot be written.
        """
        kind = format or (format_of(outfile) if outfile is not None else self.format)
        beside = Path(outfile).with_suffix(".gv") if outfile is not None else Path(_NAME)
        text = Path(directory or "", filename if filename is not None else beside)
        drawing = Path(f"{text}.{kind}") if outfile is None else Path(directory or "", outfile)
        data = self.rendered(_known(kind)).data
        if not cleanup:
            write_whole(text, self.dot.encode())
        write_whole(drawing, data)
        if view:
            webbrowser.open(drawing.absolute().as_uri())
        return str(drawing)

    def view(
        self,
        filename: str | os.PathLike[str] | None = None,
        directory: str | os.PathLike[str] | None = None,
        cleanup: bool = False,
    ) -> str:
        """Render and open the drawing; return its path."""
        return self.render(filename, directory, view=True, cleanup=cleanup)


def _known(format: str) -> str:
    """Return one of our formats for one of graphviz's names."""
    return format_of(f"picture.{_SAME.get(format.lower(), format)}")


FORMATS = ("svg", "png", "pdf", "dot", "mmd", "json", "html")


def format_of(path: str | os.PathLike[str]) -> str:
    """Return the format that the suffix of a file name stands for, such as "svg".

    Raises:
        ValueError: if it stands for none.
    """
    suffix = Path(path).suffix
    if suffix.removeprefix(".").lower() not in FORMATS:
        raise ValueError(
            f"no picture format {suffix or 'without a suffix'}; there are: .{', .'.join(FORMATS)}"
        )
    return suffix.removeprefix(".").lower()
