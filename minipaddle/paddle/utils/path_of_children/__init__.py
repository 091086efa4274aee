"""Lets processes spawned by a script import minipaddle as paddle: they inherit `sys.path`, but no finder.

So the path that `multiprocessing` gives them begins with this folder, which has a module ``paddle``. The
script's own `sys.path` is unchanged.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def spawned_have_paddle() -> Iterator[None]:
    """Let `import paddle` mean minipaddle in each process that is spawned (not forked) within the ``with`` block."""
    try:
        from multiprocessing import spawn
    except ImportError:  # in a browser, which has no processes
        yield
        return
    before, here = spawn.get_preparation_data, os.path.dirname(__file__)

    def get_preparation_data(name: str) -> dict[str, Any]:
        data = before(name)
        return data | {"sys_path": [here, *data["sys_path"]]}

    vars(spawn)["get_preparation_data"] = get_preparation_data
    try:
        yield
    finally:
        vars(spawn)["get_preparation_data"] = before
