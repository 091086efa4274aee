"""paddle.jit.dy2static: what rewritten functions call under the name ``_jst``.

Each tool does what Python would do, until a Variable comes: then it appends what a Program needs to do the same.
:mod:`minipaddle.paddle.jit.rewriting` writes the calls.
"""

from __future__ import annotations

from functools import partial

from minipaddle.paddle.jit.dy2static import control_flow, expressions

IfElse, IfExp, While = control_flow.if_else, control_flow.if_exp, control_flow.repeat
And, Or = partial(expressions.joined, stops_at=False), partial(expressions.joined, stops_at=True)
Not, Assert, Call, Shape = expressions.opposite, expressions.check, expressions.call, expressions.shape_of
