"""The differences of docs/parity.md, as rules that a machine can ask: which line of a program may differ, and how."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple


class Rule(NamedTuple):
    """Lines that match `line`, where Paddle says what matches `paddle` and we say what matches `ours`."""

    row: str
    """What the row of docs/parity.md has in its first column, or a part of it."""
    line: str
    paddle: str = ""
    ours: str = ""
    later: str = ""
    """The line itself agrees; what differs somewhere else, told in words, matches this."""
    operands: str = ""
    """What was said of the tensors that the line names, when they were made, matches this."""


NOTHING = r'"data": \[\]'
"""In an answer: a tensor without elements."""
FEW = r'"shape": \[\d?\]'
"""In an answer: a vector or a number."""
EAGER: list[Rule] = [
    Rule("paddle.grad(y, z, allow_unused=True)", r"paddle\.grad", "SystemError"),
    Rule("second or third derivative of", r"finish\(2\)|create_graph", "create_graph"),
    Rule("second derivative through `concat`", r"finish\(2\)", "SystemError"),
    Rule("second derivative through `concat`", r"stack\(", later="process ends", operands=NOTHING),
    Rule("`tanh`, `exp`, ... of integers", r"(paddle|F)\.\w+\(t\d+\)", r"\[true, true", r"\[false, false"),
    Rule("too many indices", r"\[", "ValueError|out of bounds", "IndexError"),
    Rule("`x[:]`, `x[...]`", r"\[(:|\.\.\.|:1|0:\d|\(\))\]", "true, 0|true, 1"),
    Rule("many operators, or their gradients, have no kernel", r"=|_\(", "is not registered", ""),
    Rule("`flatten_()` of a 0-D tensor", r"flatten_\(", "ValueError"),
    Rule("`reshape` of a transposed tensor", r"reshape|flatten", r", [1-9]\]", r", 0\]"),
    Rule("`-x` and `x / y` of bools", r"/|divide", '"bool"'),
    Rule(
        "`isclose`, `allclose` of two types and two shapes", r"isclose|allclose", "RuntimeError", "ValueError"
    ),
    Rule("many operators, or their gradients, have no kernel", r"finish|backward", '"NotImplementedError"'),
    Rule(
        "two errors in one backward pass",
        r"finish|backward",
        "RuntimeError|SystemError",
        "RuntimeError|SystemError",
    ),
    Rule("`paddle.grad` for a tensor that was frozen", r"paddle\.grad", "data", "allow_unused"),
    Rule("`paddle.grad` for a tensor that was frozen", r"allow_unused=True", "data", r"\[-7.0(, -7.0)*\]"),
    Rule("iterating a 0-D tensor", r" for row in ", "IndexError", "AssertionError"),
    Rule("0-D `//` a number", r"//", r'"shape": \[1\]', r'"shape": \[\]'),
    Rule("`full(shape, ", r"(full|clip|fill_)\(.*'x'\)"),
    Rule("`copy_` of another shape", r"copy_\(", later=r"RuntimeError|tensors"),
    Rule("`copy_` of a tensor without elements", r"copy_\(", r"\A\[\]\Z", "RuntimeError", operands=NOTHING),
    Rule("`int32.clip_(0.5, 2.5)`", r"clip_\(", later=r"float32, Paddle has int"),
    Rule("`x[7:]` of a leaf without elements", r"= t\d+\[\d+:\]$", r"false, true, 0", r"false, false, 0"),
    Rule("`h = x.unsqueeze(0)`, `h.retain_grads()`", r"retain_grads", later=r"\A\.tensors\.t\d+\[1\]: .*\Z"),
    Rule("`relu` of nan", r"relu\(", "", "NaN"),
    Rule("of logits more than 64 apart", r"softmax|cross_entropy", r"-6[45]\."),
    Rule("an in-place operation with a 0-D operand of another type", r"\.\w+_\(", "Type promotion", r"\[\]"),
    Rule("along an axis without elements", r"arg(max|min)|am(ax|in)|topk", "", "ValueError"),
    Rule("`argmax`, `argmin` | ignore nan", r"arg(max|min)\(", operands="NaN"),
    Rule("`label_smooth` of a 0-D tensor", r"label_smooth\(", operands=r'"shape": \[\]'),
    Rule(
        "`put_along_axis(x, index, 0.5, axis)` of float64",
        r"put_along_axis",
        "does not match the type",
        "float64",
    ),
    Rule("`view` of a 0-D tensor", r"view\(", "ValueError", "data"),
    Rule("index out of range inside a list or tensor", r"\[.*[\[(]", "", "out of bounds"),
    Rule("`matmul` of float32 with integers", r"@|matmul|mm\(", "", "does not match the type of data"),
    Rule("`allclose` of different shapes", r"allclose|isclose", "true", "RuntimeError"),
    Rule("`logsumexp` of infinities", r"logsumexp", "NaN", "Infinity"),
    Rule("`-x` and `x / y` of bools", r"/|divide", "Exception"),
    Rule("`norm(x, 2, 0)` of a 0-D tensor", r"norm\("),
    Rule("assigning a number to `.grad`", r"'grad', 3", "SystemError", "ValueError"),
    Rule(
        "raises, with the data already overwritten", r"\.\w+_\(|layer\(11", "Leaf Var", "Leaf Var", later=r"."
    ),
    Rule("raises, with the data already overwritten", r"remainder_\(t", "Exception", "Exception", later=r"."),
    Rule(
        "`reshape_`, `flatten_`, `unsqueeze_` of `x.detach()`",
        r"\.(reshape|flatten|unsqueeze|squeeze)_\(",
        later=r".",
    ),
    Rule("overwriting `x` after `var(x)`", r"(var|std)\(", later=r"RuntimeError"),
    Rule("second or third derivative of", r"create_graph=True", later=r"ValueError|NotImplementedError"),
    Rule("writing to an empty selection", r"\] = ", later=r"flags"),
    Rule("second derivative of `maximum`, `minimum`", r"maximum|minimum", later=r"tensors"),
    Rule("called, but backward sees the old gradient", r"register_hook\(watch\(.*, -?\d", later=r"."),
    Rule(
        "`reshape` of a transposed tensor",
        r"(moveaxis|swapaxes|transpose|T\b).*reshape",
        later=r"flags|modified",
    ),
    Rule("`reshape` of a 0-D tensor", r"reshape|flatten|view", r'"shape": \[1(, 1)?\]', later=r"."),
    Rule("`x[:]`, `x[...]`", r"\[(:|\.\.\.|:1|:-1|0:\d|\(\))\]|\.shape\[", later=r"."),
    Rule("index out of range inside a list or tensor", r"\[\[0, 1\], \[0, 1\]\]", later=r"process ends"),
    Rule("gradient of `prod` where a factor is zero", r"prod", later=r"nan"),
    Rule("`y[[0, 0]] = v`, gradient of v", r"\[.*\[0, 0\]\)?\] = ", later=r"tensors"),
    Rule("gradient of v in `y[index] = v`", r"\[.*([\[(].*[\])]|[<>].*)\] = t", later=r"tensors"),
    Rule("a frozen tensor that an in-place operation", r"\.\w+_\(t|t\d+\[.*\] = ", later=r"None, Paddle has"),
    Rule("`y[0] = y[1]`", r"^(t\d+)\[.*\] = \1\b", later=r"modified by"),
    Rule("`floor_divide_`, whose result has no gradient", r"floor_divide_", later=r"."),
    Rule(
        "saved although no rule needs it",
        r"/ (True|\d)|t\d+ [@*/] |matmul|multiply|\] = t",
        later=r"modified by",
    ),
    Rule("`saved_tensors_hooks` whose `pack`", r"saved_tensors_hooks", later=r"."),
    Rule("`matmul(x, v, True, True)` of a vector", r"True, True", later=r"RuntimeError|tensors.*shape"),
    Rule("gradient of `abs` at inf and -inf", r"abs\(", later=r"nan"),
    Rule(
        "a view of a tensor that an in-place operation has moved",
        r"\.(tanh|exp|log|sin|cos|sqrt|sigmoid|erf|expm1|reciprocal|cast|divide)_\(",
        later=r".",
    ),
    Rule("`x.grad.is_leaf`", r"add_n", later=r"flags"),
    Rule("`norm(x, 2, 0)` of a 0-D tensor", r"norm(alize)?\(", later=r"process ends"),
    Rule("where an infinite gradient arrives", r"max|min", later=r"nan"),
    Rule(
        "`y[index] = v` where `y` has no elements",
        r"^t\d+\[.*\] = ",
        r"\A\[\]\Z",
        "ValueError",
        operands=NOTHING,
    ),
    Rule("`index_select`, `gather` at `to_tensor([])`", r"select|gather", NOTHING, "ValueError"),
    Rule("`split` of no rows into `[1, -1]`", r"split\(", "", "ValueError", operands=NOTHING),
    Rule("`label_smooth` of no classes", r"smooth|cross_entropy", "", "ValueError", operands=NOTHING),
    Rule(
        "index out of range inside a list or tensor",
        r"\[.*\[|np\.array|to_tensor\(\[",
        ours="IndexError",
        later="process ends",
        operands=NOTHING,
    ),
    Rule(
        "index out of range inside a list or tensor", "index_sample", "length", "ValueError", operands=NOTHING
    ),
    Rule("without elements | ValueError for some shapes", r"finish|backward", "ValueError", r"\A(?!.*Error)"),
    Rule("`cumprod(x, -1)` of a 0-D tensor", r"cumprod", "ValueError", "data"),
    Rule("`cumprod(x, -1)` of a 0-D tensor; `dropout(x, axis=0)` of one", r"dropout", "data", "ValueError"),
    Rule("`cosine_similarity` along an axis", r"cosine_similarity", "IndexError", "ValueError|data"),
    Rule("a convolution whose kernel, ", r"conv|pool", "", "ValueError"),
    Rule("shapes, axes or dtypes that do not fit", r"(take|put)_along_axis", "AssertionError", "ValueError"),
    Rule("shapes, axes or dtypes that do not fit", r"masked_select", "RuntimeError", "ValueError"),
    Rule(
        "shapes, axes or dtypes that do not fit",
        r"swapaxes|moveaxis",
        "IndexError|AssertionError",
        "ValueError",
    ),
    Rule("`y[mask] = v` where neither the mask nor `v` fits", r"\] = ", "IndexError", "ValueError"),
    Rule("`copy_` of another shape", r"copy_\(", "ValueError", r"\A\[?[^e]*\Z|data"),
    Rule("0-D `//` a number", r"arg(min|max)\(.*keepdim=True", r'"shape": \[1\]', r'"shape": \[\]'),
    Rule("`unique` of a matrix without elements", r"unique\(", operands=NOTHING),
    Rule("`x // 0`, `x % 0` of integers without elements", r"//|%", NOTHING, "Exception"),
    Rule("`F.pad` of a 0-D tensor", r"pad\(", "data", "ValueError", operands=FEW),
    Rule("`F.pad` of a 0-D tensor", r"pad\(", later="process ends", operands=FEW),
    Rule("gradient of `group_norm` without a weight", r"group_norm\(.*, 2\)$", later="tensors"),
    Rule("`y[:] = v` where `v` has a unit axis", r"\] = t", later="process ends"),
    Rule(
        "gradients in which nan or inf meets 0",
        r"/ |%|divide|clip|abs|l1",
        later=r"(nan|inf).*Paddle|Paddle.*(nan|inf)",
    ),
    Rule("where nan or inf arrives", r"round|floor|ceil|sign", later=r"Paddle has.*nan"),
    Rule(
        "saved although no rule needs it", r"elu|cumprod|prod|%|cumsum|median|heaviside", later="modified by"
    ),
    Rule("overwriting `x` after `var(x)`", r"smooth_l1", later=r"RuntimeError"),
    Rule("-0.0 in `x * 2`, `-x`", r"= -|\* -?\d|neg\(|scale|\d - ", later=r"inf|nan"),
]
PROGRAMS: list[Rule] = [
    Rule("second derivative through `py_func`", r"again = ", r"\A\[\]\Z", "RuntimeError"),
    Rule("second derivative of `exp`, `softmax`, `1 / x`", r"again = ", "error"),
    Rule("`round(0.5)`", r"round\("),
    Rule("int64 Variable + float", r" [-+*] ", "int64", "float"),
    Rule("`expand` to a shape that cannot work", r"expand\(", "", "ValueError"),
    Rule("`where` of rows whose number", r"where\(", later=r"Paddle has None"),
    Rule("`paddle.shape` of a 0-D Variable", r"paddle\.shape\(", later=r"Paddle has None"),
    Rule(
        "fetching a gradient that `no_grad_set` stops",
        r"no_grad_set",
        later=r"Paddle has None|Paddle has \[None",
    ),
    Rule(
        "`py_func` without `backward_func`",
        r"py_func\(.*, None\)",
        later=r"process ends|Paddle has None|Paddle has \[None",
    ),
    Rule(
        "`stop_gradient` of what has no gradient",
        r"[<>=]=? |isnan|isfinite|//|not_equal|less",
        "false",
        "true",
    ),
    Rule("gradient of `expand_as(x, y)`", r"expand_as", later=r"grad"),
    Rule("gradient where two are equal", r"max|min|clip|sort|topk", later=r"grad"),
    Rule("second derivative through", r"again = ", later=r"again"),
    Rule("gradient of `prod` where a factor is zero", r"prod\(", later="nan"),
    Rule(
        "an operator that its shape rule refuses",
        r"static_pylayer|append_backward|gradients",
        "Assertion",
        r"\A(?!.*Error)",
    ),
    Rule("`paddle.pow(x, y)` of Variables", r"pow\(", later="names.*elementwise_pow"),
]


def explaining(rules: list[Rule], line: str, wanted: Any, got: Any, answers: Any) -> Iterator[Rule]:
    """The rules that explain why a line answers differently, in a program with these answers."""
    made = json.dumps([answers.get(place) for place in re.findall(r"\bt(\d+)", line)])
    for rule in rules:
        matches = [(rule.line, line), (rule.paddle, json.dumps(wanted)), (rule.ours, json.dumps(got))]
        matches += [(rule.operands, made)]
        if all(re.search(pattern, text) for pattern, text in matches):
            yield rule
