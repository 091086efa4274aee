"""Where the user cut the graph: ``detach``, a round trip through NumPy, ``no_grad``, ``stop_gradient = True``."""

from collections.abc import Sequence

from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.record.kinds import Op, Store
from minipaddle.tools.record.reads_and_cuts import Cut


class Cuts:
    """The cuts of a recording, indexed by value."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        # value -> the cut between it and the source of its numbers
        self._sources: dict[int, Cut] = {}
        self._turned: dict[int, list[Cut]] = {}  # values that the user detached or attached themselves
        self.leaves: set[int] = set()
        """Results of operators that were made leaves: ``x = paddle.randn([3]); x.stop_gradient = False``.

        So are leaves that were written to in place: ``with paddle.no_grad(): w.subtract_(0.1 * w.grad)``.
        """
        ends = trace.known(event.about for event in trace.events if isinstance(event, Store))
        self.leaves.update(leaf.id for leaf in ends if leaf.version)
        for cut in trace.cuts:
            if cut.made is None or cut.value is None:
                continue
            if cut.value != cut.made:
                self._sources.setdefault(cut.made, cut)
                continue
            self._turned.setdefault(cut.made, []).append(cut)
            if cut.how == "stop_gradient=False" and self._has_no_history(trace.values[cut.made]):
                self.leaves.add(cut.made)

    def _has_no_history(self, value: Value) -> bool:
        maker = self.trace.maker(value)
        wanted = maker is not None and any(not one.stop_gradient for one in self.trace.known(maker.inputs))
        return isinstance(maker, Op) and not (wanted and maker.grad)

    def before(self, id_: int) -> Cut | None:
        """Return the cut between a value and its source, if the source requires gradient; else None."""
        cut = self._sources.get(id_)
        wanted = cut is not None and cut.value is not None and not self.trace.values[cut.value].stop_gradient
        return cut if wanted else None

    def into(self, id_: int, event: Event) -> str:
        """Return the cut that stops the gradient from an operator to its input, in a word; "" if there is none.

        The operators inside a PyLayer are not on the tape: it has its own backward.
        """
        if event.in_custom:
            return ""
        if isinstance(event, Op) and not event.grad and not self.trace.values[id_].stop_gradient:
            return "no_grad"
        turned = [cut.how for cut in self._turned.get(id_, ()) if cut.before_event <= event.index]
        was_made = self.trace.values[id_].producer is not None
        return turned[-1] if turned and turned[-1] != "stop_gradient=False" and was_made else ""

    def without_makers(self, events: Sequence[Event]) -> list[Event]:
        """Return the events without operators that only made a leaf: the graph begins at the leaf."""
        kept: list[Event] = []
        read: set[int | None] = set()
        behind: set[int | None] = set(self.leaves)
        for event in reversed(events):
            made = {id_ for id_ in event.outputs if id_ is not None}
            if made and made <= behind and (made <= self.leaves or not made & read):
                behind.update(event.inputs)
            else:
                kept.append(event)
                read.update(event.inputs)
        return kept[::-1]
