"""Section 10: PyLayer, beyond the recorded cases."""

import inspect

import pytest

from minipaddle import paddle
from minipaddle.paddle.autograd import PyLayer


def dtype(tensor):
    return str(tensor.dtype).rpartition(".")[2]


def same(ctx, g):
    return g


@pytest.fixture(autouse=True, params=["quick", "plain"])
def way(request, monkeypatch):
    """Every promise is kept by the quick ``apply`` of engine/fast, and by the readable one."""
    if request.param == "plain":
        quick = PyLayer.__dict__["apply"].__func__
        monkeypatch.setattr(PyLayer, "apply", classmethod(inspect.unwrap(quick)))


def test_public_names():
    assert paddle.autograd.Function is paddle.autograd.PyLayer
    assert callable(paddle.autograd.py_layer.once_differentiable)
    assert paddle.autograd.PyLayerContext.__name__ == "PyLayerContext"


@pytest.mark.parametrize("name", ["kind", "owner", "grad", "function", "self", "cls", "args", "mode", "call"])
def test_arguments_may_have_any_name(leaf, layer, name):
    x = leaf([2.0])
    custom = layer(lambda ctx, **named: named[name] * 3, lambda ctx, g: g * 3)
    custom.apply(**{name: x}).backward()
    assert x.grad.item() == 3


def test_keywords_are_scanned_in_the_order_of_the_call(leaf, layer):
    a, b = leaf([1.0]), leaf([1.0])
    custom = layer(lambda ctx, p, q: p + q, lambda ctx, g: (g * 10, g * 20))
    custom.apply(q=a, p=b).backward()
    assert (a.grad.item(), b.grad.item()) == (10, 20)


ALIKE = {  # forward(x, f) that returns storage of an input: refused
    "leaf": lambda x, h, f: x,
    "leaf inside a list": lambda x, h, f: [h * 1, x],
    "frozen": lambda x, h, f: f,
    "detached leaf": lambda x, h, f: x.detach(),
    "detached interior": lambda x, h, f: h.detach(),
}


@pytest.mark.parametrize("name", ALIKE)
def test_an_input_returned_as_it_came(leaf, layer, name):
    x, f = leaf([1.0]), paddle.ones([1])
    h = x * 2
    history = h.edge
    custom = layer(lambda ctx, *inputs: ALIKE[name](*inputs), same)
    with pytest.raises(ValueError, match=r"Leaf Var .* can't use inplace strategy"):
        custom.apply(x, h, f)
    assert (x.is_leaf, h.edge, f.stop_gradient) == (True, history, True)


@pytest.mark.parametrize("change", [lambda t: t.reshape([1, 1]), lambda t: t.clone(), lambda t: t[0:1]])
def test_what_is_not_in_place(leaf, layer, change):
    x = leaf([1.0])
    y = layer(lambda ctx, t: change(t), lambda ctx, g: g.reshape([1]) * 7).apply(x)
    assert (y is not x, x.is_leaf, x.inplace_version) == (True, True, 0)
    y.sum().backward()
    assert x.grad.item() == 7


def test_an_interior_input_returned_is_in_place(leaf, layer):
    x = leaf([1.0])
    h = x * 2
    parent = h.grad_fn
    y = layer(lambda ctx, t: t, lambda ctx, g: g * 7).apply(h)
    assert y is h
    assert (y.inplace_version, y.grad_fn.name()) == (1, "GradNodePyLayer_Custom")
    assert y.grad_fn.next_functions == [parent]
    y.backward()
    assert x.grad.item() == 14


def test_an_input_returned_where_nothing_is_recorded(leaf, layer):
    custom = layer(lambda ctx, t: t, same)
    f, x = paddle.ones([1]), leaf([1.0])
    assert custom.apply(f) is f
    with paddle.no_grad():
        assert custom.apply(x) is x
    assert (f.inplace_version, x.is_leaf, x.stop_gradient) == (0, True, False)


@pytest.mark.parametrize("flag", [True, False])
def test_the_flag_of_the_output(leaf, layer, flag):
    """It follows from the inputs; forward's setting counts only where nothing is recorded."""

    def forward(ctx, t):
        y = t * 1
        y.stop_gradient = flag
        return y

    custom = layer(forward, same)
    assert not custom.apply(leaf([1.0])).stop_gradient
    frozen = custom.apply(paddle.ones([1]))
    assert (frozen.stop_gradient, frozen.is_leaf) == (flag, True)


def non_differentiable(*calls):
    """Forwards with two outputs that mark some of them, in one call or several."""

    def forward(ctx, t):
        a, b = t * 1, t * 2
        for call in calls:
            ctx.mark_non_differentiable(*call(a, b))
        return a, b

    return forward


@pytest.mark.parametrize(
    ("calls", "frozen"),
    [
        ([lambda a, b: [b]], [False, True]),
        ([lambda a, b: [a, b]], [True, True]),
        ([lambda a, b: [b], lambda a, b: [a]], [True, False]),
        ([lambda a, b: [[b]]], [False, False]),
    ],
    ids=["one", "all", "last call wins", "a list is ignored"],
)
def test_mark_non_differentiable(leaf, layer, calls, frozen):
    calls_of_backward = []

    def backward(ctx, da, db):
        calls_of_backward.append(1)
        return da + db

    x = leaf([1.0])
    outs = layer(non_differentiable(*calls), backward).apply(x)
    assert [out.stop_gradient for out in outs] == frozen
    sum(outs).backward()
    assert len(calls_of_backward) == (0 if all(frozen) else 1)
    assert (None if x.grad is None else x.grad.item()) == (None if all(frozen) else frozen.count(False))


def test_non_differentiable_and_not_materialised(leaf, layer):
    seen = []

    def forward(ctx, t):
        ctx.set_materialize_grads(False)
        return non_differentiable(lambda a, b: [b])(ctx, t)

    a, _ = layer(forward, lambda ctx, da, db: seen.append(db) or da).apply(leaf([1.0]))
    a.backward()
    assert seen == [None]


def test_an_integer_output_gets_integer_zeros(leaf, layer):
    seen = []
    custom = layer(lambda ctx, t: (t * 1, t.astype("int64")), lambda ctx, da, db: seen.append(db) or da)
    custom.apply(leaf([1.0, 2.0]))[0].sum().backward()
    assert (dtype(seen[0]), seen[0].tolist(), seen[0].stop_gradient) == ("int64", [0, 0], True)


def test_the_dtype_of_incoming_gradients(leaf, layer):
    seen = []
    x = leaf([1.0])
    y = layer(lambda ctx, t: t * 1, lambda ctx, g: seen.append(dtype(g)) or g.astype("float32")).apply(x)
    # autograd.backward accepts a seed of any dtype
    paddle.autograd.backward([y], [paddle.to_tensor([2.0], dtype="float64")])
    assert seen == ["float32"]
    assert x.grad.item() == 2


def test_none_on_its_way(leaf, layer):
    """Zeros for a layer that wants them, None for one that does not, nothing beside another path."""
    for materialize, expected in ((True, [0.0]), (False, None)):
        seen = []

        def forward(ctx, t, materialize=materialize):
            ctx.set_materialize_grads(materialize)
            return t * 1

        inner = layer(forward, lambda ctx, g, seen=seen: seen.append(g if g is None else g.tolist()) or g)
        nothing = layer(lambda ctx, t: t * 1, lambda ctx, g: None)
        nothing.apply(inner.apply(leaf([1.0]))).backward()
        x = leaf([1.0])
        h = inner.apply(x)
        (nothing.apply(h) + h * 5).backward()
        assert seen == [expected, [5.0]]
        assert x.grad.item() == 5


def test_answers_left_out_for_frozen_inputs(leaf, layer):
    x, f = leaf([1.0]), paddle.ones([1])
    layer(lambda ctx, a, b: a * b, lambda ctx, g: g * 3).apply(x, f).backward()
    layer(lambda ctx, a, b: a * b, lambda ctx, g: (g * 3, None)).apply(x, f).backward()
    assert x.grad.item() == 6


def test_whether_a_slot_is_frozen_is_settled_by_apply(leaf, layer):
    x, f = leaf([1.0]), paddle.ones([1])
    y = layer(lambda ctx, a, b: a * b, lambda ctx, g: (g * 3, None)).apply(x, f)
    x.stop_gradient, f.stop_gradient = True, False
    y.backward()
    assert (x.grad.item(), f.grad) == (3, None)


def test_saving_odd_things(leaf, layer):
    seen = []

    def forward(ctx, t):
        ctx.save_for_backward(t, None, [t, t], 3)
        ctx.whatever = {"k": t}
        return t * 1

    def backward(ctx, g):
        seen.extend([*ctx.saved_tensor(), ctx.whatever["k"]])
        ctx.save_for_backward(g)
        seen.append(ctx.saved_tensor()[0] is g)
        return g

    x = leaf([1.0])
    layer(forward, backward).apply(x).backward()
    assert seen[0] is seen[2][0] is seen[4] is x
    assert (seen[1], seen[3], seen[5]) == (None, 3, True)


def test_forward_may_do_what_it_likes_with_the_grad_mode(leaf, layer):
    def forward(ctx, t):
        paddle.set_grad_enabled(True)
        inner = t.detach()
        inner.stop_gradient = False
        inner.square().backward()
        return t * inner.grad

    x = leaf([3.0])
    with paddle.no_grad():
        layer(forward, same).apply(x)
        assert not paddle.is_grad_enabled()
    y = layer(forward, lambda ctx, g: g * 7).apply(x)
    y.backward()
    assert (y.item(), x.grad.item()) == (18, 7)


def test_grad_and_backward_inside_backward(leaf, layer):
    def backward(ctx, g):
        (saved,) = ctx.saved_tensor()
        with paddle.enable_grad():
            x = saved.detach()
            x.stop_gradient = False
            y = x * x * x
            (found,) = paddle.grad(y, x, g)
            (x * 5).backward()
        return found + x.grad

    custom = layer(lambda ctx, t: ctx.save_for_backward(t) or t**3, backward)
    x = leaf([2.0])
    (custom.apply(x) * 10).backward()
    assert x.grad.item() == 125


def test_a_layer_within_a_backward(leaf, layer):
    inner = layer(lambda ctx, t: t * 2, lambda ctx, g: g * 2)
    outer = layer(lambda ctx, t: t * 1, lambda ctx, g: inner.apply(g))
    x = leaf([1.0])
    outer.apply(x).backward(retain_graph=True)
    (first,) = paddle.grad(outer.apply(x * x), x, create_graph=True)
    (second,) = paddle.grad(first, x)
    assert (x.grad.item(), first.item(), second.item()) == (2, 4, 4)


def test_subclasses_share_forward(leaf):
    class Base(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, g):
            return g * 2

    class Triple(Base):
        @staticmethod
        def backward(ctx, g):
            return g * 3

    x = leaf([1.0])
    Triple.apply(x).backward()
    Base().apply(x).backward()
    assert x.grad.item() == 5


@pytest.mark.parametrize("value", [1, 0, None, "yes"])
def test_set_materialize_grads_wants_a_bool(layer, value):
    with pytest.raises(TypeError, match="bool"):
        layer(lambda ctx, t: ctx.set_materialize_grads(value) or t * 1, same).apply(paddle.ones([1]))


@pytest.mark.parametrize(
    "make", [lambda t: (one for one in [t * 1]), lambda t: {"out": t * 1}, lambda t: [[[t * 1]]]]
)
def test_what_is_no_output(leaf, layer, make):
    custom = layer(lambda ctx, t: make(t), same)
    for x in (leaf([1.0]), paddle.ones([1])):
        with pytest.raises(ValueError, match=r"At least one output of `PyLayer.forward` is a `Tensor`"):
            custom.apply(x)


ANSWERS = {  # backward's answer to (x, frozen f, [x, f]); the key words of the refusal
    "too many": (lambda g: (g, None, [g, None], None), "should be 3, but received 4"),
    "gradient for a frozen": (lambda g: (g, g, [g, None]), "should return None at 1 position"),
    "too few": (lambda g: g, "should not return empty at 2 position"),
    "no list": (lambda g: (g, None, g), "list or tuple"),
    "list too short": (lambda g: (g, None, [g]), "list or tuple of 2"),
    "a number": (lambda g: (1.0, None, [g, None]), "only support Tensor or None.*float at 0 position"),
    "a number in the list": (
        lambda g: (g, None, ["a", None]),
        "only support Tensor or None.*str at 2 position",
    ),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_answers_that_are_refused(leaf, layer, name):
    answer, words = ANSWERS[name]
    x, f, y = leaf([1.0]), paddle.ones([1]), leaf([1.0])
    out = layer(lambda ctx, a, b, both: a * 1, lambda ctx, g: answer(g)).apply(x, f, [y, f])
    with pytest.raises(ValueError, match=words):
        out.backward()
    assert (x.grad, f.grad, y.grad) == (None, None, None)
