"""What the tests of commands share."""

import os

import pytest

from tests.support.drawn import SCRIPT
from tests.support.process import ROOT


@pytest.fixture
def script(write_script):
    return write_script(SCRIPT)


@pytest.fixture
def no_graphviz(tmp_path, monkeypatch):
    """Return an environment whose PATH has no `dot`, and in which pygraphviz is there and cannot be imported."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "pygraphviz.py").write_text("raise ImportError('libX11.so.6')", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path / "lib")
    return {
        "PATH": str(tmp_path / "empty"),
        "PYTHONPATH": os.pathsep.join([str(tmp_path / "lib"), str(ROOT)]),
    }
