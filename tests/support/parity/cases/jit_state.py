"""to_static: closures, attributes, lists and dicts, calls, casts, and what cannot be rewritten."""

import paddle

from tests.support.parity.rewritten import Rewritten

cases = Rewritten("jit_state")


def helper(x):
    """Called by others."""
    if x.sum() > 0:
        return x * 2
    return x * 3


def endless(x):
    """Calls itself as long as a Tensor says so."""
    if x.sum() > 10:
        return x
    return endless(x * 2)


class Holder:
    """Has an attribute."""

    def __init__(self, value: paddle.Tensor):
        self.value = value

    def doubled(self):
        """Twice the value, or thrice."""
        return self.value * 2 if self.value.sum() > 0 else self.value * 3
