"""Pictures from Python: of a tensor, of a recording, of what a ``with`` block does."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any

from minipaddle.autograd.tensor import Tensor
from minipaddle.core.mode import Around, Mode, current
from minipaddle.core.watching import Watching, watching
from minipaddle.static.program.program import Program
from minipaddle.static.program.variable import Variable
from minipaddle.trace.events import Trace
from minipaddle.trace.sources.eager.recorder import Recorder
from minipaddle.trace.sources.program.sketch import sketch
from minipaddle.trace.sources.tape import trace_of
from minipaddle.viz.draw.engines import ENGINES
from minipaddle.viz.draw.render import OWN
from minipaddle.viz.model.mirror import forward_only, mirror, mirror_or_forward
from minipaddle.viz.model.outcome import NOT_RUN
from minipaddle.viz.options import BadOption, Options
from minipaddle.viz.picture import Picture


class Recording:
    """What a ``with recording()`` block did, or is doing."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    @property
    def trace(self) -> Trace:
        """The events so far."""
        return self._recorder.trace

    def graph(self, pass_number: int | None = None, engine: str = "auto", **options: Any) -> Picture:
        """Draw one of its backward passes, the last by default; `options` are those of :func:`graph`."""
        return _picture(self.trace, pass_number, engine, options)


@contextmanager
def recording(title: str = "recording", max_mb: float = 256) -> Iterator[Recording]:
    """Record what the ``with`` block does, numbers included.

    Example::

        with minipaddle.viz.recording() as run:
            loss = net(x).mean()
            loss.backward()
        run.graph()
    """
    recorder = Recorder(title, max_mb)
    with watching(recorder):
        yield Recording(recorder)
    recorder.finish()


def graph(
    of: Tensor | Sequence[Tensor] | Program | Variable | Trace | Recording,
    pass_number: int | None = None,
    engine: str = "auto",
    params: Mapping[str, Tensor] | None = None,
    **options: Any,
) -> Picture:
    """Return a picture of the gradient of `of`.

    A tensor needs no preparation: what the tape keeps of its computation is drawn, with the shapes and numbers that
    are still known. Within a recording, everything is.

    Args:
        of: a tensor, a list of them, a static Program (which is not run; a Variable stands for its Program), or a
            recording.
        pass_number: of a recording or Program, which backward pass (the last one).
        engine: who draws: "auto", "dot", "pygraphviz" or "tape".
        params: names for tensors, such as ``dict(net.named_parameters())``.
        options: those of :class:`minipaddle.viz.options.Options`, as on the command line: ``view="forward"``, ...;
            ``node=function`` asks for every node how it is to look (:class:`Look`, a label, or None);
            for a Program also ``unfold=True``, which opens gradient operators, and ``title``.

    Returns:
        a :class:`Picture`: it shows itself in a notebook, and has ``svg()``, ``html()``, ``dot``, ``save(path)``,
        ``show()``.

    Raises:
        TypeError: for anything else.
        ValueError: **no graph**, for a tensor that wants no gradient; **option**, for one that cannot be carried out.
    """
    return _graph(of, pass_number, engine, params, options, sys._getframe(1))


def make_dot(
    var: Tensor | Sequence[Tensor], params: Mapping[str, Tensor] | None = None, **options: Any
) -> Picture:
    """Return the picture of a tensor, called as in torchviz; what torchviz's own options show is always there."""
    for known_elsewhere in ("show_attrs", "show_saved", "max_attr_chars"):
        options.pop(known_elsewhere, None)
    return _graph(var, None, "auto", params, options, sys._getframe(1))


def make_graph(
    var: Tensor | Sequence[Tensor],
    params: Mapping[str, Tensor] | None = None,
    dpi: str | int = 600,
    **options: Any,
) -> Picture:
    """Return the picture of a tensor, called as in paddleviz; a drawing in SVG is sharp at any `dpi`."""
    return _graph(var, None, "auto", params, options, sys._getframe(1))


def _graph(
    of: Any,
    pass_number: int | None,
    engine: str,
    params: Mapping[str, Tensor] | None,
    options: Mapping[str, Any],
    frame: FrameType,
) -> Picture:
    _insist_on(engine)
    if isinstance(of, Recording):
        of = of.trace
    if isinstance(of, Variable):
        of = of.block.program
    if isinstance(of, Program):
        chosen = dict(options)
        of_program = {name: chosen.pop(name) for name in ("title", "unfold") if name in chosen}
        return program_picture(
            of, **of_program, pass_number=pass_number, engine=engine, options=Options(**chosen)
        )
    if isinstance(of, Trace):
        return _picture(of, pass_number, engine, options)
    roots = [of] if isinstance(of, Tensor) else of
    if not isinstance(roots, (list, tuple)) or not all(isinstance(root, Tensor) for root in roots):
        raise TypeError(
            f"graph() takes a Tensor, a list of them, a Program or a recording, not {type(of).__name__}"
        )
    recorder = _watching_now(current.get())
    if recorder is not None and recorder.trace.passes:
        return _picture(recorder.trace, pass_number, engine, options)
    trace = trace_of(roots, params, frame)
    whole = mirror(trace)
    whole.title = "the tape"
    ran = "; ".join(trace.notes) or NOT_RUN
    whole.subtitle = whole.subtitle.replace("pass 1 of 1", ran)
    return Picture(whole, trace, Options(**options), engine)


def _picture(trace: Trace, pass_number: int | None, engine: str, options: Mapping[str, Any]) -> Picture:
    chosen = Options(**options)
    whole = mirror_or_forward(trace, pass_number, chosen.view)
    return Picture(whole, trace, chosen, engine)


def _insist_on(engine: str) -> None:
    if engine not in ("auto", *ENGINES, OWN):
        raise BadOption(f"engine {engine!r}: there are auto, {', '.join(ENGINES)}, {OWN}")


def _watching_now(mode: Mode) -> Recorder | None:
    """Return the recorder that sees what happens now, if there is one."""
    while isinstance(mode, Around):
        if isinstance(mode, Watching) and isinstance(mode.observer, Recorder):
            return mode.observer
        mode = mode.inner
    return None


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
