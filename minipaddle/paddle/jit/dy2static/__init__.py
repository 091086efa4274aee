"""paddle.jit.dy2static: what rewritten functions call under the name ``_jst``.

Each tool does what Python would do, until a Variable comes: then it appends what a Program needs to do the same.
:mod:`minipaddle.paddle.jit.rewriting` writes the calls.
"""

from minipaddle.paddle.jit.dy2static import branches, calls, logic, loops, values

And = logic.all_of
Assert = logic.check
Call = calls.call
Chain = logic.chain
For = loops.go_over
IfElse = branches.if_else
IfExp = branches.if_exp
Not = values.opposite
Or = logic.any_of
Shape = calls.shape_of
While = loops.repeat

__all__ = ["And", "Assert", "Call", "Chain", "For", "IfElse", "IfExp", "Not", "Or", "Shape", "While"]
