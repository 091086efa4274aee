"""What the reference says of one name, as lines of MyST."""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import minipaddle
from docs.site.paths import ROOT
from docs.site.reference.example import Example
from docs.site.reference.latex import latex
from docs.site.reference.modules import methods
from docs.site.reference.text import escaped, fenced, markdown, page_of
from minipaddle.engine.operator.operator import Operator
from minipaddle.ops.definition.program_printing import slots_of
from minipaddle.paddle.documentation import paddle_page, page_of_name
from minipaddle.tools.explain.catalogue import kernel_formula, latex_of, rule_formulas
from minipaddle.tools.explain.formula import parameters
from minipaddle.tools.words.language import language, say_what_it_does

_KINDS = {"b": "bool", "i": "int", "u": "uint", "f": "float", "c": "complex"}
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")

_PAGES = re.compile(
    r"minipaddle\.(ops|paddle\.(static|jit|amp|autograd|distributed(?!\.fleet)|distribution|hapi|io|metric|"
    r"regularizer|utils|framework\.(io|parallel_env|summary|to_string)))\b"
)
"""Where functions and classes are that Paddle has a page of under the same name ..."""
_WITHOUT = ("paddle.io.WorkerInfo", "paddle.regularizer.WeightDecayRegularizer")
"""... but for these."""


def entry(
    name: str, value: Any, op: Operator | None, made: Example | None, picture: str, words: Any
) -> list[str]:
    """Return all that is known of a name; `words` says a label in the reader's language."""
    doc = inspect.getdoc(value) or ""
    body = [f":::{{py:{_kind(name, value)}}} {name}{_signature(value)}", ""]
    told = markdown(doc)
    if op is not None and told and told[1:2]:
        first = doc.partition("\n\n")[0].replace("\n", " ")
        if say_what_it_does(first) != first and told[1] == escaped(first):
            told[1] = escaped(say_what_it_does(first))
    if name.startswith("paddle.Tensor.") and hasattr(
        minipaddle.paddle, value_name := name.rpartition(".")[2]
    ):
        also = f"{words('As a function:')} {{py:func}}`paddle.{value_name}`"
        return [*body, *told[:3], also, "", ":::", ""]
    body += told
    if op is not None:
        body += _operator(op, made, picture, words)
    if inspect.isclass(value):
        body += _table(value, name, words)
    body += _links(value, op, _page(name, value, doc, op), words)
    return [*body, ":::", ""]


def _kind(name: str, value: Any) -> str:
    if inspect.isclass(value):
        return "exception" if issubclass(value, BaseException) else "class"
    return "method" if name.startswith("paddle.Tensor.") else "function"


def _signature(value: Any) -> str:
    """Return the parameters of a function as Python writes them, without the types that say nothing."""
    try:
        found = inspect.signature(value)
    except (TypeError, ValueError):
        return "(...)" if not inspect.isclass(value) else ""
    shown = [
        one.replace(annotation=inspect.Parameter.empty, default=_default(one.default))
        for one in found.parameters.values()
    ]
    return str(found.replace(parameters=shown, return_annotation=inspect.Signature.empty))


class _Written:
    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def _default(value: Any) -> Any:
    if value is inspect.Parameter.empty or isinstance(value, (bool, int, float, str, type(None))):
        return value
    return _Written("..." if callable(value) or " at 0x" in repr(value) else repr(value))


def _operator(op: Operator, made: Example | None, picture: str, words: Any) -> Iterator[str]:
    kinds = ", ".join(_KINDS[kind] for kind in op.kinds if kind in _KINDS)
    yield from (f"**{words('Operator')}** `{op.type}`: `{slots_of(op)}` ({words('dtypes')}: {kinds})", "")
    if made is not None:
        ins = ", ".join(f"`{name}` {_looks(one)}" for name, one in made.inputs if one is not None)
        outs = ", ".join(f"`{name}` {_looks(one)}" for name, one in made.outputs)
        attrs = ", ".join(f"`{key}={_ADDRESS.sub('', repr(one))}`" for key, one in made.attrs.items())
        yield from (f"**{words('Example')}** {ins}{f'; {attrs}' if attrs else ''} → {outs}", "")
    lines, tree = kernel_formula(op)
    yield from _formula(words("Computes"), latex_of(op) or (latex(tree) if tree else ""), lines)
    for rule, lines, tree in rule_formulas(op):
        name = op.input_names[rule.input].replace("_", r"\_")
        kept = ", ".join(f"`{one}`" for one in parameters(rule.function)[len(op.differentiable) :])
        keeps = f", {words('keeps')} {kept}" if kept else ""
        left = rf"\frac{{\partial L}}{{\partial \mathit{{{name}}}}} = "
        yield from _formula(
            words("Gradient of"),
            left + latex(tree) if tree else "",
            lines,
            f" `{op.input_names[rule.input]}`{keeps}",
        )
    if not op.rules:
        yield from (words("No gradient."), "")
    if picture:
        yield from (f"```{{image}} {picture}", f":alt: {words('The gradient of')} {op.name}", "```", "")


def _formula(label: str, formula: str, lines: list[str], more: str = "") -> Iterator[str]:
    yield from (f"**{label}**{more}", "")
    if formula:
        yield from ("$$", formula, "$$", "")
    else:
        yield from fenced(lines, "python")


def _looks(tensor: Any) -> str:
    return rf"\[{', '.join(map(str, tensor.shape))}\] {tensor.array.dtype}"


def _table(of: type, name: str, words: Any) -> Iterator[str]:
    """Yield the methods of a class that it defines itself or takes from our own bases."""
    if name == "paddle.Tensor":
        yield from (f"{words('Methods')}: [paddle.Tensor](paddle.Tensor.md)", "")
        return
    rows = [
        f"| `{one}` | {escaped((inspect.getdoc(value) or '').partition(chr(10))[0])} |"
        for one, value in methods(of)
        if one in vars(of)
    ]
    if rows:
        yield from (f"| {words('Methods')} | |", "|---|---|", *rows, "")


def _page(name: str, value: Any, doc: str, op: Operator | None) -> str:
    """Return the address of the page in Paddle: of the docstring, of the operator, or of a function of ops."""
    if written := page_of(doc):
        return written
    if op is not None:
        return paddle_page(op, language())
    module = getattr(value, "__module__", None) or ""
    return page_of_name(name, language()) if _PAGES.match(module) and name not in _WITHOUT else ""


def _links(value: Any, op: Operator | None, page: str, words: Any) -> Iterator[str]:
    links = [f"[{words('In Paddle')}]({page})"] if page else []
    try:
        plain = op.kernel if op is not None else inspect.unwrap(value)
        file, line = Path(inspect.getsourcefile(plain) or ""), inspect.getsourcelines(plain)[1]
    except (TypeError, OSError):
        file, line = Path(), 0
    if file.is_file() and file.is_relative_to(ROOT / "minipaddle"):
        links.append(f"[{words('Source')}]({os.path.relpath(file, ROOT / 'reference')}#L-{line})")
    if links:
        yield from (" · ".join(links), "")
