"""paddle.save and paddle.load: saved data is restored, nothing is executed, no file is half-written."""

import collections
import io
import os
import pickle
import struct
from pickletools import opcodes

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.paddle.framework.unpickle import INSTRUCTIONS
from tests.support.cases import for_each


def tensor(value, name=None):
    made = paddle.to_tensor(np.asarray(value))
    if name:
        made.name = name
    return made


WEIGHT = np.arange(6, dtype="float32").reshape(2, 3)
NEST = {
    "model": collections.OrderedDict(w=tensor(WEIGHT, "lin.w"), empty=tensor(np.zeros((0, 3), "int64"))),
    "list": [1, 2.5, (True, None, "text", b"bytes", 1j)],
    "numpy": np.float32(2),
    "array": WEIGHT.T,
    "set": {1, 2},
    5: "a number as key",
}


def same(found, wanted):
    if isinstance(wanted, paddle.Tensor):
        wanted = wanted.numpy()
    if isinstance(wanted, np.ndarray):
        assert found.dtype == wanted.dtype
        np.testing.assert_array_equal(found, wanted)
    elif isinstance(wanted, dict):
        assert list(found) == list(wanted)
        for key in wanted:
            same(found[key], wanted[key])
    elif isinstance(wanted, (list, tuple)):
        assert type(found) is type(wanted)
        for one, other in zip(found, wanted, strict=True):
            same(one, other)
    else:
        assert found == wanted
        assert type(found) is type(wanted)


@pytest.mark.parametrize("protocol", [2, 3, 4])
def test_nested_containers_come_back(tmp_path, protocol):
    path = tmp_path / "deep" / "nest.pd"
    paddle.save(NEST, path, protocol=protocol)
    same(paddle.load(path, return_numpy=True), NEST)
    paddle.save({"w": paddle.ones([2, 3]), "size": paddle.ones([2, 3]).size}, path, protocol=protocol)
    same(paddle.load(path)["size"], 6)


@pytest.mark.parametrize(
    "dtype", ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float64", "complex64"]
)
def test_every_type_comes_back(tmp_path, dtype):
    paddle.save(tensor(np.ones((2, 2), dtype)), str(tmp_path / "t.pd"))
    found = paddle.load(str(tmp_path / "t.pd"))
    assert found.array.dtype == dtype
    np.testing.assert_array_equal(found.numpy(), np.ones((2, 2)))


def test_a_state_dict_keeps_the_names_of_its_tensors(tmp_path):
    path = str(tmp_path / "net.pdparams")
    paddle.save({"w": tensor(WEIGHT, "linear_0.w_0")}, path)
    assert paddle.load(path)["w"].name == "linear_0.w_0"
    assert list(paddle.load(path)) == ["w"]
    assert paddle.load(path, keep_name_table=True)["StructuredToParameterName@@"] == {"w": "linear_0.w_0"}
    assert type(paddle.load(path, return_numpy=True)["w"]) is np.ndarray


def test_beside_named_tensors_arrays_stay_arrays(tmp_path):
    path = str(tmp_path / "x.pd")
    paddle.save({"t": [tensor(WEIGHT, "a")], "n": WEIGHT}, path)
    found = paddle.load(path)
    assert isinstance(found["t"][0], paddle.Tensor)
    assert found["t"][0].name == "a"
    assert type(found["n"]) is np.ndarray
    paddle.save({"n": [WEIGHT]}, path)
    assert isinstance(paddle.load(path)["n"][0], paddle.Tensor)


def test_what_is_loaded_may_be_written_to(tmp_path):
    paddle.save([WEIGHT], str(tmp_path / "x.pd"))
    found = paddle.load(str(tmp_path / "x.pd"), return_numpy=True)[0]
    found += 1
    np.testing.assert_array_equal(found, WEIGHT + 1)


def test_several_objects_in_one_buffer():
    buffer = io.BytesIO()
    paddle.save({"w": tensor(WEIGHT)}, buffer)
    paddle.save(tensor([1.0]), buffer)
    buffer.seek(0)
    assert paddle.load(buffer)["w"].shape == [2, 3]
    assert paddle.load(buffer).tolist() == [1.0]


def test_a_training_run_goes_on_from_its_files(tmp_path):
    def build():
        net = paddle.nn.Sequential(paddle.nn.Linear(3, 2), paddle.nn.BatchNorm1D(2))
        schedule = paddle.optimizer.lr.StepDecay(0.1, 2)
        return net, paddle.optimizer.Adam(schedule, parameters=net.parameters())

    def steps(net, optimizer):
        for _ in range(3):
            (net(paddle.to_tensor(WEIGHT)) ** 2).sum().backward()
            optimizer.step()
            optimizer.clear_grad()

    net, optimizer = build()
    steps(net, optimizer)
    paddle.save(net.state_dict(), str(tmp_path / "a.pdparams"))
    names = dict(zip([p.name for p in net.parameters()], ["0", "1", "2", "3"]))
    again, other = build()
    again.set_state_dict(paddle.load(str(tmp_path / "a.pdparams")))
    for new, old in zip(again.parameters(), names):
        new.name = old
    paddle.save(optimizer.state_dict(), str(tmp_path / "a.pdopt"))
    other.set_state_dict(paddle.load(str(tmp_path / "a.pdopt")))
    steps(net, optimizer)
    steps(again, other)
    for one, two in zip(net.parameters(), again.parameters()):
        np.testing.assert_array_equal(one.numpy(), two.numpy())


# -- nothing half-written


class Unpicklable:
    pass


@pytest.mark.parametrize(
    ("thing", "kind", "words"),
    [
        ({"f": open}, TypeError, "builtin_function"),
        ([Unpicklable()], TypeError, "Unpicklable"),
        (np.array([None]), TypeError, "ndarray"),
        ({(1, 2): 3}, TypeError, "key of type tuple"),
        (paddle.nn.Linear(1, 1), ValueError, "do not support saving"),
    ],
)
def test_what_cannot_be_saved_leaves_the_old_file(tmp_path, thing, kind, words):
    path = tmp_path / "x.pd"
    path.write_bytes(b"before")
    with pytest.raises(kind, match=words):
        paddle.save(thing, str(path))
    assert path.read_bytes() == b"before"
    assert os.listdir(tmp_path) == ["x.pd"]


def test_a_failing_disk_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "x.pd"
    path.write_bytes(b"before")

    def fail(*_):
        raise OSError("no space left")

    monkeypatch.setattr("minipaddle.paddle.framework.whole_file.os.replace", fail)
    with pytest.raises(OSError, match="no space"):
        paddle.save([1], str(path))
    assert path.read_bytes() == b"before"
    assert os.listdir(tmp_path) == ["x.pd"]


def test_a_container_that_contains_itself_is_refused(tmp_path):
    loop = [1]
    loop.append(loop)
    with pytest.raises(ValueError, match="contains itself"):
        paddle.save(loop, str(tmp_path / "x.pd"))


ARGUMENTS = {
    "protocol": (lambda path: paddle.save([], path, protocol=5), ValueError, "protocol=5"),
    "protocol kind": (lambda path: paddle.save([], path, protocol="4"), ValueError, "protocol"),
    "no file name": (lambda path: paddle.save([], "dir/"), ValueError, "filename is empty"),
    "no path": (lambda path: paddle.save([], 3), ValueError, "file and `BytesIO`"),
    "config": (lambda path: paddle.save([], path, fast=True), ValueError, "fast"),
    "load config": (lambda path: paddle.load(path, fast=True), ValueError, "fast"),
    "missing": (lambda path: paddle.load(path), FileNotFoundError, "not exists"),
    "missing, as Paddle": (lambda path: paddle.load(path), ValueError, "not exists"),
    "a directory": (lambda path: paddle.load(os.path.dirname(path)), ValueError, "not exists"),
}


@pytest.mark.parametrize("name", ARGUMENTS)
def test_arguments(tmp_path, name):
    run, kind, words = ARGUMENTS[name]
    with pytest.raises(kind, match=words):
        run(str(tmp_path / "x.pd"))
    assert os.listdir(tmp_path) == []


def test_a_prefix_is_answered_with_the_file_that_is_there(tmp_path):
    paddle.save({"w": tensor(1.0)}, str(tmp_path / "net.pdparams"))
    with pytest.raises(FileNotFoundError, match=r"Did you mean .*net\.pdparams"):
        paddle.load(str(tmp_path / "net"))


# -- hostile and damaged files


class Call:
    """Pickles as a call."""

    def __init__(self, function, *arguments):
        self.call = (function, arguments)

    def __reduce__(self):
        return self.call


class Persistent(pickle.Pickler):
    def persistent_id(self, obj):
        return "id" if obj == "outside" else None


def persistent():
    buffer = io.BytesIO()
    Persistent(buffer, 2).dump(["outside"])
    return buffer.getvalue()


def shared_bytes():
    """3,000 arrays over one megabyte."""
    size = struct.pack("<i", 1 << 20)
    array = b"cnumpy.core.multiarray\n_reconstruct\n)R(K\x01J" + size + b"\x85h\x02\x89h\x01tb"
    head = b"\x80\x04](B" + size + bytes(1 << 20) + b"q\x01cnumpy\ndtype\n(X\x02\x00\x00\x00u1tRq\x02"
    return head + array * 3000 + b"e."


GOOD = pickle.dumps({"a": np.arange(10.0)}, 4)
HOSTILE = {
    "os.system": (pickle.dumps(Call(os.system, "exit 3")), "refuses to load .*system"),
    "os.system, protocol 0": (b"cos\nsystem\n(S'exit 3'\ntR.", r"refuses to load os\.system"),
    "INST": (b"(S'exit 3'\nios\nsystem\n.", "INST"),
    "eval": (pickle.dumps(Call(eval, "1 + 1")), r"refuses to load builtins\.eval"),
    "eval with more": (pickle.dumps(Call(eval, "data", {"data": 3})), r"builtins\.eval"),
    "a chain of calls": (pickle.dumps(Call(getattr, Call(__import__, "os"), "system")), "__import__"),
    "in an array": (pickle.dumps(np.array([Call(os.system, "exit 3")], dtype=object)), "refuses"),
    "a bare function": (pickle.dumps(os.path.join), r"posixpath\.join"),
    "a class": (b"\x80\x04cnumpy\nndarray\n.", r"numpy\.ndarray"),
    "numpy.load": (b"\x80\x04cnumpy\nload\n(X\x01\x00\x00\x00xtR.", r"numpy\.load"),
    "an object": (pickle.dumps(Unpicklable(), 2), "NEWOBJ"),
    "a subclass of dict": (pickle.dumps(collections.Counter("a"), 2), r"collections\.Counter"),
    "persistent id": (persistent(), "BINPERSID"),
    "extension": (b"\x80\x02\x82\x01.", "EXT1"),
    "state of a list": (b"\x80\x02]}b.", "state of their own"),
    "text array": (pickle.dumps(np.array(["a"]), 4), "only numbers"),
    "dates": (pickle.dumps(np.zeros(1, "M8[s]"), 4), "only numbers"),
    "deep": (b"\x80\x04)" + b"\x85" * 200_000 + b".", "nested too deeply"),
    "deep key": (b"\x80\x04})" + b"\x85" * 200_000 + b"K\x01s.", "key of type tuple"),
    "contains itself": (b"\x80\x02]q\x00h\x00a.", "nested too deeply"),
    "claimed shape": (GOOD.replace(b"K\n\x85", b"J\xff\xff\xff\x7f\x85"), "claims the shape"),
    "negative shape": (GOOD.replace(b"K\n\x85", b"J\xff\xff\xff\xff\x85"), "claims the shape"),
    "claimed bytes": (b"\x80\x04\x8e" + struct.pack("<Q", 1 << 40) + b"abc.", "damaged"),
    "claimed bytearray": (b"\x80\x05\x96" + struct.pack("<Q", 1 << 35) + b"abc.", "damaged"),
    "shared bytes": (shared_bytes(), "more bytes than the file has"),
    "unfinished array": (b"\x80\x02cnumpy.core.multiarray\n_reconstruct\n)R.", "no content"),
    "too short a stack": (b"\x80\x02s.", "damaged"),
    "no mark": (b"\x80\x02K\x01t.", "damaged"),
    "unknown memo": (b"\x80\x02h\x05.", "damaged"),
    "two objects": (b"\x80\x02K\x01K\x02.", "damaged"),
    "empty": (b"", "damaged"),
    "text": (b"hello world\n", "damaged"),
    "a picture": (b"\x89PNG\r\n\x1a\n" + bytes(50), "refuses|damaged"),
    "an archive": (b"PK\x03\x04" + bytes(30), "damaged"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_and_damaged_files_are_refused_by_name(tmp_path, name):
    content, words = HOSTILE[name]
    path = tmp_path / "x.pdparams"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=rf"can not parse the file:.*x\.pdparams: .*({words})"):
        paddle.load(str(path))


@for_each("end", {f"{end} bytes": end for end in range(len(GOOD))})
def test_a_file_cut_anywhere_is_refused(end):
    with pytest.raises(ValueError, match="can not parse"):
        paddle.load(io.BytesIO(GOOD[:end]))


def test_many_references_to_one_object_cost_nothing():
    found = paddle.load(io.BytesIO(b"\x80\x02]" + sharing(60) + b"."))
    for _ in range(60):
        assert len(found) == 9
        assert found[0] is found[8]
        found = found[0]
    assert found == []


def sharing(depth):
    """Put the object on the stack into a list nine times, and repeat that `depth` times."""
    return b"".join(b"q%c0(" % i + b"h%c" % i * 9 + b"l" for i in range(depth))


def test_a_far_memo_place_costs_nothing():
    assert paddle.load(io.BytesIO(b"\x80\x02]r\xff\xff\xff\x7f.")) == []


def test_the_scope_of_a_static_program_is_read():
    array = pickle.dumps(Call(eval, "data", {"data": WEIGHT}), 2)
    np.testing.assert_array_equal(paddle.load(io.BytesIO(array)).numpy(), WEIGHT)


def test_every_instruction_that_is_carried_out_is_one_of_pickle():
    assert {opcode.name for opcode in opcodes} >= INSTRUCTIONS
