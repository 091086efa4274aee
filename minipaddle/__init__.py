"""minipaddle: how a deep-learning framework computes gradients, to read, see and step through.

``from minipaddle import paddle`` is Paddle's namespace, ``minipaddle.graph(loss)`` and its kin are the tools.
Nothing is loaded until one of them is asked for, so that ``minipaddle --help`` needs no NumPy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from minipaddle.engine import extension_point as extension

if TYPE_CHECKING:
    from minipaddle import paddle as paddle
    from minipaddle.tools.debug import record, step
    from minipaddle.tools.debug.questions import check, flow, why
    from minipaddle.tools.picture import graph

__version__ = "0.1.0"
__all__ = ["check", "flow", "graph", "paddle", "record", "step", "why"]

_TOOLS = {"graph": "picture", "record": "debug", "step": "debug"}
_TOOLS |= dict.fromkeys(("check", "flow", "why"), "debug.questions")
_ROOMS = ("engine", "ops", "paddle", "tools")


@extension.draw_program.filled
def _draw_program(program: Any, **options: Any) -> Any:
    from minipaddle.tools.picture.api import graph

    return graph(program, **options)


@extension.draw_page.filled
def _draw_page(picture: Any) -> Any:
    from minipaddle.tools.page import page_of

    return page_of(picture)


def load_ipython_extension(shell: Any) -> None:
    """Bring ``%%graph``, ``%%step``, ``%why`` and ``%check`` to a notebook: ``%load_ext minipaddle``."""
    import_module("minipaddle.tools.cli.notebook").load(shell)


def unload_ipython_extension(shell: Any) -> None:
    """Remove the magics again; `import paddle` stays minipaddle."""
    import_module("minipaddle.tools.cli.notebook").unload(shell)


def __getattr__(name: str) -> Any:
    """Import a package, or a function of the tools, on first use."""
    if name in _ROOMS:
        return import_module(f"minipaddle.{name}")
    if name in _TOOLS:
        globals()[name] = found = getattr(import_module(f"minipaddle.tools.{_TOOLS[name]}"), name)
        return found
    raise AttributeError(
        f"module 'minipaddle' has no attribute {name!r}; Paddle's names are in minipaddle.paddle"
    )


def __dir__() -> list[str]:
    """List the tools, loaded or not."""
    return sorted({*globals(), *__all__})
