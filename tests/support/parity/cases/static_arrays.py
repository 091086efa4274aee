"""Lists of tensors in Programs: what is appended, loops and branches that write to them, dynamic_decode."""

import numpy as np
import paddle

from tests.support.parity.graphs import S, feed, run, types
from tests.support.parity.kit import Family, data, raises

cases = Family("static_arrays")
T = paddle.tensor
ONES = {"x": np.ones((2, 3), "float32")}


def zero():
    return paddle.zeros([1], "int64")


def line(op):
    """Type and slots that hold something."""
    ins, outs = (
        {slot: list(read(slot)) for slot in sorted(names) if read(slot)}
        for names, read in ((op.input_names, op.input), (op.output_names, op.output))
    )
    return [op.type, ins, outs]


@cases
def written_and_read():
    x, i = feed("x", 2, 3), zero()
    array = T.create_array("float32", [x])
    T.array_write(x * 2, i + 1, array)
    found, count = T.array_read(array, i + 1), T.array_length(array)
    other = T.array_write(x, i)
    ops = [line(op) for op in S.default_main_program().global_block().ops]
    shapes = [[list(one.shape), str(one.dtype), one.stop_gradient] for one in (found, count)]
    kinds = [str(array.type), other.name, str(array.dtype)]
    return ops, shapes, kinds, run([found, count, T.array_length(other)], ONES)


@cases
def joined_and_stacked():
    x, i = feed("x", 2, 3), zero()
    array = T.array_write(x, i)
    T.array_write(x * 2, i + 1, array)
    joined, _ = T.manipulation.tensor_array_to_tensor(array, axis=0)
    beside, _ = T.manipulation.tensor_array_to_tensor(array)
    stacked, _ = T.manipulation.tensor_array_to_tensor(array, axis=1, use_stack=True)
    return types(), run([joined, beside, stacked], ONES)


@cases
def fetched_whole():
    x, i = feed("x", 2, 3), zero()
    array = T.array_write(x, i)
    T.array_write(x[:, :2], i + 1, array)
    return run([array], ONES)


@cases
def a_place_twice_and_one_far_away():
    x, i = feed("x", 2, 3), zero()
    array = T.array_write(x, i)
    T.array_write(x * 3, i, array)
    T.array_write(x * 4, i + 3, array)
    return run([T.array_read(array, i), T.array_read(array, i + 3), T.array_length(array)], ONES)


@cases
def written_in_a_loop():
    x, array = feed("x", 2, 3), T.create_array("float32")

    def body(i):
        T.array_write(x * paddle.cast(i, "float32"), i, array)
        return [i + 1]

    (i,) = S.nn.while_loop(lambda i: i < 3, body, [zero()])
    stacked, _ = T.manipulation.tensor_array_to_tensor(array, axis=0, use_stack=True)
    return run([stacked, T.array_length(array), T.array_read(array, i - 1)], ONES)


@cases
def a_loop_variable():
    x, array = feed("x", 2, 3), T.create_array("float32")

    def body(i, array):
        return [i + 1, T.array_write(x * paddle.cast(i, "float32"), i, array)]

    i, array = S.nn.while_loop(lambda i, array: i < 2, body, [zero(), array])
    return run([T.array_length(array), T.array_read(array, i - 1)], ONES)


@cases
def written_in_a_branch():
    x, i = feed("x", 2, 3), zero()
    array = T.array_write(x, i)

    def more():
        T.array_write(x * 2, i + 1, array)

    S.nn.cond(x.sum() > 0, more, lambda: None)
    count = T.array_length(array)
    return [run([count], {"x": ONES["x"] * sign}) for sign in (1, -1)]


@cases
def wrong_arguments():
    x, i = feed("x", 2, 3), zero()
    return [
        raises(lambda: T.array_write(x, i.astype("int32")), "int64"),
        raises(lambda: T.array_write(x, 0), "'i'"),
        raises(lambda: T.array_write(x, i, x), "array should be tensor array"),
        raises(lambda: T.array_read(x, i), "array should be tensor array"),
        raises(lambda: T.array_length(x), "array should be tensor array"),
        raises(lambda: T.create_array("float32", 3), "initialized_list"),
        raises(lambda: T.create_array("float32", [3]), "initialized_list"),
    ]


class Counting(paddle.nn.decode.Decoder):
    """Counts up from what it gets; each example ends when it is above 4."""

    def initialize(self, inits):
        return inits, inits * 10, inits > 4

    def step(self, time, inputs, states, by=1.0):
        return inputs + time.astype("float32"), states + inputs, inputs + by, inputs > 4


class Rows(Counting):
    """Ends by the first number of each row."""

    def initialize(self, inits):
        return inits, inits * 10, inits[:, 0] > 4

    def step(self, time, inputs, states):
        return inputs, states + inputs, inputs + 1, inputs[:, 0] > 4


def through(build):
    """Lines of the whole Program of the gradient of what `build` makes of x, and numbers."""
    x = feed("x", 2, 3)
    loss = build(x, zero())
    (grad,) = S.gradients((loss * loss).sum(), x)
    ops = [line(op) for block in S.default_main_program().blocks for op in block.ops if "array" in op.type]
    return ops, run([loss, grad], {"x": data(2, 3).astype("float32")})


def two(x, i):
    return T.array_write(x * 3, i + 1, T.array_write(x * 2, i))


def each_read_twice(x, i):
    array = two(x, i)
    return T.array_read(array, i) * T.array_read(array, i + 1) + T.array_read(array, i)


def stacked_by_a_loop(x, i):
    array = T.create_array("float32")

    def body(i, s):
        T.array_write(s * x, i, array)
        return [i + 1, s * 2]

    S.nn.while_loop(lambda i, s: i < 3, body, [i, x + 0])
    return T.manipulation.tensor_array_to_tensor(array, axis=0, use_stack=True)[0]


def read_by_a_loop(x, i):
    array = two(x, i)

    def body(i, s):
        return [i + 1, s * T.array_read(array, i)]

    return S.nn.while_loop(lambda i, s: i < 2, body, [zero(), x + 1])[1]


def a_chain_of_a_loop(x, i):
    array = T.array_write(x * 2, i)

    def body(i):
        T.array_write(T.array_read(array, i) * x, i + 1, array)
        return [i + 1]

    return T.array_read(array, S.nn.while_loop(lambda i: i < 2, body, [zero()])[0])


def in_a_branch(x, i):
    array = T.array_write(x, i)

    def more():
        T.array_write(x * 2, i + 1, array)
        return T.array_read(array, i + 1)

    return S.nn.cond(x.sum() > -100, more, lambda: x)


for name, build in {
    "one read": lambda x, i: T.array_read(T.array_write(x * 2, i), i),
    "of two one read": lambda x, i: T.array_read(two(x, i), i),
    "each read, one twice": each_read_twice,
    "joined": lambda x, i: T.manipulation.tensor_array_to_tensor(two(x, i), axis=0)[0],
    "joined behind": lambda x, i: T.manipulation.tensor_array_to_tensor(two(x, i), axis=1)[0],
    "stacked": lambda x, i: T.manipulation.tensor_array_to_tensor(two(x, i), axis=1, use_stack=True)[0],
}.items():
    cases.add(f"gradient: {name}", lambda build=build: through(build))
for build in (stacked_by_a_loop, read_by_a_loop, a_chain_of_a_loop, in_a_branch):
    cases.add(f"gradient: {build.__name__}", lambda build=build: through(build)[1])


@cases
def the_gradient_of_a_list():
    x, i = feed("x", 2, 3), zero()
    array = two(x, i)
    loss = (T.array_read(array, i) * T.array_read(array, i) + T.array_read(array, i + 1)).sum()
    return run(S.gradients(loss, [array, x]), ONES)


@cases
def a_second_derivative():
    x, i = feed("x", 2, 3), zero()
    found = T.array_read(T.array_write(x * x, i), i)
    (grad,) = S.gradients((found * found).sum(), x)
    return run([grad, *S.gradients((grad * grad).sum(), x)], {"x": data(2, 3).astype("float32")})


@cases.ours([[18.0] * 3] * 2)
def what_is_written_over_gets_no_gradient():
    x, i = feed("x", 2, 3), zero()
    found = T.array_read(T.array_write(x * 3, i, T.array_write(x * 2, i)), i)
    return run(S.gradients((found * found).sum(), x), ONES)[0].tolist()


def through_decoding(of, **options):
    x = feed("s", 3, 1)
    found = paddle.nn.dynamic_decode(Squaring(), inits=x[:, 0], **options)
    return run([*found[:2], *S.gradients(of(*found[:2]), x)], START)


class Squaring(Counting):
    """Says the square of what it is given, and doubles it."""

    def step(self, time, inputs, states):
        return inputs * inputs + time.astype("float32"), states + inputs, inputs + inputs, inputs > 40


START = {"s": np.array([[1.0], [3.0], [4.5]], "float32")}
for text, options in {
    "decoding": {},
    "decoding so far": {"max_step_num": 2},
    "decoding in test": {"is_test": True, "output_time_major": True},
}.items():
    cases.add(
        text,
        lambda given=options: run(
            list(
                paddle.nn.dynamic_decode(Counting(), inits=feed("s", 3, 1)[:, 0], return_length=True, **given)
            ),
            START,
        ),
    )
for name, of in {
    "outputs": lambda outputs, states: outputs.sum(),
    "states": lambda outputs, states: (states * states).sum(),
    "both": lambda outputs, states: (outputs * outputs).sum() + states.sum(),
}.items():
    cases.add(f"gradient of decoding: {name}", lambda of=of: through_decoding(of))
cases.add("gradient of decoding: so far", lambda: through_decoding(lambda one, _: one.sum(), max_step_num=2))
for kept in (True, False):
    cases.add(
        f"decoding of rows, kept: {kept}",
        lambda kept=kept: run(
            list(
                paddle.nn.dynamic_decode(
                    Rows(), inits=feed("s", 3, 1), impute_finished=kept, return_length=True
                )
            ),
            START,
        ),
    )


@cases
def beams():
    words, width = 6, 4
    cell, embedding = paddle.nn.GRUCell(width, width), paddle.nn.Embedding(words, width)
    head = paddle.nn.Linear(width, words)
    decoder = paddle.nn.BeamSearchDecoder(cell, 0, 1, 3, embedding_fn=embedding, output_fn=head)
    found, states = paddle.nn.dynamic_decode(decoder, inits=feed("h", 2, width), max_step_num=6)
    exe = S.Executor()
    exe.run(S.default_startup_program())
    parameters = [one for layer in (cell, embedding, head) for one in layer.parameters()]
    for place, one in enumerate(parameters):
        value = data(*one.shape, seed=5 + place).astype("float32") * 2
        S.global_scope().find_var(one.name).get_tensor().set(value, paddle.CPUPlace())
    fetched = [found, states.log_probs, states.finished, states.lengths]
    return exe.run(feed={"h": data(2, width, seed=5).astype("float32")}, fetch_list=fetched)
