"""Operators by their names: the operator itself, its formula as LaTeX, its page in Paddle's documentation."""

import importlib
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from minipaddle.engine.operator.operator import TABLE, Operator
from minipaddle.ops.definition.traits import has
from minipaddle.tools.words.language import language


def find(name: str) -> Operator | None:
    """Return the operator with this public name or type."""
    return TABLE.get(name) or next((op for op in TABLE.values() if op.name == name), None)


@cache
def _written() -> dict[str, dict[str, str]]:
    """Return the tables of formulas.toml: LaTeX by operator type, and pages with an irregular name."""
    return tomllib.loads(Path(__file__).with_name("formulas.toml").read_text("utf-8"))


def latex_of(op: Operator) -> str:
    """Return the formula of `op` as LaTeX; "" if there is none."""
    return _written()["latex"].get(op.type, "")


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
    """Return the address of Paddle's page on a public name, in the reader's language.

    >>> page_of_name("paddle.linalg.inv").partition("/docs/")[2]
    'en/api/paddle/linalg/inv_en.html'
    """
    spoken, end = ("zh", "cn") if language() == "zh" else ("en", "en")
    page = f"{spoken}/api/{name.replace('.', '/')}_{end}.html"
    return f"https://www.paddlepaddle.org.cn/documentation/docs/{page}"
