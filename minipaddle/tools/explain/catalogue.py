"""The catalogue of operators: signature, formula, gradient, what is kept, where the source is."""

import difflib
import importlib
import inspect
import os
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from minipaddle.engine.operator.operator import TABLE, Operator
from minipaddle.ops.definition.program_printing import slots_of
from minipaddle.ops.definition.traits import has
from minipaddle.tools.explain.example import kernel_formula, rule_formulas
from minipaddle.tools.explain.formula import parameters, source
from minipaddle.tools.words.language import language, say, say_what_it_does
from minipaddle.tools.words.terminal import padded


def find(name: str) -> Operator | None:
    """Return the operator with this public name or type."""
    table = TABLE
    return table.get(name) or next((op for op in table.values() if op.name == name), None)


def near(name: str) -> list[str]:
    """Return the names of operators that look like one that is none."""
    return difflib.get_close_matches(name, {op.name for op in TABLE.values()} | set(TABLE), n=3)


def names() -> list[str]:
    """Return the public names of all operators."""
    return sorted({op.name for op in TABLE.values()})


_ROOT = str(Path(__file__).resolve().parents[3])


@cache
def _written() -> dict[str, dict[str, str]]:
    """Return the tables that are written by hand: of each operator's type its LaTeX, and its page if need be."""
    return tomllib.loads(Path(__file__).with_name("formulas.toml").read_text("utf-8"))


def latex_of(op: Operator) -> str:
    """Return what `op` computes as LaTeX; "" if nobody has written it."""
    return _written()["latex"].get(op.type, "")


def entry(op: Operator) -> dict[str, object]:
    """Return all there is to say of an operator as JSON data."""
    file = inspect.getsourcefile(op.kernel) or ""
    return {
        "name": op.name,
        "type": op.type,
        "signature": f"{op.name}{inspect.signature(op)}",
        "slots": slots_of(op),
        "does": (op.__doc__ or "").strip().splitlines()[0] if op.__doc__ else "",
        "latex": latex_of(op),
        "kernel": source(op.kernel),
        "gradients": [
            {
                "input": op.input_names[rule.input],
                "formulas": ["\n".join(lines)],
                "keeps": parameters(rule.function)[len(op.differentiable) :],
            }
            for rule, lines, _ in rule_formulas(op)
        ],
        "paddle": paddle_page(op),
        "source": f"{os.path.relpath(file, _ROOT)}:{inspect.getsourcelines(op.kernel)[1]}",
    }


def paddle_page(op: Operator, attrs: Mapping[str, object] | None = None) -> str:
    """Return the address of Paddle's documentation of an operator's function; "" if it has no public name there.

    >>> paddle_page(TABLE["pool2d"], {"pooling_type": "avg"}).rpartition("/")[2]
    'avg_pool2d_en.html'
    """
    if has("ours", op.type):
        return ""
    if page := _written()["page"].get(op.type):
        kind = (attrs or {}).get("pooling_type")  # one operator, two functions
        return page_of_name(f"paddle.{page.replace('*', str(kind or 'max'))}")
    for module in ("paddle", "paddle.nn.functional"):
        if callable(getattr(importlib.import_module(f"minipaddle.{module}"), op.name, None)):
            return page_of_name(f"{module}.{op.name}")
    return ""


def page_of_name(name: str) -> str:
    """Return the address of the page that Paddle has of a public name, in the reader's language.

    >>> page_of_name("paddle.linalg.inv").partition("/docs/")[2]
    'en/api/paddle/linalg/inv_en.html'
    """
    spoken, end = ("zh", "cn") if language() == "zh" else ("en", "en")
    return (
        f"https://www.paddlepaddle.org.cn/documentation/docs/{spoken}/api/{name.replace('.', '/')}_{end}.html"
    )


def entry_lines(op: Operator) -> Iterator[str]:
    """Yield all there is to say of an operator as lines of text."""
    found = entry(op)
    yield f"{found['signature']}    {found['type']}: {found['slots']}"
    if found["does"]:
        yield f"    {say_what_it_does(str(found['does']))}"
    yield from _block(say("computes"), kernel_formula(op)[0])
    for rule, lines, _ in rule_formulas(op):
        yield from _block(f"d{op.input_names[rule.input]}", lines)
        kept = parameters(rule.function)[len(op.differentiable) :]
        said = say("keeps {names}", names=", ".join(kept)) if kept else say("keeps nothing")
        yield f"    {'':<10}{said}"
    if not op.rules:
        yield f"    {say('no gradient')}"
    yield f"    {found['source']}"
    if found["paddle"]:
        yield f"    {found['paddle']}"


def _block(label: str, lines: list[str]) -> Iterator[str]:
    for line in lines:
        yield f"    {padded(label, 10)}{line}"
        label = ""
