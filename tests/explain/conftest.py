"""Answers of `why` about small scripts, recorded in this process."""

import pytest

from minipaddle.tools.debug import Session
from minipaddle.tools.explain.why import why
from minipaddle.tools.words.events import title
from tests.support.recordings import recorded


@pytest.fixture
def answers():
    """`answers(script)` runs a script and returns the answer of `why` for each event, by its title; the last one."""

    def run(script, **options):
        trace = recorded(script, **options)
        return {title(trace.events[index]): why(trace, trace.events[index]) for index in Session(trace).stops}

    return run
