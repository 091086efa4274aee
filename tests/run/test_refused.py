"""The names refused on purpose are one table: each row is a sentence, and none of its names exists here."""

import re

import pytest

import minipaddle
from minipaddle.engine.names.missing import (
    REFUSED,
    Missing,
    MissingImport,
    MissingModule,
    refusal,
    same_name_elsewhere,
)
from minipaddle.engine.operator.operator import Operator
from minipaddle.importer import paddle_is_minipaddle
from minipaddle.tools.run.coverage import look_up


@pytest.mark.parametrize("name", REFUSED)
def test_a_name_that_is_refused_is_not_here(name):
    assert not look_up(name).present
    assert look_up(name).refused == REFUSED[name]


@pytest.mark.parametrize("sentence", sorted(set(REFUSED.values())))
def test_a_row_is_one_sentence_and_says_where_it_works(sentence):
    assert "work" in sentence
    assert "PaddlePaddle" in sentence
    assert ". " not in sentence
    assert len(sentence) < 110


@pytest.mark.parametrize("sentence", sorted(set(REFUSED.values())))
def test_what_a_row_says_to_write_instead_is_here(sentence):
    """``paddle.stack``, ``x.tile``, and the bare names in "Accuracy and Auc are here"."""
    its_names = [name for name in REFUSED if REFUSED[name] == sentence]
    full = re.findall(r"\b(?:paddle|x)(?:\.\w+)+", sentence)
    advised = [re.sub(r"^x\b", "paddle.Tensor", name) for name in full if name not in its_names]
    if "capital D" in sentence:
        advised += [f"{name[:-1]}D" for name in its_names]
    assert [name for name in advised if not look_up(name).present] == []
    listed = re.search(r"PaddlePaddle, (.+) (?:is|are) here", sentence)
    bare = re.findall(r"(?<![\w.])[A-Z]\w+", listed[1]) if listed else []
    assert [name for name in bare if not same_name_elsewhere(name)] == []


def test_a_name_stands_for_all_below_it_and_for_nothing_beside_it():
    assert refusal("paddle.onnx.export") == refusal("paddle.onnx") is not None
    assert refusal("paddle.onnxy") is refusal("paddle") is refusal("paddle.nn") is None


def test_each_way_to_ask_has_its_own_kind_of_error():
    with paddle_is_minipaddle():
        with pytest.raises(
            MissingModule, match=r"^No module named 'paddle\.onnx': minipaddle has no paddle\.onnx: onnx"
        ):
            exec("import paddle.onnx")
        with pytest.raises(
            MissingImport, match=r"^cannot import name 'onnx' from 'paddle': minipaddle has no"
        ):
            exec("from paddle import onnx")
    with pytest.raises(
        AttributeError, match=r"^minipaddle has no paddle.Tensor.to_sparse_csr: sparse"
    ) as caught:
        minipaddle.paddle.ones([1]).to_sparse_csr()
    assert isinstance(caught.value, Missing)
    assert caught.value.nearest == []
    assert not hasattr(minipaddle.paddle.ones([1]), "to_sparse_coo")
    assert "to_sparse_coo" not in dir(minipaddle.paddle.ones([1]))
    assert not hasattr(minipaddle.paddle.Tensor, "to_sparse_coo")


def test_attributes_of_tensors_and_operators_are_found_without_python():
    """A ``__getattr__`` in one of their classes would make each look-up take four times as long."""
    assert not hasattr(minipaddle.paddle.Tensor, "__getattr__")
    assert not hasattr(Operator, "__getattr__")


LEFT = """
    audio.features batch compat.nn dataset.mnist distributed.launch distributed.rpc distributed.shard_tensor
    geometric.send_u_recv hub.load incubate.asp incubate.nn.functional incubate.optimizer profiler.Profiler
    reader.buffered signal.stft sysconfig text.datasets utils.dlpack"""


@pytest.mark.parametrize("name", LEFT.split())
def test_a_room_that_left_is_refused_in_each_way_to_ask(name):
    package, _, last = f"paddle.{name}".rpartition(".")
    sentence = re.escape(refusal(f"paddle.{name}"))
    with paddle_is_minipaddle():
        for statement in (
            f"import paddle.{name}",
            f"from {package} import {last}",
            f"import paddle\npaddle.{name}",
        ):
            with pytest.raises(Missing, match=rf"minipaddle has no paddle\.[\w.]+: {sentence}"):
                exec(statement)
