"""Parts of gradient rules: what a second derivative differentiates, though no Operator of the Program computes it.

A gradient Operator runs its rule as a whole. To differentiate it, the rule was read over Variables, and its small
operators were differentiated. They are run here, beside the Program, so that a recording has their numbers.
"""

from __future__ import annotations

import numpy as np

from minipaddle.core.eager import EAGER, within
from minipaddle.core.meta import Array
from minipaddle.static.program.table_operator import TableOperator
from minipaddle.static.program.variable import Variable
from minipaddle.trace.builder import Builder
from minipaddle.trace.events import Event
from minipaddle.trace.sources.program.tables import Tables


class RuleParts:
    """Works out what parts of rules compute, from what `tables` say that Variables hold."""

    def __init__(self, tables: Tables, builder: Builder) -> None:
        self._tables = tables
        self._builder = builder

    def described(self, part: TableOperator) -> Event | None:
        """Return a part as the forward call that a gradient event belongs to; None if numbers for it were not kept."""
        inputs = [self._known(one) for one in part.variables()]
        if any(id_ is None and one is not None for id_, one in zip(inputs, part.variables(), strict=True)):
            return None
        whole = self._tables.event_of(part.part_of)
        outputs = self._made(part, inputs, whole)
        if whole is None or outputs is None:
            return None
        title, where = part.definition.name, self._builder.trace.events[whole].where
        return Event(whole, "op", part.definition.type, title, inputs, list(outputs), dict(part.attrs), where)

    def _known(self, variable: Variable | None) -> int | None:
        """Return what a Variable holds; if a part made it, that is run first."""
        if variable is None:
            return None
        maker, now = variable.op, self._tables.now
        if variable not in now and isinstance(maker, TableOperator) and maker.part_of is not None:
            found = self.described(maker)
            if found is not None:
                now.update((one, id_) for one, id_ in zip(maker.writes(), found.outputs) if id_ is not None)
        return now.get(variable)

    def _made(self, part: TableOperator, inputs: list[int | None], whole: int | None) -> list[int] | None:
        """Run a part, and write down what it gives; None if numbers are missing."""
        trace = self._builder.trace
        arrays = [None if id_ is None else trace.values[id_].kept for id_ in inputs]
        if any(array is None and id_ is not None for array, id_ in zip(arrays, inputs, strict=True)):
            return None
        with within(EAGER.reading), np.errstate(all="ignore"):
            made = part.definition.run(*arrays, **part.attrs)
        made = list(made) if part.definition.multiple else [made]
        return [self._noted(np.asarray(one), part, out, whole) for one, out in zip(made, part.writes())]

    def _noted(self, array: Array, part: TableOperator, out: Variable, whole: int | None) -> int:
        """Return the value that the whole rule gave, if this part computes one of its results; else a new one."""
        results = [] if whole is None else self._builder.trace.events[whole].outputs
        for place, _, result in part.gradient_pairs:
            id_ = results[place] if result is out and place < len(results) else None
            if id_ is not None:
                return id_
        return self._builder.append(array, "result", part.definition.name, None, False)
