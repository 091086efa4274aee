"""`nan` names the operator where it was born, for many kinds of mistakes."""

from minipaddle import paddle
from minipaddle.tools.checks.nan import hunt, hunt_lines, hunt_object


def leaf(*numbers):
    return paddle.to_tensor(list(numbers), stop_gradient=False)


def test_nan_and_inf_are_counted_apart_and_the_place_of_the_birth_is_named(record):
    def product():
        zeros = paddle.to_tensor([-0.0, -1.0, 0.0])
        paddle.multiply(zeros, paddle.log(leaf(1.0, 0.0, 0.0)))

    trace = record(product)
    found = hunt(trace)
    born = found.births[-1]
    assert (born.what, born.spot) == ("NaN", (2,))
    (line,) = (line for line in hunt_lines(found, trace) if "multiply" in line)
    assert "1 NaN, 1 Inf of 3" in line
    assert "[2] = 0" in line
    assert line.endswith("->  nan")
    row = hunt_object(found, trace)["nan"][-1]
    assert (row["nans"], row["infs"], row["at"]) == (1, 1, [2])
