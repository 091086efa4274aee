"""to_static: `while`, `for`, `break`, `continue`, `return` in loops."""

from tests.support.parity.rewritten import Rewritten

cases = Rewritten("jit_loops")
