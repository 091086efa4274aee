"""Section 11: what static_pylayer refuses, and where 2.6.2 is wrong.

3.3.1 gives our answer for: one Variable for two inputs, outer Variables, target gradients, a second call of
`gradients`, checked shapes and dtypes.
"""

import numpy as np

from tests.support.parity.graphs import S
from tests.support.parity.kit import Family

cases = Family("static_pylayer_errors")
X = np.array([1.0, 2.0], "float32")
layer = S.nn.static_pylayer


def _fails(*inputs):
    raise KeyError("mine")
