"""to_static: `while`, `for`, `break`, `continue`, `return` in loops."""

import paddle

from tests.support.parity.rewritten import NEGATIVE, POSITIVE, Rewritten, refused

cases = Rewritten("jit_loops")


def while_of_a_sum(x):
    while x.sum() < 10:
        x = x + 1
    return x


def while_not(x):
    while not x.sum() > 10:
        x = x * 2
    return x


def while_with_a_number(x):
    rate = 0.5
    while x.sum() < 10:
        x = x + rate
        rate = rate * 2
    return x


def while_that_python_counts(x):
    n = 0
    while n < 3:
        x = x * 2
        n += 1
    return x


def while_of_both(x):
    n = 0
    while n < 3 and x.sum() < 10:
        x = x + 1
        n += 1
    return x * n


def while_that_never_runs(x):
    while x.sum() > 100:
        x = x + 1
    return x


def while_with_else(x):
    while x.sum() < 10:
        x = x + 1
    else:
        x = x * 2
    return x


def while_true_and_break(x):
    while True:
        x = x + 1
        if x.sum() > 20:
            break
    return x


def nested_whiles(x):
    n = paddle.to_tensor(0)
    while n < 2:
        m = paddle.to_tensor(0)
        while m < 3:
            x = x + 1
            m = m + 1
        n = n + 1
    return x


def branch_in_a_while(x):
    n = paddle.to_tensor(0)
    while n < 4:
        if x.sum() > 5:
            x = x - 3
        else:
            x = x * 2
        n = n + 1
    return x


def continue_in_a_while(x):
    n = paddle.to_tensor(0)
    while n < 4:
        n = n + 1
        if x.sum() > 5:
            continue
        x = x + n
    return x


def for_of_a_range(x):
    for i in range(3):
        x = x + i
    return x


def for_of_a_tensor_range(x):
    n = paddle.to_tensor(3)
    for i in range(n):
        x = x * 2 + i
    return x


def for_of_a_range_with_steps(x):
    n = paddle.to_tensor(7)
    for i in range(1, n, 2):
        x = x + i
    return x


def for_downwards(x):
    n = paddle.to_tensor(1)
    for i in range(5, n, -1):
        x = x + i
    return x


def sum_from_zero(x):
    s = 0
    for i in range(paddle.to_tensor(3)):
        s = s + x * i
    return s


def for_of_rows(x):
    s = paddle.zeros([1])
    for row in x:
        s = s + row
    return s


def for_of_enumerate(x):
    s = paddle.zeros([1])
    for i, row in enumerate(x):
        s = s + row * i
    return s


def for_of_zip(x):
    s = paddle.zeros([1])
    for one, other in zip(x, x * 2):
        s = s + one * other
    return s


def for_of_a_list(x):
    for factor in [1.0, 2.0, 3.0]:
        x = x * factor
    return x


def for_of_a_dict(x):
    for name, factor in {"a": 1.0, "b": 2.0}.items():
        x = x * factor + len(name)
    return x


def break_of_a_tensor(x):
    for i in range(10):
        if x.sum() > 20:
            break
        x = x + i
    return x


def break_of_python(x):
    for i in range(10):
        if i > 3:
            break
        x = x + i
    return x


def continue_of_a_tensor(x):
    for i in range(4):
        if x.sum() > 5:
            continue
        x = x + i
    return x


def continue_of_python(x):
    for i in range(4):
        if i % 2:
            continue
        x = x + i
    return x


def return_in_a_for(x):
    for i in range(5):
        x = x + i
        if x.sum() > 10:
            return x * 10
    return x


def return_in_a_python_for(x):
    for i in range(5):
        x = x + i
        if i == 3:
            return x * 10
    return x


def return_in_a_while(x):
    while x.sum() < 10:
        x = x + 1
        if x[0] > 2:
            return x * 100
    return x


def for_with_else(x):
    for i in range(3):
        if x.sum() > 2:
            break
        x = x + i
    else:
        x = x * 10
    return x


def loop_over_the_shape(x):
    s = paddle.zeros([1])
    for i in range(x.shape[0]):
        s = s + x[i]
    return s


def length_of_a_tensor(x):
    for i in range(len(x)):
        x = x + i
    return x


def comprehension(x):
    return sum([row * 2 for row in x])


cases.keep(
    [
        while_of_a_sum,
        while_with_a_number,
        while_of_both,
        while_that_never_runs,
        while_with_else,
        while_true_and_break,
        nested_whiles,
        branch_in_a_while,
        continue_in_a_while,
        break_of_a_tensor,
        return_in_a_for,
        return_in_a_while,
        for_with_else,
    ],
    POSITIVE,
    NEGATIVE,
    ours="as eager",
)
cases.keep([while_not], POSITIVE, ours="as eager")
cases.keep([for_of_a_tensor_range, sum_from_zero], POSITIVE, NEGATIVE, ours=refused("TypeError"))
cases.keep([for_of_a_range_with_steps, for_downwards], POSITIVE, ours=refused("TypeError", 1))
cases.keep(
    [
        while_that_python_counts,
        for_of_a_range,
        for_of_rows,
        for_of_enumerate,
        for_of_zip,
        for_of_a_list,
        for_of_a_dict,
        break_of_python,
        continue_of_a_tensor,
        continue_of_python,
        return_in_a_python_for,
        loop_over_the_shape,
        length_of_a_tensor,
    ],
    POSITIVE,
    NEGATIVE,
)
cases.keep([comprehension], POSITIVE)
