"""The ``.grad`` that retain_grads() keeps of a tensor that is no leaf has its name, and is explained."""

from minipaddle.debug import Session
from minipaddle.debug.cards import why_name
from tests.support.recordings import leaf, recorded


def test_a_retained_gradient_is_known_by_its_name():
    """There was said to be no h.grad, and it was v11 where it was used."""

    def script():
        x = leaf(1.0, 1.0)
        h = x * 2
        h.retain_grads()
        (h * h).sum().backward()
        k = h.grad * 3
        return x, k

    session = Session(recorded(script))
    assert session.made("h.grad") is None, "at the first event there is none yet"
    assert why_name(session, "h.grad").says[0].startswith("h@GRAD was made by accumulate (")
    used = session.goto("k")
    assert [value.name for value in session.trace.known(used.inputs)] == ["h.grad"]
    assert session.made("h.grad").array.tolist() == [4, 4]
    assert session.made("h.grad").holder != session.made("h@GRAD").holder
