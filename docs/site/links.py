"""Links between files of the repository, as the site follows them: to a page, to source code, to a file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

from docs.site import code
from docs.site.paths import ROOT


def setup(app: Sphinx) -> dict[str, Any]:
    """Resolve the links of every page that is read; write what they show of the source code."""
    app.connect("doctree-read", _resolve)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _resolve(app: Sphinx, tree: nodes.document) -> None:
    """Turn links to files that are no pages into what the site has for them; Sphinx tells of those to nowhere."""
    page = app.env.docname
    for link, target in list(_unresolved(tree)):
        path, _, anchor = target.partition("#")
        found = Path(os.path.normpath(ROOT / Path(page).parent / path))
        if not found.is_relative_to(ROOT) or not found.exists():
            continue
        name = found.relative_to(ROOT).as_posix()
        document = name.removesuffix(".py") if name.startswith("tutorials/") else f"{name}/README"
        if document in app.env.found_docs:
            link.replace_self(_to_page(link, document, anchor, page))
        elif found != ROOT:
            link.replace_self(_to_code(link, name, page))


def _unresolved(tree: nodes.document) -> Iterator[tuple[nodes.Element, str]]:
    for link in tree.findall(addnodes.pending_xref):
        if link["reftype"] == "myst" and link["refdomain"] is None:
            yield link, link["reftarget"]
    for download in tree.findall(addnodes.download_reference):
        yield download, download["reftarget"]


def _to_page(link: nodes.Element, document: str, anchor: str, page: str) -> nodes.Element:
    return addnodes.pending_xref(
        "",
        *link.children,
        refdomain="doc",
        reftype="myst",
        reftarget=document,
        reftargetid=anchor or None,
        refdoc=page,
        refexplicit=True,
    )


def _to_code(link: nodes.Element, name: str, page: str) -> nodes.Element:
    up = "../" * (page.count("/") + 1)
    return nodes.reference("", "", *link.children, refuri=f"{up}{code.address(name)}", internal=True)
