"""How far one has to walk to follow a call: the files it runs through, and how often it comes back to one it had left.

Run ``python -m benchmarks.paths``; ``-v`` shows the files, ``--fast`` the engine with its quicker ways. Each call is
made once, in a process of its own: what is made once is made then. A file counts when a function of it runs; a return
is an entry, by a call or by the end of one, into a file that was left before; what ran are the lines of the functions.
"""

from __future__ import annotations

import inspect
import json
import linecache
import os
import subprocess
import sys
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any, NamedTuple

from minipaddle import paddle

HOME = os.path.dirname(os.path.dirname(paddle.__file__)) + os.sep


_WITHIN = ("<module>", "<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
"""Code that is no function of its own; from Python 3.12 on the middle three are none at all."""


class Path(NamedTuple):
    """The files of the package that a call ran through, in the order of entering."""

    steps: list[str]
    run: int = 0
    """How long the functions are together that ran."""

    @property
    def files(self) -> list[str]:
        """Each file once."""
        return list(dict.fromkeys(self.steps))

    @property
    def returns(self) -> int:
        """How often a file was entered again."""
        return len(self.steps) - len(self.files)

    @property
    def lines(self) -> int:
        """How long the files are together."""
        return sum(len(linecache.getlines(HOME + file)) for file in self.files)


def path_of(call: Callable[[], Any]) -> Path:
    """Return the path of a call."""
    steps: list[str] = []
    codes: set[CodeType] = set()

    def note(frame: FrameType | None) -> None:
        name = "" if frame is None else frame.f_code.co_filename.partition(" of ")[0]  # compiled.py of save
        if frame is not None and name.startswith(HOME):
            codes.add(frame.f_code)
            if not steps or steps[-1] != name[len(HOME) :]:
                steps.append(name[len(HOME) :])

    def profile(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            note(frame)
        elif event == "return":
            note(frame.f_back)

    sys.setprofile(profile)
    try:
        call()
    finally:
        sys.setprofile(None)
    return Path(steps, sum(_length(code) for code in codes))


def _length(code: CodeType) -> int:
    """Return how many lines a function has; none of a module that is loaded on the way, or of compiled text.

    None of a comprehension either: its lines are those of the function that it stands in.
    """
    if code.co_name in _WITHIN or " of " in code.co_filename:
        return 0
    return len(inspect.getsourcelines(code)[0])


def eager() -> Callable[[], Any]:
    """``y = x * w; y.backward()``, as plain as it gets."""
    x = paddle.to_tensor([1.0, 2.0])
    w = paddle.to_tensor([3.0, 4.0], stop_gradient=False)

    def call() -> None:
        y = x * w
        y.backward()

    return call


def py_layer() -> Callable[[], Any]:
    """``PyLayer.apply`` and backward, of one Tensor in and one out."""

    class Double(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        def backward(ctx: Any, dy: Any) -> Any:
            return dy * 2

    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    return lambda: Double.apply(x).backward()


def append_backward() -> Callable[[], Any]:
    """``append_backward(loss)`` in a Program of two operators."""
    static = paddle.static

    def call() -> None:
        with static.program_guard(static.Program(), static.Program()):
            loss = (static.data("x", [2]) * static.create_parameter([2], "float32")).mean()
            static.append_backward(loss)

    return _in_static_mode(call)


def executor() -> Callable[[], Any]:
    """``exe.run(main, feed, fetch_list)`` of a Program that has run before."""
    static = paddle.static
    main, startup = static.Program(), static.Program()

    def build() -> Any:
        with static.program_guard(main, startup):
            w = static.create_parameter([2], "float32")
            loss = (static.data("x", [2], "float32") * w).mean()
            static.append_backward(loss)
            return loss

    loss = _in_static_mode(build)()
    exe = static.Executor()
    exe.run(startup)
    return lambda: exe.run(main, feed={"x": [1.0, 2.0]}, fetch_list=[loss])


def graph() -> Callable[[], Any]:
    """The picture of a recorded run, as DOT."""
    from minipaddle.tools import picture

    recorded = _recorded()
    return lambda: picture.graph(recorded).dot


def why() -> Callable[[], Any]:
    """``why`` at the first gradient rule of a recorded run."""
    from minipaddle.tools.debug import Session
    from minipaddle.tools.explain.why import why

    session = Session(_recorded())
    rule = next(event for event in session.trace.events if event.kind == "grad" and "mul" in event.op)
    return lambda: why(session.trace, rule)


def _recorded() -> Any:
    from minipaddle.tools.debug import record

    with record() as run:
        x = paddle.to_tensor([1.0, 2.0])
        w = paddle.to_tensor([3.0, 4.0], stop_gradient=False)
        loss = (x * w).mean()
        loss.backward()
    return run.trace


def _in_static_mode(call: Callable[[], Any]) -> Callable[[], Any]:
    def switched() -> Any:
        paddle.enable_static()
        try:
            return call()
        finally:
            paddle.disable_static()

    return switched


WALKS = {
    "y = x * w; y.backward()": eager,
    "PyLayer.apply, backward": py_layer,
    "append_backward": append_backward,
    "Executor.run": executor,
    "graph": graph,
    "why": why,
}


def main() -> None:
    """Print one row a walk; with ``-v`` the files too."""
    if sys.argv[1:2] == ["one"]:
        print(json.dumps(path_of(WALKS[sys.argv[2]]())))
        return
    plain = "" if "--fast" in sys.argv else "1"
    print(f"{'':26}files  lines    run  returns")
    for name in WALKS:
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.paths", "one", name],
            env={**os.environ, "MINIPADDLE_PLAIN": plain},
            stdout=subprocess.PIPE,
            check=True,
        )
        path = Path(*json.loads(done.stdout))
        print(f"{name:26}{len(path.files):5}{path.lines:7}{path.run:7}{path.returns:9}")
        if "-v" in sys.argv:
            print("    " + "\n    ".join(path.files))


if __name__ == "__main__":
    main()
