"""Rules and kernels evaluated on symbols: an expression tree, printed as a formula or with numbers.

>>> import numpy as np
>>> from minipaddle.tools.explain.symbols.text import lines
>>> from minipaddle.tools.explain.symbols.mode import read
>>> from minipaddle.tools.explain.symbols.symbol import Symbol
>>> from minipaddle.tools.explain.symbols.tree import Leaf
>>> x, dy = (Symbol(Leaf(name, np.ones((2, 3)))) for name in ("x", "dy"))
>>> found = read(lambda dy, x: dy.T @ (x * 1), dy, x)
>>> lines(found.answer.tree, found.names)[0]
['dy.T @ x']
"""

from minipaddle.tools.explain.symbols import arithmetic  # registers its rules in the table of shape_rules
