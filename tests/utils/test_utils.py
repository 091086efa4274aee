"""paddle.utils: nests, releases, imports, and memory that NumPy shares."""

import hashlib
import tarfile

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.paddle import utils
from minipaddle.paddle.utils import download, layers_utils
from minipaddle.paddle.utils.deprecated import VisibleDeprecationWarning


def test_flatten_and_pack_undo_each_other():
    nest = [1, (2, [3]), {"b": 5, "a": 4}]
    assert utils.flatten(nest) == [1, 2, 3, 4, 5]
    assert utils.pack_sequence_as(nest, [1, 2, 3, 4, 5]) == nest
    assert list(utils.pack_sequence_as({"b": 1, "a": 2}, [0, 1])) == ["b", "a"]
    assert utils.map_structure(lambda x, y: x + y, [1, (2,)], [3, (4,)]) == [4, (6,)]
    with pytest.raises(ValueError, match="Structure had 2 elements, but flat_sequence had 1"):
        utils.map_structure(lambda x, y: x + y, [1, 2], [3])
    with pytest.raises(ValueError, match="Structure is a scalar"):
        utils.pack_sequence_as(1, [4, 5])
    with pytest.raises(TypeError, match="flat_sequence must be a sequence"):
        utils.pack_sequence_as([1], 3)


def test_structures_are_compared():
    utils.assert_same_structure([1, (2,)], [3, (4,)])
    utils.assert_same_structure([1, 2], (3, 4), check_types=False)
    with pytest.raises(ValueError, match="same nested structure"):
        utils.assert_same_structure([1, 2], [3, (4,)])
    with pytest.raises(TypeError, match="same sequence type"):
        utils.assert_same_structure([1, 2], (3, 4))
    assert utils.padding_to_same_structure([1, [2]], [1, [2, 3]]) == ([1, [2, None]], [1, [2, 3]])


def test_what_is_held_comes_back():
    nest = [1, {"a": [2]}]
    copied = utils.copy_mutable_vars(nest)
    with utils.hold_mutable_vars(nest):
        nest[1]["a"].append(3)
        nest.append(4)
    assert nest == copied == [1, {"a": [2]}]


def test_values_for_several_axes():
    assert utils.convert_to_list(3, 2, "k") == [3, 3]
    assert utils.convert_to_list((1, 2), 2, "k") == [1, 2]
    with pytest.raises(ValueError, match="The k's length must be 2"):
        utils.convert_to_list([1, 2, 3], 2, "k")
    with pytest.raises(ValueError, match="including element a"):
        utils.convert_to_list(["a"], 1, "k")
    assert layers_utils.convert_shape_to_list((2, paddle.to_tensor([3]))) == [2, 3]
    assert utils.is_same_shape([1, 2], (1, 2))
    with pytest.raises(TypeError, match="must be integers"):
        utils.check_shape([1.5])


@pytest.mark.parametrize("versions", [("2.0",), ("0.1", "9.0"), ("3.3.1.0",), ("3.3", "3.3.1")])
def test_the_release_is_new_enough(versions):
    utils.require_version(*versions)


@pytest.mark.parametrize(
    ("versions", "kind", "words"),
    [
        (("99.0",), Exception, "PaddlePaddle version 99.0 or higher is required, but 3.3.1 installed"),
        (("0.1", "1.0"), Exception, r"version in \[0.1, 1.0\] required"),
        ((3,), TypeError, "'min_version' in require_version must be str"),
        (("2.0", 3), TypeError, "'max_version'"),
        (("1.0.0.0.0",), ValueError, "must be in format"),
    ],
)
def test_the_release_is_another(versions, kind, words):
    with pytest.raises(kind, match=words):
        utils.require_version(*versions)


def test_a_module_that_is_not_installed():
    assert utils.try_import("json").__name__ == "json"
    with pytest.raises(ImportError, match=r"Failed importing no_such\.a.*pip install no_such`"):
        utils.try_import("no_such.a")
    with pytest.raises(ImportError, match="get it"):
        utils.try_import("no_such", "get it")


def test_a_function_that_will_go():
    @utils.deprecated(update_to="paddle.new", since="2.0", reason="because", level=1)
    def old(x):
        """Old doc."""
        return x

    with pytest.warns(VisibleDeprecationWarning, match=r'old" is deprecated since 2.0.*"paddle.new" instead'):
        assert old(3) == 3
    assert old.__doc__.endswith("Reason: because\n\nOld doc.")
    with pytest.raises(RuntimeError, match="has been deprecated"):
        utils.deprecated(level=2)(lambda: None)()
    with pytest.raises(AssertionError, match="must start with"):
        utils.deprecated(update_to="a.b")


def test_run_check_computes_and_says_so(capsys):
    paddle.enable_static()
    utils.run_check()
    assert not paddle.in_dynamic_mode()
    paddle.disable_static()
    assert "PaddlePaddle works well on 1 CPU." in capsys.readouterr().out


def test_run_check_finds_a_wrong_step(monkeypatch):
    monkeypatch.setattr("minipaddle.paddle.utils.install_check._STEPPED", np.zeros((2, 1), "float32"))
    with pytest.raises(AssertionError, match="a step eagerly ended at"):
        utils.run_check()


def test_memory_is_shared_both_ways():
    array = np.arange(4.0)
    tensor = paddle.from_dlpack(array)
    tensor[0] = 7
    assert array[0] == 7
    given = paddle.ones([2])
    taken = paddle.utils.dlpack.from_dlpack(paddle.to_dlpack(given))
    taken[1] = 9
    assert given.tolist() == np.from_dlpack(given).tolist() == [1, 9]
    assert paddle.from_dlpack(array, copy=True).numpy().base is not array
    assert paddle.from_dlpack(np.ones((2, 3)).T).shape == [3, 2]


def test_memory_that_cannot_be_shared():
    capsule = paddle.to_dlpack(paddle.ones([1]))
    paddle.from_dlpack(capsule)
    for wrong in (capsule, 3):
        with pytest.raises(ValueError, match="invalid capsule"):
            paddle.from_dlpack(wrong)
    with pytest.raises(TypeError, match=r"must be paddle\.Tensor"):
        paddle.to_dlpack(np.ones(1))
    with pytest.raises(BufferError, match="requires gradients"):
        np.from_dlpack(paddle.to_tensor([1.0], stop_gradient=False))
    with pytest.raises(BufferError, match="DLPack only supports"):
        paddle.from_dlpack(np.array(["a"]))


@pytest.mark.parametrize("kind", ["outside", "absolute", "link"])
def test_an_archive_stays_in_its_folder(tmp_path, kind):
    place = tmp_path / "cache"
    place.mkdir()
    member = tarfile.TarInfo(
        {"outside": "../evil", "absolute": str(tmp_path / "evil"), "link": "net/evil"}[kind]
    )
    if kind == "link":
        member.type, member.linkname = tarfile.SYMTYPE, str(tmp_path)
    with tarfile.open(place / "model.tar", "w") as archive:
        archive.addfile(member)
    with pytest.raises(RuntimeError, match="nothing was unpacked"):
        download.get_path_from_url("https://example.com/model.tar", str(place))
    assert {path.name for path in tmp_path.rglob("*")} == {"cache", "model.tar"}


def test_a_file_is_found_and_never_fetched(tmp_path):
    url = "https://example.com/a/model.tar.gz"
    with pytest.raises(RuntimeError, match="downloads nothing"):
        download.get_path_from_url(url, str(tmp_path))
    (tmp_path / "weights").write_text("1")
    with tarfile.open(tmp_path / "model.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / "weights", "net/weights")
    content = (tmp_path / "model.tar.gz").read_bytes()
    known = hashlib.md5(content).hexdigest()
    assert download.get_path_from_url(url, str(tmp_path), known, decompress=False) == str(
        tmp_path / "model.tar.gz"
    )
    assert download.get_path_from_url(url, str(tmp_path)) == str(tmp_path / "net")
    assert (tmp_path / "net" / "weights").read_text() == "1"
    with pytest.raises(RuntimeError, match="MD5"):
        download.get_path_from_url(url, str(tmp_path), "0" * 32)
