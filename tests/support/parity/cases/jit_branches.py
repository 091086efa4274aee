"""to_static: `if`, ternaries, `and`, `or`, `not`, comparisons."""

from tests.support.parity.rewritten import Rewritten

cases = Rewritten("jit_branches")
