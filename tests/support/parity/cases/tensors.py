"""Section 1: what a Tensor says about itself; repr of many."""

import operator

import numpy as np
import paddle

from tests.support.parity.kit import Family, data, dtype_name, frozen, leaf, raises

cases = Family("tensors")


def shown(array, dtype=None, trainable=False):
    return repr(paddle.to_tensor(array, dtype=dtype, stop_gradient=not trainable))


REPRS = {
    "0-D float": 3.5,
    "0-D int": 3,
    "0-D bool": True,
    "0-D negative": -2.0,
    "vector": [1.0, 2.5, -3.0],
    "vector positive": [1.0, 2.5],
    "whole numbers": [1.0, 2.0, 3.0],
    "ints": [1, -20, 300],
    "bools": [True, False],
    "matrix": [[1.5, 2.0], [-3.0, 4.25]],
    "column": [[1.0], [22.5]],
    "cube": np.arange(8.0).reshape(2, 2, 2),
    "four axes": np.arange(8).reshape(2, 1, 2, 2),
    "wide range": [0.001, 1000.5, 123456.0],
    "large": [1e10, 1.5],
    "small": [1e-10, 1.5],
    "nan": [float("nan"), 1.0],
    "inf": [float("inf"), -float("inf"), 1.0],
    "nan only": [float("nan")],
    "empty": np.zeros((0,)),
    "empty matrix": np.zeros((0, 3)),
    "long": np.arange(1001.0),
    "long ints": np.arange(2000),
    "thousand": np.arange(1000),
    "big matrix": np.arange(1600.0).reshape(40, 40),
    "tall": np.arange(2002).reshape(1001, 2),
    "line of 30": np.arange(30.0),
    "wide row": np.arange(60).reshape(2, 30),
    "random": data(3, 3),
    "mixed signs": [[1, -1], [10, -10]],
}
for text, value in REPRS.items():
    cases.add(f"repr {text}", shown, value)
for dtype in ["float64", "float16", "int32", "int16", "int8", "uint8"]:
    cases.add(f"repr {dtype}", shown, [1.5, 2.0], dtype)


def repr_of_trainable_and_computed():
    x = leaf([1.0, 2.0])
    return [repr(x), str(x), repr(x * 2), repr(x.detach()), repr(x[0])]


def repr_of_parameter():
    p = paddle.nn.Layer().create_parameter([2], default_initializer=paddle.nn.initializer.Constant(0.5))
    p.stop_gradient = True
    frozen_text = repr(p)
    p.stop_gradient = False
    return [repr(p), frozen_text]


def formats():
    x, i = paddle.to_tensor(2.5), paddle.to_tensor(3)
    return [f"{x}", f"{x:.2f}", f"{i}", f"{i:03d}", f"{x.item():.1f}", str(x)]


def attributes():
    x = leaf(data(2, 3))
    return {
        "shape": list(x.shape),
        "shape is a list": x.shape == [2, 3],
        "ndim": x.ndim,
        "dim": x.dim(),
        "numel": x.numel(),
        "size": int(x.size),
        "len": len(x),
        "place": str(x.place),
        "dtype": str(x.dtype),
        "dtype equal": [x.dtype == paddle.float64, x.dtype == paddle.float32],
        "T": x.T,
        "persistable": x.persistable,
        "grad": x.grad,
        "gradient": x.gradient(),
        "item": x[0, 0].item(),
        "tolist": x.tolist(),
        "hash": hash(x) == hash(x),
        "name": x.name.startswith("generated_tensor_"),
    }


SHAPES = {
    "list behind": lambda s: operator.add(s[:-1], [7]),
    "list before": lambda s: operator.add([7], s),
    "tuple behind": lambda s: operator.add(s, (7,)),
    "tuple before": lambda s: operator.add((7,), s),
    "twice": lambda s: s * 2,
    "twice before": lambda s: 2 * s,
    "slice": lambda s: s[:1],
    "item": lambda s: s[-1],
    "compared": lambda s: [
        s[:1] == [2],
        s == (2, 3),
        operator.eq((2, 3), s),
        s != (2, 3),
        s != [2, 3],
        s == (3, 2),
    ],
    "kind": lambda s: [isinstance(s, list), isinstance(s, tuple), isinstance(s[:1], paddle.Size)],
    "numel": lambda s: s.numel(),
    "unpacked": lambda s: (lambda rows, columns: rows * columns)(*s),
}
for text, use in SHAPES.items():
    cases.add(f"shape {text}", lambda use: [(found := use(paddle.ones([2, 3]).shape)), repr(found)], use)


def shape_refuses():
    s = paddle.ones([2, 3]).shape
    return [raises(lambda: {s: 1}, "unhashable"), raises(lambda: s + 1), raises(lambda: s * "2")]


def shape_is_a_copy():
    x = paddle.ones([2, 3])
    shape = x.shape
    shape[0] = 9
    shape.append(4)
    return [shape, repr(shape), x.shape, x.shape is x.shape]


def conversions():
    x = paddle.to_tensor(2.75)
    return {
        "float": float(x),
        "int": int(x),
        "bool": bool(x),
        "zero": bool(paddle.to_tensor(0.0)),
        "index": [10, 20, 30, 40, 50][paddle.to_tensor(4)],
        "item kinds": [type(paddle.to_tensor(v).item()).__name__ for v in (1, 1.5, True)],
        "item at": paddle.to_tensor([[1, 2], [3, 4]]).item(2),
        "item at place": paddle.to_tensor([[1, 2], [3, 4]]).item(1, 0),
        "array": np.asarray(paddle.to_tensor([1.0, 2.0])),
        "range": list(range(paddle.to_tensor(3))),
    }


def compared_with_none():
    x = paddle.to_tensor([1.0])
    return [operator.eq(x, None), operator.ne(x, None)]


def numpy_is_a_copy():
    source = np.ones(2)
    x = paddle.to_tensor(source)
    source[0] = 5
    x.numpy()[1] = 7
    return x


VIEWS = {
    "slice": lambda x: x[1:],
    "reshape": lambda x: x.reshape([3, 2]),
    "T": lambda x: x.T,
    "transpose": lambda x: x.transpose([1, 0]),
    "squeeze": lambda x: x.squeeze(),
    "unsqueeze": lambda x: x.unsqueeze(0),
    "flatten": lambda x: x.flatten(),
    "unbind": lambda x: x.unbind()[0],
    "view": lambda x: x.view([6]),
    "detach": lambda x: x.detach(),
    "clone": lambda x: x.clone(),
    "assign": paddle.assign,
    "list index": lambda x: x[[0, 1]],
    "mask": lambda x: x[x > -100],
    "expand": lambda x: x.expand([2, 2, 3]),
    "split": lambda x: x.split(2)[0],
    "chunk": lambda x: x.chunk(2)[0],
    "mul": lambda x: x * 1,
    "astype": lambda x: x.astype("float32"),
}


def what_is_a_view():
    found = {}
    for name, fn in VIEWS.items():
        x = frozen(data(2, 3))
        y = fn(x)
        before = y.numpy().copy()
        x.fill_(9.0)
        shared = bool((y.numpy() != before).any())
        found[name] = {"shares": shared, "version": y.inplace_version}
    return found


def dtype_names():
    names = ["float16", "float32", "float64", "int32", "int64", "bool", "uint8", "int8", "int16"]
    made = {name: str(paddle.to_tensor([1]).astype(name).dtype) for name in names}
    return made | {"constant": str(paddle.float32), "numpy": dtype_name(paddle.to_tensor(np.float16(1)))}


def errors():
    many = frozen(data(2))
    return {
        "len of 0-D": raises(lambda: len(frozen(data()))),
        "iterate 0-D": raises(lambda: list(frozen(data()))),
        "bool": raises(lambda: bool(many)),
        "float": raises(lambda: float(many)),
        "int": raises(lambda: int(many)),
        "item": raises(lambda: many.item(), "only one element"),
        "item index": raises(lambda: many.item(5)),
        "set version": raises(lambda: setattr(many, "inplace_version", 3)),
        "unknown attribute": raises(lambda: many.nonsense, "nonsense"),
        "set shape": raises(lambda: setattr(many, "ndim", 3)),
    }


def the_tensor_itself():
    x, v = leaf(data(2, 2)), leaf(data(3))
    return {
        "astype": [x.astype("float64") is x, x.astype("float32") is x, x.astype(x.dtype) is x],
        "double": x.double() is x,
        "cast": [x.cast("float64") is x, paddle.cast(x, "float64") is x],
        "reshape": [x.reshape([2, 2]) is x, paddle.reshape(x, (2, 2)) is x, x.reshape([2, -1]) is x],
        "reshape_": [x.detach().reshape_([2, 2]).inplace_version],
        "T": [v.T is v, v.t() is v, x.T is x],
        "cpu": x.cpu() is x,
        "copies": [x.clone() is x, x[:] is x, paddle.assign(x) is x, x.flatten() is x, x.expand([2, 2]) is x],
    }


def sizes_as_arguments():
    x = frozen(data(2, 3))
    found = [x.view(-1, 1), x.view(6), x.view([3, 2]), paddle.view(x, 3, 2), x.reshape(3, 2), x.reshape(-1)]
    return [*found, paddle.reshape(x, 1, 6)]


def numpy_takes_a_flag():
    x = frozen(data(2))
    return [x.numpy(False), x.numpy(True), x.numpy(blocking=False)]
