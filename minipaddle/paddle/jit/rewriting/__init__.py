"""Source to source: from a function of Tensors to one whose control flow works in Programs.

:func:`minipaddle.paddle.jit.rewriting.rewrite.rewritten` is the door; read
:mod:`~minipaddle.paddle.jit.rewriting.rewriter` first.
"""
