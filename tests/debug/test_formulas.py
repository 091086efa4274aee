"""What `why` shows is what the rules do: every formula is run beside its rule."""

import importlib
import pkgutil

import numpy as np
import pytest

import minipaddle.ops
from minipaddle.core.eager import EAGER, within
from minipaddle.core.operator import TABLE
from minipaddle.core.rule import Call, read
from minipaddle.explain.formula import agree, formula, renamed, run_rule, run_text

for module in pkgutil.iter_modules(minipaddle.ops.__path__):
    importlib.import_module(f"minipaddle.ops.{module.name}")

RULES = {
    f"{op.type}-{op.input_names[rule.input]}": (op, rule)
    for op in TABLE.values()
    for rule in op.rules
    if rule.formulas
}


def matrices(*shapes):
    return lambda rng: [rng.uniform(0.2, 0.9, shape) for shape in shapes]


CUBE, ROW = matrices((2, 3, 4)), matrices((5,))
IMAGE = matrices((2, 3, 2, 2), (3,), (3,), (3,), (3,))
ROWS = matrices((4, 3), (3,), (3,), (3,), (3,))
MORE = {  # calls beside the operator's own example that the formulas speak of
    "matmul_v2": [
        (matrices((2, 3), (3, 4)), {}),
        (matrices((2, 3), (4, 3)), {"transpose_y": True}),
        (matrices((3, 2), (3, 4)), {"transpose_x": True}),
        (matrices((3, 2), (4, 3)), {"transpose_x": True, "transpose_y": True}),
        (matrices((5, 2, 3), (5, 3, 4)), {}),
        (matrices((5, 2, 3), (5, 4, 3)), {"transpose_y": True}),
        (matrices((5, 2, 3), (3, 4)), {}),
        (matrices((5, 2, 3), (4, 3)), {"transpose_y": True}),
        (matrices((2, 3), (5, 3, 4)), {}),
        (matrices((2, 3), (5, 4, 3)), {"transpose_y": True}),
        (matrices((1, 2, 3), (5, 3, 4)), {}),
        (matrices((5, 2, 3), (1, 3, 4)), {}),
        (matrices((5, 2, 3), (1, 4, 3)), {"transpose_y": True}),
        (matrices((3,), (3,)), {}),
        (matrices((2, 3), (3,)), {}),
        (matrices((5, 2, 3), (3,)), {}),
        (matrices((3,), (3, 4)), {}),
    ],
    "mul": [(matrices((2, 3), (3, 4)), {})],
    "reduce_sum": [(CUBE, {"axis": axis, "keepdim": keep}) for axis in (None, 1, (0, 2)) for keep in (0, 1)],
    "reduce_mean": [(CUBE, {"axis": axis, "keepdim": keep}) for axis in (None, 1, (0, 2)) for keep in (0, 1)],
    **{
        f"reduce_{which}": [(CUBE, {"axis": None}), (CUBE, {"axis": 1}), (CUBE, {"axis": 1, "keepdim": True})]
        for which in ("max", "min", "amax", "amin")
    },
    "reduce_var": [(CUBE, {"axis": 1}), (CUBE, {"axis": None})],
    "logsumexp": [(CUBE, {"axis": 1}), (CUBE, {"axis": None})],
    "p_norm": [(CUBE, {"porder": order, "axis": axis}) for order in (1, 2) for axis in (1, None)],
    "clip": [(ROW, {"min": low, "max": high}) for low in (None, 0.4) for high in (None, 0.6)],
    "pow": [(ROW, {"factor": 2.0}), (ROW, {"factor": 3.0})],
    "cumsum": [(CUBE, {"axis": 1, "reverse": reverse}) for reverse in (False, True)],
    "gelu": [(ROW, {"approximate": flag}) for flag in (False, True)],
    "roll": [(CUBE, {"shifts": (1,), "axis": (1,)}), (CUBE, {"shifts": (2,), "axis": None})],
    "layer_norm": [(matrices((2, 3), (3,), (3,)), {}), (lambda rng: [rng.random((2, 3)), None, None], {})],
    "batch_norm": [
        (IMAGE, {"data_layout": "NCHW"}),
        (IMAGE, {"data_layout": "NCHW", "is_test": True}),
        (ROWS, {"data_layout": "NHWC"}),
    ],
    "sigmoid_cross_entropy_with_logits": [(lambda rng: [*rng.random((2, 3)), None], {})],
    "softmax_with_cross_entropy": [
        (lambda rng: [rng.random((2, 3)), np.array([[0], [2]])], {}),
        (lambda rng: [rng.random((2, 3)), np.array([[0], [-100]])], {}),
        (lambda rng: [rng.random((2, 3)), np.array([[0.2, 0.3, 0.5], [1, 0, 0]])], {"soft_label": True}),
    ],
}  # fmt: skip


def arguments_of(op, rule, inputs, attrs, rng, only=None):
    """What the rule receives in a call, with random gradients coming in (of one output, or of all)."""
    attrs = {**op.defaults, **attrs}
    with within(EAGER.reading()):
        outputs = op.run(*[None if x is None else x.copy() for x in inputs], **attrs)
    several = list(outputs) if op.multiple else [outputs]
    chosen = [several] if op.list_output else [several[i] for i in op.differentiable]
    coming = [_gradient(out, rng, only in (None, number)) for number, out in enumerate(chosen)]
    call = Call(inputs, several, attrs)
    kept = [read(source, call) for source in rule.sources]
    return dict(zip(rule.parameters, coming + kept, strict=True))


def _gradient(out, rng, wanted):
    if isinstance(out, list):
        return [_gradient(one, rng, wanted) for one in out]
    return np.asarray(rng.uniform(0.2, 0.9, np.shape(out)) * wanted)


def fits(text, rule, arguments):
    try:
        return agree(run_text(text, arguments), run_rule(rule, arguments))
    except Exception:
        return False


def calls(op, rule):
    rng = np.random.default_rng(7)
    examples = [op.example(rng), *((make(rng), attrs) for make, attrs in MORE.get(op.type, ()))]
    for inputs, attrs in examples:
        for only in (None, *range(len(op.differentiable))):
            yield arguments_of(op, rule, inputs, attrs, rng, only)


@pytest.mark.parametrize("name", RULES)
def test_every_formula_is_what_its_rule_computes(name):
    op, rule = RULES[name]
    found = list(calls(op, rule))
    unused = [text for text in rule.formulas if not any(fits(text, rule, arguments) for arguments in found)]
    assert unused == []


@pytest.mark.parametrize("name", [name for name, (_, rule) in RULES.items() if len(rule.formulas) == 1])
def test_a_lone_formula_holds_for_every_call(name):
    op, rule = RULES[name]
    if len(op.differentiable) == 1:
        assert all(fits(rule.formulas[0], rule, arguments) for arguments in calls(op, rule))


def test_a_name_that_a_rule_assigns_keeps_its_name():
    assert renamed("flag = not flag\nx * flag", {"flag": "False", "x": "W"}) == [
        "flag = not flag",
        "W * flag",
    ]


def test_the_source_of_a_function_is_its_formula():
    def rule(dy, y):
        """Say nothing of this."""
        half = y / 2
        return dy * half

    assert formula(rule) == "half = y / 2\ndy * half"
