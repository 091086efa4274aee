"""Grader of task1_value.py: value and rules of each operator, at drawn arrays and drawn gradients."""

import numpy as np

from minipaddle.tools.course.claims import claim, close

HINTS = (
    "A rule is a function of `dy` alone; what else it needs, it finds around it, as `+` shows.",
    "Each rule is `dy` times a slope: of `a / b` they are `1 / b` and `-a / b ** 2`, of `log` it is `1 / a`.",
    "Write the slopes on paper first, one for each operand; a rule is a lambda of `dy` that multiplies by it.",
)


def binary(student, name, a, b, dy):
    left, right = student.Value(a), student.Value(b)
    made = {"-": lambda: left - right, "*": lambda: left * right, "/": lambda: left / right}[name]()
    grads, waiting = {made: dy}, [made]
    while waiting:  # an operator may be built of several
        value = waiting.pop()
        for operand, rule in zip(value.operands, value.rules, strict=True):
            grads[operand] = grads.get(operand, 0.0) + rule(grads[value])
            waiting.append(operand)
    return made.data, grads.get(left), grads.get(right), left in grads and right in grads


def unary(student, name, a, dy):
    operand = student.Value(a)
    made = getattr(operand, name)()
    (rule,) = made.rules
    return made.data, rule(dy), made.operands[0] is operand


@claim(15, "minus")
def minus(ask, draw):
    a, b, dy = draw.normal(size=(3, 4))
    value, da, db, kept = ask(binary, "-", a, b, dy)
    if not kept:
        return "The operands of `a - b` are `a` and `b` themselves: neither is met on the way back."
    if close(db, dy):
        return "When `b` grows, `a - b` shrinks: its rule answers with `-dy`."
    right = close(value, a - b) and close(da, dy) and close(db, -dy)
    return None if right else "`a - b`, or one of its two rules, is wrong."


@claim(20, "times")
def times(ask, draw):
    a, b, dy = draw.normal(size=(3, 2, 3))
    value, da, db, kept = ask(binary, "*", a, b, dy)
    if not kept:
        return "The operands of `a * b` are `a` and `b` themselves: neither is met on the way back."
    if close(da, dy * a) and close(db, dy * b):
        return "The rules of `a * b` are swapped: the slope for `a` is `b`."
    if close(da, b) and close(db, a):
        return "The rules of `a * b` forget `dy`: the chain rule multiplies by it."
    right = close(value, a * b) and close(da, dy * b) and close(db, dy * a)
    return None if right else "`a * b`, or one of its two rules, is wrong."


@claim(20, "divided by")
def divided(ask, draw):
    a, dy = draw.normal(size=(2, 5))
    b = draw.uniform(1, 2, 5)
    value, da, db, kept = ask(binary, "/", a, b, dy)
    if not kept:
        return "The operands of `a / b` are `a` and `b` themselves: neither is met on the way back."
    if close(db, dy * a / b**2):
        return "When `b` grows, `a / b` shrinks: its slope for `b` is `-a / b ** 2`."
    right = close(value, a / b) and close(da, dy / b) and close(db, -dy * a / b**2)
    return None if right else "`a / b`, or one of its two rules, is wrong."


@claim(20, "exp and log")
def exp_and_log(ask, draw):
    a, dy = draw.uniform(1, 2, 4), draw.normal(size=4)
    value, da, kept = ask(unary, "exp", a, dy)
    if not (kept and close(value, np.exp(a)) and close(da, dy * np.exp(a))):
        return "`exp` is its own slope: its rule is `dy` times the value."
    value, da, kept = ask(unary, "log", a, dy)
    if close(da, dy / np.log(a)):
        return "The slope of `log` is one over its operand, not one over its value."
    right = kept and close(value, np.log(a)) and close(da, dy / a)
    return None if right else "The slope of `log` is `1 / a`."


@claim(15, "tanh")
def tanhs(ask, draw):
    a, dy = draw.normal(size=(2, 4))
    value, da, kept = ask(unary, "tanh", a, dy)
    if close(da, dy * (1 - a * a)):
        return "The slope of `tanh` is `1 - y * y` with the value `y`, not with the operand."
    right = kept and close(value, np.tanh(a)) and close(da, dy * (1 - np.tanh(a) ** 2))
    return None if right else "`tanh`, or its rule, is wrong: the slope is `1 - y * y`."


@claim(10, "relu")
def relus(ask, draw):
    a, dy = draw.normal(size=(2, 9))
    a[0], a[1] = -1.0, 1.0
    value, da, kept = ask(unary, "relu", a, dy)
    if close(da, dy):
        return "Where `relu` is flat its slope is 0, and yours lets `dy` pass there."
    right = kept and close(value, np.maximum(a, 0)) and close(da, dy * (a > 0))
    return None if right else "`relu`, or its rule, is wrong: `dy` passes where the operand is positive."
