"""The functions that define operators, in one place to import them from.

A kernel works on an Array, its shape rule on Metas, a gradient rule on Values; `listed` says how Programs print it.
Next: :mod:`minipaddle.engine.operator.operator`.
"""

from minipaddle.engine.errors import failure, invalid, locate
from minipaddle.engine.fast import put_in_place
from minipaddle.engine.mode.eager import current, mode_now, run_inside
from minipaddle.engine.operator.operator import TABLE, Operator, operator
from minipaddle.engine.value.dtype import as_numpy, default_float, real_of
from minipaddle.engine.value.meta import Array, Attrs, Meta, Shape
from minipaddle.engine.value.size import TensorSize
from minipaddle.engine.value.value import Value
from minipaddle.ops.definition.example import Example, formula, tried_with
from minipaddle.ops.definition.infer_meta import require
from minipaddle.ops.definition.lesson import Claim, Seen, lesson
from minipaddle.ops.definition.program_printing import Listing, Metas, derived, listed, of
from minipaddle.ops.definition.traits import mark

__all__ = [
    "TABLE", "Array", "Attrs", "Claim", "Example", "Listing", "Meta", "Metas", "Operator", "Seen",
    "Shape", "TensorSize", "Value", "as_numpy", "current", "default_float", "derived", "failure", "formula",
    "invalid", "lesson", "listed", "locate", "mark", "mode_now", "of", "operator", "real_of", "require", "run_inside",
    "tried_with",
]  # fmt: skip

put_in_place("call")  # both precede the first operator
put_in_place("plans")
