"""The noun of the check: a call that was differentiated, with its forward event and that of its gradient."""

from typing import NamedTuple

from minipaddle.tools.record.events import Event, Trace, Value


class Call(NamedTuple):
    """A call of an operator, or of the user's own code."""

    trace: Trace
    forward: Event
    event: Event
    """The event of its gradient; the forward one again, where nobody asks for a gradient."""

    @property
    def floating(self) -> list[tuple[int, Value]]:
        """The inputs that can be differentiated for: their positions, and the values."""
        values = enumerate(map(self.trace.value, self.forward.inputs))
        return [(at, one) for at, one in values if one is not None and one.kind_of_dtype in "fc"]

    @property
    def incoming(self) -> list[int | None]:
        """The gradient that came in for each output of the forward call."""
        given = self.event.inputs
        return [*given, *[None] * (len(self.forward.outputs) - len(given))]

    def asks_for(self, place: int) -> bool:
        """Return whether a gradient for an input was asked for: a Program leaves out what leads to nothing wanted."""
        made = place < len(self.event.outputs) and self.event.outputs[place] is not None
        return made or any(one.op == "backward" for one in self.trace.inside(self.event)[:1])

    @property
    def ran_inside(self) -> list[Event]:
        """What ran in the bodies of forward and backward, where these begin included."""
        return [*self.trace.inside(self.forward), *self.trace.inside(self.event)]


def call_of(trace: Trace, event: Event) -> Call | None:
    """Return the call that an event is, or is the gradient of; None for any other."""
    forward = event if event.kind == "op" else trace.differentiated(event)
    return None if forward is None else Call(trace, forward, event)
