"""The current place in the user's code, and the names that its variables give to tensors."""

from types import CodeType, FrameType
from typing import Any
from weakref import ref

from minipaddle.engine.errors import user_frame
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.tools.record.kinds import Scope
from minipaddle.tools.record.sources.eager.events import EagerSource
from minipaddle.tools.record.sources.eager.names import Here
from minipaddle.tools.record.user_code import names as user_code
from minipaddle.tools.record.user_code.layers import Scopes, calls_around

Notes = list[Any]
"""Notes for later: alternately a method of EagerSource, and its arguments.

The two are not in a tuple, and the method is unbound: each waiting object is one more for
Python's garbage collector to scan, during the run.
"""


class UserFrames:
    """Follows the frames of the user's code, looking at their variables no more often than names require.

    It appends to `notes`, in the order of the run.
    """

    def __init__(self, notes: Notes) -> None:
        self._notes = notes
        self._latest: FrameType | None = None  # that frame, kept to read its final variables
        self._place = -1
        self._heres: dict[int, Here] = {}  # places in that frame's code, as in the notes
        self._level = 0
        # pairs of places in that code: whether to look in between
        self._to_look: dict[tuple[int, int], bool] = {}
        self._all_to_look: dict[int, tuple[CodeType, dict[tuple[int, int], bool]]] = {}
        self.unclear = False
        """Whether only a look at variables shows which result of the last place was assigned."""
        # the tensor last seen in the variable of an unfinished statement
        self._glanced: ref[Any] = ref(self)
        self._scopes = Scopes()
        self.scope: Scope | None = None
        self._calls: list[FrameType] = []  # of layers, around the last frame
        self._entered: list[FrameType] = []  # those, and the engine's own in them

    def close(self) -> None:
        """Release the frames."""
        self._scopes.close()
        self._calls, self._entered, self._latest = [], [], None

    def here(self, frame: FrameType | None) -> Here | None:
        """Return the place in the user's code, after a look at its variables if names require it."""
        inner = frame
        frame = user_frame(frame)
        if frame is None:
            return None
        code, place = frame.f_code, frame.f_lasti
        if frame is not self._latest:
            self._change_to(frame)
        elif place != self._place:
            step = (self._place, place)
            look = self._to_look.get(step)
            if look is None:
                look = self._to_look[step] = user_code.needs_a_look(code, *step)
            if look or self.unclear:
                self.look(frame)
            self.unclear = False
        else:
            self._glance(frame)
        self._place = place
        self._enter_calls(inner, frame)
        here = self._heres.get(place)
        if here is None:
            here = self._heres[place] = (code, place, self._level)
        return here

    def _enter_calls(self, inner: FrameType | None, outer: FrameType) -> None:
        """Note the layer call that contains the frame `inner`, if it has changed; `outer` is the user's frame."""
        calls = [*self._calls, *calls_around(inner, outer)]
        if calls == self._entered:
            return
        self._entered = calls
        scope, names = self._scopes.at(calls)
        if scope is not self.scope:
            self.scope = scope
            self._notes += (EagerSource.scoped, (scope, names))

    def _change_to(self, frame: FrameType) -> None:
        """Look at a frame that differs from the last one; if it has just begun, at its caller first."""
        code, level, before = frame.f_code, user_code.depth_of(frame), self._level
        self._look_back(frame)
        self._latest, self._level = frame, level
        self._heres, self._calls = {}, calls_around(frame)
        self._to_look = self._all_to_look.setdefault(id(code), (code, {}))[1]
        self.unclear = False
        if level < before:
            self.look(frame)
            return
        outer = user_frame(frame.f_back)
        if outer is not None:
            self.look(outer)
            self._notes += (EagerSource.called_from, (_place_of(outer),))
        self.look(frame, user_code.parameters_of(code))

    def _look_back(self, frame: FrameType | None) -> None:
        """Look at the functions that have ended since the last look, the innermost first; `frame` runs now."""
        running = set(user_code.outwards(frame))
        over = user_frame(self._latest)
        while over is not None and over not in running:
            self.look(over)
            over = user_frame(over.f_back)

    def _glance(self, frame: FrameType) -> None:
        """Look at the variable of a statement that computes again: it continues, or a loop has returned to it."""
        self.unclear = True
        name = user_code.assigned_name(frame.f_code, frame.f_lasti)
        held = frame.f_locals.get(name) if name else None
        if isinstance(held, Tensor) and held is not self._glanced():
            self._glanced = ref(held)
            self._notes += (EagerSource.looked, ({name: held}, _place_of(frame)))

    def look(self, frame: FrameType, parameters: frozenset[str] = frozenset()) -> None:
        """Note the names that the variables of `frame` give to tensors; `parameters` hold its arguments."""
        names = user_code.names_in(frame)
        if names:
            self._notes += (EagerSource.looked, (names, _place_of(frame), parameters))


def _place_of(frame: FrameType) -> Here:
    return frame.f_code, frame.f_lasti, user_code.depth_of(frame)
