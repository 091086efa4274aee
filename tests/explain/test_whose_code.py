"""`why` distinguishes user code from Paddle's own code that calls it."""

import pytest

from minipaddle import paddle
from minipaddle.tools.debug import Session
from minipaddle.tools.explain.why import why
from minipaddle.tools.record import load, save
from tests.support.recordings import Double, leaf, recorded


def _recomputed():
    paddle.distributed.fleet.utils.recompute(lambda v: Double.apply(v) * 2, leaf(1.0, 2.0)).sum().backward()


@pytest.mark.parametrize("kept", [False, True])
def test_recompute_is_paddles_and_what_it_calls_is_the_users(kept, tmp_path):
    trace = recorded(_recomputed)
    if kept:
        save(trace, tmp_path / "run.mpt")
        trace = load(tmp_path / "run.mpt")
    session, said = Session(trace), []
    while not session.at_end:
        said += [
            line.partition(", which")[0] for line in why(trace, session.event).says if "own code" in line
        ]
        session.step()
    assert list(dict.fromkeys(said)) == [
        "Paddle's own code begins: RecomputeFunction.forward",
        "the user's own code begins: Double.forward",
        "Double.forward is the user's own code: `step` goes into it",
        "RecomputeFunction.forward is Paddle's own code: `step` goes into it",
        "Paddle's own code begins: RecomputeFunction.backward",
        "the user's own code begins: Double.backward",
        "Double.backward is the user's own code: `step` goes into it",
        "RecomputeFunction.backward is Paddle's own code: `step` goes into it",
    ]
