"""Pictures from Python: of a tensor, of a recording, of a Program."""

import sys
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from minipaddle.engine.errors import user_frame
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.watch.watched_mode import observers
from minipaddle.paddle.static.program.program import Program
from minipaddle.paddle.static.program.variable import Variable
from minipaddle.tools.picture.choices import Options
from minipaddle.tools.picture.model.mirror import forward_only, mirror, mirror_or_forward
from minipaddle.tools.picture.model.outcome import NOT_RUN
from minipaddle.tools.picture.picture import Picture
from minipaddle.tools.record.events import Trace
from minipaddle.tools.record.sources.eager.recorder import Recorder
from minipaddle.tools.record.sources.program.events import sketch
from minipaddle.tools.record.sources.tape import trace_of
from minipaddle.tools.words.language import phrase, phrases


class Recorded(Protocol):
    """An object with a recording, such as a ``with`` block's (:mod:`minipaddle.tools.debug`)."""

    @property
    def trace(self) -> Trace:
        """The recording."""


def graph(
    of: Tensor | Sequence[Tensor] | Program | Variable | Trace | Recorded,
    pass_number: int | None = None,
    params: Mapping[str, Tensor] | None = None,
    **options: Any,
) -> Picture:
    """Return a picture of the gradient of `of`.

    A tensor needs no preparation: the tape of its computation is drawn, with the shapes and numbers that it
    still has. A recording has all of them.

    Args:
        of: a tensor, a list of them, a static Program (which is not run; a Variable stands for its Program), or a
            recording.
        pass_number: in a recording or Program, which backward pass, or call of append_backward (the last one).
        params: names for tensors, such as ``dict(net.named_parameters())``.
        options: those of :class:`minipaddle.tools.picture.choices.Options`, as on the command line
            (``view="forward"``); for a Program also ``title``.

    Returns:
        a :class:`Picture`: it shows itself in a notebook, and has ``svg()``, ``html()``, ``dot``, ``save(path)``,
        ``show()``.

    Raises:
        TypeError: for anything else.
        ValueError: **no graph**, for a tensor that requires no gradient, or no such pass; **option**, for an
            impossible one.
    """
    if isinstance(of, (Program, Variable)):
        program = of if isinstance(of, Program) else of.block.program
        trace = sketch(program, options.pop("title", "program"))
        whole = mirror(trace, pass_number) if trace.passes else forward_only(trace, phrase("no backward"))
        return Picture(whole, trace, Options(**options))
    chosen = Options(**options)
    held = of if isinstance(of, Tensor) else getattr(of, "trace", of)
    recording = held if isinstance(held, Trace) else None
    roots: Any = [of] if isinstance(of, Tensor) else of
    if recording is None:
        if not isinstance(roots, (list, tuple)) or not all(isinstance(root, Tensor) for root in roots):
            what = type(of).__name__
            raise TypeError(f"graph() takes a Tensor, a list of them, a Program or a recording, not {what}")
        now = next((one for one in observers() if isinstance(one, Recorder)), None)
        recording = now.trace if now is not None and now.trace.passes else None
    if recording is not None:
        return Picture(mirror_or_forward(recording, pass_number, chosen.view), recording, chosen)
    trace = trace_of(list(roots), params, user_frame(sys._getframe(1)))
    trace.script = "the tape"
    return Picture(mirror(trace, said=phrases("{before}; {after}", trace.notes) or NOT_RUN), trace, chosen)
