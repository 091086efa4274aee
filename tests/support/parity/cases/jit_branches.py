"""to_static: `if`, ternaries, `and`, `or`, `not`, comparisons."""

import paddle

from tests.support.parity.rewritten import NEGATIVE, POSITIVE, Rewritten

cases = Rewritten("jit_branches")
FLAG = True


def both_branches(x):
    if x.mean() > 0:
        y = x + 1
    else:
        y = x - 1
    return y * 2


def no_else(x):
    if x.mean() > 0:
        x = x * 3
    return x


def a_chain_of_elifs(x):
    if x.mean() > 1:
        y = x
    elif x.mean() > 0:
        y = x * 2
    elif x.min() < -5:
        y = x * 3
    else:
        y = x * 4
    return y


def nested(x):
    y = x
    if x.mean() > 0:
        if x.max() > 1:
            y = x * 2
        else:
            y = x * 3
        y = y + 1
    else:
        if x.min() > -1:
            y = x * 5
    return y


def python_predicate(x):
    if FLAG:
        y = x * 2
    else:
        y = x.nothing
    return y


def python_and_tensor(x):
    if FLAG and x.mean() > 0:
        return x
    return -x


def none_and_tensor(x, mask=None):
    if mask is None and x.mean() > 0:
        return x
    return x * 2


def either_tensor(x):
    if x.mean() > 10 or x.min() < -1:
        return x * 2
    return x * 3


def negation(x):
    if not x.mean() > 0:
        return x * 2
    return x * 3


def ternary(x):
    return (x if x.sum() > 0 else -x) * 2


def ternary_of_numbers(x):
    return x * (2.0 if x.sum() > 0 else 3.0)


def chain_of_comparisons(x):
    if 0 < x.sum() < 5:
        return x
    return -x


def number_from_a_branch(x):
    if x.mean() > 0:
        n = 1
    else:
        n = 2
    return x * n


def several_values(x):
    if x.mean() > 0:
        y, z = x, x * 2
    else:
        y, z = x * 3, x
    return y + z * 10


def early_return(x):
    if x.mean() > 0:
        return x * 2
    y = x + 1
    return y * 3


def returns_everywhere(x):
    if x.mean() > 0:
        if x.max() > 1:
            return x
        else:
            return x * 2
    elif x.min() < -1:
        return x * 3
    return x * 4


def several_returned(x):
    if x.mean() > 0:
        return x, x * 2
    return x * 3, x * 4


def branch_with_a_cast(x):
    if x.astype("bool").all():
        return x.astype("float32") + 1
    return x


def whole_tensor_as_predicate(x):
    if x > 0:
        return x * 2
    return x * 3


def number_as_predicate(x):
    if x.sum():
        return x
    return x + 100


def all_and_any(x):
    if (x > 0).all():
        return x
    if paddle.any(x < -1.5):
        return x * 7
    return x * 9


def no_value_changes(x):
    if x.sum() > 0:
        pass
    return x + 1


def temporary_of_a_branch(x):
    if x.sum() > 0:
        t = x * 2
        x = t + 1
    return x


def function_in_a_function(x):
    def f(a):
        return a * 2

    if x.sum() > 0:
        x = f(x)
    return x


def try_around_a_branch(x):
    try:
        if x.sum() > 0:
            y = x * 2
        else:
            y = x
    finally:
        y = y + 1
    return y


def with_around_a_branch(x):
    with paddle.no_grad():
        if x.sum() > 0:
            y = x * 2
        else:
            y = x * 3
    return y * x


cases.keep(
    [
        both_branches,
        no_else,
        a_chain_of_elifs,
        nested,
        python_predicate,
        python_and_tensor,
        none_and_tensor,
        either_tensor,
        negation,
        ternary,
        ternary_of_numbers,
        number_from_a_branch,
        early_return,
        several_returned,
        branch_with_a_cast,
        all_and_any,
        no_value_changes,
        temporary_of_a_branch,
        function_in_a_function,
        try_around_a_branch,
        with_around_a_branch,
    ],
    POSITIVE,
    NEGATIVE,
)
cases.keep([chain_of_comparisons, several_values, returns_everywhere], POSITIVE, NEGATIVE, ours="as eager")
cases.keep([whole_tensor_as_predicate], [1.0], [-1.0])
cases.keep([number_as_predicate], POSITIVE)
