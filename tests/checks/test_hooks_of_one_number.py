"""A hook on a gradient of one number: halved and cut at the half are the same, so only what the numbers say is said."""

import numpy as np
import pytest

from minipaddle.tools.checks.gradient.hooks import what_it_does

GIVEN = [
    ([2.0], [1.0], "0.5 times what came in"),
    ([2.0, 1.0, 0.5], [1.0, 1.0, 0.5], "what came in, cut at 1"),
    ([2.0, 2.0], [0.0, 0.0], "zeros"),
    ([2.0, 1.0], [1.0, 2.0], "another gradient"),
    ([2.0, 1.0], [2.0, 1.0], ""),
]


@pytest.mark.parametrize(("before", "after", "said"), GIVEN)
def test_a_gradient_that_a_hook_gave_is_compared_with_what_came_in(before, after, said):
    found = what_it_does(np.array(before), np.array(after))
    assert found == (f"the hook gives {said}" if said else "")
