"""For every operator of the table: the trees of its kernel and its rules give the computed numbers."""

import importlib
import pkgutil
import zlib

import numpy as np

import minipaddle.ops
from docs.site.reference.latex import latex
from minipaddle.engine.mode.eager import EAGER, within
from minipaddle.engine.operator.operator import TABLE
from minipaddle.engine.operator.rule import Call as RuleCall
from minipaddle.engine.operator.rule import read as read_source
from minipaddle.ops.definition.example import example_of
from minipaddle.ops.definition.traits import is_random
from minipaddle.tools.explain.symbols.element import holds, largest, numbers
from minipaddle.tools.explain.symbols.mode import Call, read, read_operator
from minipaddle.tools.explain.symbols.symbol import Symbol
from minipaddle.tools.explain.symbols.text import lines
from minipaddle.tools.explain.symbols.tree import Apply, Const, Leaf, Matmul
from tests.support.cases import for_each

for module in pkgutil.walk_packages(minipaddle.ops.__path__, "minipaddle.ops."):
    importlib.import_module(module.name)


def matrices(*shapes):
    return lambda rng: [rng.uniform(0.2, 0.9, shape) for shape in shapes]


CUBE, ROW = matrices((2, 3, 4)), matrices((5,))
IMAGE = matrices((2, 3, 2, 2), (3,), (3,), (3,), (3,))
MORE = {  # calls besides the operator's own example: other shapes, other branches
    "matmul_v2": [
        (matrices((2, 3), (3, 4)), {}),
        (matrices((2, 3), (4, 3)), {"transpose_y": True}),
        (matrices((3, 2), (3, 4)), {"transpose_x": True}),
        (matrices((3, 2), (4, 3)), {"transpose_x": True, "transpose_y": True}),
        (matrices((5, 2, 3), (5, 3, 4)), {}),
        (matrices((5, 2, 3), (3, 4)), {}),
        (matrices((5, 2, 3), (4, 3)), {"transpose_y": True}),
        (matrices((2, 3), (5, 4, 3)), {"transpose_y": True}),
        (matrices((1, 2, 3), (5, 3, 4)), {}),
        (matrices((5, 2, 3), (1, 3, 4)), {}),
        (matrices((3,), (3,)), {}),
        (matrices((2, 3), (3,)), {}),
        (matrices((5, 2, 3), (3,)), {}),
        (matrices((3,), (3, 4)), {}),
    ],
    "mul": [(matrices((2, 3), (3, 4)), {})],
    **{
        f"reduce_{kind}": [(CUBE, {"axis": axis, "keepdim": keep}) for axis in (None, 1) for keep in (False, True)]
        for kind in ("sum", "mean", "max", "min", "amax", "amin", "var", "prod")
    },
    **{
        f"elementwise_{kind}": [(matrices(one, other), {}) for one, other in (((2, 3), (3,)), ((3, 1), (2, 3, 4)))]
        for kind in ("add", "sub", "mul", "div", "pow", "max", "min", "mod")
    },
    "logsumexp": [(CUBE, {"axis": 1}), (CUBE, {"axis": None})],
    "p_norm": [(CUBE, {"porder": order, "axis": axis}) for order in (1, 2, 3) for axis in (1, None)],
    "clip": [(ROW, {"min": low, "max": high}) for low in (None, 0.4) for high in (None, 0.6)],
    "pow": [(ROW, {"factor": 2.0}), (ROW, {"factor": 3.0})],
    "cumsum": [(CUBE, {"axis": 1, "reverse": reverse}) for reverse in (False, True)],
    "gelu": [(ROW, {"approximate": flag}) for flag in (False, True)],
    "gather": [(lambda rng: [rng.random((3, 2)), np.array([[2], [0], [2]])], {})],
    "roll": [(CUBE, {"shifts": (2,), "axis": None})],
    "scale": [
        (ROW, {"scale": a, "bias": b, "bias_after_scale": c}) for a in (-1.0, 3.0) for b, c in ((0, 1), (2, 0), (2, 1))
    ],
    "softmax": [(CUBE, {"axis": 1})],
    "softplus": [(ROW, {"beta": 3.0})],
    "layer_norm": [(matrices((2, 3), (3,), (3,)), {}), (lambda rng: [rng.random((2, 3)), None, None], {})],
    "batch_norm": [(IMAGE, {"is_test": flag}) for flag in (False, True)],
    "sigmoid_cross_entropy_with_logits": [(lambda rng: [*rng.random((2, 3)), None], {})],
    "softmax_with_cross_entropy": [
        (lambda rng: [rng.random((2, 3)), np.array([[0], [2]])], {}),
        (lambda rng: [rng.random((2, 3)), np.array([[0], [-100]])], {}),
        (lambda rng: [rng.random((2, 3)), np.array([[0.2, 0.3, 0.5], [1, 0, 0]])], {"soft_label": True}),
    ],
}  # fmt: skip
READ = sorted(type for type, op in TABLE.items() if not is_random(op))


def calls(op):
    for seed in (0, 1):
        inputs, attrs = example_of(op, np.random.default_rng([seed, zlib.crc32(op.type.encode())]))
        yield inputs, attrs
    yield [single(one) for one in inputs], attrs
    yield from ((make(np.random.default_rng(7)), attrs) for make, attrs in MORE.get(op.type, ()))


def single(array):
    """Return the array as users have it: kernels may take another branch for float32."""
    return array.astype("float32") if getattr(array, "dtype", None) == "float64" else array


def symbol_of(name, value):
    """Return the symbol of an argument: a zero gradient is known to be zero, attributes are themselves."""
    if isinstance(value, np.ndarray) and name.startswith("d") and value.size and not value.any():
        return Symbol(Const(0.0, value.shape, value.dtype))
    if isinstance(value, (np.ndarray, np.generic)):
        return Symbol(Leaf(name, np.asarray(value)))
    if isinstance(value, list) and value and isinstance(value[0], np.ndarray):
        return [symbol_of(f"{name}{number}", one) for number, one in enumerate(value)]
    return value


def check(found, wanted):
    """Compare a reading with the computed result: as a whole, and with numbers put in."""
    several = found.answer if isinstance(found.answer, (list, tuple)) else [found.answer]
    for one, array in zip(several, wanted if isinstance(wanted, (list, tuple)) else [wanted], strict=True):
        array = np.asarray(array)
        tree = one.tree
        assert tree.shape == array.shape
        near = {"rtol": 1e-4, "atol": 1e-5} if array.dtype == "float32" else {"rtol": 1e-7, "atol": 1e-9}
        np.testing.assert_allclose(tree.value, array, **near)
        assert holds(tree, array)
        assert lines(tree, found.names)[0][-1]
        written = latex(tree)
        assert written.count("{") == written.count("}")
        assert written.count(r"\left") == written.count(r"\right")
        if array.size:
            spot = largest(array)
            assert numbers(tree, spot, array[spot]) or not isinstance(tree, (Apply, Matmul))


@for_each("type", {type: type for type in READ})
def test_rules(type):
    op = TABLE[type]
    for inputs, given in calls(op):
        attrs = {**op.defaults, **given}
        with within(EAGER.reading):
            made = op.run(*[None if one is None else np.array(one) for one in inputs], **attrs)
        outputs = list(made) if op.multiple else [made]
        chosen = [outputs] if op.list_output else [outputs[place] for place in op.differentiable]
        view = RuleCall(inputs, outputs, attrs)
        for only in range(-1, len(chosen) if len(chosen) > 1 else 0):
            rng = np.random.default_rng(3)
            coming = [gradient(one, rng, only in (-1, number)) for number, one in enumerate(chosen)]
            for rule in op.rules:
                if any(one is None for one in rule.of(inputs)):
                    continue
                kept = [read_source(source, view) for source in rule.sources]
                arguments = dict(zip(rule.parameters, coming + kept, strict=True))
                with within(EAGER.reading):
                    wanted = rule.function(*arguments.values())
                given = [symbol_of(name, value) for name, value in arguments.items()]
                check(read(rule.function, *given), wanted)


def gradient(out, rng, wanted):
    if isinstance(out, (list, tuple)):
        return [gradient(one, rng, wanted) for one in out]
    return np.asarray(rng.uniform(0.2, 0.9, np.shape(out)) * wanted, np.asarray(out).dtype)


@for_each("type", {type: type for type in READ if not TABLE[type].updates})
def test_kernels(type):
    op = TABLE[type]
    for inputs, given in calls(op):
        attrs = {**op.defaults, **given}
        with within(EAGER.reading):
            wanted = op.run(*[None if one is None else np.array(one) for one in inputs], **attrs)
        names = [f"x{place}" for place in range(len(inputs))]
        found = read_operator(op, tuple(map(symbol_of, names, inputs)), attrs)
        check(found, list(wanted) if op.multiple else [wanted])


def test_most_kernels_are_formulas_and_not_calls_of_their_names():
    def is_formula(op):
        inputs, given = example_of(op, np.random.default_rng(0))
        found = read_operator(op, tuple(map(symbol_of, "abcdefgh", inputs)), {**op.defaults, **given})
        return not isinstance((found.answer[0] if op.multiple else found.answer).tree, Call)

    plain = [type for type in READ if not TABLE[type].updates and is_formula(TABLE[type])]
    assert len(plain) > 110
