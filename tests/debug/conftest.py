"""Recordings of small scripts, made in this process."""

import subprocess
from pathlib import Path

import pytest

from minipaddle.engine.watch.watched_mode import watching
from minipaddle.tools.debug import Session
from minipaddle.tools.debug.dap import adapter
from minipaddle.tools.record import Recorder
from minipaddle.tools.record.file import load
from tests.support.dap import COMMAND, SCRIPT, editor
from tests.support.runs import train


@pytest.fixture
def record():
    """`record(function, max_mb=256)` runs a function under a recorder and returns the trace."""

    def run(function, **options):
        recorder = Recorder(__file__, **options)
        with watching(recorder):
            function()
        return recorder.finish()

    return run


@pytest.fixture
def session(record):
    """A session at the beginning of `train`."""
    return Session(record(train))


# -- of an editor -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    path = tmp_path_factory.mktemp("dap") / "net.py"
    path.write_text(SCRIPT)
    return path


@pytest.fixture(scope="module")
def recording(program):
    path = program.with_suffix(".mpt")
    command = [*COMMAND, "trace", str(program), "--passes", "all", "-o", str(path)]
    subprocess.run(command, check=True, capture_output=True)
    return path


class Recorded:
    """A script whose recording is there, without another process: launching is not what is tested."""

    def __init__(self, config, folder):
        self.file = config["program"]

    def trace(self, wire):
        return load(Path(self.file))

    def end(self):
        pass


@pytest.fixture
def recorded(monkeypatch):
    monkeypatch.setattr(adapter, "Script", Recorded)


@pytest.fixture
def vscode(recording, recorded):
    """An editor at the first line of the recording."""
    with editor() as one:
        one.launch(recording)
        one.begin()
        yield one
