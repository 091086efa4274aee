"""Commands that show values, lines and the tape."""

from typing import Annotated, Any

import numpy as np

from minipaddle.engine.errors import file_title
from minipaddle.tools.debug.cards import display_lines, headline, src_of
from minipaddle.tools.debug.commands.base import Desk, count_of, needed
from minipaddle.tools.debug.cursor import AtEdge, NoMove
from minipaddle.tools.debug.expressions import evaluate
from minipaddle.tools.debug.line_stops import shown
from minipaddle.tools.explain.writes import writes
from minipaddle.tools.record.events import Event, Value
from minipaddle.tools.words.events import blamed, in_iteration, iterations, phase, place, stop_numbers, title
from minipaddle.tools.words.json import value_object
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import glance, line_text, look, shape_text, spaced
from minipaddle.tools.words.terminal import stats_lines, table_lines, word

_REACH = 5
"""Events (`list`) or lines (`source`) shown on each side of the current one: together a third of a screen."""


class Looking(Desk):
    """print, tensor, who, alias, list, where, locals, stack, up, down, source, display, undisplay."""

    def do_print(self, arg: Annotated[str, "EXPR"]) -> None:
        """A value by its name (W, W@GRAD, W.grad), a variable of Python's, or an expression over both."""
        found = evaluate(self.session, needed(arg, "print what? the name of a value, or an expression"))
        self.printed = glance(found) if isinstance(found, Value) else " ".join(str(found).split())
        if not isinstance(found, Value):
            self.tell(lambda: {"print": str(found)}, lambda: [array_text(found)])
            return
        head = spaced(found.name, shape_text(found), found.dtype, look(found))
        unknown = say("the numbers of {name} are not known", name=found.name)
        numbers = unknown if found.array is None else array_text(found.array)
        self.tell(lambda: value_object(found), lambda: [head, numbers])

    def do_tensor(self, arg: Annotated[str, "NAME"]) -> None:
        """Statistics and elements of NAME or of a part of it, NAME[1:3]."""
        name = needed(arg, "which tensor? NAME, or NAME[1:3, :]")
        found = evaluate(self.session, name)
        array = found.array if isinstance(found, Value) else found
        if array is None:
            if not isinstance(found, Value):
                raise NoMove("{name} is nothing", name=name)
            self.answer("tensor", stats_lines(found.stats, found.shape, found.dtype))
        else:
            array = np.asarray(array)
            whole = Value(-1, name, "data", array.shape, array.dtype.name, True, array)
            stats = stats_lines(whole.stats, whole.shape, whole.dtype)
            self.tell(lambda: {"tensor": value_object(whole)}, lambda: [*stats, array_text(array)])

    def do_list(self, arg: Annotated[str, "[N]"]) -> None:
        """The events around the cursor, N on either side (5)."""
        here, count = self.session.position, len(self.session.stops)
        reach = count_of(arg) if arg else _REACH
        positions = range(max(0, here - reach), min(count, here + reach + 1))
        self.tell(
            lambda: {"list": [{**self._stop_object(at), "here": at == here} for at in positions]},
            lambda: map(self._stop_line, positions),
        )

    def _stop_line(self, position: int) -> str:
        session = self.session
        pointer = self.symbols.pointer if position == session.position else " "
        width, room = len(str(len(session.stops) - 1)), max(self.room() - 2, 0)
        return f"{pointer} {headline(session, position, width, room, self.symbols.ellipsis)}"

    def _stop_object(self, position: int) -> dict[str, Any]:
        """Return a summary of a stop as JSON data."""
        trace, index = self.session.trace, self.session.stops[position]
        event = trace.events[index]
        return {
            "i": position,
            "op": title(event),
            "phase": phase(event) or None,
            "pass": trace.pass_of(event),
            "src": src_of(blamed(trace, event).where),
            "out": [{"name": value.name, "shape": list(value.shape)} for value in trace.known(event.outputs)],
        }

    def do_where(self, arg: Annotated[str, "[N]"]) -> None:
        """The chain from here to the loss, N events of it (all)."""
        chain = self.session.chain()
        shown = chain[: count_of(arg)] if arg else chain
        numbers = stop_numbers(self.session.trace)
        self.tell(
            lambda: {"where": [self._stop_object(numbers[event.index]) for event in shown], "of": len(chain)},
            lambda: map(self._link, shown),
        )

    def _link(self, event: Event) -> str:
        trace = self.session.trace
        values = ", ".join(f"{v.name} {shape_text(v)}" for v in trace.known(event.outputs))
        return spaced(
            title(event), values, place(blamed(trace, event)), in_iteration(iterations(trace, event))
        )

    def do_who(self, arg: Annotated[str, "NAME"]) -> None:
        """Every write to NAME's numbers up to here, newest first; NAME.grad too."""
        value, trace, numbers = self._tensor_called(arg), self.session.trace, stop_numbers(self.session.trace)
        rows = list[dict[str, object]]()
        for one, how, where in writes(trace, value):
            event = trace.maker(one)
            stop, pass_ = (None, None) if event is None else (numbers.get(event.index), trace.pass_of(event))
            said = {"who": how, "numbers": glance(one), "line": line_text(where)}
            rows.append({"stop": stop, **said, "pass": pass_})
        heads = [word("stop"), say("who"), word("numbers"), say("line"), say("pass")]
        cells = (["" if cell is None else str(cell) for cell in row.values()] for row in rows)
        self.tell(lambda: {"who": rows}, lambda: table_lines(heads, cells))

    def _tensor_called(self, name: str) -> Value:
        """Return the value of a name at the cursor. Raises NoMove if it has none."""
        value = self.session.find(needed(name, "of which tensor? NAME"))
        if value is None:
            raise NoMove(say("there is no {name}", name=name) + self.session.like(name))
        return value

    def do_locals(self, arg: str) -> None:
        """Python's variables in the chosen frame, as its line finds them."""
        there = {name: shown(found) for name, found in self.session.locals().items()}
        heads = [say("name"), word("value")]
        self.tell(lambda: {"locals": there}, lambda: table_lines(heads, there.items()))

    def do_stack(self, arg: str) -> None:
        """The functions that run, the script first, with their layers; `up` and `down` choose one."""
        stack, marks = list[dict[str, Any]](), ("", self.symbols.pointer)
        for number, (function, layer, at) in enumerate(self.session.functions()):
            where = {"file": file_title(at.file), "line": at.number, "text": self.session.text_of(at)}
            here = number == self.session.chosen
            stack.insert(0, {"function": function, "layer": layer, **where, "here": here})
        place = "{function}\n{layer}\n{file}:{line}\n{text}"
        rows = ([marks[one["here"]], *place.format(**one).split("\n")] for one in stack)
        heads = ["", say("function"), word("layer"), say("line"), ""]
        self.tell(lambda: {"stack": stack}, lambda: table_lines(heads, rows))

    def do_up(self, arg: str) -> None:
        """Choose the frame that called this one, until the next move: its variables, its line."""
        self._choose(1)

    def do_down(self, arg: str) -> None:
        """Choose the frame that this one called."""
        self._choose(-1)

    def _choose(self, outwards: int) -> None:
        left = len(self.session.frame()[0])
        if left <= outwards or self.session.chosen + outwards < 0:
            raise AtEdge("there is no frame beyond this one")
        self.session.chosen += outwards
        self.do_stack("")

    def do_source(self, arg: str) -> None:
        """The lines of the script around the one that is behind this event."""
        where = self.session.where
        if where is None:
            raise NoMove("no line of the user's is behind this event")
        lines = self.session.trace.sources.get(where.file, "").splitlines()
        if not lines:
            raise NoMove("the source of {file} is not at hand", file=file_title(where.file))
        first, number = max(1, where.number - _REACH), where.number
        shown = range(first, min(len(lines), number + _REACH) + 1)
        file, pointer = file_title(where.file), self.symbols.pointer
        rows = [{"line": n, "text": lines[n - 1], "here": n == number} for n in shown]
        self.tell(
            lambda: {"source": rows, "file": file},
            lambda: [f"{pointer if n == number else ' '} {n:>4}  {lines[n - 1]}".rstrip() for n in shown],
        )

    def do_display(self, arg: Annotated[str, "[NAME]"]) -> None:
        """Show NAME (or an expression) at every stop; without it, all of them now."""
        if arg:
            evaluate(self.session, arg)
            if arg not in self.session.displays:
                self.session.displays.append(arg)
        lines = [line for _, line in display_lines(self.session)]
        self.answer("display", lines or [say("nothing is displayed")])

    def do_undisplay(self, arg: Annotated[str, "[NAME]"]) -> None:
        """Show NAME no longer; without it, nothing."""
        if arg and arg not in self.session.displays:
            raise NoMove("{name} is not displayed", name=arg)
        self.session.displays[:] = [one for one in self.session.displays if arg and one != arg]


def array_text(found: Any) -> str:
    """Return an array as text, a long one shortened to its first and last elements; of anything else what str says."""
    is_array = isinstance(found, np.ndarray)
    return np.array2string(found, precision=6, threshold=60, edgeitems=3) if is_array else str(found)
