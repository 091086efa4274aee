import pytest

from minipaddle.paddle.static.executor.run import Run
from tests.support.agreement import run_both_ways


@pytest.fixture(autouse=True)
def both_ways_agree(monkeypatch):
    """Run every Program step by step as well."""
    monkeypatch.setattr(Run, "_quickly", run_both_ways)
