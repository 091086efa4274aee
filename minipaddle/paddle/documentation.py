"""The pages of Paddle's documentation, by the names of functions and operators."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path

from minipaddle.engine.operator.operator import Operator
from minipaddle.ops.definition.traits import has


@cache
def _irregular() -> dict[str, str]:
    """Return the table of pages.toml: pages by operator type."""
    return tomllib.loads(Path(__file__).with_name("pages.toml").read_text("utf-8"))


def paddle_page(op: Operator, language: str, attrs: Mapping[str, object] | None = None) -> str:
    """Return the address of Paddle's documentation of an operator's function; "" if it has no public name there.

    >>> from minipaddle.engine.operator.operator import TABLE
    >>> paddle_page(TABLE["pool2d"], "en", {"pooling_type": "avg"}).rpartition("/")[2]
    'avg_pool2d_en.html'
    """
    if has("ours", op.type):
        return ""
    if page := _irregular().get(op.type):
        kind = (attrs or {}).get("pooling_type")  # one operator, two functions
        return page_of_name(f"paddle.{page.replace('*', str(kind or 'max'))}", language)
    for module in ("paddle", "paddle.nn.functional"):
        if callable(getattr(import_module(f"minipaddle.{module}"), op.name, None)):
            return page_of_name(f"{module}.{op.name}", language)
    return ""


def page_of_name(name: str, language: str) -> str:
    """Return the address of Paddle's page on a public name, in English or Chinese (``zh``).

    >>> page_of_name("paddle.linalg.inv", "en").partition("/docs/")[2]
    'en/api/paddle/linalg/inv_en.html'
    """
    spoken, end = ("zh", "cn") if language == "zh" else ("en", "en")
    page = f"{spoken}/api/{name.replace('.', '/')}_{end}.html"
    return f"https://www.paddlepaddle.org.cn/documentation/docs/{page}"
