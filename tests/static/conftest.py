import pytest

from minipaddle import paddle
from minipaddle.paddle.static.executor.run import Run
from tests.support.agreement import run_both_ways


@pytest.fixture(autouse=True)
def both_ways_agree(monkeypatch):
    """Run every Program step by step as well."""
    monkeypatch.setattr(Run, "_quickly", run_both_ways)


@pytest.fixture
def building():
    """Build within the test: empty Programs, an empty Scope, names from 0."""
    static = paddle.static
    paddle.enable_static()
    with (
        static.program_guard(static.Program(), static.Program()),
        static.scope_guard(static.Scope()),
        paddle.utils.unique_name.guard(),
    ):
        yield
    paddle.disable_static()
