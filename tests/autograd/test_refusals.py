"""After a call that is refused everything is what it was: tensors, nodes, Blocks, the state of an optimizer."""

from contextlib import nullcontext, suppress
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minipaddle import paddle
from minipaddle.engine.mode.eager import current, within
from minipaddle.engine.tape.node import Node
from minipaddle.engine.walk.walk import node_of
from minipaddle.paddle.static.build import BUILDING

S = paddle.static
NAMES = ["leaf", "frozen", "inner", "square", "view", "whole", "one"]
SHAPES = [[2, 2], [4], [3], [1], [], [2, 1], [-1], [0], [-1, -1]]


def world():
    """Tensors of every kind, some of them joined by calls."""
    leaf = paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]], stop_gradient=False)
    frozen = paddle.to_tensor([1.0, 2.0])
    inner = leaf * frozen
    square = inner * inner
    leaf.grad = paddle.ones([2, 2])
    square.retain_grads()
    made = dict(leaf=leaf, frozen=frozen, inner=inner, square=square, view=inner[0:1])
    return made | {"whole": paddle.to_tensor([1, 0, 2]), "one": paddle.to_tensor(1.5, stop_gradient=False)}


def state_of(tensors):
    """All that a refused call must leave alone; nodes with what they save, what follows them, and their hooks."""
    nodes, waiting = [], [node_of(one.edge) for one in tensors.values()]
    for node in waiting:
        if node is not None and node not in nodes:
            nodes.append(node)
            waiting += [node_of(edge) for edge in node.edges]
    kept = [
        (node, node.edges, {place: list(hooks) for place, hooks in (node.hooks or {}).items()})
        + ((node.saved, node.plan, node.attrs.copy(), node.metas) if isinstance(node, Node) else ())
        for node in nodes
    ]
    about = [
        (
            one.array.tobytes(),
            one.array.shape,
            one.array.dtype,
            one.edge,
            one.is_leaf,
            one.inplace_version,
            held,
        )
        for one in tensors.values()
        for held in [None if one.grad is None else (one.grad, one.grad.tolist(), one.grad.inplace_version)]
    ]
    return kept, about, current.get(), np.shares_memory(tensors["inner"].array, tensors["view"].array)


def layer(forward, backward):
    return type(
        "Custom",
        (paddle.autograd.PyLayer,),
        dict(forward=staticmethod(forward), backward=staticmethod(backward)),
    )


def failing(*_):
    raise KeyError("lost")


def forward_giving(outputs, apart):
    """Return a forward that saves all inputs and hands back some of them, copies, or what is no Tensor."""

    def forward(ctx, *inputs):
        ctx.save_for_backward(*inputs)
        found = [
            inputs[one % len(inputs)] if one < 4 else inputs[0] * 2 if one < 6 else one for one in outputs
        ]
        ctx.mark_not_inplace(*[one for one, marked in zip(found, apart) if marked])
        return tuple(found) if len(found) > 1 else found[0] if found else failing()

    return forward


BACKWARDS = {
    "fails": failing,
    "nothing": lambda ctx, *grads: None,
    "one": lambda ctx, *grads: grads[0],
    "many": lambda ctx, *grads: (*grads, *grads, *grads),
    "a number": lambda ctx, *grads: 3.0,
    "another shape": lambda ctx, *grads: paddle.ones([7]),
    "writes": lambda ctx, *grads: grads[0].zero_() or failing(),
}
HOOKS = {
    "fails": failing,
    "a number": lambda grad: 3.0,
    "another shape": lambda grad: paddle.ones([7]),
    "another dtype": lambda grad: grad.astype("float64"),
    "writes": lambda grad: grad.scale_(2.0) and failing(),
}
OPERATORS = {
    "add": paddle.add, "matmul": paddle.matmul, "concat": lambda x, y: paddle.concat([x, y]),
    "stack": lambda x, y: paddle.stack([x, y]), "gather": paddle.gather, "where": lambda x, y: paddle.where(x, y, x),
    "split": lambda x, y: paddle.split(x, 3), "one_hot": lambda x, y: paddle.nn.functional.one_hot(x, 2),
    "cross_entropy": paddle.nn.functional.cross_entropy, "grad": lambda x, y: paddle.grad(x, y),
    "seeded": lambda x, y: paddle.grad(x, y, y), "twice": lambda x, y: paddle.autograd.backward([x, y, x]),
    "both": lambda x, y: paddle.autograd.backward([x, y], [y, x]), "from": lambda x, y: x.backward(y),
}  # fmt: skip
IN_PLACE = {
    "add": lambda x, y: x.add_(y), "subtract": lambda x, y: x.subtract_(y), "exp": lambda x, y: x.exp_(),
    "item": lambda x, y: x.__setitem__(0, y), "items": lambda x, y: x.__setitem__(y, 1.0),
    "value": lambda x, y: x.set_value(y), "squeeze": lambda x, y: x.squeeze_(7), "zero": lambda x, y: x.zero_(),
    "scale": lambda x, y: x.scale_(2.0), "fill": lambda x, y: x.fill_("a"),
    "flag": lambda x, y: setattr(x, "stop_gradient", 1), "gradient": lambda x, y: setattr(x, "grad", 1.0),
    "hook": lambda x, y: x.register_hook(failing), "copy": lambda x, y: x.copy_(y), "clip": lambda x, y: x.clip_(2, 1),
}  # fmt: skip
two = st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES))
calls = st.one_of(
    st.tuples(st.sampled_from([*OPERATORS.values(), *IN_PLACE.values()]), two),
    st.tuples(st.sampled_from(SHAPES).map(lambda shape: lambda x, y: x.reshape_(shape)), two),
)


def unless_refused(function, names, recording):
    """Call a function on tensors of a new world; if it refuses, nothing has changed."""
    tensors = world()
    before = state_of(tensors)
    with nullcontext() if recording else paddle.no_grad(), suppress(Exception):
        function(*[tensors[name] for name in names])
        return
    assert state_of(tensors) == before


@settings(max_examples=300)
@given(call=calls, recording=st.booleans())
def test_a_refused_call_changes_nothing(call, recording):
    unless_refused(*call, recording)


@pytest.mark.parametrize("outputs", [(0, 1), (1, 0), (0, 4, 1), (4, 0, 1), (0, 0), (6,), ()])
@pytest.mark.parametrize("apart", [(), (1,), (0, 1)])
def test_a_refused_apply_changes_nothing(outputs, apart):
    custom = layer(forward_giving(outputs, apart), BACKWARDS["one"])
    for names in product(NAMES, repeat=2):
        unless_refused(custom.apply, names, True)


@given(
    name=st.sampled_from(["leaf", "inner", "square", "one"]),
    hook=st.sampled_from([*HOOKS.values()]),
    backward=st.sampled_from([*BACKWARDS.values()]),
    picks=st.booleans(),
    again=st.booleans(),
)
def test_a_backward_that_is_refused_stores_nothing(name, hook, backward, picks, again):
    tensors = world()
    tensors["root"] = layer(lambda ctx, x: x * 1, backward).apply(tensors["square"]) * tensors["one"]
    tensors[name].register_hook(hook)
    before = state_of(tensors)
    roots = [tensors["root"], tensors["one"] * 2] if again else [tensors["root"]]
    with suppress(OSError, ValueError, TypeError, RuntimeError, SystemError):
        if picks:
            paddle.grad(roots, [tensors["leaf"], tensors["inner"]])
        else:
            paddle.autograd.backward(roots)
        return
    assert state_of(tensors) == before


# -- optimizers and Programs --------------------------------------------------------------------------------------


def net_and(optimizer, **options):
    paddle.seed(1)
    net = paddle.nn.Linear(2, 2)
    return net, optimizer(learning_rate=0.1, parameters=net.parameters(), **options)


OPTIMIZERS = [paddle.optimizer.SGD, paddle.optimizer.Momentum, paddle.optimizer.Adam, paddle.optimizer.AdamW]


class Clip(paddle.nn.ClipGradByGlobalNorm):
    def __call__(self, pairs):
        raise KeyError("lost")


@pytest.mark.parametrize("make", OPTIMIZERS)
@pytest.mark.parametrize("how", ["shape", "clip", "state", "schedule"])
def test_a_refused_step_leaves_parameters_and_state(make, how):
    clip = Clip(1.0) if how == "clip" else None
    net, optimizer = net_and(make, grad_clip=None)
    (net(paddle.ones([1, 2])) ** 2).sum().backward()
    optimizer.step()
    (net(paddle.ones([1, 2])) ** 2).sum().backward()
    if how == "shape":
        net.bias._grad = paddle.ones([5])
    elif how == "clip":
        optimizer._grad_clip = clip
    tensors = dict(weight=net.weight, bias=net.bias, inner=net.weight * 1)
    tensors["view"] = tensors["inner"]

    def state():
        held = {
            name: one.tolist() if hasattr(one, "tolist") else one
            for name, one in optimizer.state_dict().items()
        }
        return state_of(tensors), held

    before = state()
    call = {
        "shape": optimizer.step,
        "clip": optimizer.step,
        "state": lambda: optimizer.set_state_dict({**optimizer.state_dict(), "LR_Scheduler": 3}),
        "schedule": lambda: optimizer.set_lr("fast"),
    }[how]
    try:
        call()
    except Exception:
        assert state() == before


def blocks_of(program):
    """All that a Program consists of."""
    about = program.current_block_idx, program.role, program.backward_calls
    held = [(list(one.ops), [op.role for op in one.ops], dict(one.vars)) for one in program.blocks]
    return str(program), about, held, [one.stop_gradient for _, _, kept in held for one in kept.values()]


def append(type, **options):
    return S.default_main_program().global_block().append_op(type=type, **options)


def flag():
    return S.default_main_program().global_block().var("flag")


STATIC = {
    **{
        f"operator {name}": OPERATORS[name]
        for name in ("add", "matmul", "concat", "stack", "gather", "split", "both")
    },
    "append_op": lambda x, y: append("relu", inputs={"Y": x}, outputs={"Out": y}),
    "append_op of no type": lambda x, y: append("no_such", inputs={"X": x}),
    "append_op of other shapes": lambda x, y: append(
        "mul", inputs={"X": [x], "Y": [y]}, outputs={"Out": [x]}
    ),
    "append_backward": lambda x, y: S.append_backward(x),
    "callback": lambda x, y: S.append_backward(x, callbacks=[failing]),
    "gradients": lambda x, y: S.gradients([x, y], [y, 3]),
    "gradients of seeds": lambda x, y: S.gradients([x], [y], [y]),
    "minimize": lambda x, y: paddle.optimizer.Adam(0.1).minimize(x),
    "minimize of one": lambda x, y: paddle.optimizer.Momentum(0.1, parameters=[y]).minimize(
        x, no_grad_set={"w"}
    ),
    "minimize with a clip": lambda x, y: paddle.optimizer.SGD(0.1, grad_clip=Clip(1.0)).minimize(x),
    "cond": lambda x, y: S.nn.cond(x, lambda: x * 2, failing),
    "cond that fails": lambda x, y: S.nn.cond(flag(), lambda: x * 2, failing),
    "cond of two": lambda x, y: S.nn.cond(flag(), lambda: (x, y), lambda: x * 2),
    "while": lambda x, y: S.nn.while_loop(lambda i: flag(), failing, [y]),
    "while of another": lambda x, y: S.nn.while_loop(lambda i: flag(), lambda i: [x, y], [y]),
    "fc": lambda x, y: S.nn.fc(x, -3),
    "parameter": lambda x, y: S.create_parameter([2, -7], "float99"),
    "py_func": lambda x, y: S.py_func(failing, x, None, backward_func=3),
    "pylayer": lambda x, y: S.nn.static_pylayer(failing, [x, y]),
}


@pytest.mark.parametrize("name", STATIC)
def test_a_refused_call_leaves_a_program(name):
    for pair in product("xwshi", repeat=2):
        main, startup = S.Program(), S.Program()
        with within(BUILDING), S.program_guard(main, startup), paddle.utils.unique_name.guard():
            made = {"x": S.data("x", [3, 2]), "w": S.create_parameter([2, 2], "float32", name="w")}
            made |= {"i": S.data("i", [3], "int64"), "flag": S.data("flag", [1], "bool")}
            made["h"] = paddle.matmul(made["x"], made["w"])
            made["s"] = made["h"].sum()
            before, mode = (blocks_of(main), blocks_of(startup)), current.get()
            with suppress(Exception):
                STATIC[name](*[made[one] for one in pair])
                continue
            assert (blocks_of(main), blocks_of(startup)) == before, pair
            assert current.get() is mode


MINIMIZE = {
    "a loss of several elements": lambda optimizer, rows, loss: optimizer.minimize(rows),
    "a parameter that is none": lambda optimizer, rows, loss: optimizer.minimize(loss, parameter_list=[3]),
    "frozen by a number": lambda optimizer, rows, loss: optimizer.minimize(loss, no_grad_set=3),
    "a clip that raises": lambda optimizer, rows, loss: optimizer.minimize(loss),
}


@pytest.mark.parametrize("make", OPTIMIZERS)
@pytest.mark.parametrize("name", MINIMIZE)
def test_an_optimizer_that_refused_goes_on_like_a_new_one(make, name):
    """Its state in a Program is Variables, learning rate and names: the next `minimize` makes the same ones."""
    built = []
    for refused in (True, False):
        main, startup = S.Program(), S.Program()
        with within(BUILDING), S.program_guard(main, startup), paddle.utils.unique_name.guard():
            rows = paddle.matmul(S.data("x", [3, 2]), S.create_parameter([2, 2], "float32", name="w"))
            loss, optimizer = rows.mean(), make(learning_rate=0.1)
            if refused:
                optimizer._grad_clip = Clip(1.0) if name == "a clip that raises" else None
                with pytest.raises((KeyError, TypeError, ValueError, AttributeError)):
                    MINIMIZE[name](optimizer, rows, loss)
                optimizer._grad_clip = None
            optimizer.minimize(loss)
        built.append((str(main), str(startup), blocks_of(main)[1], sorted(optimizer.state_dict())))
    assert built[0] == built[1]
