"""The debugger's answers from Python: ``minipaddle.why``, ``check`` and ``flow`` of a recording."""

from minipaddle.tools.checks.flow import flow_lines, gradient_flow
from minipaddle.tools.checks.gradient.check import check_trace
from minipaddle.tools.checks.gradient.results import check_line, check_summary
from minipaddle.tools.debug.api import Run
from minipaddle.tools.debug.cards import why_lines, why_name
from minipaddle.tools.debug.session import Session
from minipaddle.tools.record.events import Trace


class Lines(list[str]):
    """Lines of an answer; a prompt or a notebook shows them as text."""

    def __repr__(self) -> str:
        """The text."""
        return "\n".join(self)


def why(of: Run | Trace, name: str) -> Lines:
    """Return the reason for a value's numbers: ``why(run, "w.grad")``, or for one element ``why(run, "w.grad[0, 1]")``.

    Raises NoMove if nothing in the recording has this name.
    """
    session = Session(_trace(of))
    session.position = len(session.stops) - 1
    return Lines(why_lines(session, why_name(session, name)))


def check(of: Run | Trace) -> Lines:
    """Compare every gradient of a recording with how the outputs really change; wrong gradients come first."""
    trace = _trace(of)
    found = sorted(check_trace(trace), key=lambda one: one.verdict != "wrong")
    return Lines([*(check_line(trace, one) for one in found), check_summary(found)])


def flow(of: Run | Trace, pass_number: int | None = None) -> Lines:
    """Return the gradient flow of one backward pass (the last): places where it vanishes, explodes or is lost first."""
    return Lines(flow_lines(gradient_flow(_trace(of), pass_number)))


def _trace(of: Run | Trace) -> Trace:
    return of.trace if isinstance(of, Run) else of
