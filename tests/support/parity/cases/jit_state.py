"""to_static: closures, attributes, lists and dicts, calls, casts, and what cannot be rewritten."""

import numpy as np
import paddle

from tests.support.parity.kit import Refusal
from tests.support.parity.rewritten import NEGATIVE, POSITIVE, Rewritten, refused

cases = Rewritten("jit_state")
NO = "Dygraph2StaticException"


def helper(x):
    """Called by others."""
    if x.sum() > 0:
        return x * 2
    return x * 3


def calls_a_function(x):
    return helper(x) + helper(-x)


def closure(x):
    def inner(a):
        if a.sum() > 0:
            return a * 2
        return a * 3

    return inner(x) + inner(-x)


def nonlocal_variable(x):
    n = x

    def step():
        nonlocal n
        if x.sum() > 0:
            n = n + 1
        else:
            n = n - 1

    step()
    step()
    return n


def recursion_that_python_ends(x):
    def power(x, n):
        return x if n == 0 else x * power(x, n - 1)

    return power(x, 3)


def endless(x):
    """Calls itself as long as a Tensor says so."""
    if x.sum() > 10:
        return x
    return endless(x * 2)


def recursion_that_a_tensor_ends(x):
    return endless(x)


class Holder:
    """Has an attribute."""

    def __init__(self, value):
        self.value = value

    def doubled(self):
        """Twice the value, or thrice."""
        return self.value * 2 if self.value.sum() > 0 else self.value * 3


def attribute(x):
    holder = Holder(x)
    if x.sum() > 0:
        holder.value = x * 2
    else:
        holder.value = x * 3
    return holder.value + 1


def method(x):
    return Holder(x).doubled()


def layer(x):
    class Net(paddle.nn.Layer):
        def forward(self, x):
            if x.sum() > 0:
                return x * 2
            return x * 3

    return paddle.nn.Sequential(Net(), paddle.nn.ReLU(), Net())(x)


def dict_entry(x):
    found = {"a": x}
    if x.sum() > 0:
        found["a"] = x * 2
    else:
        found["a"] = x * 3
    return found["a"]


def new_dict_entry(x):
    found = {}
    if x.sum() > 0:
        found["a"] = x * 2
    else:
        found["a"] = x * 3
    return found["a"]


def list_in_both_branches(x):
    rows = [x]
    if x.mean() > 0:
        rows.append(x + 1)
    else:
        rows.append(x - 1)
    return rows[0] + rows[1]


def list_in_a_for(x):
    rows = []
    for i in range(3):
        rows.append(x * i)
    return paddle.stack(rows)


def write_by_index(x):
    y = x * 2
    y[0] = x[1]
    return y


def write_by_index_in_a_branch(x):
    y = x * 2
    if x.mean() > 0:
        y[0] = x[1]
    return y


def write_through_a_second_name(x):
    y = x * 2
    z = y
    y[0] = 10.0
    return z


def method_in_place(x):
    y = x * 2
    y.add_(x)
    return y


def augmented(x):
    y = x * 2
    z = y
    y += 1
    return z


def casts(x):
    return [int(x.sum()), float(x.sum()), bool(x.sum())]


def numbers_that_a_loop_makes(x):
    n = 0.5
    while x.sum() < 10:
        x = x + 1
        n = n * 2
    return n


def assertion(x):
    assert x.mean() > 0, "must be positive"
    return x


def assertion_of_python(x):
    assert len(x.shape) == 2, "must be a matrix"
    return x


def raised_in_a_branch(x):
    if x.sum() > 10:
        raise ValueError("too big")
    return x


def defined_in_one_branch(x):
    if x.mean() > 0:
        y = x + 1
    if x.mean() > 0:
        return y * 2
    return x


def returns_in_one_branch(x):
    if x.mean() > 0:
        return x
    return None


def int_or_float(x):
    if x.mean() > 0:
        n = 1
    else:
        n = 2.5
    return n


def another_rank(x):
    if x.mean() > 0:
        return x
    return x.mean()


def another_size(x):
    if x.mean() > 0:
        return x
    return x[:1]


def another_structure(x):
    if x.mean() > 0:
        return x, x
    return x


def texts(x):
    if x.sum() > 0:
        name = "a"
    else:
        name = "b"
    return x if name == "a" else -x


def none_or_a_tensor(x):
    y = None
    if x.sum() > 0:
        y = x
    if y is None:
        return x * 5
    return y


def a_vector_as_predicate(x):
    if x > 0:
        return x
    return -x


cases.keep(
    [
        calls_a_function,
        closure,
        nonlocal_variable,
        recursion_that_python_ends,
        attribute,
        method,
        layer,
        list_in_a_for,
        write_by_index,
        augmented,
        numbers_that_a_loop_makes,
        assertion,
        raised_in_a_branch,
        returns_in_one_branch,
        another_size,
        another_structure,
        texts,
    ],
    POSITIVE,
    NEGATIVE,
)
cases.keep([recursion_that_a_tensor_ends], POSITIVE, ours=[Refusal("RecursionError", (), "")])
cases.keep([write_through_a_second_name, method_in_place], POSITIVE, NEGATIVE, ours="as eager")
IN_PLACE = [dict_entry, new_dict_entry, list_in_both_branches, write_by_index_in_a_branch]
cases.keep(IN_PLACE, POSITIVE, NEGATIVE, ours=refused(NO))
cases.keep([defined_in_one_branch, another_rank, none_or_a_tensor], POSITIVE, NEGATIVE, ours=refused(NO))
cases.keep([casts, assertion_of_python], POSITIVE)
ZEROS = np.zeros(2, "float32")
FLOATS = [{"result": np.array(1.0), "grad": ZEROS}, {"result": np.array(2.5), "grad": ZEROS}]
cases.keep([int_or_float], POSITIVE, NEGATIVE, ours=FLOATS)
cases.keep([a_vector_as_predicate], POSITIVE, NEGATIVE, ours=refused("ValueError"))
