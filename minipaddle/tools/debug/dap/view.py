"""What an editor shows at a stop: frames, scopes and variables."""

import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from minipaddle.engine.errors import Line, file_title
from minipaddle.engine.value.meta import Array
from minipaddle.tools.debug.cursor import NoMove
from minipaddle.tools.debug.session import Session
from minipaddle.tools.record.events import Value
from minipaddle.tools.words.events import around, blamed, body_title, title
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import glance, number, shape_text, spaced
from minipaddle.tools.words.terminal import stats_lines

Body = dict[str, Any]

_ROWS = 100
"""Most rows of an array that are listed if the editor does not ask for a range: a few screens."""


class View:
    """The frames, scopes and variables of one stop. Their numbers end with the next move: a new View is made then."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._children: list[Callable[[], Iterable[Body]]] = []

    # -- frames ------------------------------------------------------------------------------------------------------

    def frames(self) -> list[Body]:
        """Return the stack, innermost first: the event's line, the bodies around it, and the call of backward."""
        trace, event = self.session.trace, self.session.event
        ran = blamed(trace, event)
        where = f" ({ran.scope.path})" if ran.scope is not None else ""
        lines = [(f"{title(event)}{where}", ran.where)]
        lines += [(body_title(body), blamed(trace, body).where) for body in around(trace, event)]
        began = trace.began(trace.pass_of(event)) if event.phase == "backward" else None
        if began is not None:
            lines.append((say("backward pass {number}", number=began.pass_number), began.where))
        return [self._frame(number, *line) for number, line in enumerate(lines, 1)]

    def _frame(self, number: int, running: str, where: Line | None) -> Body:
        """Return a frame called by its function and what runs there: ``forward: matmul (net.fc)``."""
        if where is None:
            return {"id": number, "name": running, "line": 0, "column": 0}
        frame = {"id": number, "name": f"{where.function}: {running}", "line": where.number, "column": 1}
        return {**frame, "source": self.source(where.file)}

    def source(self, file: str) -> Body:
        """Return a file as the protocol names one: by its path if it is there, else by a number for its text."""
        path = os.path.realpath(file)
        known = list(self.session.trace.sources)
        reference = 0 if os.path.exists(path) or file not in known else known.index(file) + 1
        return {"name": file_title(file), "path": path, "sourceReference": reference}

    def text(self, reference: int) -> str:
        """Return the recorded text of a file by its number. Raises NoMove if there is none with this number."""
        texts = list(self.session.trace.sources.values())
        if not 1 <= reference <= len(texts):
            raise NoMove("there is no source {number}", number=reference)
        return texts[reference - 1]

    # -- variables ---------------------------------------------------------------------------------------------------

    def scopes(self, frame: int) -> list[Body]:
        """Return the groups of variables: of the operator here, then all tensors and gradients by name.

        Raises NoMove if there is no frame with this number.
        """
        if not 1 <= frame <= len(self.frames()):
            raise NoMove("there is no frame {number} at this stop", number=frame)
        event, trace = self.session.event, self.session.trace
        return [
            self._scope(say("inputs"), lambda: trace.known(event.inputs)),
            self._scope(say("outputs"), lambda: trace.known(event.outputs)),
            self._scope(
                say("saved for backward"), lambda: trace.known((trace.differentiated(event) or event).saved)
            ),
            self._scope(say("tensors"), lambda: self._made("tensor")),
            self._scope(say("gradients"), lambda: self._made("gradient")),
        ]

    def _scope(self, name: str, values: Callable[[], Iterable[Value]]) -> Body:
        reference = self._refer(lambda: [self._tensor(value.name, value) for value in values()])
        return {"name": name, "variablesReference": reference, "expensive": False}

    def _made(self, kind: str) -> Iterator[Value]:
        """Yield the values that names have here, without those of operators that no variable holds."""
        for name in sorted(self.session.names):
            value = self.session.made(name)
            if (
                value is not None
                and value.name == name
                and (value.kind == "gradient") == (kind == "gradient")
            ):
                yield value

    def variables(self, reference: int, start: int = 0, count: int = 0) -> list[Body]:
        """Return the variables of a scope, or the rows of a tensor, from `start` on, `count` of them (0: all).

        Raises NoMove if there is no such group at this stop.
        """
        if not 1 <= reference <= len(self._children):
            raise NoMove("there are no variables {number} at this stop", number=reference)
        found = list(self._children[reference - 1]())
        return found[start : start + count] if count else found

    def _refer(self, children: Callable[[], Iterable[Body]]) -> int:
        self._children.append(children)
        return len(self._children)

    def of(self, found: object, name: str) -> Body:
        """Return the result of an expression as a variable with this name."""
        return self._tensor(name, found) if isinstance(found, Value) else self._part(name, found)

    def _tensor(self, name: str, value: Value) -> Body:
        """Return a value as a variable, with its statistics and rows as children."""
        array = value.array

        def children() -> Iterator[Body]:
            for line in stats_lines(value.stats, value.shape, value.dtype):
                yield _leaf(say("statistics"), line)
            if array is not None and array.ndim:
                yield from self._rows(name, array)

        shown = spaced(shape_text(value), value.dtype, glance(value))
        rows = {"indexedVariables": len(array)} if array is not None and array.ndim else {}
        return {**_leaf(name, shown), "type": "Tensor", "variablesReference": self._refer(children), **rows}

    def _rows(self, name: str, array: Array) -> Iterator[Body]:
        for place, row in enumerate(array[:_ROWS]):
            yield self._part(f"{name}[{place}]", row)
        if len(array) > _ROWS:
            yield _leaf("...", say("... and {count} more", count=len(array) - _ROWS))

    def _part(self, name: str, found: object) -> Body:
        """Return an array, a number or any other result as a variable."""
        array = np.asarray(found) if isinstance(found, (np.ndarray, np.generic)) else None
        if array is None or array.dtype == object:
            return _leaf(name, str(found))
        if array.ndim == 0:
            return _leaf(name, number(array.item()) if array.dtype.kind in "fc" else str(array[()]))
        shown = np.array2string(array, precision=6, threshold=8, edgeitems=2).replace("\n", "")
        return {**_leaf(name, shown), "variablesReference": self._refer(lambda: self._rows(name, array))}


def _leaf(name: str, shown: str) -> Body:
    return {"name": name, "value": shown, "variablesReference": 0, "evaluateName": name}
