"""Parts of gradient rules: what a second derivative differentiates, though no Operator of the Program computes it.

A gradient Operator runs its rule as a whole. To differentiate it, the rule was read over Variables, and its small
operators were differentiated. They are run here, beside the Program, so that a recording has their numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.core.eager import EAGER, within
from minipaddle.core.meta import Array
from minipaddle.static.program.operator import Operator
from minipaddle.static.program.table_operator import TableOperator
from minipaddle.static.program.variable import Variable
from minipaddle.trace.values import Values


class Parts:
    """Works out what parts of rules compute.

    Args:
        ids: the value that each Variable holds now.
        values: where to write down what a part gave.
    """

    def __init__(self, ids: dict[Variable, int], values: Values) -> None:
        self._ids = ids
        self._values = values

    def described(self, part: Operator) -> dict[str, Any]:
        """Return the attributes of a gradient event from which :meth:`Trace.differentiated` reads its forward call.

        Nothing if numbers for it were not kept.
        """
        if not isinstance(part, TableOperator):
            return {}
        inputs = [self._known(one) for one in part.variables()]
        if any(id_ is None and one is not None for id_, one in zip(inputs, part.variables(), strict=True)):
            return {}
        outputs = self._made(part, inputs)
        if outputs is None:
            return {}
        return {"part": [part.type, part.definition.name, inputs, outputs], **part.attrs}

    def _known(self, variable: Variable | None) -> int | None:
        """Return what a Variable holds; if a part made it, that is run first."""
        if variable is None:
            return None
        maker = variable.op
        if variable not in self._ids and isinstance(maker, TableOperator) and maker.part_of is not None:
            found = self.described(maker).get("part")
            if found is not None:
                self._ids.update(zip(maker.writes(), found[3]))
        return self._ids.get(variable)

    def _made(self, part: TableOperator, inputs: list[int | None]) -> list[int] | None:
        """Run a part, and write down what it gives; None if numbers are missing."""
        trace = self._values.trace
        arrays = [None if id_ is None else trace.values[id_].kept for id_ in inputs]
        if any(array is None and id_ is not None for array, id_ in zip(arrays, inputs, strict=True)):
            return None
        with within(EAGER.reading()), np.errstate(all="ignore"):
            made = part.definition.run(*arrays, **part.attrs)
        made = list(made) if part.definition.multiple else [made]
        return [self._noted(np.asarray(one), part) for one in made]

    def _noted(self, array: Array, part: TableOperator) -> int:
        """Return the value with these numbers that the whole rule gave, or a new one."""
        whole = part.part_of
        for variable in whole.writes() if whole is not None else ():
            id_ = self._ids.get(variable)
            if id_ is not None and _same(self._values.trace.values[id_].kept, array):
                return id_
        return self._values.append(array, "result", part.definition.name, None, False)


def _same(one: Array | None, other: Array) -> bool:
    return one is not None and one.shape == other.shape and np.array_equal(one, other)
