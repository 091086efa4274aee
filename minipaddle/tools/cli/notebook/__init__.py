"""The entry of a notebook: ``%load_ext minipaddle`` adds the magics, and makes ``import paddle`` import minipaddle.

Cells are recorded (``kernel``), and the magics look at that recording (``magics``); ``lesson`` writes tutorials as
notebooks.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from minipaddle.tools.cli.notebook.kernel import Kernel

_kernels: WeakKeyDictionary[InteractiveShell, Kernel] = WeakKeyDictionary()


def load(shell: InteractiveShell) -> None:
    """Add the magics to a shell of IPython; `import paddle` is minipaddle from now on. Raises RuntimeError."""
    from minipaddle.importer import install
    from minipaddle.tools.cli.notebook.lesson import TASKS
    from minipaddle.tools.cli.notebook.magics import register
    from minipaddle.tools.cli.translated_help import speak_as_told

    install()
    if TASKS not in sys.meta_path:
        sys.meta_path.insert(0, TASKS)
    speak_as_told([])
    _kernels[shell] = register(shell)


def unload(shell: InteractiveShell) -> None:
    """Stop recording the cells of a shell."""
    from minipaddle.tools.cli.notebook.lesson import TASKS

    if TASKS in sys.meta_path:
        sys.meta_path.remove(TASKS)
    kernel = _kernels.pop(shell, None)
    if kernel is not None:
        kernel.close()
