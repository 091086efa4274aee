"""Section 8: scopes, and where programs share their numbers."""

import numpy as np
import paddle

from tests.support.parity.graphs import S
from tests.support.parity.kit import Family

cases = Family("static_exec_scope")


def held(name, scope=None):
    """The numbers of a variable in the scope in force, or None."""
    found = (scope or S.global_scope()).find_var(name)
    return None if found is None else np.array(found.get_tensor())


def write(value, scope=None):
    """Put other numbers into the parameter `w`."""
    tensor = (scope or S.global_scope()).find_var("w").get_tensor()
    tensor.set(np.full(2, value, "float32"), paddle.CPUPlace())


def _start():
    exe = S.Executor()
    exe.run(S.default_startup_program())
    return exe
