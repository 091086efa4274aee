from importlib import import_module

import pytest

from minipaddle.importer import paddle_is_minipaddle
from minipaddle.paddle.static.executor.run import Run
from tests.support.agreement import run_both_ways


@pytest.fixture(autouse=True)
def both_ways_agree(monkeypatch):
    """Run every Program step by step as well, and `import paddle` as a script does."""
    monkeypatch.setattr(Run, "_quickly", run_both_ways)
    with paddle_is_minipaddle():
        import_module("paddle")
        yield
