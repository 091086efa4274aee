"""Let `import paddle` mean minipaddle for a moment: while the case modules are imported."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType

from minipaddle.names.public import RENAMED


@contextmanager
def paddle_is(module: ModuleType) -> Iterator[None]:
    """Inside the block `import paddle` gives `module`; what is imported meanwhile stays imported."""
    meant = {"paddle": module, **{paddles: import_module(ours) for paddles, ours in RENAMED.items()}}
    before = {name: sys.modules[name] for name in meant if name in sys.modules}
    sys.modules.update(meant)
    try:
        yield
    finally:
        for name in meant:
            del sys.modules[name]
        sys.modules.update(before)
