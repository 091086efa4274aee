"""The cure that `check` names, applied to the script at the line that it names, makes `check` silent."""

import json
import re

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from minipaddle.tools.record.labels import without_number
from tests.support.commands import run_command

SLOPES = {
    "paddle.tanh({h})": ["{t} = paddle.tanh({h})", "{q} = {t} * {t}", "{s} = 1.0 - {q}"],
    "paddle.exp({h})": ["{s} = paddle.exp({h})"],
    "paddle.sin({h})": ["{s} = paddle.cos({h})"],
    "{h} * {h}": ["{s} = {h} * 2.0"],
    "{h} * w": ["{s} = w * 1.0"],
    "{h} + w": ["{s} = paddle.ones_like({h})"],
}
"""Steps of a forward, with the lines that compute their slopes, an operator each."""
FIRST = 6
"""The line of the first step of forward in ``FRAME``."""
SLIPS = (
    lambda line: re.sub("= (.*)", r"= (\1) * 3.0", line),
    lambda line: re.sub("= (.*)", r"= -(\1)", line),
    lambda line: line.replace("paddle.cos", "paddle.sin"),
    lambda line: re.sub(r"\bx\b", "w", line),
    lambda line: re.sub(r"\bw\b", "x", line),
    lambda line: line.replace("1.0 - ", "1.0 + "),
    lambda line: re.sub(r" \* [tgs]\d", " * 1.0", line),
)
FRAME = """\
import paddle
class Own(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        {forward}
        return {last} * 1.0
    @staticmethod
    def backward(ctx, dy):
        x, w = ctx.saved_tensor()
        {backward}
        return {g}, None
x = paddle.to_tensor([0.4, -0.7, 1.1], stop_gradient=False)
out = Own.apply(x, paddle.to_tensor([1.3, 0.6, -0.8]))
(out * paddle.to_tensor([0.9, 1.7, 0.6])).sum().backward()
"""


def script(steps, number, slip):
    """Write a layer of these steps with a slip in one line of its backward; None if the slip changes nothing."""
    heads = ["x", *(f"h{at}" for at in range(1, len(steps) + 1))]
    named = [{"h": heads[at], "t": f"t{at}", "q": f"q{at}", "s": f"s{at}"} for at in range(len(steps))]
    forward = [f"{heads[at + 1]} = {step.format(**named[at])}" for at, step in enumerate(steps)]
    slopes = [line.format(**names) for step, names in zip(steps, named) for line in SLOPES[step]]
    gradients = ["dy", *(f"g{at}" for at in range(len(steps)))]
    pulled = [f"{gradients[at + 1]} = {gradients[at]} * s{len(steps) - 1 - at}" for at in range(len(steps))]
    lines = [*slopes, *pulled]
    at = number % len(lines)
    wrong = slip(lines[at])
    planted = [*lines[:at], wrong, *lines[at + 1 :]]
    parts = [*forward[:-1], *planted] if len(forward) > 1 else planted
    text = FRAME.format(
        forward="\n        ".join(forward), backward="\n        ".join(parts), last=heads[-1], g=gradients[-1]
    )
    return None if wrong == lines[at] else text


def cured(text, number, cause):
    """Return the script with the cure that a cause names, in line `number`."""
    lines = text.splitlines()
    indent, name, value = re.fullmatch(r"(\s*)(\w+ = |return )(.*?)(?:, None)?", lines[number - 1]).groups()
    rest = ", None" if name == "return " else ""

    def formula(one):
        return re.sub(r"\b(exp|log|cos|sin|sqrt|sign)\(", r"paddle.\1(", one)

    if found := re.fullmatch(r"missing factor: the slope of \w+ of forward, line (\d+)", cause):
        value = f"({value}) * s{int(found[1]) - FIRST}"
    elif found := re.fullmatch(r"missing factor (.*)", cause):
        value = f"({value}) * ({formula(found[1])})"
    elif found := re.fullmatch(r"factor (.*) too much", cause):
        value = f"({value}) / ({formula(found[1])})"
    elif cause == "wrong sign":
        value = f"-({value})"
    elif found := re.fullmatch(r"(?:saved|reads) `(\w+)` where the rule needs (?:the \w+ )?`(\w+)`", cause):
        value = re.sub(rf"\b{found[1]}\b", found[2], value)
    elif found := re.fullmatch(r"(\w+) where (\w+) should be", cause):
        value = value.replace(f"paddle.{found[1]}", f"paddle.{found[2]}")
    elif cause == "wrong sign inside":
        value = value.translate(str.maketrans("+-", "-+"))
    else:
        raise AssertionError(cause)
    lines[number - 1] = f"{indent}{name}{value}{rest}"
    return "\n".join(lines)


@given(
    st.lists(st.sampled_from(sorted(SLOPES)), min_size=1, max_size=3),
    st.integers(0, 20),
    st.sampled_from(SLIPS),
)
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_the_named_cure_makes_check_green(tmp_path, steps, number, slip):
    text = script(steps, number, slip)
    if text is None:
        return
    path = tmp_path / "script.py"

    def wrong(written):
        path.write_text(written, encoding="utf-8")
        rows = json.loads(run_command("check", path, "--json").stdout)["check"]
        return [row for row in rows if row["verdict"] != "ok"]

    for row in wrong(text):
        first, *others = row["cause"].split("; or line ")
        cures = [(int(row["line"].split(":")[1]), first)] if row["line"] else []
        cures += [(int(one.split(": ", 1)[0]), one.split(": ", 1)[1]) for one in others]
        for line, cause in cures:
            assert not wrong(cured(text, line, without_number(cause))), (line, cause, text)
