"""paddle.jit.dy2static: tools that rewritten functions call as ``_jst``.

Each tool does the same as Python, but for a Variable it appends Operators with the same effect to a Program.
:mod:`minipaddle.paddle.jit.rewriting` writes the calls.
"""

from __future__ import annotations

from functools import partial

from minipaddle.paddle.jit.dy2static import control_flow, expressions

IfElse, While = control_flow.if_else, control_flow.repeat
And, Or = partial(expressions.joined, stops_at=False), partial(expressions.joined, stops_at=True)
Not, Assert, Call, Shape = expressions.opposite, expressions.check, expressions.call, expressions.shape_of
