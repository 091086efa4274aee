"""Pictures of Programs: forward on the left, what append_backward and minimize added on the right; nothing is run."""

from __future__ import annotations

from minipaddle.static.program import Program
from minipaddle.trace.program_sketch import sketch
from minipaddle.viz.mirror import forward_only, mirror
from minipaddle.viz.options import Options
from minipaddle.viz.picture import Picture
from minipaddle.viz.states import NOT_RUN

__all__ = ["program_picture"]


def program_picture(
    program: Program,
    title: str = "program",
    unfold: bool = False,
    pass_number: int | None = None,
    engine: str = "auto",
    options: Options | None = None,
) -> Picture:
    """Return a picture of a Program.

    Args:
        program: built so far; it is not run.
        title: what to call it.
        unfold: open gradient operators into the small operators that their rules are made of.
        pass_number: which call of append_backward or gradients (the last one).
        engine: who draws.
        options: what to show, and how.

    Raises:
        NoBackward: the Program has no operator, or no such pass.
    """
    trace = sketch(program, title, unfold)
    whole = mirror(trace, pass_number) if trace.passes else forward_only(trace)
    whole.subtitle = whole.subtitle.replace(NOT_RUN, "no backward")  # nor will it ever
    return Picture(whole, trace, options or Options(), engine)
