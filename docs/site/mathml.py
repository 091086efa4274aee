"""Formulas as MathML, which browsers draw themselves: no script, no network, and screen readers read it."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, Any]:
    """Offer `html_math_renderer = "mathml"`."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


_NAME = re.compile(r"\\mathit\{((?:[^{}\\]|\\.)*)\}")


def mathml(latex: str, display: str) -> str:
    r"""Return a formula as MathML; a name of several letters is one word.

    >>> mathml(r"\mathit{d\_x}", "inline").partition("<mtext")[2].partition("</mtext>")[0]
    ' mathvariant="italic">d_x'
    """
    words = _NAME.sub(lambda found: rf"\textit{{{found[1].replace(chr(92), '')}}}", latex)
    return str(convert(words, display=display))


def _inline(writer: Any, node: nodes.Element) -> None:
    writer.body.append(mathml(node.astext(), "inline"))
    raise nodes.SkipNode


def _block(writer: Any, node: nodes.Element) -> None:
    formula = mathml(node.astext(), "block")
    writer.body.append(f'<div class="formula" tabindex="0" role="group" aria-label="formula">{formula}</div>')
    raise nodes.SkipNode
