"""Takes the lines and variables of the user's code during a run, by Python's trace function.

Only the user's frames are followed, in this thread. While an operator runs, or a backward pass walks, it is off: it
would slow down each of Python's instructions there. No code of the user's is called.
"""

from __future__ import annotations

import sys
import sysconfig
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from inspect import CO_NEWLOCALS
from itertools import islice
from opcode import opname
from types import CodeType, FrameType, SimpleNamespace
from typing import Any
from weakref import ref

import numpy as np

from minipaddle.engine.errors import Line, is_engine_file
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.paddle.autograd import PyLayerContext
from minipaddle.paddle.optimizer import Optimizer
from minipaddle.tools.record.reads_and_cuts import GLOBAL, Ran
from minipaddle.tools.record.sources.eager.events import EagerSource
from minipaddle.tools.record.user_code.layers import CALL
from minipaddle.tools.record.user_code.names import outwards, tells
from minipaddle.tools.words.control_characters import visible

_PYTHON = sysconfig.get_path("stdlib")
_MOST_ITEMS, _LONGEST, _DEEPEST = 20, 300, 3  # of a container; characters: three lines of a terminal
_IN_A_ROW = 10_000  # lines between two events, as in a loop that reads data: the next event goes on
_MOST_LINES = 250_000  # as many as events
_PLAIN = {type(None), bool, int, float, str}
_BRACKETS: dict[Any, str] = {list: "[]", tuple: "()", dict: "{}", set: "{}"}
_WITH_PARTS = Namespace, SimpleNamespace, PyLayerContext
_TOLD = Tensor, Optimizer, np.ndarray, np.generic, *_WITH_PARTS
# What a variable meant: the object, if it cannot change, or a reference to a tensor; and the text.
Last = dict[str, tuple[object, str]]


class Lines:
    """Follows the lines of a run; it appends to notes, in the order of the run."""

    def __init__(self) -> None:
        self._tracer = self._called  # one object, as `sys.gettrace` will return it
        self.begun = 0  # recordings
        self.changes: dict[tuple[int, int], str] = {}
        """Statements to carry out just before a line: by the number of the recording, and the line's index in it."""
        self.open = self._on = False

    def begin(self, notes: list[Any]) -> None:
        """Begin anew, with an empty recording."""
        self.notes, self.frames, self.count, self.event, self.begun = notes, 0, 0, 0, self.begun + 1
        self.of_modules: dict[int, Last] = {}

    @contextmanager
    def followed(self, wanted: bool = True, caller: FrameType | None = None) -> Iterator[None]:
        """A ``with`` block whose lines are noted if `wanted`, and those of `caller`, unless a debugger is at work."""
        if wanted:
            self.follow(caller)
        try:
            yield
        finally:
            self.close()

    def follow(self, caller: FrameType | None = None) -> None:
        """Note lines from here on, until :meth:`close`, and those of `caller`."""
        self.open = sys.gettrace() is None
        if caller is not None and self.open:
            caller.f_trace = self._called(caller)
        self.turn(True)

    def look(self, frame: FrameType) -> None:
        """Note what the variables of `frame` mean now, and those of its callers that no line has told of."""
        was, self.open = self.open, True
        for one in reversed([*outwards(frame)]):
            known = getattr(one.f_trace, "_lines", None) is self
            if _is_users(one.f_code) and (one is frame or not known):
                mine = one.f_trace if known and one.f_trace is not None else _Followed(self)
                one.f_trace = one.f_trace or mine  # else of a debugger
                mine(one, "line", None)
        self.open = was and self.open

    def close(self) -> None:
        """Follow no further line."""
        self.turn(False)
        self.open = False

    def turn(self, on: bool) -> None:
        """Follow lines from here on, or none: an operator runs, or a backward pass walks."""
        self.event = self.count
        if self.open and on is not self._on:
            self.open = on or sys.gettrace() is self._tracer
            self._on = on and self.open
            if self.open:
                sys.settrace(self._tracer if on else None)
            else:  # the script has one of its own
                self.notes += (_write_stop, ())

    def _called(self, frame: FrameType, *_: object) -> _Followed | None:
        """The trace function: return the one for the lines of a frame, None for a frame that is not the user's."""
        if is_engine_file(frame.f_code.co_filename):  # most are
            return None
        return _Followed(self) if self.open and _is_users(frame.f_code) else None


class _Followed:
    """The trace function of one frame, with what its variables meant last."""

    def __init__(self, lines: Lines) -> None:
        self._lines, self.of, self.step, self._raised = lines, dict[int, Last](), 0, dict[str, Any]()

    def __call__(self, frame: FrameType, event: str, arg: Any) -> _Followed:
        lines, code, module = self._lines, frame.f_code, frame.f_globals
        if event == "exception" and arg[0] is not StopIteration:  # that ends a loop
            self._raised = {"raise": visible(arg[0].__name__)}
        if event == "exception" or not lines.open:
            return self
        if self.of is not lines.of_modules:  # the first line of the frame, in this recording
            around = [*outwards(frame.f_back)]
            callers = (one.f_trace for one in around if type(one.f_trace) is _Followed)
            outer = next((one.step for one in callers if one.of is lines.of_modules), 0)
            self._frame = lines.frames, outer, sum(one.f_code is CALL for one in around)
            self.of, self._last = lines.of_modules, Last()
            lines.frames += 1
        changed, self._raised = self._raised, {}
        if event == "return":
            word = opname[code.co_code[frame.f_lasti]].partition("_")[0].lower()  # of an error: neither
            _see({word: arg} if word in ("return", "yield") else {}, Last(), changed)
            changed.setdefault("return", "…")
        of_module = self.of.setdefault(id(module), Last())
        if frame.f_locals is module:
            _see(module, of_module, changed)
        else:
            _see(frame.f_locals, self._last, changed)
            _see({name: module[name] for name in code.co_names if name in module}, of_module, changed, GLOBAL)
        lines.count = self.step = lines.count + 1
        if lines.count - lines.event > _IN_A_ROW or lines.count > _MOST_LINES:
            lines.turn(False) if lines.count <= _MOST_LINES else lines.close()
            changed["pass"] = "…"
        lines.notes += (_write_line, (self._frame, code, frame.f_lineno, changed))
        change = lines.changes.pop((lines.begun, lines.count - 1), "") if lines.changes else ""
        if change:  # last: Python takes over what f_locals has when this returns
            there = frame.f_locals
            exec(change, module, there if change.split(maxsplit=1)[0].split(".")[0] in there else module)
            _see(there, of_module if there is module else self._last, changed)
        return self


def _see(names: dict[str, Any], last: Last, changed: dict[str, Any], mark: str = "") -> None:
    """Add to `changed` what differs from `last`, and keep it there; with a `mark`, the names are not all."""
    there, waiting = set[str](), list(names.items())
    for name, value in waiting:
        kind = type(value)
        is_told = kind in _PLAIN or kind in _BRACKETS or issubclass(kind, _TOLD)
        if type(name) is not str or not (is_told or name == "self") or not tells(name):
            continue
        known, before = last.get(name, (..., ""))
        token = ref(value) if issubclass(kind, Tensor) else value if kind in _PLAIN else ...
        if token is known and token is not ...:
            there.add(name)
            continue
        if "." not in name and kind.__dictoffset__ and (name == "self" or issubclass(kind, _WITH_PARTS)):
            own = list(object.__getattribute__(value, "__dict__").items())
            waiting += [(f"{name}.{part}", one) for part, one in own if type(part) is str and part[0] != "_"]
        text = text_of(value, 0) if name[:2] != "__" else ""
        if text:
            there.add(name)
            last[name] = token, text
            if text != before or type(token) is ref:
                changed[mark + name] = (token, text) if type(token) is ref else text
    for name in [] if mark or len(there) == len(last) else last.keys() - there:
        del last[name]
        changed[name] = ""


def text_of(value: Any, depth: int) -> str:
    """Return a value as Python writes it, with … for what is left out; of an object its type, or "" at depth 0."""
    kind = type(value)
    if kind is str and len(value) > _LONGEST:
        return f"{value[:_LONGEST]!r}…"
    if kind in _PLAIN:
        return repr(value) if kind is not int or value.bit_length() <= 256 else "int"  # as long as a hash
    if kind in _BRACKETS:
        items = islice(value.items() if kind is dict else value, _MOST_ITEMS if depth < _DEEPEST else 0)
        pairs = (one if kind is dict else (one,) for one in items)
        parts = [": ".join(text_of(part, depth + 1) for part in pair) for pair in pairs]
        parts += [f"… {len(value) - len(parts)} more"] if len(value) > len(parts) else []
        text = ", ".join(parts) + "," * (kind is tuple and len(parts) == 1)
        text = _BRACKETS[kind][0] + text + _BRACKETS[kind][1] if value or kind is not set else "set()"
        return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
    if issubclass(kind, Tensor):
        return f"Tensor {[*value.array.shape]}"
    if issubclass(kind, Optimizer):
        rate = vars(value).get("_learning_rate")
        return f"{visible(kind.__name__)}(learning_rate={text_of(getattr(rate, 'last_lr', rate), 1)})"
    if kind is np.ndarray or issubclass(kind, np.generic):
        item = np.asarray(value).item() if value.shape == () else value
        return text_of(item, 1) if type(item) is not kind else f"{kind.__name__} {[*value.shape]}"
    return visible(kind.__name__) if depth else ""


def _is_users(code: CodeType) -> bool:
    """Whether to follow a code: a module's or a function's, not that of a class or a comprehension."""
    file, name = code.co_filename, code.co_name
    if is_engine_file(file) or file.startswith(_PYTHON) or "-packages" in file:
        return False
    return name == "<module>" or (code.co_flags & CO_NEWLOCALS > 0 and (name[0] != "<" or name == "<lambda>"))


def _write_line(
    source: EagerSource, frame: tuple[int, int, int], code: CodeType, line: int, changed: dict[str, Any]
) -> None:
    for name, text in changed.items():
        if type(text) is tuple:
            id_ = source.builder.now(text[0]())
            changed[name] = text[1] if id_ is None else f"{text[1]} v{id_}"
    where = source.builder.with_source(Line(code.co_filename, line, code.co_qualname))
    source.trace.lines.append(Ran(len(source.trace.events), *frame, *where, changed))


def _write_stop(source: EagerSource) -> None:
    for ran in source.trace.lines[-1:]:
        ran.changed["pass"] = "…"
