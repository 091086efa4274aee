"""Rules and kernels over symbols: a tree says what was computed. Simplifications, one by one."""

import numpy as np
import pytest

from docs.site.reference.latex import latex
from minipaddle.tools.explain.symbols.element import largest, numbers
from minipaddle.tools.explain.symbols.mode import read
from minipaddle.tools.explain.symbols.symbol import Symbol, Unreadable
from minipaddle.tools.explain.symbols.text import lines, text
from minipaddle.tools.explain.symbols.tree import Apply, Leaf, Matmul, Reduce, aligned
from minipaddle.tools.explain.symbols.views import Index, Move, Scatter

RNG = np.random.default_rng(0)
SHAPES = {"x": (2, 3), "y": (2, 3), "w": (3, 4), "v": (3,), "b": (2, 3, 4), "z": (2, 3), "s": ()}


def symbols(**shapes):
    made = {name: Symbol(Leaf(name, RNG.uniform(0.2, 0.9, shape))) for name, shape in shapes.items()}
    made["i"] = Symbol(Leaf("i", np.array([1, 0, 1])))
    return made


def arguments_of(function):
    known = symbols(**SHAPES)
    return [known[name] for name in function.__code__.co_varnames[: function.__code__.co_argcount]]


def tree_of(function):
    return read(function, *arguments_of(function))


ONE_EACH = {
    "times 1": (lambda x: x * 1.0, "x"),
    "1 times": (lambda x: 1 * x, "x"),
    "times 0": (lambda x: x * 0 + 2, "full([2, 3], 2)"),
    "times -1": (lambda x: x * -1, "-x"),
    "plus 0": (lambda x: x + 0.0, "x"),
    "minus 0": (lambda x: x - 0, "x"),
    "0 minus": (lambda x: 0 - x, "-x"),
    "over 1": (lambda x: x / 1, "x"),
    "two signs": (lambda x: np.negative(-x), "x"),
    "sign in a product": (lambda x, y: -x * y, "-x * y"),
    "sign in a quotient": (lambda x, y: x / -y, "-x / y"),
    "plus a sign": (lambda x, y: x + -y, "x - y"),
    "minus a sign": (lambda x, y: x - -y, "x + y"),
    "sign of a difference": (lambda x, y: -(x - y), "y - x"),
    "plus a negative number": (lambda x: x + -2, "x - 2"),
    "plus a negative multiple": (lambda x, y: x + y * -2, "x - y * 2"),
    "1 over": (lambda x, y: x * (1 / y), "x / y"),
    "over 1 over": (lambda x, y: x / (1 / y), "x * y"),
    "times a third": (lambda x: x * (1 / 3), "x / 3"),
    "times a known number": (lambda x: x * 0.5**0.5, "x / sqrt(2)"),
    "numbers together": (lambda x: x * 2 * 3, "x * 6"),
    "divisors together": (lambda x: x / 2 / 3, "x / 6"),
    "the same twice": (lambda x: x + x, "2 * x"),
    "a power of 1": (lambda x: x**1, "x"),
    "a power of a half": (lambda x: x**0.5, "sqrt(x)"),
    "a negative power": (lambda x, y: y * x**-0.5, "y / sqrt(x)"),
    "a square": (lambda x: np.tanh(x) * np.tanh(x), "tanh(x) ** 2"),
    "a sum over its count": (lambda x: np.sum(x, 1) / 3, "mean(x, 1)"),
    "a sum times its share": (lambda x: np.sum(x) * (1 / 6), "mean(x)"),
    "a sum of a sum": (lambda b: np.sum(np.sum(b, 0), 1), "sum(b, (0, 2))"),
    "a sum of a reshape": (lambda x: np.sum(x.reshape(6)), "sum(x)"),
    "a sum over axes of size 1": (lambda x: np.sum(x[:, None], 1), "x"),
    "reshapes in a row": (lambda x: x.reshape(6).reshape(3, 2), "x.reshape([3, 2])"),
    "there and back": (lambda x: x.reshape(-1).reshape(2, 3), "x"),
    "transposes in a row": (lambda x: x.T.T, "x"),
    "broadcasts in a row": (lambda v: np.broadcast_to(np.broadcast_to(v, (2, 3)), (4, 2, 3)), None),
    "a broadcast in a sum": (lambda x, v: x + np.broadcast_to(v, (2, 3)), "x + v"),
    "new axes in front": (lambda x, v: x + v[None], "x + v"),
    "a kept axis": (lambda x: np.sum(x, 1).reshape(2, 1), "sum(x, 1, keepdims=True)"),
    "flattened for a product": (lambda b, w: (b.swapaxes(1, 2).reshape(8, 3) @ w).reshape(2, 4, 4), None),
    "a column and a row": (lambda v: v.reshape(3, 1) @ v.reshape(1, 3), "v[:, None] * v"),
    "a column dropped": (lambda x, v: (x @ v.reshape(3, 1)).reshape(2), "x @ v"),
    "a row dropped": (lambda w, v: (v.reshape(1, 3) @ w).reshape(4), "v @ w"),
    "everything picked": (lambda x: x[:, ...], "x"),
    "one-sided above": (lambda x: np.clip(x, None, 1), "minimum(x, 1)"),
    "one-sided below": (lambda x: np.clip(x, 0, None), "maximum(x, 0)"),
    "no bounds": (lambda x: np.clip(x, None, None), "x"),
    "what is negative": (lambda x: -np.maximum(-x, 0), "minimum(x, 0)"),
    "float casts": (lambda x: x.astype("float32") * 2, "x * 2"),
    "a mask of floats": (lambda x, y: x * (y > 0).astype("float64"), "x * (y > 0)"),
    "two masks": (lambda x: (x > 0).astype(float) * (x < 1).astype(float) * x, "x * ((x > 0) & (x < 1))"),
    "a choice": (lambda x, y: (x > y).astype(float) * x + (1 - (x > y).astype(float)) * y, "where(x > y, x, y)"),
    "a choice of numbers": (lambda x: 1 - (x < 0).astype(float) * (1 - 0.01), "where(x < 0, 0.01, 1)"),
    "negative above 0": (lambda x: -x > 0, "x < 0"),
    "a difference above 0": (lambda x, y: x - y > 0, "x > y"),
    "a number first": (lambda x: np.less(1, x), "x > 1"),
    "a number first, or equal": (lambda x: np.greater_equal(1, x), "x <= 1"),
    "not above 0": (lambda x: -x <= 0, "x >= 0"),
    "divided twice by the same": (lambda x, y: y / np.exp(x) / np.exp(x), "y / exp(x) ** 2"),
    "a sum times a short share": (lambda w: np.sum(w, 1) * 0.25, "mean(w, 1)"),
    "an axis put inside": (lambda v, w: (1 / np.sqrt(v)).reshape(3, 1) * w, "w / sqrt(v[:, None])"),
    "a guard against 0": (lambda x, y: np.where(y == 0, 1, x / y), "x / y"),
    "a guard added": (lambda x: x + (x == 0).astype(float), "x"),
    "a guard against nan": (lambda x, y: (x > y) | (y != y), "x > y"),
    "a guard against inf": (lambda x: np.where(np.isfinite(x), x, 0), "x"),
    "reciprocal": (lambda x: np.reciprocal(x), "1 / x"),
    "square": (lambda x: np.square(x), "x * x"),
}  # fmt: skip


@pytest.mark.parametrize("name", ONE_EACH)
def test_simplification(name):
    function, wanted = ONE_EACH[name]
    arguments = arguments_of(function)
    found = read(function, *arguments).answer.tree
    plain = function(*[one.tree.value for one in arguments])
    np.testing.assert_allclose(np.asarray(found.value), plain, rtol=1e-6)
    assert found.shape == plain.shape
    assert wanted is None or text(found) == wanted


def test_two_broadcasts_and_a_flattened_product_are_one_node():
    assert text(tree_of(ONE_EACH["broadcasts in a row"][0]).answer.tree) == "broadcast_to(v, [4, 2, 3])"
    assert text(tree_of(ONE_EACH["flattened for a product"][0]).answer.tree) == "swapaxes(b, -1, -2) @ w"


@pytest.mark.parametrize(
    "function",
    [
        lambda x, w: x @ w,
        lambda b, w: np.swapaxes(b, 1, 2) @ w,
        lambda v, w: v @ w,
        lambda x, v: x @ v,
        lambda b: np.mean(b, (0, 2), keepdims=True) * b,
        lambda b: np.max(b, 1) + np.sum(b, 1),
        lambda x: x.T.reshape(6)[1:5],
        lambda b, i: b[:, i] * 2,
        lambda s, x: s * x,
    ],
)
def test_an_element_is_the_same_alone_and_among_all(function):
    tree = tree_of(function).answer.tree
    for spot in np.ndindex(tree.shape):
        np.testing.assert_allclose(alone(tree, spot), tree.at(*spot))


def alone(tree, spot):
    """Return one element, computed from those of the leaves that it is made of."""
    if isinstance(tree, Move):
        return alone(tree.parts[0], tree.origin(*spot))
    if isinstance(tree, Matmul):
        return np.dot(*tree.factors(*spot))
    if isinstance(tree, Reduce):
        inner = tree.parts[0]
        each = [alone(inner, np.unravel_index(flat, inner.shape)) for flat in tree.elements(*spot)]
        return tree.reduction(each)
    if isinstance(tree, Apply):
        return tree.function(*[alone(part, aligned(spot, part.shape)) for part in tree.parts])
    return tree.at(*spot)


def test_what_cannot_be_read_is_refused():
    with pytest.raises(Unreadable):
        read(lambda x: np.sort(x), symbols(**SHAPES)["x"])
    with pytest.raises(Unreadable):
        read(lambda x: np.asarray(x), symbols(**SHAPES)["x"])


def test_in_place_operators_and_out_change_the_symbol():
    def kernel(x, y):
        out = x.copy()
        out *= 2
        np.add(out, y, out=out)
        return out

    assert text(tree_of(kernel).answer.tree) == "x * 2 + y"


def test_a_name_that_is_used_twice_has_a_line():
    def rule(x, y):
        gate = np.tanh(x) * y
        return gate + x * (1 - gate)

    found = tree_of(rule)
    written, names = lines(found.answer.tree, found.names)
    assert written == ["gate = tanh(x) * y", "gate + x * (1 - gate)"]
    put = numbers(found.answer.tree, (0, 0), found.answer.tree.value[0, 0], names)
    assert "tanh" not in put


def test_a_product_a_sum_and_a_mean_are_opened_once():
    def put(function):
        tree = tree_of(function).answer.tree
        spot = largest(np.asarray(tree.value))
        return numbers(tree, spot, np.asarray(tree.value)[spot])

    assert put(lambda x, w: x @ w).count(" * ") == 3
    assert put(lambda x: np.sum(x, 0)).count(" + ") == 1
    assert put(lambda x: np.mean(x)).endswith(") / 6")
    assert put(lambda b: np.sum(b)).endswith("... (24 terms)")
    assert put(lambda x: x.T) == ""


def test_a_number_that_was_not_recorded_is_not_shown():
    tree = tree_of(lambda x, y: x * y).answer.tree
    assert numbers(tree, (0, 0), tree.value[0, 0])
    assert numbers(tree, (0, 0), tree.value[0, 0] + 1) == ""


@pytest.mark.parametrize(
    ("function", "wanted"),
    [
        (lambda x, w: (x @ w).T, r"\left(x \, w\right)^{\mathsf T}"),
        (lambda x, y: x / (y + 1), r"\frac{x}{y + 1}"),
        (lambda x: np.exp(-x) * (x > 0), r"e^{-x} \, \left[x > 0\right]"),
        (lambda x: np.sqrt(np.sum(x, 1)), r"\sqrt{\sum_{1} x}"),
        (lambda x, y: np.where(x > y, x, 0), r"\begin{cases} x & x > y \\ 0 & \text{else} \end{cases}"),
    ],
)
def test_latex(function, wanted):
    assert latex(tree_of(function).answer.tree) == wanted


def test_one_number_alone_has_places_like_others():
    one = Symbol(Leaf("x", np.array([[2.0]])))
    product = ((one * 3) @ (one + 1)).tree
    assert [part.tolist() for part in product.factors(0, 0)] == [[6.0], [3.0]]
    assert (one.reshape(()) * 3).reshape((1, 1)).shape == (1, 1)
    back = Scatter(Leaf("y", np.array(5.0)), (1, 0), (2, 2))
    assert Scatter(Leaf("y", np.ones(1)), (None,), ()).arriving().tolist() == [1]
    assert [back.arriving(*spot).tolist() for spot in [(0, 0), (1, 0), (1, 1)]] == [[], [5], []]
    assert list(map(int, Index(Leaf("x", np.eye(2)), (1, 0)).origin())) == [1, 0]


@pytest.mark.parametrize(
    "key",
    [
        (slice(1, None), 0),
        (Ellipsis, slice(None, None, -2)),
        (None, 1),
        (-1, Ellipsis),
        ("i",),
        ("i", slice(1, 3)),
        (slice(None), "i"),
        (Ellipsis, "i", None),
        ("i", "i"),
        (0, "i"),
        ("i", slice(None), 0),
        (slice(1), "mask"),
    ],
)
def test_an_index_and_its_opposite_know_their_places(key):
    x = np.arange(24.0).reshape(2, 3, 4)
    arrays = {"i": np.array([1, 0, 1]), "mask": np.array([True, False, True])}
    plain = tuple([arrays.get(item, item) if isinstance(item, str) else item for item in key])
    trees = tuple([Leaf(item, arrays[item]) if isinstance(item, str) else item for item in key])
    tree = Index(Leaf("x", x), trees)
    wanted = x[plain]
    assert tree.shape == wanted.shape
    np.testing.assert_array_equal(tree.value, wanted)
    np.testing.assert_array_equal(x[tuple(tree.origins)], wanted)
    np.testing.assert_array_equal(x.ravel()[tree.source], wanted)
    added = np.zeros_like(x)
    np.add.at(added, plain, wanted)
    back = Scatter(Leaf("y", wanted), trees, x.shape)
    np.testing.assert_array_equal(back.value, added)
    assert Scatter(Leaf("y", np.ones(1)), (None,), ()).arriving().tolist() == [1]
    assert [back.arriving(*spot).sum() for spot in np.ndindex(x.shape)] == added.ravel().tolist()
