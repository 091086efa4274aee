"""paddle.jit.dy2static: what rewritten functions call under the name ``_jst``.

Each tool does what Python would do, until a Variable comes: then it appends what a Program needs to do the same.
:mod:`minipaddle.paddle.jit.rewriting` writes the calls.
"""

from __future__ import annotations

from minipaddle.paddle.jit.dy2static.branches import if_else as IfElse
from minipaddle.paddle.jit.dy2static.branches import if_exp as IfExp
from minipaddle.paddle.jit.dy2static.calls import call as Call
from minipaddle.paddle.jit.dy2static.calls import shape_of as Shape
from minipaddle.paddle.jit.dy2static.logic import all_of as And
from minipaddle.paddle.jit.dy2static.logic import any_of as Or
from minipaddle.paddle.jit.dy2static.logic import chain as Chain
from minipaddle.paddle.jit.dy2static.logic import check as Assert
from minipaddle.paddle.jit.dy2static.logic import opposite as Not
from minipaddle.paddle.jit.dy2static.loops import go_over as For
from minipaddle.paddle.jit.dy2static.loops import repeat as While

__all__ = ["And", "Assert", "Call", "Chain", "For", "IfElse", "IfExp", "Not", "Or", "Shape", "While"]
