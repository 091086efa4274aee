"""Fixtures for the tests of commands."""

import pytest

from tests.support.drawn import SCRIPT
from tests.support.process import ROOT


@pytest.fixture
def script(write_script):
    return write_script(SCRIPT)


@pytest.fixture
def no_graphviz(tmp_path):
    """Return an environment whose PATH has no `dot`."""
    (tmp_path / "empty").mkdir()
    return {"PATH": str(tmp_path / "empty"), "PYTHONPATH": str(ROOT)}
