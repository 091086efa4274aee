"""Let `import paddle` mean minipaddle for a moment: while the case modules are imported."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType


@contextmanager
def paddle_is(module: ModuleType) -> Iterator[None]:
    """Inside the block `import paddle` gives `module`; what is imported meanwhile stays imported."""
    before = sys.modules.get("paddle")
    sys.modules["paddle"] = module
    try:
        yield
    finally:
        del sys.modules["paddle"]
        if before is not None:
            sys.modules["paddle"] = before
