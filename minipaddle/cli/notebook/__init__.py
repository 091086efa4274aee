"""The door of a notebook: ``%load_ext minipaddle`` brings the magics, and lets ``import paddle`` mean minipaddle.

What the cells do is recorded (``kernel``), the magics look at that (``magics``); ``lesson`` writes tutorials as
notebooks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from minipaddle.cli.notebook.kernel import Shell


def load(shell: Shell) -> None:
    """Bring the magics to a shell of IPython; `import paddle` is minipaddle from here on.

    Raises:
        RuntimeError: the real Paddle is already imported; there cannot be two under one name.
    """
    from minipaddle.cli.notebook.magics import register
    from minipaddle.cli.options import speak_as_told
    from minipaddle.compat.importer import install

    install()
    speak_as_told("auto")
    register(shell)
