"""Recordings of small scripts, made in this process."""

import pytest

from minipaddle.engine.watch.watched_mode import watching
from minipaddle.tools.debug import Session
from minipaddle.tools.record import Recorder
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
