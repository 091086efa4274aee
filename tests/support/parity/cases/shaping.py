"""Shape changers, joiners and splitters."""

import paddle

from tests.support.parity.kit import Family, api, data

cases = Family("shaping")

ONE = {  # on a [2, 3, 4] tensor
    "reshape": lambda x: paddle.reshape(x, [4, 6]),
    "reshape -1": lambda x: paddle.reshape(x, [-1, 2]),
    "reshape 0 copies": lambda x: paddle.reshape(x, [0, -1]),
    "reshape tuple": lambda x: x.reshape((6, 4)),
    "view": lambda x: x.view([24]),
    "transpose": lambda x: paddle.transpose(x, [2, 0, 1]),
    "transpose negative": lambda x: x.transpose([0, -1, 1]),
    "T": lambda x: x.T,
    "unsqueeze 0": lambda x: paddle.unsqueeze(x, 0),
    "unsqueeze list": lambda x: paddle.unsqueeze(x, [0, -1]),
    "squeeze no-op": lambda x: paddle.squeeze(x, 1),
    "flatten": api("flatten"),
    "flatten 1": lambda x: paddle.flatten(x, 1),
    "flatten 0 1": lambda x: x.flatten(start_axis=0, stop_axis=1),
    "tile": lambda x: paddle.tile(x, [2, 1, 1]),
    "tile longer": lambda x: paddle.tile(x, [2, 1, 1, 2]),
    "tile shorter": lambda x: paddle.tile(x, [2]),
    "flip 0": lambda x: paddle.flip(x, 0),
    "flip two": lambda x: paddle.flip(x, [0, -1]),
    "roll flat": lambda x: paddle.roll(x, 5),
    "roll axis": lambda x: paddle.roll(x, 1, axis=1),
    "roll axes": lambda x: paddle.roll(x, [1, -2], axis=[0, 2]),
    "tril": api("tril"),
    "tril 1": lambda x: paddle.tril(x, 1),
    "triu -1": lambda x: paddle.triu(x, diagonal=-1),
    "split": lambda x: paddle.split(x, 2, axis=2),
    "split sections": lambda x: paddle.split(x, [1, 2], axis=1),
    "split -1": lambda x: paddle.split(x, [1, -1], axis=-1),
    "chunk": lambda x: paddle.chunk(x, 3, axis=1),
    "unbind": api("unbind"),
    "unbind 1": lambda x: paddle.unbind(x, axis=1),
    "broadcast_to": lambda x: paddle.broadcast_to(x, [2, 2, 3, 4]),
    "expand new axis": lambda x: paddle.expand(x, [5, 2, 3, 4]),
    "expand -1": lambda x: x.expand([2, -1, 3, 4]),
    "concat with itself": lambda x: paddle.concat([x, x], axis=1),
    "concat negative": lambda x: paddle.concat([x, x * 2], -1),
    "stack": lambda x: paddle.stack([x, x * 2]),
    "stack last": lambda x: paddle.stack([x, x * 2], axis=-1),
    "iterate": lambda x: [row * 2 for row in x],
    "moveaxis": lambda x: paddle.moveaxis(x, 0, 2),
}
for text, fn in ONE.items():
    cases.gradients(text, fn, data(2, 3, 4))

UNIT = {  # on a [1, 3, 1] tensor
    "squeeze": api("squeeze"),
    "squeeze 0": lambda x: paddle.squeeze(x, 0),
    "squeeze two": lambda x: paddle.squeeze(x, [0, -1]),
    "expand": lambda x: paddle.expand(x, [2, 3, 4]),
    "expand_as": lambda x: x.expand_as(paddle.zeros([2, 3, 2])),
    "broadcast_to": lambda x: paddle.broadcast_to(x, [2, 3, 2]),
}
for text, fn in UNIT.items():
    cases.gradients(f"unit axes: {text}", fn, data(1, 3, 1), single=True)

ZERO_D = {
    "reshape": lambda x: paddle.reshape(x, [1, 1]),
    "unsqueeze": lambda x: paddle.unsqueeze(x, 0),
    "flatten": api("flatten"),
    "expand": lambda x: paddle.expand(x, [2, 2]),
    "stack": lambda x: paddle.stack([x, x]),
    "squeeze": api("squeeze"),
    "tile": lambda x: paddle.tile(x, [3]),
}
for text, fn in ZERO_D.items():
    cases.gradients(f"0-D: {text}", fn, data())
cases.gradients("to 0-D", lambda x: paddle.reshape(x, []), data(1))
cases.gradients(
    "concat of three", lambda *xs: paddle.concat(xs), data(2, 2), data(1, 2, seed=2), data(3, 2, seed=3)
)
cases.gradients("stack of two", lambda *xs: paddle.stack(xs, 1), data(2, 2), data(2, 2, seed=2))
